"""Staff pages of animals, on a phone and at a desk."""

import itertools
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect

from demo.photographed_animals import PICTURES
from tests import photographs
from tests.browser.conftest import Open, each_way
from tests.browser.site import Site
from tests.browser.steps import sign_in_by_request

NUMBERS = itertools.count(1)

everywhere = pytest.mark.parametrize(
    ("size", "script"),
    [("phone", True), ("desk", True), ("desk", False)],
    ids=["phone", "desk", "no-script"],
)
PHOTOS = [PICTURES / "juno.webp", PICTURES / "rio.webp"]


@pytest.fixture
def animal_name() -> str:
    """Return a name that no other animal of the shelter has."""
    return f"Bramble {next(NUMBERS)}"


POLLS = re.compile(r"/uploads/\d+$")


def animal_row(page: Page, name: str) -> Locator:
    return page.locator("tbody tr", has=page.get_by_role("link", name=name, exact=True))


def open_list(page: Page, site: Site, search: str = "") -> None:
    page.goto(f"{site.places['staff-animals']}?q={search}")


def start_animal(page: Page, site: Site, name: str) -> None:
    """Open the form of a new animal and fill in the required fields."""
    page.goto(site.places["staff-animal-new"])
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Species").select_option("Dog")


def add_animal(page: Page, site: Site, name: str) -> None:
    start_animal(page, site, name)
    page.get_by_role("button", name="Add animal").click()
    expect(page.get_by_text(f"{name} added.")).to_be_visible()


def wait_for_photos(page: Page, script: bool, number: int) -> None:
    """Wait until this many photos are ready. Without scripts, reload the page."""
    if not script:
        expect(
            page.get_by_role("link", name="Refresh").or_(page.locator("#photo-list [data-id]")).first
        ).to_be_visible()
        while page.get_by_text("being processed").count():
            page.get_by_role("link", name="Refresh").first.click()
    expect(page.locator("#photo-list [data-id]")).to_have_count(number)


@everywhere
def test_an_animal_is_added_with_its_photos(page: Page, site: Site, script: bool, animal_name: str) -> None:
    sign_in_by_request(page)
    start_animal(page, site, animal_name)
    page.get_by_text("Female", exact=True).click()
    page.get_by_label("Choose photos").set_input_files(PHOTOS)
    if script:
        expect(page.locator("[data-waiting] canvas")).to_have_count(len(PHOTOS))
        expect(page.get_by_text("No photo yet?")).to_be_hidden()
        expect(page.get_by_label("Describe juno.webp")).to_be_visible()
        page.get_by_label("Describe juno.webp").fill("Juno in a meadow")
    page.get_by_role("button", name="Add animal").click()
    expect(page.get_by_text(f"{animal_name} added.")).to_be_visible()
    if script:
        expect(page).to_have_url(re.compile(r"/animals/\d+$"))
    else:
        animal_row(page, animal_name).get_by_role("link", name=animal_name, exact=True).click()
    wait_for_photos(page, script, 2)
    cover = page.get_by_label(re.compile("Describe photo 1"))
    expect(cover).to_have_value("Juno in a meadow" if script else "")
    expect(page.get_by_label("Female", exact=True)).to_be_checked()


@pytest.mark.parametrize("size", ["phone"])
def test_photos_chosen_before_the_script_has_loaded_are_kept(page: Page, site: Site) -> None:
    held: list[Route] = []
    page.route(re.compile("uploads"), lambda route: held.append(route))
    sign_in_by_request(page)
    page.goto(site.places["staff-animal-new"], wait_until="commit")
    page.get_by_label("Choose photos").set_input_files(PHOTOS)
    expect(page.locator("[data-waiting] canvas")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.locator("[data-waiting] canvas")).to_have_count(len(PHOTOS))


@pytest.mark.parametrize(("size", "script"), [("phone", True), ("phone", False)])
def test_on_a_phone_the_form_starts_with_photos_and_its_button_stays_visible(page: Page, site: Site) -> None:
    sign_in_by_request(page)
    page.goto(site.places["staff-animal-new"])
    expect(page.get_by_label("Choose photos")).to_be_in_viewport()
    page.get_by_label("Intake details").scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Add animal")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 390, "nothing goes over the edge"


