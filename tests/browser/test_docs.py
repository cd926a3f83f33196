"""The search of the API reference."""

from playwright.sync_api import Page, expect

from tests.browser.site import Site


def test_the_search_of_the_api_reference_finds_sections(page: Page, site: Site, size: str) -> None:
    page.goto(site.places["docs"])
    if size == "phone":
        page.get_by_role("button", name="Contents").click()
    field, results = page.get_by_label("Search this page"), page.locator("[data-results] li")
    field.fill("retry-after wait")
    expect(results.first).to_contain_text("Retry what can succeed later")
    expect(page.locator("#announcer")).to_have_text(f"{results.count()} results")
    field.fill("zzz")
    expect(results).to_have_text(["No results. Try another word."])
    expect(page.locator("#announcer")).to_have_text("No results")
    field.fill("a forgotten word")
    field.press("Escape")
    expect(field).to_have_value("")
    expect(field).to_be_visible()
    field.fill("bans")
    field.press("Enter")
    expect(page).to_have_url(f"{site.root}/docs/#bans")
