"""What a person does to reach a page that has no address of its own."""

import itertools

from playwright.sync_api import Page, expect

from tests.browser.site import Site

NUMBERS = itertools.count(1)


def fill(page: Page, email: str) -> None:
    """Answer an application's questions."""
    page.get_by_label("Your name").fill("Sam O'Neill")
    page.get_by_label("Email").fill(email)
    page.get_by_label("I own my home").check()
    page.get_by_label("Why would").fill("There is a garden, and somebody is at home all day.")


def send(page: Page) -> None:
    page.get_by_role("button", name="Send application").click()


def slip(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    page.get_by_label("Email").fill("sam at example.org")
    send(page)
    expect(page.locator(".error-summary")).to_be_visible()


def apply(page: Page, site: Site) -> None:
    page.goto(site.places["animal"])
    fill(page, f"somebody-{next(NUMBERS)}@example.org")
    send(page)
    expect(page.get_by_role("link", name="Follow your application")).to_be_visible()


def follow(page: Page, site: Site) -> None:
    apply(page, site)
    page.get_by_role("link", name="Follow your application").click()
    expect(page.get_by_role("link", name="Withdraw application")).to_be_visible()


def think_of_withdrawing(page: Page, site: Site) -> None:
    follow(page, site)
    page.get_by_role("link", name="Withdraw application").click()
    expect(page.get_by_role("button", name="Withdraw application")).to_be_visible()


def withdraw(page: Page, site: Site) -> None:
    think_of_withdrawing(page, site)
    page.get_by_role("button", name="Withdraw application").click()
    expect(page.get_by_role("link", name="Withdraw application")).to_have_count(0)


STEPS = {
    "apply-errors": slip,
    "apply-thanks": apply,
    "application": follow,
    "application-withdrawal": think_of_withdrawing,
    "application-withdrawn": withdraw,
}


def show(page: Page, site: Site, name: str) -> None:
    """Go to a page, by the name of its picture."""
    if name in STEPS:
        STEPS[name](page, site)
    else:
        page.goto(site.places[name])
