"""Unsaved texts survive a lost connection, an ended session, and leaving the page."""

import json
import re
from base64 import b64encode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from demo.photographed_animals import PICTURES
from tests.browser.conftest import open_context
from tests.browser.connected import CONNECTED_OWNER
from tests.browser.site import Site
from tests.browser.steps import sign_in_by_request

PRIVATE = {
    "microchip": "985112003456789",
    "internal_notes": "Bites when cornered",
    "surrenderer": "Mrs Penhaligon",
    "foster_address": "12 Quarry Lane",
    "arrival_details": "Found behind the mill",
}
SECRET = "Three or four words"
DRAFT = "Another story that was not saved."
STORY = "A long story that took a while to type."


@pytest.fixture
def context(chromium: Browser, site: Site) -> BrowserContext:
    # This window does not report errors, because requests fail on purpose.
    made = open_context(chromium, site, "desk")
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    made = context.new_page()
    sign_in_by_request(made)
    return made


def edit_animal(page: Page, site: Site, story: str = STORY) -> None:
    page.goto(site.places["staff-animal-edit"])
    page.get_by_label("Description", exact=True).fill(story)


def stored_drafts(page: Page) -> str:
    return str(page.evaluate("JSON.stringify(localStorage)"))


def stored_in_browser(page: Page) -> dict[str, str]:
    """Return everything that the page's host has stored in the browser, except cookies.

    Drafts are JSON.
    """
    found: dict[str, str] = page.evaluate(
        """async () => ({ ...localStorage, ...sessionStorage,
          databases: JSON.stringify(await indexedDB.databases()),
          caches: JSON.stringify(await caches.keys()) })"""
    )
    assert (found.pop("databases"), found.pop("caches")) == ("[]", "[]")
    return found


def answers_kept(page: Page) -> dict[str, list[str]]:
    """Return the answers in all drafts as text. Drafts have no other members."""
    kept: dict[str, list[str]] = {}
    for name, text in stored_in_browser(page).items():
        if name.startswith("homeward-draft:"):
            draft = json.loads(text)
            assert draft.keys() == {"at", "version", "answers"}
            kept |= draft["answers"]
    return kept


def test_a_form_without_a_connection_is_kept_and_can_be_sent_later(
    context: BrowserContext, page: Page, site: Site
) -> None:
    edit_animal(page, site)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method) if request.method == "POST" else None)
    context.set_offline(True)
    page.get_by_role("button", name="Save changes").first.click()
    told = page.get_by_text("reach Homeward, so nothing was saved.")
    expect(told).to_be_visible()
    expect(page.get_by_label("Description", exact=True)).to_have_value(STORY)
    context.set_offline(False)
    sent.clear()
    page.get_by_role("button", name="Try again").dblclick()
    expect(page.locator('.notice[data-tone="good"]')).to_be_visible()
    assert sent == ["POST"], "a double click sends once"
    expect(page.get_by_label("Description", exact=True)).to_have_value(STORY)
    assert STORY not in stored_drafts(page), "what is saved is no draft"


