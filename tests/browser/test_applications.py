"""Applying for an animal: errors, a successful application, its private page, and withdrawing it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import both_ways, each_way
from tests.browser.site import Site
from tests.browser.steps import fill_application, send_application


@each_way
def test_errors_are_shown_at_each_field_and_keep_the_answers(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    fill_application(page, "sam at example.org")
    page.get_by_label("Your name").fill("")
    send_application(page)
    summary = page.locator(".error-summary")
    expect(summary).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value("sam at example.org")
    expect(page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Why would")).to_have_value(re.compile("garden"))
    summary.get_by_role("link").first.click()
    expect(page.get_by_label("Your name")).to_be_focused()


@both_ways
def test_an_application_is_sent_followed_and_withdrawn(
    page: Page, site: Site, size: str, script: bool
) -> None:
    page.goto(site.places["animal"])
    fill_application(page, f"{size}-{script}@example.org".lower())
    send_application(page)
    if script:
        expect(page.locator("#apply-title")).to_be_focused()
        page.get_by_role("link", name="Follow your application").click()
    expect(page).to_have_url(re.compile("/applications/"))
    page.reload()
    expect(page.get_by_role("main")).not_to_contain_text("There is a garden")
    page.get_by_label("Your name").fill("sam o'neill")
    page.get_by_role("button", name="Show my answers").click()
    expect(page.get_by_role("main")).to_contain_text("There is a garden")
    page.get_by_role("link", name="Withdraw application").click()
    page.get_by_role("link", name="Keep application").click()
    page.get_by_role("link", name="Withdraw application").click()
    page.get_by_role("button", name="Withdraw application").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("withdr")
    expect(page.get_by_role("link", name="Withdraw application")).to_have_count(0)
