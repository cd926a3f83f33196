"""The settings: publish and go back, and a key from its making over its use to its end."""

import re

from playwright.sync_api import Page, expect

from adoption.settings import Settings
from adoption.storage.database import db
from tests import factories
from tests.browser.conftest import each_way
from tests.browser.site import PASSWORD, Site
from tests.browser.steps import let_in
from wsgi import create_app


def arrive(page: Page, site: Site, name: str) -> str:
    """Sign in as the owner of a new shelter; gives the path of its project."""
    email = f"{name}@example.org"
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(site.instance)}))
    with app.app_context():
        made = factories.project(f"Shelter {name}", published=False, owner=email, password=PASSWORD)
        factories.animal(made, "Biscuit")
        db.engine.dispose()
    let_in(page, email)
    return f"/projects/{made.slug}"


def settle(page: Page, text: str) -> None:
    """Wait for what is told on the page that comes next."""
    expect(page.locator(".staff-notice")).to_contain_text(text)


@each_way
def test_a_site_is_published_changed_brought_back_and_taken_offline(
    page: Page, site: Site, size: str, script: bool
) -> None:
    here = arrive(page, site, f"publish-{size}-{script}".lower())
    page.goto(f"{here}/settings")
    expect(page.get_by_text("First steps")).to_be_visible()
    page.get_by_role("button", name="Publish your site").click()
    settle(page, "Published. Visitors see it now.")
    page.get_by_label("Place").fill("Alderbrook")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("1 change not published yet")).to_be_visible()
    page.get_by_label("Contact email").fill("")
    page.get_by_role("button", name="Save draft").click()
    page.get_by_role("button", name="Publish changes").click()
    settle(page, "Nothing was published. Add a contact email")
    page.get_by_label("Contact email").fill("adopt@example.org")
    page.get_by_role("button", name="Save draft").click()
    page.get_by_role("button", name="Publish changes").click()
    settle(page, "Published. Visitors see it now.")
    page.get_by_role("link", name="Restore version 1").click()
    expect(page.get_by_role("heading", name="Restore version 1?")).to_be_visible()
    page.get_by_role("link", name="Keep what is live").click()
    page.get_by_role("link", name="Restore version 1").click()
    page.get_by_role("button", name="Restore version 1").click()
    settle(page, "Version 1 restored. Visitors see it now.")
    expect(page.locator("#deploy-4")).to_contain_text("Restored version 1")
    page.get_by_role("link", name="Take site offline").click()
    page.get_by_role("button", name="Take site offline").click()
    settle(page, "Your site is offline")


@each_way
def test_a_key_is_made_used_seen_in_the_usage_and_revoked(
    page: Page, site: Site, size: str, script: bool
) -> None:
    here = arrive(page, site, f"keys-{size}-{script}".lower())
    page.goto(f"{here}/keys")
    page.get_by_role("button", name="Create key").click()
    expect(page.locator(".error-summary")).to_contain_text("Enter a name")
    page.get_by_label("Name", exact=True).fill("Kennel software")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", name="Copy “Kennel software” now")).to_be_visible()
    if script:
        expect(page.locator("#new-key")).to_be_focused()
    key = page.locator("#new-key code").first.inner_text()
    assert [ask(page, key) for _ in range(3)] == [200] * 3
    page.goto(f"{here}/keys")
    expect(page.locator("#keys")).to_contain_text("Kennel software")
    assert key not in page.content()
    page.goto(f"{here}/usage")
    expect(page.locator("#windows")).to_contain_text("3 of 60")
    until(page, "3 requests in 30 days")
    page.get_by_role("link", name="API keys").click() if size == "desk" else page.goto(f"{here}/keys")
    page.get_by_role("link", name="Revoke Kennel software").click()
    expect(page.get_by_role("heading", name="Revoke “Kennel software”?")).to_be_visible()
    page.get_by_role("button", name="Revoke key").click()
    settle(page, "Revoked Kennel software")
    assert ask(page, key) == 401


def ask(page: Page, key: str) -> int:
    answer = page.request.get("/v1/pets", headers={"Authorization": f"Bearer {key}"})
    return answer.status


def until(page: Page, words: str) -> None:
    """Reload until the page says it: what is counted is written down every other second."""
    for _ in range(200):
        if re.search(words, page.locator("main").inner_text()):
            return
        page.reload()
    raise AssertionError(f"the page does not come to say: {words}")


def test_the_reader_hears_of_a_dialog_and_keeps_their_place(page: Page, site: Site, size: str) -> None:
    here = arrive(page, site, f"dialog-{size}")
    page.goto(f"{here}/keys")
    page.get_by_label("Name", exact=True).fill("Feed")
    page.get_by_role("button", name="Create key").click()
    opener = page.get_by_role("link", name="Revoke Feed")
    opener.click()
    expect(page.get_by_role("dialog")).to_have_accessible_name("Revoke “Feed”?")
    expect(page.get_by_role("link", name="Keep key")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_the_colour_is_shown_while_it_is_chosen_and_the_wish_for_a_plan_is_kept(
    page: Page, site: Site, size: str
) -> None:
    here = arrive(page, site, f"plan-{size}")
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