def test_a_typed_text_is_restored_after_signing_in_again(
    context: BrowserContext, page: Page, site: Site
) -> None:
    page.goto(site.places["staff-animal-new"])
    page.get_by_label("Name", exact=True).fill("Clover")
    page.get_by_label("Species").select_option("Dog")
    context.clear_cookies()
    page.get_by_label("Description", exact=True).fill(STORY)
    page.get_by_label("Colours").focus()
    page.get_by_role("button", name="Add animal").first.click()
    expect(page.get_by_text("You were signed out, so this was not saved yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    page.get_by_label("Email").fill("owner@larchfield.example")
    page.get_by_label("Password", exact=True).fill("a quiet cat in the sun")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("nothing has been saved yet")).to_be_visible()
    expect(page).to_have_url(re.compile("/animals/new$"))
    expect(page.get_by_label("Description", exact=True)).to_have_value(STORY)
    page.get_by_role("button", name="Add animal").first.click()
    expect(page.locator('.notice[data-tone="good"]')).to_contain_text("Clover")


def test_a_draft_is_offered_only_to_its_writer_until_they_sign_out(
    context: BrowserContext, page: Page, site: Site
) -> None:
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    edit_animal(page, site, DRAFT)
    page.get_by_role("link", name="Animals", exact=True).first.click()
    page.wait_for_url(re.compile("/animals$"))
    assert asked == ["beforeunload"], "leaving a form with changes asks"
    # The sign-in ends, and another user signs in. Both users have a form at /account.
    page.goto("/account")
    page.locator("#name").fill("Typed by the first")
    context.clear_cookies()
    sign_in_by_request(page, CONNECTED_OWNER)
    page.goto("/account")
    expect(page.get_by_role("heading", name="Password")).to_be_visible()
    expect(page.get_by_text("You have unsaved changes from")).to_have_count(0)
    assert DRAFT in stored_drafts(page)
    context.clear_cookies()
    sign_in_by_request(page)
    page.goto(site.places["staff-animal-edit"])
    expect(page.get_by_text("You have unsaved changes from")).to_be_visible()
    expect(page.get_by_label("Description", exact=True)).not_to_have_value(DRAFT)
    page.get_by_label("Colours").fill("Typed before the notice was seen")
    page.reload()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_label("Description", exact=True)).to_have_value(DRAFT)
    expect(page.get_by_label("Colours")).to_have_value("Typed before the notice was seen")
    page.reload()
    page.get_by_role("button", name="Discard").click()
    page.reload()
    expect(page.get_by_text("You have unsaved changes from")).to_have_count(0)
    edit_animal(page, site, DRAFT)
    page.get_by_role("button", name="Sign out").first.click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    assert answers_kept(page) == {}, "signing out deletes drafts"


def test_private_fields_and_passwords_are_never_in_the_browsers_storage(page: Page, site: Site) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(site.places["staff-animal-edit"])
    for name, text in PRIVATE.items():
        page.locator(f"[name={name}]").fill(text)
    assert answers_kept(page) == {}
    page.get_by_label("Name", exact=True).fill("")
    assert answers_kept(page) == {"name": [""]}
    page.get_by_role("button", name="Save changes").first.click()
    expect(page.locator(".error-summary")).to_be_visible()
    # The form now contains all private fields.
    page.locator("[name=internal_notes]").press_sequentially("Typed")
    page.get_by_label("Description", exact=True).fill(DRAFT)
    assert answers_kept(page)["description"] == [DRAFT]
    assert not PRIVATE.keys() & answers_kept(page).keys()
    page.goto(site.places["staff-animal-edit"])
    expect(page.get_by_text("Fields that only your team sees were not kept")).to_be_visible()
    page.goto("/account")
    page.locator("[data-reveal=password]").click()
    page.locator("#password").fill(SECRET)
    page.locator("#email").fill("typed@example.org")
    assert answers_kept(page)["email"] == ["typed@example.org"]
    kept = json.dumps(stored_in_browser(page))
    for text in (*PRIVATE.values(), SECRET):
        assert text not in kept
        assert b64encode(text.encode()).decode().rstrip("=")[:-1] not in kept


def test_a_failed_validation_keeps_the_whole_draft(page: Page, site: Site) -> None:
    """The draft is still complete, although the form with the errors already shows the typed values."""
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(site.places["staff-animal-new"])
    page.get_by_label("Description", exact=True).fill(DRAFT)
    page.get_by_role("button", name="Add animal").first.click()
    expect(page.locator(".error-summary")).to_be_visible()
    page.get_by_label("Colours").fill("Blue")
    page.goto(site.places["general"])
    page.goto(site.places["staff-animal-new"])
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_label("Description", exact=True)).to_have_value(DRAFT)
    expect(page.get_by_label("Colours")).to_have_value("Blue")
    page.get_by_role("button", name="Sign out").first.click()


