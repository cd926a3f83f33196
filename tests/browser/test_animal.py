import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import each_way
from tests.browser.site import Site

SHOWN = """() => {
  const strip = document.querySelector(".gallery-main [data-strip]");
  return Math.round(strip.scrollLeft / strip.clientWidth) + 1;
}"""


@each_way
def test_thumbnails_and_steps_change_the_photo_and_the_address(page: Page, site: Site, script: bool) -> None:
    page.goto(site.places["animal"])
    thumbs = page.locator(".gallery-thumbs a")
    expect(thumbs).to_have_count(3)
    thumbs.nth(1).click()
    expect(thumbs.nth(1)).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"photo=2"))
    assert page.evaluate(SHOWN) == 2
    page.get_by_role("link", name="Next photo").click()
    expect(thumbs.nth(2)).to_have_attribute("aria-current", "true")
    assert page.evaluate(SHOWN) == 3
    if script:
        page.reload()
        page.wait_for_function(f"({SHOWN})() === 3")


def test_a_photo_fills_the_screen_until_escape_or_back(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    photos = page.locator(".gallery-main [data-full-screen]")
    photos.first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Photos of")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Close full screen")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#announcer")).to_have_text("Photo 2 of 3")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(photos.nth(1)).to_be_focused()
    expect(page.locator(".gallery-thumbs a").nth(1)).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"photo=2"))
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.go_back()
    expect(dialog).to_be_hidden()
    expect(photos.nth(1)).to_be_focused()
    expect(page).to_have_url(re.compile(r"photo=2"))


@each_way
def test_the_page_of_an_adopted_animal_links_to_similar_animals(page: Page, site: Site) -> None:
    for place in ("animal-adopted", "animal-removed"):
        page.goto(site.places[place])
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".animal-card").first).to_be_visible()


@each_way
def test_a_bonded_pair_is_shown_together(page: Page, site: Site) -> None:
    page.goto(site.places["animal-bonded"])
    expect(page.get_by_role("main")).to_contain_text("Pepper")


def test_a_printed_poster_is_one_page_and_an_animal_at_most_two(page: Page, site: Site) -> None:
    for place, most in (("animal-poster", 1), ("animal", 2)):
        page.goto(site.places[place])
        for paper in ("A4", "Letter"):
            pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
            assert 1 <= pages <= most, (place, paper)


def test_a_printed_animal_page_has_no_buttons(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    page.emulate_media(media="print")
    for part in (".site-header", ".action-row", ".similar", ".site-footer", ".back-link", "#apply"):
        for each in page.locator(part).all():
            expect(each).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
