"""Animals near a place: the filter, its counts, the order by distance, and the words for distances."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient

from adoption.animals import catalogue
from adoption.projects.models import Project
from portal.catalogue.filters import PAGE_SIZE
from tests import factories
from tests.pages import names_on_cards

HTMX = {"HX-Request": "true", "HX-Target": "results"}


@pytest.fixture
def shelters(app: APIFlask) -> dict[str, Project]:
    """Shelters at 0.0, 10.1 and 83.2 miles from 07055, and one without a place."""
    postcodes = {"elm": "07055", "hudson": "10001", "penn": "19103", "nowhere": ""}
    made = {
        name: factories.project(name.title(), owner=f"{name}@example.org", postcode=code, place=name)
        for name, code in postcodes.items()
    }
    factories.animal(made["penn"], "Zoe", category_id=3, arrival_date=factories.NOW.date())
    factories.animal(made["elm"], "Biscuit", sex="female")
    factories.animal(made["nowhere"], "Nomad")
    factories.animal(made["hudson"], "Mist", category_id=2, arrival_date=factories.NOW.date())
    factories.animal(made["hudson"], "Moss", category_id=2, sex="female")
    return made


def names(client: FlaskClient, query: str) -> list[str]:
    page = client.get(f"/?{query}", follow_redirects=True)
    assert page.status_code == 200
    return names_on_cards(page.text)


SEARCHES = [
    ("near=07055&within=10mi", ["Biscuit"]),
    ("near=07055&within=11mi", ["Moss", "Mist", "Biscuit"]),
    ("near=07055&within=16km", ["Biscuit"]),
    ("near=07055&within=17km", ["Moss", "Mist", "Biscuit"]),
    ("near=07055", ["Moss", "Mist", "Biscuit"]),
    ("near=07055&within=100mi", ["Moss", "Mist", "Biscuit", "Zoe"]),
    ("near=07055&within=100mi&sort=distance", ["Biscuit", "Moss", "Mist", "Zoe"]),
    ("near=19103&within=100mi&sort=distance", ["Zoe", "Moss", "Mist", "Biscuit"]),
    ("near=07055&within=100mi&sort=waiting", ["Zoe", "Mist", "Biscuit", "Moss"]),
    ("near=Passaic,+NJ&within=10mi&species=dog", ["Biscuit"]),
    ("near=07055&within=100mi&sex=female&sort=distance", ["Biscuit", "Moss"]),
    ("near=07055&shelter=hudson&sort=distance", ["Moss", "Mist"]),
    ("near=07055&q=moss", ["Moss"]),
    ("near=07055&q=cat&sort=distance", ["Moss", "Mist"]),
    ("near=07055&q=zoe", []),
    ("near=96813", []),
]


@pytest.mark.parametrize("sorted_most", [catalogue.NEARBY_SORTED_MOST, 0])
def test_animals_near_a_place_are_found(
    client: FlaskClient, shelters: dict[str, Project], monkeypatch: pytest.MonkeyPatch, sorted_most: int
) -> None:
    """With 0, animals are read in the order of the page, as when many animals are near."""
    monkeypatch.setattr(catalogue, "NEARBY_SORTED_MOST", sorted_most)
    for query, expected in SEARCHES:
        assert names(client, query) == expected, query


def test_counts_are_of_animals_near_the_place(client: FlaskClient, shelters: dict[str, Project]) -> None:
    page = client.get("/?near=07055&sex=female").text
    assert "2 animals" in page
    assert re.search(r'<option value="female" selected>Female \(2\)', page)
    assert re.search(r'id="species-cat"[^\n]*pill-count">1<', page)
    assert "Dogs to adopt near 07055" in client.get("/?near=07055&species=dog").text


@pytest.mark.settings("embedded")
def test_pages_by_distance_contain_every_animal_once(
    client: FlaskClient, shelters: dict[str, Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(PAGE_SIZE):
        factories.animal(shelters["elm"], f"E{number}")
        factories.animal(shelters["hudson"], f"H{number}")
    monkeypatch.setattr("portal.catalogue.catalogue_page.PAGE_SIZE_MOST", PAGE_SIZE)
    address, seen = "/?near=07055&sort=distance", []
    while address:
        page = client.get(address).text
        seen += names_on_cards(page)
        following = re.search(r'rel="next" href="([^"#]+)', page)
        address = unescape(following[1]) if following else ""
    assert len(seen) == len({*seen}) == 2 * PAGE_SIZE + 3
    assert [name[0] for name in seen] == ["E"] * PAGE_SIZE + ["B"] + ["H"] * PAGE_SIZE + ["M"] * 2
    unknown = client.get("/?near=07055&sort=distance&after=near-999.5").text
    assert "There are no animals after the last one" in unknown
    assert client.get("/?near=07055&after=near-1.5").status_code == 404


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("query", "away"),
    [
        ("near=07055", "less than a mile away"),
        ("near=07055&within=40km", "less than a kilometre away"),
        ("near=10001", "about 10 miles away"),
        ("near=10001&within=40km", "about 16 km away"),
    ],
)
def test_cards_and_pages_show_the_distance(
    client: FlaskClient, shelters: dict[str, Project], query: str, away: str
) -> None:
    page = client.get(f"/?{query}&species=dog").text
    card = page.split('<li class="animal-card"')[1].split("</li>\n")[0]
    assert f"Elm, elm</span><br>{away}" in card
    address = unescape(re.findall(r'<a href="(/animals/[^"]+)"', card)[0])
    assert address.endswith(f"?{query}")
    assert f"<bdi>elm</bdi> ({away})" in client.get(address).text
    assert "away" not in client.get(address.split("?")[0]).text.split("shelter-lines")[1].split("</ul>")[0]
    assert client.get(f"{address.split('?')[0]}?near=00000").status_code == 200


@pytest.mark.settings("embedded")
def test_a_page_says_from_where_distances_are(client: FlaskClient, shelters: dict[str, Project]) -> None:
    for near, words in (
        ("07055", "Distances are from the middle of your ZIP code; usually within 7 miles.</p>\n"),
        ("Passaic, NJ", "Distances are from the middle of Passaic, NJ."),
        ("07099", "Distances are from the middle of the ZIP codes that begin with 070."),
    ):
        results = client.get(f"/?near={quote(near)}").text.split('id="results"')[1]
        assert words in unescape(results), near
    assert "Distances are" not in client.get("/").text.split('id="results"')[1]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("sort", ["", "&sort=distance"])
def test_an_unknown_place_is_an_error_and_all_animals_are_shown(
    client: FlaskClient, shelters: dict[str, Project], sort: str
) -> None:
    page = client.get(f"/?near=00000{sort}").text
    assert page.count("There is no ZIP code 00000. Check the digits") == 2
    assert 'value="00000"' in page
    assert 'aria-invalid="true"' in page.split('id="near"')[1].split(">")[0]
    assert len(names_on_cards(page)) == 5
    changed = client.get("/?near=00000", headers=HTMX).text
    assert 'id="near-error" hx-swap-oob="true"' in changed
    assert 'id="filter-near"' not in changed
    assert 'data-announce="There is no ZIP code 00000.' in changed
    assert client.get("/feed.atom?near=00000").status_code == 404
    assert client.get("/feed.atom?near=07055&within=10mi").text.count("<entry>") == 1


@pytest.mark.settings("embedded")
def test_an_empty_result_offers_a_larger_distance(client: FlaskClient, shelters: dict[str, Project]) -> None:
    page = unescape(client.get("/?near=10001&within=25mi&species=rabbit").text)
    assert '<a class="button primary" href="/?species=rabbit&near=10001&within=100mi">' in page
    assert "Search within 100 miles (1 rabbit)" in page
    assert "Search within" not in client.get("/?near=96813&species=rabbit").text


@pytest.mark.settings("embedded")
def test_a_distance_is_a_filter_that_can_be_removed(
    client: FlaskClient, shelters: dict[str, Project]
) -> None:
    page = unescape(client.get("/?near=07055&within=25mi&sort=distance&species=dog").text)
    assert re.search(
        r'href="/\?species=dog"><span class="visually-hidden">Remove </span><bdi>Within 25 miles', page
    )
    changed = client.get("/?species=dog", headers=HTMX | {"HX-Trigger": "chip-0"}).text
    assert 'id="filter-near" hx-swap-oob="true"' in changed
    assert "within=5 miles" in client.get("/?near=07055&within=5+miles").text
    assert '<option value="10mi" selected>10 miles' in client.get("/?near=07055&within=10MI").text
    assert client.get("/?near=07055&within=&sort=").headers["Location"].endswith("/?near=07055")


@pytest.mark.settings("embedded")
def test_a_shelters_own_site_has_no_near_field(client: FlaskClient, shelters: dict[str, Project]) -> None:
    host = {"Host": "penn.localhost"}
    page = client.get("/?near=07055", headers=host)
    assert 'id="near"' not in page.text
    assert names_on_cards(page.text) == ["Zoe"]
