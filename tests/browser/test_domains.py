"""A domain from the box over a wrong record to a site that answers, and to its end."""

from http.client import HTTPConnection

from playwright.sync_api import Page, expect

from adoption.accounts.actions import set_plan
from adoption.database import db
from adoption.settings import Settings
from tests import factories
from tests.browser.conftest import both_ways
from tests.browser.connected import TARGET
from tests.browser.site import PASSWORD, Site
from tests.browser.steps import sign_in
from wsgi import create_app


def arrive(page: Page, site: Site, name: str) -> str:
    """Sign in as the owner of a published shelter on Pro; gives the path of its domains."""
    email = f"{name}@example.org"
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(site.instance)}))
    with app.app_context():
        made = factories.project(f"Shelter {name}", owner=email, password=PASSWORD)
        set_plan(made.slug, "pro")
        factories.animal(made, "Biscuit")
        db.engine.dispose()
    sign_in(page, email)
    return f"/projects/{made.slug}/domains"


def ask(site: Site, host: str, path: str = "/") -> tuple[int, str, str]:
    """What a visitor of that host gets: status, where they are sent, and the page."""
    connection = HTTPConnection("127.0.0.1", int(site.port), timeout=10)
    connection.request("GET", path, headers={"Host": f"{host}:{site.port}"})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.getheader("Location", ""), body


def add(page: Page, host: str) -> None:
    page.get_by_label("Domain you own").fill(host)
    page.get_by_role("button", name="Add domain").click()
    expect(page.locator(".staff-notice")).to_contain_text(f"{host} is added")


@both_ways
def test_a_domain_is_added_mended_shown_sent_on_and_removed(
    page: Page, site: Site, size: str, script: bool
) -> None:
    name = f"domains-{size}-{script}".lower()
    page.goto(arrive(page, site, name))
    adopt, www = f"adopt.{name}.example", f"www.{name}.example"
    site.zone.put(adopt, "A", "198.51.100.7")
    add(page, adopt)
    card = page.locator(".domain-card").filter(has_text=adopt).first
    expect(card.locator(".records")).to_contain_text(TARGET)
    assert ask(site, adopt)[0] == 404
    page.get_by_role("button", name=f"Verify {adopt}").click()
    expect(card).to_contain_text("Delete the A record for 198.51.100.7.")
    if script:
        expect(page.get_by_role("button", name=f"Re-verify {adopt}")).to_be_focused()
        expect(page.locator("#announcer")).to_contain_text("DNS check failed, 1 record to fix")
    site.zone.put(adopt, "A")
    site.zone.put(adopt, "CNAME", TARGET)
    page.get_by_role("button", name=f"Re-verify {adopt}").click()
    expect(card).to_contain_text("Working")
    status, _, body = ask(site, adopt)
    assert (status, "Biscuit" in body) == (200, True)
    site.zone.put(www, "CNAME", TARGET)
    add(page, www)
    page.get_by_role("button", name=f"Verify {www}").click()
    expect(page.locator(".domain-card").filter(has_text=www).first).to_contain_text("Working")
    assert ask(site, www, "/?species=dog&q=a%20b")[:2] == (
        301,
        f"http://{adopt}:{site.port}/?species=dog&q=a%20b",
    )
    remove(page, www)
    assert ask(site, www)[0] == 404
    assert ask(site, adopt)[0] == 200


def remove(page: Page, host: str) -> None:
    page.get_by_label(f"More actions for {host}").click()
    page.get_by_role("link", name="Remove", exact=True).locator("visible=true").click()
    expect(page.get_by_role("heading", name=f"Remove {host}?")).to_be_visible()
    page.get_by_role("button", name="Remove domain").click()
    expect(page.locator(".staff-notice")).to_contain_text(f"Removed {host}")


def test_a_waiting_domain_is_seen_to_work_without_a_press(page: Page, site: Site, size: str) -> None:
    page.clock.install()
    name = f"waits-{size}"
    page.goto(arrive(page, site, name))
    host = f"adopt.{name}.example"
    add(page, host)
    page.clock.run_for(31_000)
    expect(page.locator(".staff-notice")).to_be_visible()  # nothing new, so nothing was swapped
    site.zone.put(host, "CNAME", TARGET)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name=f"Verify {host}").click()
    expect(other.locator(".domain-card").first).to_contain_text("Working")
    other.close()
    expect(page.locator(".domain-card").first).to_contain_text("Waiting")
    page.clock.run_for(31_000)
    expect(page.locator(".domain-card").first).to_contain_text("Working")
    expect(page.locator("#domain-list[hx-trigger]")).to_have_count(0)
