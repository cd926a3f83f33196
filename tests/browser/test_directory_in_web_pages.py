"""The directory in a script of a page of another origin, with a key that the owner creates for the page."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.other_origin import serve_other_origin
from tests.browser.site import Site
from tests.browser.test_staff_settings import sign_in_with_shelter

ASK = """async ([address, key]) => {
  try {
    const headers = { Authorization: `Bearer ${key}`, "If-None-Match": 'W/"x"' };
    const response = await fetch(address, { headers });
    const names = ["Link", "ETag", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-Id"];
    return { status: response.status, found: (await response.json()).length,
             headers: names.filter((name) => response.headers.get(name)) };
  } catch (error) {
    return error.name;
  }
}"""


def create_key_for(page: Page, here: str, origin: str) -> str:
    """Create a publishable key on the API keys page, after a mistake. Return the key."""
    page.goto(f"{here}/keys")
    page.get_by_label("Name of the key").fill("Our website")
    page.get_by_label("Websites").fill("adopt.example.org")
    page.get_by_role("button", name="Create publishable key").click()
    expect(page.locator(".error-summary")).to_contain_text("Begin adopt.example.org with https://")
    page.get_by_label("Websites").fill(origin)
    page.get_by_role("button", name="Create publishable key").click()
    expect(page.get_by_role("heading", name="Copy “Our website” now")).to_be_visible()
    key = page.locator("#new-key code").first.inner_text()
    page.goto(f"{here}/keys")
    expect(page.locator("#keys")).to_contain_text("Can be used in a web page")
    return key


def fetch_in_page(chromium: Browser, origin: str, address: str, key: str) -> Any:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(origin)
    found = page.evaluate(ASK, [address, key])
    context.close()
    return found


@pytest.mark.parametrize("size", ["phone"])
def test_only_pages_of_the_listed_website_read_the_directory(
    page: Page, chromium: Browser, site: Site, size: str
) -> None:
    here = sign_in_with_shelter(page, site, "web-page")
    address = f"{site.root}/v1/directory/shelters?limit=2"
    with serve_other_origin() as listed, serve_other_origin() as unlisted:
        key = create_key_for(page, here, listed.origin)
        assert fetch_in_page(chromium, listed.origin, address, key) == {
            "status": 200,
            "found": 2,
            "headers": ["Link", "ETag", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-Id"],
        }
        assert fetch_in_page(chromium, unlisted.origin, address, key) == "TypeError"
        pets = f"{site.root}/v1/pets"
        assert fetch_in_page(chromium, listed.origin, pets, key) == "TypeError"
