"""Domains: adding a domain, fixing a wrong record, its live site, and removal."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select

from adoption.accounts.plan_changes import set_plan
from adoption.domains.models import Domain
from adoption.settings import Settings
from adoption.storage.database import db, reading
from tests import certificates, factories
from tests.browser.conftest import SIZES, each_way
from tests.browser.connected import TARGET
from tests.browser.site import PASSWORD, Site
from tests.browser.steps import sign_in_by_request
from wsgi import create_app

NEWS = "**/domains/list?**"
"""The address that the page polls."""


def sign_in_with_shelter(page: Page, site: Site, name: str) -> str:
    """Sign in as the owner of a published shelter on Pro. Return the path of its domains."""
    email = f"{name}@example.org"
    with app_context(site):
        made = factories.project(f"Shelter {name}", owner=email, password=PASSWORD)
        set_plan(made.slug, "pro")
        factories.animal(made, "Biscuit")
    sign_in_by_request(page, email)
    return f"/projects/{made.slug}/domains"


@contextmanager
def app_context(site: Site) -> Iterator[None]:
    """An application context for the database of the site."""
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(site.instance)}))
    with app.app_context():
        yield
        db.engine.dispose()


STYLED_AND_CLEARED = "field => { field.style.caretColor = 'red'; field.style.caretColor = '' }"
"""A script that styles a field and clears the style, as password managers do.

An empty style attribute stays. A swap must not copy the attribute, because the policy forbids it.
"""


def request_host(site: Site, host: str, path: str = "/") -> tuple[int, str, str]:
    """Return the response to a visitor of the host: status, redirect target, and page."""
    connection = HTTPConnection("127.0.0.1", int(site.port), timeout=10)
    connection.request("GET", path, headers={"Host": f"{host}:{site.port}"})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.getheader("Location", ""), body


def add_domain(page: Page, host: str) -> None:
    page.get_by_label("Domain you own").fill(host)
    page.get_by_label("Domain you own").evaluate(STYLED_AND_CLEARED)
    page.get_by_role("button", name="Add domain").click()
    expect(domain_heading(page, host)).to_be_visible()


def domain_heading(page: Page, host: str) -> Locator:
    """Return the domain's name on its card."""
    return page.get_by_role("heading", name=host, exact=True)


@each_way
def test_a_domain_is_added_fixed_live_and_removed(page: Page, site: Site, size: str, script: bool) -> None:
    name = f"domains-{size}-{script}".lower()
    page.goto(sign_in_with_shelter(page, site, name))
    adopt, www = f"adopt.{name}.example", f"www.{name}.example"
    site.zone.put(adopt, "A", "198.51.100.7")
    add_domain(page, adopt)
    if script:
        expect(domain_heading(page, adopt)).to_be_focused()
        expect(page.locator("#announcer")).to_contain_text(f"{adopt} is added. Add the record below")
    else:
        expect(page.locator(".staff-notice")).to_contain_text(f"{adopt} is added. Add the record below")
    card = page.locator(".domain-card").filter(has_text=adopt).first
    expect(card.locator(".records").first).to_contain_text(TARGET)
    assert request_host(site, adopt)[0] == 404
    page.get_by_role("button", name=f"Verify {adopt}").click()
    expect(card).to_contain_text("Delete the A record named adopt with the value 198.51.100.7.")
    if script:
        expect(page.get_by_role("button", name=f"Re-verify {adopt}")).to_be_focused()
        expect(page.locator("#announcer")).to_contain_text("DNS check failed, 1 record to fix")
    site.zone.put(adopt, "A")
    site.zone.put(adopt, "CNAME", TARGET)
    page.get_by_role("button", name=f"Re-verify {adopt}").click()
    expect(card).to_contain_text("DNS verified")
    expect(card).to_contain_text("Getting a certificate")
    status, _, body = request_host(site, adopt)
    assert (status, "Biscuit" in body) == (200, True)
    site.zone.put(www, "CNAME", TARGET)
    add_domain(page, www)
    page.get_by_role("button", name=f"Verify {www}").click()
    expect(page.locator(".domain-card").filter(has_text=www).first).to_contain_text("DNS verified")
    assert request_host(site, www)[0] == 200, (
        "nobody is redirected before the primary domain has its certificate"
    )
    remove_domain_on_page(page, www)
    assert request_host(site, www)[0] == 404
    assert request_host(site, adopt)[0] == 200


def remove_domain_on_page(page: Page, host: str) -> None:
    page.get_by_label(f"More actions for {host}").click()
    page.get_by_role("link", name="Remove", exact=True).locator("visible=true").click()
    expect(page.get_by_role("heading", name=f"Remove {host}?")).to_be_visible()
    page.get_by_role("button", name="Remove domain").click()
    expect(page.locator(".staff-notice")).to_contain_text(f"Removed {host}")


@pytest.fixture
def shelter_name(request: pytest.FixtureRequest) -> str:
    """Return a name that no other test uses for a shelter."""
    return re.sub("[^a-z0-9]+", "-", request.node.name)[-40:].strip("-")


