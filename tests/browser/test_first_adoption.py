"""The path of a new shelter from sign-up to its first adoption, click by click."""

import re

from playwright.sync_api import Page, expect

from demo.photographed_animals import PICTURES
from tests.browser.conftest import Open, each_way
from tests.browser.site import Site
from tests.browser.steps import fill_application, send_application
from tests.browser.test_access import find_flaws
from tests.browser.test_sign_in import NEW, request_sign_up, wait_for_link


@each_way
def test_a_new_shelter_completes_its_first_adoption(
    window: Open, site: Site, size: str, script: bool
) -> None:
    page, shelter = window().new_page(), f"Dune Lane {size} {script}"
    email, applicant = (f"{who}-{size}-{script}@example.org".lower() for who in ("sam", "robin"))
    request_sign_up(page, shelter, email)
    page.goto(wait_for_link(site, email, "/sign-up/"))
    page.get_by_label("Password", exact=True).fill("short")
    click(page, "Create account")
    expect(page.locator(".error-summary")).to_be_visible()
    assert not script or find_flaws(page) == []
    page.get_by_label("Password", exact=True).fill(NEW)
    click(page, "Create account")
    expect(page.get_by_text("Welcome to Homeward.")).to_be_visible()
    add_first_animal(page, script)
    click(page, "Publish your site")
    expect(page.get_by_text("Published. Visitors see it now.")).to_be_visible()
    expect(page.get_by_text("All done")).to_be_visible()
    assert not script or find_flaws(page) == []
    apply_for_animal(
        window().new_page(), f"{page.url.split('/projects/')[1].split('/')[0]}.localhost", site, applicant
    )
    page.goto(wait_for_link(site, email, "/applications/"))
    for link, button, said in (
        ("Approve", "Approve", "Approved. Clementine is now Adoption pending."),
        ("Complete adoption", "Complete adoption", "Clementine has found a home. 1 email sent."),
    ):
        page.get_by_role("link", name=link).click()
        click(page, button)
        expect(page.get_by_text(said)).to_be_visible()


def click(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).locator("visible=true").click()


def add_first_animal(page: Page, script: bool) -> None:
    """Add an animal from a new shelter's first page.

    Afterwards the page that offers to publish the site is open.
    """
    expect(page.get_by_role("button", name="Publish your site")).to_have_count(0)
    assert not script or find_flaws(page) == []
    page.get_by_role("link", name="Add animal").click()
    page.get_by_label("Choose photos").set_input_files(PICTURES / "clementine.webp")
    page.get_by_label("Name", exact=True).fill("Clementine")
    page.get_by_label("Species").select_option("Cat")
    click(page, "Add animal")
    expect(page.get_by_text("Clementine added. Not visible yet")).to_be_visible()
    if script:
        expect(page.locator("#photo-list li")).to_have_count(1)


def apply_for_animal(page: Page, host: str, site: Site, email: str) -> None:
    page.goto(f"http://{host}:{site.port}/")
    page.get_by_role("link", name=re.compile("Clementine")).click()
    fill_application(page, email)
    send_application(page)
    expect(page.get_by_text("Thank you. Your application").first).to_be_visible()
    expect(page.get_by_role("link", name="Apply to adopt")).to_have_count(0)
