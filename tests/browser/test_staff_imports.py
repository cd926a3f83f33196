"""The import and export of a spreadsheet."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import each_way
from tests.browser.imported import IMPORT_OWNER
from tests.browser.site import Site
from tests.browser.steps import open_as, sign_in_by_request, upload_spreadsheet


def choose_columns(page: Page, script: bool) -> None:
    """Correct the guessed columns, answer the questions, and check the preview."""
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
def test_a_spreadsheet_is_previewed_checked_and_imported(
    page: Page, site: Site, script: bool, tmp_path: Path
) -> None:
    sign_in_by_request(page)
    upload_spreadsheet(page, site)
    choose_columns(page, script)
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
def test_values_stay_open_and_keep_the_focus_after_a_choice(page: Page, site: Site) -> None:
    open_as("import-questions", IMPORT_OWNER)(page, site)
    species = page.locator("details", has=page.get_by_label("Cat", exact=True))
    species.locator("summary").click()
    choice = species.get_by_label("Cat", exact=True)
    choice.focus()
    choice.select_option("Cat")
    expect(page.locator("#announcer")).to_have_text("The preview is up to date")
    expect(choice).to_be_visible()
    expect(choice).to_be_focused()


def test_a_choice_in_progress_when_the_form_is_sent_is_not_an_error(page: Page, site: Site) -> None:
    sign_in_by_request(page)
    upload_spreadsheet(page, site)
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
def test_an_unreadable_file_is_rejected_and_animals_are_exported(
    page: Page, site: Site, tmp_path: Path
) -> None:
    sign_in_by_request(page)
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