@pytest.mark.parametrize("size", ["phone"])
def test_a_description_typed_while_a_photo_is_processed_is_kept(
    page: Page, site: Site, animal_name: str, tmp_path: Path
) -> None:
    large = tmp_path / "large.png"
    # The photo is still being processed when the page is shown.
    Image.new("RGB", (6_000, 6_000), "tan").save(large)
    is_held = True

    def hold(route: Route) -> None:
        if is_held and route.request.method == "GET":
            route.fulfill(status=204)
        else:
            route.continue_()

    page.route(POLLS, hold)
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    animal_row(page, animal_name).get_by_role("link", name=animal_name, exact=True).click()
    page.get_by_label("Choose photos").set_input_files(large)
    page.get_by_label("Describe this photo").press_sequentially("Asleep")
    is_held = False
    with page.expect_response(lambda answer: bool(POLLS.search(answer.url)) and answer.status == 200):
        pass
    expect(page.get_by_label("Describe this photo")).to_have_value("Asleep")
    page.get_by_label("Describe this photo").blur()
    expect(page.get_by_label("Describe photo 1")).to_have_value("Asleep")


@pytest.mark.parametrize("size", ["phone"])
def test_a_file_that_is_not_a_photo_is_reported_and_the_others_are_added(
    page: Page, site: Site, animal_name: str, tmp_path: Path
) -> None:
    huge, text = tmp_path / "huge.jpg", tmp_path / "list.txt"
    huge.write_bytes(b"\xff" * 26_000_000)
    text.write_text("eggs, milk")
    sign_in_by_request(page)
    start_animal(page, site, animal_name)
    page.get_by_label("Choose photos").set_input_files([huge, text])
    expect(page.locator("[data-waiting]")).to_contain_text(
        "huge.jpg: the file has 26 MB, and the limit is 25 MB."
    )
    page.get_by_label("Choose photos").set_input_files(PHOTOS[:1])
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_role("button", name="Add animal").click()
    expect(page.locator(".error-summary")).to_be_focused()
    expect(page.get_by_label("Describe juno.webp")).to_be_visible()
    page.get_by_label("Name", exact=True).fill(animal_name)
    page.get_by_role("button", name="Save and add another").click()
    expect(page.locator("[data-sent]")).to_contain_text("list.txt: This is not a photo.")
    expect(page.get_by_label("Describe photo 1")).to_be_visible()
    open_list(page, site, animal_name)
    animal_row(page, animal_name).get_by_role("link", name=animal_name, exact=True).click()
    expect(page.locator("#photo-list li")).to_have_count(1)


@each_way
def test_an_animal_is_edited_and_errors_are_shown(
    page: Page, site: Site, script: bool, animal_name: str
) -> None:
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    animal_row(page, animal_name).get_by_role("link", name=animal_name, exact=True).click()
    code = page.get_by_label("Shelter ID")
    code.fill("x" * 101)
    if script:
        code.press("Tab")
        expect(page.get_by_text("Shorten the code to 100 characters")).to_be_visible()
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".error-summary")).to_contain_text("Shorten the code to 100 characters")
    page.get_by_label("Shelter ID").fill(f"R-{animal_name}")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text(f"{animal_name} saved.")).to_be_visible()
    open_list(page, site, f"R-{animal_name}")
    expect(animal_row(page, animal_name)).to_be_visible()


def test_a_status_that_could_not_be_saved_is_reset(chromium: Browser, site: Site, animal_name: str) -> None:
    with chromium.new_context(base_url=site.root) as unwatched:  # These requests are meant to fail.
        page = unwatched.new_page()
        sign_in_by_request(page)
        add_animal(page, site, animal_name)
        open_list(page, site, animal_name)
        status = page.get_by_label(f"Status of {animal_name}")
        page.route("**/changes", lambda route: route.abort())
        status.select_option("Adopted")
        expect(animal_row(page, animal_name).get_by_text("Not saved.")).to_be_visible()
        expect(status).to_have_value("available")


@each_way
def test_a_status_is_changed_in_the_row(page: Page, site: Site, script: bool, animal_name: str) -> None:
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    open_list(page, site, animal_name)
    page.get_by_label(f"Status of {animal_name}").focus()
    page.get_by_label(f"Status of {animal_name}").select_option("Adoption pending")
    if script:
        expect(page.locator("#announcer")).to_have_text(f"{animal_name} is now Adoption pending.")
        expect(page.get_by_label(f"Status of {animal_name}")).to_be_focused()
    else:
        page.get_by_role("button", name=f"Save status of {animal_name}").click()
        expect(page.get_by_text(f"{animal_name} is now Adoption pending")).to_be_visible()
    page.reload()
    expect(page.get_by_label(f"Status of {animal_name}")).to_have_value("pending")


