"""Several sites of one account, and switching between them."""

import re
from dataclasses import replace

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption.accounts import new_sites
from adoption.audit.models import AuditEntry
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests.cast import Colleague

pytestmark = pytest.mark.settings("embedded")


def projects_of(who: Colleague) -> list[Project]:
    found = select(Project).where(Project.account_id == who.account_id).order_by(Project.id)
    with reading() as session:
        return list(session.scalars(found))


def test_an_owner_adds_a_site_after_seeing_its_address(
    owner: Colleague, teammate: Colleague, client: FlaskClient
) -> None:
    assert f'href="{owner.at("sites/new")}"' in owner.get("settings").text
    with transaction() as session:
        zone = {"currency": "NZD", "time_zone": "Pacific/Auckland", "country": "NZ", "language": "mi"}
        values = zone | {"in_directory": False}
        session.execute(update(Project).where(Project.id == owner.project_id).values(**values))
    page = owner.get("sites/new", query_string={"name": "  Elm Road   Cats "}).text
    assert "Add <bdi>Elm Road Cats</bdi>?" in page
    assert "http://elm-road-cats.localhost:8000" in page
    assert len(projects_of(owner)) == 1, "nothing is added before it is confirmed"
    answer = owner.post("sites", {"name": "Elm Road Cats"})
    assert answer.headers["Location"] == "/projects/elm-road-cats/animals"
    first, added = projects_of(owner)
    assert (added.slug, added.name, added.live_deploy) == ("elm-road-cats", "Elm Road Cats", None)
    assert added.contact_email == first.contact_email
    assert (added.currency, added.time_zone) == ("NZD", "Pacific/Auckland")
    assert (added.country, added.language, added.in_directory) == ("NZ", "mi", False)
    assert client.get("/", headers={"Host": "elm-road-cats.localhost"}).status_code == 404
    assert teammate.get("/projects/elm-road-cats/animals").status_code == 200
    with reading() as session:
        entry = session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc()).limit(1)).one()
    assert (entry.action, entry.thing, entry.project_id) == ("site.added", "Elm Road Cats", added.id)


def test_people_with_several_sites_switch_between_them_in_the_navigation(
    owner: Colleague, outsider: Colleague
) -> None:
    assert "Other sites" not in owner.get("animals").text
    owner.post("sites", {"name": "Elm Road Cats"})
    for here, there in ((owner.slug, "elm-road-cats"), ("elm-road-cats", owner.slug)):
        page = owner.get(f"/projects/{here}/keys").text
        navigation = page.partition("Other sites")[2].partition("</nav>")[0]
        assert f'href="/projects/{there}/animals"' in navigation
        assert f'href="/projects/{here}/animals"' not in navigation
        assert f"/projects/{outsider.slug}/" not in page
    for number in range(6):
        owner.post("sites", {"name": f"Elm {number}"})
    assert "All sites" in owner.get("keys").text


def test_a_name_is_required_and_a_taken_address_gets_a_number(owner: Colleague, outsider: Colleague) -> None:
    for answer in (owner.get("sites/new?name=+"), owner.post("sites", {"name": " "})):
        assert answer.status_code == 422
        assert "Enter the name by which adopters know you" in answer.text
    taken = projects_of(outsider)[0]
    for name, slug, why in (
        (taken.name, taken.slug, f"Another site already has the address “{taken.slug}”."),
        (
            "Login",
            "login",
            "The address “login” is reserved, because visitors could take it for a page of ours.",
        ),
    ):
        page = owner.get(f"sites/new?name={name}").text
        assert f"http://{slug}-2.localhost" in page
        assert f"{why} To get an address without a number, change the name." in page
    assert "To get an address without a number" not in owner.get("sites/new?name=Elm+Dogs").text
    assert len(projects_of(owner)) == 1


def test_only_owners_add_sites_at_a_limited_rate(
    app: APIFlask, owner: Colleague, teammate: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "sites/new" not in teammate.get("settings").text
    assert teammate.post("sites", {"name": "Elm Road Cats"}).status_code == 403
    monkeypatch.setattr(new_sites, "OF_ONE_ACCOUNT", replace(new_sites.OF_ONE_ACCOUNT, most=1))
    owner.post("sites", {"name": "Elm Road Cats"})
    answer = owner.post("sites", {"name": "Elm Road Dogs"})
    assert re.search(r"Wait (a minute|\d+ minutes), then add more\.", answer.text)
    assert 'value="Elm Road Dogs"' in answer.text
    assert len(projects_of(owner)) == 2
