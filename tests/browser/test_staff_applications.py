"""The staff's inbox: an adoption from the application to the return, and a declined application."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from playwright.sync_api import Page, expect
from sqlalchemy import select

from adoption.projects.models import Project
from adoption.settings import Settings
from adoption.storage.database import db, reading
from tests import applying, factories
from tests.applying import link_in
from tests.browser.conftest import Open, each_way
from tests.browser.site import Site
from tests.browser.steps import fill_application, send_application, sign_in, sign_in_by_request
from tests.browser.test_access import COLOURS, find_flaws, find_violations
from tests.browser.test_sign_in import wait_for_link
from wsgi import create_app

NASTY = '"><img src=x onerror=alert(1)>'


@contextmanager
def app_context(site: Site) -> Iterator[Flask]:
    """An application context for the service's own database."""
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(site.instance)}))
    with app.app_context():
        yield app
        app.extensions["homeward.driver_connections"].close()
        db.engine.dispose()


def new_animal(site: Site, name: str, *applicants: tuple[str, str]) -> int:
    """Add an animal with an application from each of these email addresses and names."""
    with app_context(site) as app:
        with reading() as session:
            of = select(Project).where(Project.name == "Larchfield Animal Shelter")
            project = session.scalars(of).one()
        made = factories.animal(project, name)
        for email, who in applicants:
            link_in(applying.apply(app.test_client(), made, email=email, name=who))
        return made


def apply_as(page: Page, animal_id: int, email: str, name: str) -> None:
    """Apply with a link in the answers, so that the application is held."""
    page.goto(f"/animals/{animal_id}")
    fill_application(page, email)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Why would").fill("Our garden: https://garden.example")
    send_application(page)
    expect(page.get_by_text("Thank you. Your application").first).to_be_visible()


def check_page(page: Page, script: bool) -> None:
    if not script:
        return  # axe is a script
    assert find_flaws(page) == []
    page.emulate_media(color_scheme="dark")
    assert find_violations(page, COLOURS) == []
    page.emulate_media(color_scheme="light")


def open_inbox(page: Page, small: bool) -> None:
    if small:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Staff").get_by_role("link", name="Applications").click()
    expect(page.get_by_role("heading", name="Applications", level=1)).to_be_visible()


def decide(page: Page, link: str, button: str) -> None:
    page.get_by_role("link", name=link).click()
    page.get_by_role("button", name=button).click()


@each_way
def test_an_adoption_from_the_application_to_a_return(
    window: Open, site: Site, size: str, script: bool
) -> None:
    pet = f"Rumi {size} {script}"
    first, second = (f"{who}-{size}-{script}@example.org".lower() for who in "ab")
    animal_id = new_animal(site, pet, (second, "Kim Sato"))
    apply_as(window().new_page(), animal_id, first, NASTY)
    page = window().new_page()
    sign_in(page)
    open_inbox(page, size == "phone")
    page.get_by_role("link", name="Held as spam").click()
    page.get_by_label("Search (name, email").fill(first)
    if not script:
        page.get_by_role("button", name="Search").click()
    expect(page.locator(".inbox-entry")).to_have_count(1)
    expect(page).to_have_url(re.compile("q="))
    check_page(page, script)
    page.get_by_role("link", name=NASTY).click()
    check_page(page, script)
    page.get_by_role("button", name="Not spam").click()
    expect(page.get_by_text("Moved to your inbox.")).to_be_visible()
    page.get_by_label("Add a note").fill("Sounds kind")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator(".case-notes")).to_contain_text("Sounds kind")
    decide(page, "Approve", "Approve")
    expect(page.get_by_text(f"Approved. {pet} is now Adoption pending.")).to_be_visible()
    decide(page, "Complete adoption", "Complete adoption")
    expect(page.get_by_text(f"{pet} has found a home. 2 emails sent.")).to_be_visible()
    wait_for_link(site, second, r"/\?shelter=")
    expect(page.get_by_label("Animals", exact=True).get_by_text("Adopted")).to_be_visible()
    decide(page, "Record a return", "Record the return")
    expect(page.get_by_text(f"{pet} is back and can be adopted again.")).to_be_visible()
    expect(page.get_by_label("Animals", exact=True).get_by_text("Available")).to_be_visible()
    expect(page.locator(".timeline li")).to_have_count(4)
    check_page(page, script)


@each_way
def test_an_applicant_is_declined_and_then_erased(window: Open, site: Site, size: str, script: bool) -> None:
    email = f"c-{size}-{script}@example.org".lower()
    animal_id = new_animal(site, "Wren", (email, "Lee Moss"))
    page = window().new_page()
    sign_in_by_request(page)
    page.goto(f"/projects/larchfield-animal-shelter/applications?animal={animal_id}")
    page.get_by_role("link", name="Lee Moss").click()
    page.get_by_role("link", name="Decline").click()
    check_page(page, script)
    page.get_by_label("Email text").fill("")
    page.get_by_role("button", name="Decline application").click()
    expect(page.get_by_role("alert")).to_contain_text("Write the email")
    page.get_by_label("Email text").fill("Not this time, Lee.")
    page.get_by_role("button", name="Decline application").click()
    expect(page.get_by_text("Declined. The applicant has been emailed.")).to_be_visible()
    page.get_by_role("link", name="Data held about this person").click()
    check_page(page, script)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as JSON").click()
    assert download.value.suggested_filename == "applicant.json"
    page.get_by_role("link", name="Delete").click()
    if script:
        expect(page.get_by_role("link", name="Keep data")).to_be_focused()
        check_page(page, script)
    page.get_by_role("button", name="Delete data of Lee Moss").click()
    expect(page.get_by_text("Personal data in 1 application deleted.")).to_be_visible()
    expect(page.locator(".inbox-entry").first).to_contain_text("Data deleted")
