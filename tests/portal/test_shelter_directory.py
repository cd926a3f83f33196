import re

from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption.accounts.account_creation import create_account
from adoption.animals.photo_models import Photo
from adoption.projects.models import Project
from adoption.projects.publication import publish_site
from adoption.projects.shelter_choices import CHOICES_MOST
from adoption.storage.database import reading, transaction
from portal.shelter_directory import PAGE_SIZE
from tests import factories
from tests.cast import Shelter
from tests.statements import recorded_statements

HOSTILE = '"><img src=x onerror=alert(1)>'


def names(page: str) -> list[str]:
    return re.findall(r'class="strong" href="[^"]*" dir="auto">(.*?)</a>', page)


def published(*names: str) -> None:
    for name in names:
        publish_site(create_account(name, "owner@example.org")[1].slug)


def test_published_shelters_are_listed_by_name(client: FlaskClient, shelter: Shelter) -> None:
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


def test_the_directory_of_shelters_is_paged(client: FlaskClient) -> None:
    published(*(f"Shelter {n:03}" for n in range(PAGE_SIZE + 2)))
    first, second = client.get("/shelters").text, client.get("/shelters?page=2").text
    assert len(names(first)) == PAGE_SIZE
    assert 'rel="next" href="/shelters?page=2"' in first
    assert names(second) == ["Shelter 024", "Shelter 025"]
    assert 'rel="prev" href="/shelters"' in second
    assert names(client.get("/shelters?page=99").text) == names(second)
    for odd in ("0", "-1", "x", "9" * 30, "%00"):
        assert client.get(f"/shelters?page={odd}").status_code == 200


def test_shelters_can_be_sorted_by_town(client: FlaskClient) -> None:
    for name, place in (("Alpha", "York"), ("Beta", ""), ("Gamma", "ely"), ("Delta", "Ely")):
        publish_at(name, place)
    page = client.get("/shelters?sort=town").text
    assert names(page) == ["Delta", "Gamma", "Alpha", "Beta"]
    assert '<input type="hidden" name="sort" value="town">' in page
    assert names(client.get("/shelters?sort=town&q=ely").text) == ["Delta", "Gamma"]
    assert names(client.get("/shelters?sort=odd").text) == ["Alpha", "Beta", "Delta", "Gamma"]


def publish_at(name: str, place: str) -> None:
    project = create_account(name, "owner@example.org")[1]
    with transaction() as session:
        session.execute(update(Project).where(Project.id == project.id).values(place=place))
    publish_site(project.slug)


def test_a_shelter_is_shown_with_the_photo_of_its_newest_available_animal(client: FlaskClient) -> None:
    pictured = factories.project("Alpha")
    factories.animal(pictured, "Old", photos=2)
    shown = factories.animal(pictured, "New", photos=2)
    factories.animal(pictured, "Bare")
    factories.animal(pictured, "Hidden", photos=1, listed=False)
    factories.animal(pictured, "Adopted", photos=1, status="sold")
    bare = factories.project("Beta", colour="#7a3b2e")
    factories.animal(bare, "Hidden too", photos=1, listed=False)
    with reading() as session:
        cover = session.scalar(select(Photo.digest).where(Photo.animal_id == shown, Photo.position == 0))
    page = client.get("/shelters").text
    assert set(re.findall(r"/media/([0-9a-f]{64})-", page)) == {cover}
    assert page.count('fill="#7a3b2e"') == 1


def test_the_directory_needs_few_statements(client: FlaskClient) -> None:
    def asked() -> int:
        with recorded_statements() as found:
            client.get("/shelters?q=s&sort=town")
        return len([each for each in found if each.lstrip().upper().startswith("SELECT")])

    published("Shelter One")
    one = asked()
    published(*(f"Shelter {n:03}" for n in range(10)))
    assert asked() == one <= 6


def test_the_filter_names_the_chosen_shelter_among_many(client: FlaskClient) -> None:
    published(*(f"Shelter {n:03}" for n in range(CHOICES_MOST + 2)))
    page = client.get("/?shelter=shelter-007&sex=male").text
    assert "<bdi>Shelter 007</bdi>" in page
    assert 'type="hidden" name="shelter" value="shelter-007"' in page


def test_html_in_the_directory_is_escaped(client: FlaskClient) -> None:
    published(HOSTILE)
    page = client.get("/shelters").text
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