def test_going_back_after_a_failed_validation_loses_nothing(page: Page, site: Site) -> None:
    """Chromium itself restores the question, so no draft is needed.

    It does not restore the form of an animal.
    """
    page.on("dialog", lambda dialog: dialog.accept())
    for place, typed, button in (
        ("staff-animal-edit", {"#description": DRAFT, "#name": ""}, "Save changes"),
        ("adoption-form", {"#text": DRAFT, "#options": "Typed for no choice"}, "Add question"),
    ):
        page.goto(site.places[place])
        for field, text in typed.items():
            page.locator(field).fill(text)
        page.get_by_role("button", name=button).first.click()
        expect(page.locator(".error-summary")).to_be_visible()
        page.go_back()
        expect(page.locator(".error-summary")).to_have_count(0)
        if place == "staff-animal-edit":
            page.get_by_role("button", name="Restore").click()
        for field, text in typed.items():
            expect(page.locator(field)).to_have_value(text)
        expect(page.get_by_role("button", name="Restore")).to_have_count(0)
        assert answers_kept(page).keys() >= {field[1:] for field in typed}


@pytest.mark.parametrize(
    ("place", "label", "button"),
    [
        ("team", "Their email", "Send invitation"),
        ("sign-up", "Your email", "Sign up"),
        ("animal-bonded", "Email", ""),
    ],
    ids=["invitation", "sign-up", "application"],
)
def test_a_short_form_and_a_visitors_form_survive_a_reload(
    chromium: Browser, site: Site, place: str, label: str, button: str
) -> None:
    context = open_context(chromium, site, "phone")
    page = context.new_page()
    if place == "team":
        sign_in_by_request(page)
    page.goto(site.places[place])
    page.get_by_label(label, exact=True).fill("typed@example.org")
    page.reload()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_label(label, exact=True)).to_have_value("typed@example.org")
    assert ("typed@example.org" in stored_drafts(page)) == (place == "team"), (
        "a visitor's draft ends with the tab"
    )
    if button:
        if place == "sign-up":
            page.get_by_label("Name of your shelter").fill("Typed Rescue")
            page.get_by_label("Your name").fill("Typed Name")
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.locator('.notice[data-tone="good"]')).to_be_visible()
        page.goto(site.places[place])
        expect(page.get_by_role("button", name="Restore")).to_have_count(0)
    context.close()


def test_a_photo_after_the_sign_in_ended_asks_to_sign_in_in_a_new_tab(
    context: BrowserContext, page: Page, site: Site
) -> None:
    edit_animal(page, site)
    photos = page.get_by_label("Choose photos")
    context.clear_cookies()
    photos.set_input_files(PICTURES / "juno.webp")
    expect(page.locator("[data-waiting]")).to_contain_text("you are signed out. Sign in again in a new tab")
    with context.expect_page() as opened_tab:
        page.get_by_role("link", name="Sign in (opens in a new tab)").click()
    sign_in_by_request(opened_tab.value)
    with page.expect_response(lambda answer: "/photos" in answer.url and answer.status == 200):
        photos.set_input_files(PICTURES / "juno.webp")
    expect(page.get_by_label("Description", exact=True)).to_have_value(STORY)
    page.get_by_role("button", name="Save changes").first.click()
    expect(page.locator('.notice[data-tone="good"]')).to_be_visible()
    expect(page.get_by_label("Description", exact=True)).to_have_value(STORY)


def test_a_question_that_was_not_saved_is_offered_again(page: Page, site: Site) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(site.places["adoption-form"])
    page.get_by_label("Question", exact=True).fill(DRAFT)
    page.goto(site.places["general"])
    page.goto(site.places["adoption-form"])
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value(DRAFT)
    page.get_by_role("button", name="Add question").click()
    expect(page.locator('.notice[data-tone="good"]')).to_be_visible()
    assert DRAFT not in stored_drafts(page), "what is saved is no draft"
