import re

from flask.testing import FlaskClient

from adoption.accounts.actions import create_account
from adoption.projects.actions import publish
from portal.shelters import SHOWN
from tests.cast import Shelter

HOSTILE = '"><img src=x onerror=alert(1)>'


def names(page: str) -> list[str]:
    return re.findall(r'class="strong" href="[^"]*" dir="auto">(.*?)</a>', page)


def published(*names: str) -> None:
    for name in names:
        publish(create_account(name, "owner@example.org")[1].slug)


def test_every_published_shelter_stands_there_by_name(client: FlaskClient, shelter: Shelter) -> None:
    published("Österby Katthem", "Aardvark Rescue")
    create_account("Not Yet Open", "quiet@example.org")
    shelter.add("Rex")
    shelter.add("Gone", status="sold")
    page = client.get("/shelters").text
    assert names(page) == ["Aardvark Rescue", "Elm Road Rescue", "Österby Katthem"]
    assert "1 animal waiting" in page
    assert f'href="/?shelter={shelter.slug}"' in page


def test_a_shelter_is_found_by_the_beginning_of_its_words(client: FlaskClient, shelter: Shelter) -> None:
    published("Österby Katthem")
    assert names(client.get("/shelters?q=osterby").text) == ["Österby Katthem"]
    assert names(client.get("/shelters?q=RESC+elm").text) == ["Elm Road Rescue"]
    nobody = client.get("/shelters?q=zebra%00").text
    assert "No shelter by that name" in nobody
    assert "See all shelters" in nobody


def test_many_shelters_come_in_pages(client: FlaskClient) -> None:
    published(*(f"Shelter {n:03}" for n in range(SHOWN + 2)))
    first, second = client.get("/shelters").text, client.get("/shelters?page=2").text
    assert len(names(first)) == SHOWN
    assert 'rel="next" href="/shelters?page=2"' in first
    assert names(second) == ["Shelter 060", "Shelter 061"]
    assert 'rel="prev" href="/shelters"' in second
    assert names(client.get("/shelters?page=99").text) == names(second)
    for odd in ("0", "-1", "x", "9" * 30, "%00"):
        assert client.get(f"/shelters?page={odd}").status_code == 200


def test_among_many_shelters_the_chosen_one_is_named(client: FlaskClient) -> None:
    published(*(f"Shelter {n:03}" for n in range(SHOWN + 2)))
    page = client.get("/?shelter=shelter-007&sex=male").text
    assert "<bdi>Shelter 007</bdi>" in page
    assert 'type="hidden" name="shelter" value="shelter-007"' in page


def test_a_hostile_shelter_is_only_words(client: FlaskClient) -> None:
    published(HOSTILE)
    page = client.get("/shelters").text
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
