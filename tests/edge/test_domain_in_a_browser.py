"""An owner adds a domain in a browser. All services are real."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from adoption.accounts.plan_changes import set_plan
from tests import factories
from tests.browser.conftest import ARGUMENTS
from tests.browser.site import PASSWORD
from tests.browser.steps import sign_in
from tests.browser.test_domains import add_domain, remove_domain_on_page
from tests.edge.browser_client import Visitor, trusting
from tests.edge.environment import PLATFORM, TARGET, Environment
from tests.servers import ALONE, chromium_program

PATH = "/animals/1-caf%C3%A9?a=%2F&b=%C3%A9+x&a=1"
OWNER = "owner@browsing.example"
LIVE = 60_000
"""The longest time until a domain is live, in milliseconds."""


@pytest.fixture
def browser(environment: Environment) -> Iterator[Browser]:
    """A browser that finds the platform and shelters' domains at the first edge."""
    edge = environment.edges[0]
    there = ", ".join(f"MAP {host} {ALONE}:{edge.https_port}" for host in (PLATFORM, "*.example.org"))
    with sync_playwright() as playwright:
        arguments = [*ARGUMENTS, f"--host-resolver-rules={there}"]
        started = playwright.chromium.launch(executable_path=chromium_program(), args=arguments)
        yield started
        started.close()


@pytest.fixture
def page(environment: Environment, browser: Browser) -> Page:
    """The Domains page of a shelter without domains, with its owner signed in."""
    with environment.app.app_context():
        made = factories.project("Browsing Rescue", owner=OWNER, password=PASSWORD)
        set_plan(made.slug, "pro")
        factories.animal(made, "Biscuit")
    # The browser need not trust Pebble, because the test checks the issuer itself.
    context = browser.new_context(base_url=f"https://{PLATFORM}", ignore_https_errors=True, locale="en-GB")
    opened = context.new_page()
    sign_in(opened, OWNER)
    opened.goto(f"/projects/{made.slug}/domains")
    return opened


@pytest.mark.parametrize("environment", ["embedded"], indirect=True)
def test_an_owner_adds_verifies_and_removes_a_domain(environment: Environment, page: Page) -> None:
    adopt, www = "adopt.browsing.example.org", "www.browsing.example.org"
    environment.zone.put(adopt, "A", "198.51.100.7")
    add_domain(page, adopt)
    card = page.locator(".domain-card").filter(has_text=adopt).first
    expect(card.locator(".records").first).to_contain_text(TARGET)
    page.get_by_role("button", name=f"Verify {adopt}").click()
    expect(card).to_contain_text("Delete the A record named adopt.browsing with the value 198.51.100.7.")
    environment.point_here(adopt)
    page.get_by_role("button", name=f"Re-verify {adopt}").click()
    expect(card).to_contain_text("DNS verified")
    expect(page.locator("#announcer")).to_have_text(f"{adopt} is live", timeout=LIVE)
    expect(card).to_contain_text("Working")
    assert all(shown and "Pebble" in shown.issuer for shown in environment.certificates_shown(adopt))
    assert environment.visit(adopt).status == 200
    site = page.context.new_page()
    site.goto(f"https://{adopt}/")
    expect(site.get_by_role("link", name="Biscuit")).to_be_visible()
    add_second_domain(environment, page, www)
    assert environment.visit(www, PATH).headers["location"] == f"https://{adopt}{PATH}"
    remove_domain(environment, page, www)
    assert environment.visit(adopt).status == 200


def add_second_domain(environment: Environment, page: Page, host: str) -> None:
    """Add a second domain, and wait until it is live."""
    environment.point_here(host)
    add_domain(page, host)
    page.get_by_role("button", name=f"Verify {host}").click()
    expect(page.locator("#announcer")).to_have_text(f"{host} is live", timeout=LIVE)


def remove_domain(environment: Environment, page: Page, host: str) -> None:
    """Remove a domain, and check that it is gone immediately, even on open connections."""
    context = trusting(environment.authority.roots())
    opened = [Visitor(edge.https_port, host, context) for edge in environment.edges]
    assert [visitor.get(PATH).status for visitor in opened] == [301, 301]
    remove_domain_on_page(page, host)
    assert [visitor.get(PATH).status for visitor in opened] == [404, 404]
    assert environment.certificates_shown(host) == [None, None]
    for visitor in opened:
        visitor.connection.close()
