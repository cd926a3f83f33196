"""Sign-up by email, invitations, password resets and passkeys."""

import re
import sqlite3
import time
from contextlib import closing
from email import message_from_bytes, policy

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open, each_way
from tests.browser.site import PASSWORD, Site
from tests.browser.steps import sign_in, sign_in_by_request
from tests.browser.test_access import find_flaws

NEW = "four small words here"
PHONE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def wait_for_link(site: Site, email: str, part: str) -> str:
    """Wait for an email to an address. Return the first link in it that contains ``part``."""
    for _ in range(150):
        for file in (site.instance / "mail").glob("*.eml"):
            message = message_from_bytes(file.read_bytes(), policy=policy.default)
            link = re.search(rf"http://\S+{part}\S*", message.get_content())
            if message["To"] == email and link:
                return link[0]
        time.sleep(0.1)
    raise AssertionError(f"no mail to {email} has come")


def request_sign_up(page: Page, shelter: str, email: str) -> None:
    page.goto("/")
    if page.get_by_role("button", name="Menu").is_visible():
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Sign up", exact=True).first.click()
    page.get_by_label("Name of your shelter").fill(shelter)
    page.get_by_label("Your name").fill("Sam O'Neill")
    page.get_by_label("Your email").fill(email)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()


@each_way
def test_a_forgotten_password_is_reset(page: Page, site: Site, size: str, script: bool) -> None:
    email = f"kim-{size}-{script}@example.org".lower()
    request_sign_up(page, f"Kim's {size} {script}", email)
    page.goto(wait_for_link(site, email, "/sign-up/"))
    page.get_by_label("Password", exact=True).fill(NEW)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("Welcome to Homeward.")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill(email)
    page.get_by_role("button", name="Send reset link").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    page.goto(wait_for_link(site, email, "/password/new/"))
    assert not script or find_flaws(page) == []
    page.get_by_label("New password", exact=True).fill("other small words")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed. You have been signed out everywhere else.")).to_be_visible()


@each_way
def test_a_colleague_joins_and_is_removed(
    window: Open, page: Page, site: Site, size: str, script: bool
) -> None:
    email = f"robin-{size}-{script}@example.org".lower()
    sign_in(page)
    page.goto(site.places["team"])
    page.get_by_label("Their email").fill(email)
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_text(f"Invitation sent to {email}.")).to_be_visible()
    robin = window().new_page()
    robin.goto(wait_for_link(site, email, "/invitations/"))
    assert not script or find_flaws(robin) == []
    robin.get_by_label("Your name").fill(f"Robin {size} {script}")
    robin.get_by_label("Password", exact=True).fill(NEW)
    robin.get_by_role("button", name="Join").click()
    expect(robin.get_by_text("You have joined Larchfield Animal Shelter.")).to_be_visible()
    page.reload()
    page.get_by_role("link", name=f"Remove Robin {size} {script}").click()
    expect(page.get_by_role("link", name="Keep member")).to_be_focused()
    page.get_by_role("button", name="Remove member").click()
    expect(page.get_by_text("was removed from")).to_be_visible()


def expire_proofs(site: Site) -> None:
    """Make the last proof of identity too old, for every signed-in user."""
    with closing(sqlite3.connect(site.instance / "homeward.sqlite3", timeout=30)) as database, database:
        database.execute("UPDATE sign_ins SET proved_at = NULL")


def test_a_passkey_is_added_and_signs_in(page: Page, site: Site, size: str) -> None:
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": PHONE})
    sign_in_by_request(page)
    page.goto("/account")
    expire_proofs(site)
    page.get_by_label("Name of the new passkey").fill(f"Phone {size}")
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    # No other click is needed, because the user has already chosen the action.
    expect(page.get_by_text(f"The passkey “Phone {size}” is added.")).to_be_visible()
    expect(page.get_by_text("unsaved changes")).to_have_count(0)
    assert find_flaws(page) == []
    page.context.clear_cookies()
    page.goto("/sign-in?next=/account")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(f"{site.root}/account")
    expect(page.get_by_text("last used just now")).to_be_visible()
    page.get_by_role("link", name=f"Remove Phone {size}").click()
    page.get_by_role("button", name="Remove passkey").click()
    expect(page.get_by_text(f"The passkey “Phone {size}” is removed.")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("We do not know this passkey.")).to_be_visible()