def test_the_page_shows_without_a_click_that_a_domain_is_live(
    page: Page, site: Site, size: str, shelter_name: str
) -> None:
    page.clock.install()
    page.goto(sign_in_with_shelter(page, site, shelter_name))
    host, other = f"adopt.{shelter_name}.example", f"www.{shelter_name}.example"
    add_domain(page, host)
    add_domain(page, other)
    first, second = (page.locator(".domain-card").filter(has_text=each).first for each in (host, other))
    page.clock.run_for(31_000)
    expect(domain_heading(page, other)).to_be_focused()  # there was no news, so nothing was swapped
    site.zone.put(host, "CNAME", TARGET)
    verify_in_another_tab(page, host)
    expect(first).to_contain_text("Waiting")
    page.clock.run_for(31_000)
    expect(first).to_contain_text("Getting a certificate")
    expect(page.locator("#announcer")).to_have_text(f"{host}: DNS verified")
    first.locator("summary", has_text="DNS values").click()
    second.get_by_label("More actions").click()
    second.get_by_role("link", name="Change redirect").focus()
    now = datetime.now(UTC)
    with app_context(site):
        certificates.add_certificate(domain_id(host), now, seen_at=None, live_since=None)
    page.clock.run_for(31_000)  # the authority never answers, so by now it may count as down
    expect(page.locator("#announcer")).to_have_text(f"{host}: certificate issued")
    expect(first.locator(".records").first).to_be_visible()
    expect(second.get_by_role("link", name="Change redirect")).to_be_focused()
    first.locator("summary", has_text="DNS values").focus()
    with app_context(site):
        certificates.add_certificate(domain_id(host), now)
    page.clock.run_for(4_000)
    expect(page.locator("#announcer")).to_have_text(f"{host} is live")
    expect(first).to_contain_text("Working")
    expect(first.locator(".records").first).to_be_visible()
    expect(first.locator("summary", has_text="DNS values")).to_be_focused()
    expect(page.locator("#domain-watch")).to_have_attribute("hx-trigger", re.compile("every 30s"))


def verify_in_another_tab(page: Page, host: str) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name=f"Verify {host}").click()
    expect(other.locator(".domain-card").filter(has_text=host).first).to_contain_text("DNS verified")
    other.close()


def domain_id(host: str) -> int:
    with reading() as session:
        return session.scalars(select(Domain.id).where(Domain.host == host)).one()


def test_a_click_without_a_connection_reports_it_and_keeps_the_typed_domain(
    chromium: Browser, site: Site, size: str, shelter_name: str
) -> None:
    with chromium.new_context(base_url=site.root, viewport=SIZES[size]) as alone:  # type: ignore[arg-type]
        page = alone.new_page()
        host = f"adopt.{shelter_name}.example"
        path = sign_in_with_shelter(page, site, shelter_name)
        page.goto(path)
        page.route(f"**{path}**", lambda route: route.abort())
        with page.expect_event("requestfailed", lambda request: "/pair" in request.url):
            page.get_by_label("Domain you own").fill(host)
        page.get_by_label("Domain you own").press("Enter")
        expect(page.get_by_role("alert").filter(has_text="nothing was added")).to_be_focused()
        expect(page.get_by_label("Domain you own")).to_have_value(host)
        page.unroute(f"**{path}**")
        add_domain(page, host)
        expect(page.get_by_role("alert")).to_have_count(0)
        page.route(f"**{path}/**", lambda route: route.abort())
        page.get_by_role("button", name=f"Verify {host}").press("Enter")
        expect(page.get_by_role("alert").filter(has_text="nothing was checked")).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.unroute(f"**{path}/**")
        page.get_by_role("button", name=f"Verify {host}").press("Enter")
        expect(page.get_by_role("button", name=f"Re-verify {host}")).to_be_focused()
        expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("size", ["desk"])
def test_the_page_polls_again_after_a_failure_and_not_in_the_background(
    chromium: Browser, site: Site, size: str, shelter_name: str
) -> None:
    with chromium.new_context(base_url=site.root) as unwatched:  # These requests are meant to fail.
        page = unwatched.new_page()
        page.clock.install()
        page.goto(sign_in_with_shelter(page, site, shelter_name))
        add_domain(page, f"adopt.{shelter_name}.example")
        page.route(NEWS, lambda route: route.abort())
        with page.expect_event("requestfailed"):
            page.clock.run_for(31_000)
        page.unroute(NEWS)
        with page.expect_response(NEWS):
            page.clock.run_for(31_000)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
        page.clock.run_for(61_000)
        assert asked == []
        page.evaluate("delete document.hidden")
        with page.expect_response(NEWS):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.get_by_role("heading", name=f"adopt.{shelter_name}.example")).to_be_visible()


NO_CLIPBOARD = "delete Navigator.prototype.clipboard"
"""A script that removes the clipboard, which pages without TLS do not have."""
NOT_ALLOWED = "navigator.clipboard.writeText = () => Promise.reject(new Error())"


@pytest.mark.parametrize("world", ["", NO_CLIPBOARD], ids=["by TLS", "plain"])
def test_a_value_is_copied_and_pasted_at_the_provider(page: Page, site: Site, size: str, world: str) -> None:
    here = sign_in_with_shelter(page, site, f"copies-{size}-{len(world)}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(world)
    page.goto(here)
    add_domain(page, f"adopt.copies-{size}-{len(world)}.example")
    page.get_by_role("button", name="Copy value of the CNAME record").click()
    expect(page.locator("#announcer")).to_have_text("Copied")
    page.get_by_label("Domain you own").focus()
    page.keyboard.press("Control+V")
    expect(page.get_by_label("Domain you own")).to_have_value(TARGET)


def test_a_value_that_cannot_be_copied_is_selected(page: Page, site: Site, size: str) -> None:
    here = sign_in_with_shelter(page, site, f"selects-{size}")
    page.add_init_script(NOT_ALLOWED)
    page.goto(here)
    add_domain(page, f"adopt.selects-{size}.example")
    page.get_by_role("button", name="Copy value of the CNAME record").click()
    expect(page.locator("#announcer")).to_contain_text("The text is selected")
    assert page.evaluate("getSelection().toString()") == TARGET
