"""Types, breeds and organizations of the Petfinder API."""

import pytest

from adoption.projects.models import Project
from tests import factories
from tests.api.petfinder.conftest import ADDRESS, Program, add_biscuit


@pytest.mark.settings("embedded")
def test_the_eight_types(program: Program) -> None:
    types = program.ask("/types").json["types"]
    assert [each["name"] for each in types] == [
        *("Dog", "Cat", "Rabbit", "Small & Furry", "Bird", "Horse", "Barnyard", "Scales, Fins & Other"),
    ]
    for path in ("/types/Small%20&%20Furry", "/types/small-furry/", "/types/SMALL-FURRY"):
        assert program.ask(path).json["type"] == types[3]
    assert list(types[3]) == ["name", "coats", "colors", "genders", "_links"]
    assert types[3]["_links"] == {
        "self": {"href": "/v2/types/small-furry"},
        "breeds": {"href": "/v2/types/small-furry/breeds"},
    }
    assert program.ask("/types/dragon").status_code == 404


def test_breeds_are_those_of_visible_animals(program: Program, elm_road: Project) -> None:
    add_biscuit(elm_road)
    factories.animal(elm_road, breed_primary="Beagle", listed=False)
    link = {"type": {"href": "/v2/types/dog"}}
    expected = [{"name": name, "_links": link} for name in ("Akita", "Pug")]
    assert program.ask("/types/dog/breeds").json == {"breeds": expected}
    assert program.ask("/types/Scales, Fins & Other/breeds").json == {"breeds": []}


def test_an_organization_has_petfinders_fields(program: Program, elm_road: Project) -> None:
    found = program.ask("/organizations/nj333").json["organization"]
    assert found == program.ask(f"/organizations/hw{elm_road.id}/").json["organization"]
    assert found.pop("url").endswith("/")
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    networks = ("facebook", "twitter", "youtube", "instagram", "pinterest")
    assert found == {
        "id": "NJ333",
        "name": "Elm Road",
        "email": elm_road.contact_email or None,
        "phone": None,
        "address": {
            "address1": "12 Elm Road",
            "address2": None,
            "city": "Passaic",
            "state": "NJ",
            "postcode": "07055",
            "country": "US",
        },
        "hours": dict.fromkeys(days),
        "website": None,
        "mission_statement": None,
        "adoption": {"policy": None, "url": None},
        "social_media": dict.fromkeys(networks),
        "photos": [],
        "distance": None,
        "_links": {
            "self": {"href": "/v2/organizations/nj333"},
            "animals": {"href": "/v2/animals?organization=nj333"},
        },
    }
    assert program.ask("/organizations/XX1").status_code == 404


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "Elm Road,Hudson,Penn"),
        ("state=NJ", "Elm Road"),
        ("state=new+jersey", "Elm Road"),
        ("location=NY", "Hudson"),
        ("name=hud", "Hudson"),
        ("query=penn&country=us", "Penn"),
        ("country=CA", ""),
        ("location=07055&distance=90&sort=distance", "Elm Road,Hudson,Penn"),
        ("location=07055&distance=90&sort=-distance", "Penn,Hudson,Elm Road"),
        ("location=07055&distance=11", "Elm Road,Hudson"),
        ("sort=-name&limit=2", "Penn,Hudson"),
        ("sort=-name&limit=2&page=2", "Elm Road"),
        ("limit=2&page=2", "Penn"),
        ("limit=2&page=3", ""),
    ],
)
def test_organizations(program: Program, query: str, found: str) -> None:
    factories.project("Hudson", **ADDRESS | {"postcode": "10001", "city": "New York", "region": "New York"})
    factories.project("Penn", **ADDRESS | {"postcode": "19103", "city": "Philadelphia", "region": "PA"})
    body = program.ask(f"/organizations?{query}").json
    assert ",".join(one["name"] for one in body["organizations"]) == found


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("path", ["country", "sort", "limit", "location"])
def test_a_wrong_value_is_an_error(program: Program, path: str) -> None:
    answer = program.ask(f"/organizations?{path}=Foobar")
    assert (answer.status_code, answer.json["invalid-params"][0]["path"]) == (400, path)
