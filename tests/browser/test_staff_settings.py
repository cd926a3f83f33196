"""Settings: publishing and restoring a site, and creating and revoking an API key."""

import re

from playwright.sync_api import Page, expect

from adoption.settings import Settings
from adoption.storage.database import db
from tests import factories
from tests.browser.conftest import each_way
from tests.browser.site import PASSWORD, Site
from tests.browser.steps import sign_in_by_request
from wsgi import create_app


def sign_in_with_shelter(page: Page, site: Site, name: str) -> str:
    """Sign in as the owner of a new shelter. Return the path of its project."""
    email = f"{name}@example.org"
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(site.instance)}))
    with app.app_context():
        made = factories.project(f"Shelter {name}", published=False, owner=email, password=PASSWORD)
        factories.animal(made, "Biscuit")
        db.engine.dispose()
    sign_in_by_request(page, email)
    return f"/projects/{made.slug}"


def wait_for_notice(page: Page, text: str) -> None:
    """Wait for the notice on the next page."""
    expect(page.locator(".staff-notice")).to_contain_text(text)


@each_way
def test_a_site_is_published_changed_restored_and_taken_offline(
    page: Page, site: Site, size: str, script: bool
) -> None:
    here = sign_in_with_shelter(page, site, f"publish-{size}-{script}".lower())
    page.goto(f"{here}/settings")
    expect(page.get_by_text("First steps")).to_be_visible()
    page.get_by_role("button", name="Publish your site").click()
    wait_for_notice(page, "Published. Visitors see it now.")
    page.get_by_label("Place").fill("Alderbrook")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("1 change not published yet")).to_be_visible()
    page.get_by_label("Contact email").fill("")
    page.get_by_role("button", name="Save draft").click()
    page.get_by_role("button", name="Publish changes").click()
    wait_for_notice(page, "Nothing was published. Add a contact email")
    page.get_by_label("Contact email").fill("adopt@example.org")
    page.get_by_role("button", name="Save draft").click()
    page.get_by_role("button", name="Publish changes").click()
    wait_for_notice(page, "Published. Visitors see it now.")
    page.get_by_role("link", name="Restore version 1").click()
    expect(page.get_by_role("heading", name="Restore version 1?")).to_be_visible()
    page.get_by_role("link", name="Keep what is live").click()
    page.get_by_role("link", name="Restore version 1").click()
    page.get_by_role("button", name="Restore version 1").click()
    wait_for_notice(page, "Version 1 restored. Visitors see it now.")
    expect(page.locator("#deploy-4")).to_contain_text("Restored version 1")
    page.get_by_role("link", name="Take site offline").click()
    page.get_by_role("button", name="Take site offline").click()
    wait_for_notice(page, "Your site is offline")


@each_way
def test_a_key_is_created_used_counted_and_revoked(page: Page, site: Site, size: str, script: bool) -> None:
    here = sign_in_with_shelter(page, site, f"keys-{size}-{script}".lower())
    page.goto(f"{here}/keys")
    page.get_by_role("button", name="Create key").click()
    expect(page.locator(".error-summary")).to_contain_text("Enter a name")
    page.get_by_label("Name", exact=True).fill("Kennel software")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", name="Copy “Kennel software” now")).to_be_visible()
    if script:
        expect(page.locator("#new-key")).to_be_focused()
    key = page.locator("#new-key code").first.inner_text()
    assert [request_api(page, key) for _ in range(3)] == [200] * 3
    page.goto(f"{here}/keys")
    expect(page.locator("#keys")).to_contain_text("Kennel software")
    assert key not in page.content()
    page.goto(f"{here}/usage")
    expect(page.locator("#windows")).to_contain_text("3 of 60")
    reload_until(page, "3 requests in 30 days")
    page.get_by_role("link", name="API keys").click() if size == "desk" else page.goto(f"{here}/keys")
    page.get_by_role("link", name="Revoke Kennel software").click()
    expect(page.get_by_role("heading", name="Revoke “Kennel software”?")).to_be_visible()
    page.get_by_role("button", name="Revoke key").click()
    wait_for_notice(page, "Revoked Kennel software")
    assert request_api(page, key) == 401


def request_api(page: Page, key: str) -> int:
    answer = page.request.get("/v1/pets", headers={"Authorization": f"Bearer {key}"})
    return answer.status


def reload_until(page: Page, words: str) -> None:
    """Reload until the page has the text. Usage is stored every two seconds."""
    for _ in range(200):
        if re.search(words, page.locator("main").inner_text()):
            return
        page.reload()
    raise AssertionError(f"the page does not come to say: {words}")


def test_a_dialog_is_announced_and_returns_the_focus(page: Page, site: Site, size: str) -> None:
    here = sign_in_with_shelter(page, site, f"dialog-{size}")
    page.goto(f"{here}/keys")
    page.get_by_label("Name", exact=True).fill("Feed")
    page.get_by_role("button", name="Create key").click()
    opener = page.get_by_role("link", name="Revoke Feed")
    opener.click()
    expect(page.get_by_role("dialog")).to_have_accessible_name("Revoke “Feed”?")
    expect(page.get_by_role("link", name="Keep key")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_a_colour_has_a_preview_and_a_plan_request_is_stored(page: Page, site: Site, size: str) -> None:
    here = sign_in_with_shelter(page, site, f"plan-{size}")
    page.goto(f"{here}/settings")
    page.get_by_label("Your colour").fill("#1d5c4b")
    expect(page.locator("#colour-samples")).to_contain_text("Good contrast.")
    page.get_by_label("Colour picker").fill("#ffe14d")
    expect(page.get_by_label("Your colour")).to_have_value("#ffe14d")
    expect(page.locator("#colour-samples")).to_contain_text("too little contrast on white")
    page.goto(f"{here}/usage")
    page.get_by_role("button", name="Request Pro").click()
    expect(page.locator("#plans")).to_contain_text("You asked for Pro on")
    page.get_by_role("button", name="Cancel request").click()
    expect(page.get_by_role("button", name="Request Pro")).to_be_visible()
