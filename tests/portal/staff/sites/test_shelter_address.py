"""A shelter's address, website, adoption policy and language, and its listing in the directory."""

import re

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from flask_babel import force_locale
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.audit.models import AuditEntry
from adoption.projects.countries_and_languages import country_names, language_names
from adoption.projects.models import Deploy, Project
from adoption.storage.database import reading
from tests import factories
from tests.cast import Colleague
from tests.portal.staff.sites.test_general_settings import opened, project_of, publish_with, save, site

ADDRESS = {
    "street": "12 Elm Road",
    "city": "Passaic",
    "region": "NJ",
    "postcode": "07055",
    "country": "US",
    "website": "https://www.elmroad.example/adopt",
    "adoption_policy": "We visit every home.\n\nNo <b>bold</b> promises.",
    "language": "es",
}


def list_in_directory(who: Colleague, **given: str) -> TestResponse:
    return who.post("settings/directory", {"opened": opened(who, "directory-form"), **given})


@pytest.mark.settings("embedded")
def test_an_address_is_published_with_a_deploy(owner: Colleague, client: FlaskClient) -> None:
    animal = factories.animal(project_of(owner), "Biscuit")
    assert save(owner, place="Alderbrook", **ADDRESS).status_code == 303
    page = owner.get("settings").text
    assert "9 changes not published yet" in page
    for words in ("United States", "Spanish", "12 Elm Road"):
        assert f'<ins dir="auto">{words}</ins>' in page
    assert "elmroad.example" not in site(client, owner).text
    owner.post("settings/deploys")
    with reading() as session:
        live = session.scalars(select(Deploy).order_by(Deploy.number.desc())).first()
        assert {name: getattr(live, name) for name in ADDRESS} == ADDRESS
        audited = session.scalars(select(AuditEntry.detail).where(AuditEntry.action == "site.edited")).all()
    assert audited == ["place, " + ", ".join(ADDRESS).replace("_", " ")]
    shown = site(client, owner).text
    assert "<p>We visit every home.</p>\n<p>No &lt;b&gt;bold&lt;/b&gt; promises.</p>" in shown
    link = (
        '<a href="https://www.elmroad.example/adopt" rel="nofollow noopener"><bdi>www.elmroad.example</bdi>'
    )
    for text in (shown, client.get(f"/animals/{animal}", follow_redirects=True).text):
        assert link in text
        assert "Alderbrook" in text
        assert "12 Elm Road" not in text, "adopters see the place"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("field", "typed", "stored"),
    [
        ("website", "elmroad.example", "https://elmroad.example"),
        ("website", "http://elmroad.example:8080/a?b=c#d", "http://elmroad.example:8080/a?b=c#d"),
        ("website", "javascript:alert(1)", None),
        ("website", "javascript://a.example/%0aalert(1)", None),
        ("website", "https://a b.example", None),
        ("website", "https://sam@elmroad.example", None),
        ("website", "https://elmroad.example:99999", None),
        ("website", "https://localhost", None),
        ("website", "https://[::1", None),
        ("website", "ftp://elmroad.example", None),
        ("website", f"https://elmroad.example/{'a' * 500}", None),
        ("postcode", " sw1a  1aa ", "SW1A 1AA"),
        ("postcode", "07055-1234", "07055-1234"),
        ("postcode", "<07055>", None),
        ("country", "XK", None),
        ("country", "us", None),
        ("country", "", ""),
        ("language", "", None),
    ],
)
def test_an_invalid_website_or_address_is_rejected(
    owner: Colleague, field: str, typed: str, stored: str | None
) -> None:
    answer = save(owner, **{field: typed})
    assert answer.status_code == (422 if stored is None else 303)
    assert (f'id="{field}-error"' in answer.text) == (stored is None)
    assert stored is None or getattr(project_of(owner), field) == stored


@pytest.mark.settings("embedded")
def test_countries_and_languages_have_names_in_the_language_of_the_page(app: APIFlask) -> None:
    with app.app_context():
        assert len(country_names()) == 249
        assert list(country_names().items())[:3] == [
            ("AF", "Afghanistan"),
            ("AX", "Åland Islands"),
            ("AL", "Albania"),
        ]
        assert language_names()["es"] == "Spanish"
    with app.app_context(), force_locale("es"):
        assert country_names()["DE"] == "Alemania"


def test_a_shelter_leaves_the_directory_at_once(owner: Colleague) -> None:
    page = owner.get("settings").text
    assert re.search('id="in_directory"[^>]* checked', page)
    assert list_in_directory(owner, petfinder_id=" nj333 ").status_code == 303
    project = project_of(owner)
    assert (project.in_directory, project.petfinder_id) == (False, "NJ333")
    page = owner.get("settings").text
    assert "Directory settings saved." in page
    assert "not published yet" not in page
    assert not re.search('id="in_directory"[^>]* checked', page)
    list_in_directory(owner, in_directory="yes", petfinder_id="")
    project = project_of(owner)
    assert (project.in_directory, project.petfinder_id) == (True, None)
    with reading() as session:
        found = session.scalars(select(AuditEntry.detail).where(AuditEntry.action == "site.edited")).all()
    assert found == ["in directory, petfinder id"] * 2


@pytest.mark.parametrize("typed", ["N333", "NJ", "NJ123456", "333", "NJ 333", "NJ٣٣", "NJX33"])
@pytest.mark.settings("embedded")
def test_an_invalid_petfinder_id_is_rejected(owner: Colleague, typed: str) -> None:
    answer = list_in_directory(owner, petfinder_id=typed)
    assert answer.status_code == 422
    assert "<title>Error: General" in answer.text
    assert 'href="#petfinder_id">Enter two letters and one to five digits, such as NJ333' in answer.text
    assert f'value="{typed}"' in answer.text
    assert not re.search('id="in_directory"[^>]* checked', answer.text), "the form keeps what was typed"
    project = project_of(owner)
    assert (project.in_directory, project.petfinder_id) == (True, None)


def test_a_petfinder_id_belongs_to_one_shelter(owner: Colleague, app: APIFlask) -> None:
    other = factories.project("Harbour Cats", petfinder_id="NJ333")
    answer = list_in_directory(owner, petfinder_id="nj333")
    assert answer.status_code == 422
    assert "Another shelter here has this Petfinder id. If the id is yours, " in answer.text
    project = project_of(owner)
    assert (project.in_directory, project.petfinder_id) == (True, None)
    with reading() as session:
        assert session.get_one(Project, other.id).petfinder_id == "NJ333"
    assert list_in_directory(owner, in_directory="yes", petfinder_id="NJ334").status_code == 303


@pytest.mark.settings("embedded")
def test_a_conflict_about_the_directory_is_resolved_by_choice(owner: Colleague) -> None:
    before = opened(owner, "directory-form")
    list_in_directory(owner, petfinder_id="NJ1")
    answer = owner.post(
        "settings/directory", {"opened": before, "in_directory": "yes", "petfinder_id": "NJ2"}
    )
    assert answer.status_code == 409
    assert 'class="clash-value">NJ1</small>' in answer.text
    assert not re.search('id="in_directory"[^>]* checked', answer.text), "that field was merged"


@pytest.mark.settings("embedded")
def test_a_site_without_website_and_policy_shows_neither(owner: Colleague, client: FlaskClient) -> None:
    publish_with(owner, about="We rehome dogs.")
    assert "Adoption policy" not in site(client, owner).text
