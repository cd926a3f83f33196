import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import each_way
from tests.browser.site import Site


@each_way
def test_thumbnails_change_the_photo_and_the_address(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    shown = page.locator(".gallery-main img:not(.photo-blur)")
    first = shown.get_attribute("src")
    thumbs = page.locator(".gallery-thumbs a")
    expect(thumbs).to_have_count(3)
    thumbs.nth(1).click()
    expect(thumbs.nth(1)).to_have_attribute("aria-current", "true")
    expect(shown).not_to_have_attribute("src", first or "")
    expect(page).to_have_url(re.compile(r"photo=2"))
    second = shown.get_attribute("src")
    page.reload()
    expect(shown).to_have_attribute("src", second or "")


@each_way
def test_an_animal_that_has_gone_leads_to_others(page: Page, site: Site) -> None:
    for place in ("animal-adopted", "animal-removed"):
        page.goto(site.places[place])
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".animal-card").first).to_be_visible()


@each_way
def test_a_bonded_pair_is_shown_together(page: Page, site: Site) -> None:
    page.goto(site.places["animal-bonded"])
    expect(page.get_by_role("main")).to_contain_text("Pepper")
