"""A volunteer brings in the spreadsheet that the shelter has, and takes one along."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import each_way
from tests.browser.imported import IMPORT_OWNER
from tests.browser.site import Site
from tests.browser.steps import let_in, look_at, upload


def correct(page: Page, script: bool) -> None:
    """Say what was guessed wrong and what is asked, and see the first rows follow."""
    expect(page.get_by_label("Call name")).to_have_value("")
    page.get_by_label("Call name").focus()
    page.get_by_label("Call name").select_option("Name")
    if script:
        expect(page.locator("#announcer")).to_have_text("The preview is up to date")
        expect(page.get_by_label("Call name")).to_be_focused()
    else:
        page.get_by_role("button", name="Update the preview").click()
    expect(page.get_by_role("row", name=re.compile("Teasel.*Cat"))).to_be_visible()
    page.get_by_label("Fetch the photos from their addresses").uncheck()
    page.get_by_label("The day first").check()


@each_way
def test_a_spreadsheet_is_looked_at_tried_and_taken_in(
    page: Page, site: Site, script: bool, tmp_path: Path
) -> None:
    let_in(page)
    upload(page, site)
    correct(page, script)
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("heading", name="What an import would do")).to_be_visible()
    expect(page.get_by_text("1 row needs fixing")).to_be_visible()
    page.get_by_role("button", name="Import these animals").click()
    expect(page.get_by_role("heading", name="The import is done")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it as CSV").first.click()
    download.value.save_as(tmp_path / "refused.csv")
    assert "the species is blank" in (tmp_path / "refused.csv").read_text("utf-8-sig")
    page.get_by_role("link", name="See your animals").click()
    expect(page.get_by_role("heading", level=1, name="Animals")).to_be_visible()
    page.goto(f"{site.places['staff-animals']}?q=Teasel")
    expect(page.get_by_role("link", name="Teasel", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", ["phone"])
def test_values_stay_open_and_keep_the_focus_when_one_is_chosen(page: Page, site: Site) -> None:
    look_at("import-questions", IMPORT_OWNER)(page, site)
    species = page.locator("details", has=page.get_by_label("Cat", exact=True))
    species.locator("summary").click()
    choice = species.get_by_label("Cat", exact=True)
    choice.focus()
    choice.select_option("Cat")
    expect(page.locator("#announcer")).to_have_text("The preview is up to date")
    expect(choice).to_be_visible()
    expect(choice).to_be_focused()


def test_a_choice_that_was_under_way_when_the_form_was_sent_is_nobodys_fault(page: Page, site: Site) -> None:
    let_in(page)
    upload(page, site)
    slow: list[Route] = []
    page.route("**/columns", lambda route: slow.append(route))

    def overtake(sent: Route) -> None:
        for each in slow:
            each.fulfill(status=409, body="It is being tried already.")
        sent.continue_()

    page.route("**/start", overtake)
    page.get_by_label("The day first").check()
    page.get_by_label("Call name").select_option("Name")
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("heading", name="What an import would do")).to_be_visible()
    assert slow != []


@each_way
def test_a_file_is_refused_in_words_and_the_animals_are_taken_along(
    page: Page, site: Site, tmp_path: Path
) -> None:
    let_in(page)
    page.goto(site.places["staff-imports"])
    file = {"name": "animals.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"}
    page.get_by_label("Spreadsheet").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload file").click()
    expect(page.get_by_role("alert")).to_contain_text("This is a PDF")
    page.get_by_role("link", name="Export animals").click()
    page.get_by_label("Excel workbook").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith("-animals.xlsx")