@each_way
def test_several_animals_are_removed_and_restored(
    page: Page, site: Site, script: bool, animal_name: str
) -> None:
    sign_in_by_request(page)
    for nth in ("one", "two"):
        add_animal(page, site, f"{animal_name} {nth}")
    open_list(page, site, animal_name)
    for nth in ("one", "two"):
        page.get_by_label(f"Select {animal_name} {nth}").check()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile(r"^Remove .* and .*\?$"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Remove .* and ")).click()
    expect(page.get_by_text("removed.")).to_be_visible()
    expect(animal_row(page, f"{animal_name} one")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone. 2 animals changed back.")).to_be_visible()
    open_list(page, site, animal_name)
    expect(animal_row(page, f"{animal_name} one")).to_be_visible()


def test_search_and_filters_change_the_table_and_its_url(page: Page, site: Site, animal_name: str) -> None:
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    page.get_by_label("Search your animals").fill(animal_name)
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=Bramble"))
    page.get_by_label("Status", exact=True).select_option("Adopted")
    expect(page.get_by_text("No animals match")).to_be_visible()
    page.go_back()
    expect(animal_row(page, animal_name)).to_be_visible()


@each_way
def test_two_people_who_edit_one_animal_see_both_changes(
    window: Open, site: Site, script: bool, animal_name: str, page: Page
) -> None:
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    animal_row(page, animal_name).get_by_role("link", name=animal_name, exact=True).click()
    expect(page.get_by_role("heading", name=animal_name)).to_be_visible()
    other = window().new_page()
    sign_in_by_request(other)
    other.goto(page.url)
    other.get_by_label("Colours").fill("Black")
    other.get_by_role("button", name="Save changes").click()
    expect(other.get_by_text(f"{animal_name} saved.")).to_be_visible()
    page.get_by_label("Colours").fill("Brown")
    page.get_by_role("button", name="Save changes").click()
    clash = page.get_by_role("group", name="Colours")
    expect(clash).to_contain_text("Keep theirs: Black")
    clash.get_by_label("Keep mine: Brown").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(f"{animal_name} saved.")).to_be_visible()
    expect(page.get_by_label("Colours")).to_have_value("Brown")


@everywhere
def test_photos_are_reordered_and_removed(
    page: Page, site: Site, script: bool, size: str, animal_name: str, tmp_path: Path
) -> None:
    heic = tmp_path / "phone.heic"
    heic.write_bytes(photographs.photo("HEIF"))
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    animal_row(page, animal_name).get_by_role("link", name=animal_name, exact=True).click()
    page.get_by_label("Choose photos").set_input_files([*PHOTOS, heic])
    if not script:
        page.get_by_role("button", name="Add the chosen photos").click()
    items = page.locator("#photo-list li")
    wait_for_photos(page, script, 3)
    last = items.nth(2).get_attribute("id")
    page.get_by_role("button", name="Move photo 3 earlier").click()
    expect(items.nth(1)).to_have_id(last or "")
    items.nth(1).get_by_role("button", name="Cover").click()
    expect(items.nth(0)).to_have_id(last or "")
    page.on("dialog", lambda dialog: dialog.accept())
    if script and size == "desk":
        items.nth(2).drag_to(items.nth(0), target_position={"x": 5, "y": 2})
        expect(page.locator("#announcer")).to_have_text("The photos are in the new order.")
        expect(items.nth(1)).to_have_id(last or "")
    page.get_by_role("link", name="Remove photo 2").click()
    if not script:
        page.get_by_role("button", name="Remove photo").click()
    expect(items).to_have_count(2)


def test_arrow_keys_do_not_save_a_status_before_it_is_confirmed(
    page: Page, site: Site, animal_name: str
) -> None:
    sign_in_by_request(page)
    add_animal(page, site, animal_name)
    open_list(page, site, animal_name)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    status = page.get_by_label(f"Status of {animal_name}")
    status.focus()
    status.press("ArrowDown")
    status.press("ArrowDown")
    expect(animal_row(page, animal_name).get_by_text("Press Enter to save")).to_be_visible()
    status.press("Escape")
    expect(status).to_have_value("available")
    status.press("ArrowDown")
    assert sent == []
    status.press("Enter")
    expect(
        animal_row(page, animal_name).get_by_text(f"{animal_name} is now Adoption pending.")
    ).to_be_visible()
    assert len(sent) == 1
    animal_row(page, animal_name).get_by_role("button", name="Undo").click()
    expect(animal_row(page, animal_name).get_by_text("Undone. 1 animal changed back.")).to_be_visible()
    expect(status).to_have_value("available")
    expect(status).to_be_focused()
    page.get_by_label(f"Select {animal_name}").press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Selected animals")).to_be_focused()
