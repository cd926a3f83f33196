"""The catalogue: filters, search, paging, and the browser's history."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.conftest import Open, both_ways, each_way
from tests.browser.site import Site


def visible_cards(page: Page) -> Locator:
    return page.locator(".animal-card")


def result_count(page: Page) -> Locator:
    return page.locator("#found")


def choose_species(page: Page, label: str, script: bool) -> str:
    """Choose a species. Return the number next to it."""
    pill = page.locator(".species-picker .pill", has_text=label)
    number = re.search(r"[\d,]+$", pill.inner_text())
    pill.get_by_role("radio").check()
    if not script:
        filters = page.get_by_role("button", name="Filters")
        if filters.is_visible():
            filters.click()
        page.get_by_role("button", name="Show animals", exact=True).click()
    return number[0] if number else ""


def search(page: Page, words: str, script: bool) -> None:
    page.get_by_label("Search by name").fill(words)
    if not script:
        page.get_by_label("Search by name").press("Enter")


@both_ways
def test_a_species_filters_the_catalogue_and_is_in_the_url(page: Page, script: bool) -> None:
    page.goto("/")
    number = choose_species(page, "Cats", script)
    expect(result_count(page)).to_have_text(f"{number} cats")
    expect(page).to_have_url(re.compile(r"[?&]species=cat\b"))
    expect(page.get_by_role("radio", name="Cats")).to_be_checked()


@both_ways
def test_filters_combine_and_each_can_be_removed(page: Page, script: bool) -> None:
    page.goto("/?species=dog")
    before = result_count(page).inner_text()
    page.get_by_role("button", name="Filters", exact=True).click()
    page.get_by_label("Sex").select_option("female")
    if not script:
        page.get_by_role("button", name="Use these filters").click()
    else:
        expect(page.locator("#show-found")).not_to_have_text(before)
        page.locator("#show-found").click()
    expect(page).to_have_url(re.compile(r"sex=female"))
    expect(result_count(page)).not_to_have_text(before)
    page.get_by_role("link", name="Remove Female").click()
    expect(result_count(page)).to_have_text(before)
    expect(page).not_to_have_url(re.compile(r"sex=female"))


def test_the_first_photos_are_near_the_top_of_the_page(page: Page, site: Site, size: str) -> None:
    for host, phone, desk in (("", 380, 430), ("riverside-animal-rescue.", 430, 430)):
        page.goto(f"http://{host}localhost:{site.port}/")
        top = page.locator(".animal-photo").first.evaluate("it => it.getBoundingClientRect().top")
        assert top <= {"phone": phone, "desk": desk}[size], host


@pytest.mark.parametrize(("size", "script"), [("desk", False)])
@pytest.mark.parametrize("host", ["", "riverside-animal-rescue."], ids=["all", "a shelter's own"])
def test_without_javascript_the_button_is_below_the_fields_that_it_sends(
    page: Page, site: Site, host: str
) -> None:
    page.goto(f"http://{host}localhost:{site.port}/")
    page.get_by_role("button", name="Filters", exact=True).click()
    top = page.get_by_role("button", name="Use these filters").evaluate(
        "it => it.getBoundingClientRect().top"
    )
    bottoms = page.locator("#more-filters").evaluate(
        "it => [...it.querySelectorAll('select, .pill')].map((each) => each.getBoundingClientRect().bottom)"
    )
    assert len(bottoms) > 6
    assert top >= max(bottoms)


@each_way
def test_search_finds_animals_by_name(page: Page, script: bool) -> None:
    page.goto("/")
    search(page, "zoe", script)
    expect(result_count(page)).to_have_text("1 animal")
    expect(visible_cards(page)).to_contain_text("Zoë")
    expect(page).to_have_url(re.compile(r"q=zoe"))


@pytest.mark.parametrize(("size", "script"), [("desk", True)])
def test_enter_after_typing_adds_one_entry_to_the_history(page: Page) -> None:
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text))
    page.goto("/")
    before = page.evaluate("history.length")
    field = page.get_by_label("Search by name")
    field.press_sequentially("cats good with dogs")
    expect(page).to_have_url(re.compile("good"))
    field.press("Enter")
    field.fill("zoe")
    field.press("Enter")
    expect(page).to_have_url(re.compile("q=zoe"))
    expect(result_count(page)).to_have_text("1 animal")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("history.length") == before + 2
    page.go_back()
    expect(field).to_have_value("cats good with dogs")
    assert errors == []


@each_way
def test_an_empty_result_shows_a_next_step(page: Page, script: bool) -> None:
    page.goto("/")
    search(page, "axolotl in a top hat", script)
    expect(result_count(page)).to_have_text("No animals match")
    page.get_by_role("link", name="Clear all").click()
    expect(visible_cards(page)).to_have_count(24)


@each_way
def test_back_forward_and_reload_keep_the_state(page: Page, script: bool) -> None:
    page.goto("/")
    everyone = result_count(page).inner_text()
    cats = choose_species(page, "Cats", script)
    expect(result_count(page)).to_have_text(f"{cats} cats")
    dogs = choose_species(page, "Dogs", script)
    expect(result_count(page)).to_have_text(f"{dogs} dogs")
    page.go_back()
    expect(result_count(page)).to_have_text(f"{cats} cats")
    expect(page.get_by_role("radio", name="Cats")).to_be_checked()
    page.go_back()
    expect(result_count(page)).to_have_text(everyone)
    page.go_forward()
    expect(result_count(page)).to_have_text(f"{cats} cats")
    page.reload()
    expect(result_count(page)).to_have_text(f"{cats} cats")
    expect(page.get_by_role("radio", name="Cats")).to_be_checked()


@each_way
def test_a_shared_link_shows_the_same_results(window: Open, script: bool) -> None:
    mine = window().new_page()
    mine.goto("/")
    choose_species(mine, "Rabbits", script)
    expect(mine).to_have_url(re.compile("species=rabbit"))
    expect(result_count(mine)).to_contain_text("rabbit")
    theirs = window().new_page()
    theirs.goto(mine.url)
    expect(result_count(theirs)).to_have_text(result_count(mine).inner_text())
    assert visible_cards(theirs).all_inner_texts() == visible_cards(mine).all_inner_texts()


@each_way
def test_show_more_adds_animals_and_keeps_them_in_the_url(page: Page, script: bool) -> None:
    page.goto("/")
    first = visible_cards(page).first.inner_text()
    page.get_by_role("link", name="Show 24 more").click()
    expect(visible_cards(page)).to_have_count(48)
    assert visible_cards(page).first.inner_text() == first
    page.reload()
    expect(visible_cards(page)).to_have_count(48)


def test_show_more_moves_the_focus_to_the_first_new_animal(page: Page) -> None:
    page.goto("/")
    for shown in (48, 72, 96):
        page.get_by_role("link", name="Show 24 more").click()
        expect(visible_cards(page)).to_have_count(shown)
        expect(visible_cards(page).nth(shown - 24).get_by_role("link")).to_be_focused()


@pytest.mark.parametrize("size", ["desk"])
def test_filters_can_be_removed_by_keyboard(page: Page) -> None:
    page.goto("/?q=female+dogs&cats=yes")
    chips = page.locator(".applied-filter")
    expect(chips).to_have_count(3)
    chips.first.focus()
    for left, query in ((2, "dogs"), (1, "")):
        page.keyboard.press("Enter")
        expect(chips).to_have_count(left)
        expect(chips.first).to_be_focused()
        expect(page.get_by_label("Search by name")).to_have_value(query)
        expect(page.locator("#announcer")).to_have_text(result_count(page).inner_text())
    page.keyboard.press("Enter")
    expect(chips).to_have_count(0)
    expect(result_count(page)).to_be_focused()
    expect(page.get_by_role("button", name="Filters", exact=True)).to_be_visible()


def test_a_filter_without_a_response_opens_its_url(chromium: Browser, site: Site) -> None:
    def answer_navigation_alone(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.abort()
        else:
            route.continue_()

    with chromium.new_context(base_url=site.root) as unwatched:  # These requests are meant to fail.
        page = unwatched.new_page()
        page.goto("/")
        page.route("**/?*", answer_navigation_alone)
        page.locator("label.pill", has_text="Birds").click()
        page.wait_for_url("**/?*species=bird*")
        expect(page.get_by_role("heading", level=2, name="birds")).to_be_visible()


@each_way
def test_back_from_an_animal_returns_to_its_card(page: Page, script: bool) -> None:
    page.goto("/?species=dog")
    name = visible_cards(page).nth(5).get_by_role("heading").inner_text()
    visible_cards(page).nth(5).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    expect(visible_cards(page)).to_have_count(24)


def test_an_animal_can_be_found_by_keyboard(page: Page, size: str) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#species-any")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("species="))
    expect(page.get_by_role("radio", checked=True)).to_be_focused()
    card = visible_cards(page).first.get_by_role("link")
    for _ in range(30):
        if card.evaluate("link => link === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(card).to_be_focused()
    name = visible_cards(page).first.get_by_role("heading").inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
