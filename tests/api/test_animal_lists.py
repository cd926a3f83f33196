"""GET /v1/animals: filters, sort orders and cursors."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from apiflask import APIFlask
from sqlalchemy import delete, select, update

from adoption.accounts.api_access.api_keys import create_key
from adoption.animals.models import Animal
from adoption.projects.models import Project
from adoption.storage.database import transaction
from api.query_parameters import parse_query
from tests import cast, factories
from tests.api.conftest import client_of
from tests.api.test_paging import cursor_of, next_address

NOW = datetime.now(UTC).replace(microsecond=0)


def key_of(app: APIFlask, project: Project) -> cast.Shelter:
    key = create_key(project.slug)[1]
    return cast.Shelter(client_of(app), project.account_id, project.id, project.slug, key)


@pytest.fixture
def key(app: APIFlask, elm: Project) -> cast.Shelter:
    return key_of(app, elm)


def years_ago(years: int) -> date:
    return (NOW - timedelta(days=366 * years)).date()


@pytest.fixture
def animals(elm: Project) -> None:
    answers: dict[str, Any] = {"good_with_children": True, "good_with_dogs": False, "altered": True}
    biscuit: dict[str, Any] = {
        **answers,
        "breed_primary": "Akita",
        "sex": "female",
        "birth_date": years_ago(2),
        "size": "medium",
        "coat": "short",
        "colours": "Black, White",
        "code": "E-1",
        "description": "A quiet friend.",
        "created_at": datetime(2026, 11, 28, 23, 59, 59, tzinfo=UTC),
        "updated_at": datetime(2026, 11, 20, tzinfo=UTC),
    }
    factories.animal(elm, "Biscuit", **biscuit)
    zoe: dict[str, Any] = {
        "category_id": 3,
        "breed_primary": "Löwenkopf",
        "breed_secondary": "Fée de Marbourg",
    }
    zoe |= {"created_at": datetime(2026, 11, 29, tzinfo=UTC), "good_with_cats": True, "special_needs": True}
    factories.animal(elm, "Zoë", age_group="senior", status="sold", house_trained=False, **zoe)
    factories.animal(elm, "Gap", category_id=2, status="pending")


@pytest.mark.usefixtures("animals")
def test_filters_find_exactly_the_matching_animals(key: cast.Shelter) -> None:
    everyone = "Biscuit Zoë Gap"
    expected = {
        "": everyone,
        "status=sold": "Zoë",
        "status=available,pending": "Biscuit Gap",
        "species=rabbit": "Zoë",
        "species=cat,dog": "Biscuit Gap",
        "age=young": "Biscuit",
        "age=senior,unknown": "Zoë Gap",
        "age=baby,young,adult,senior": "Biscuit Zoë",
        "sex=female": "Biscuit",
        "sex=female,unknown": everyone,
        "size=unknown&coat=unknown": "Zoë Gap",
        "size=small,large": "",
        "size=small,medium": "Biscuit",
        "breed=akita": "Biscuit",
        "breed=AKITA,lowenkopf": "Biscuit Zoë",
        "breed=aki": "",
        "breed=marbourg%20fee": "Zoë",
        "breed=%27": "",
        "breed=black": "",
        "colour=black": "Biscuit",
        "colour=white%20black,ginger": "Biscuit",
        "good_with_cats=yes": "Zoë",
        "good_with_cats=unknown": "Biscuit Gap",
        "good_with_cats=yes,unknown": everyone,
        "good_with_dogs=no": "Biscuit",
        "good_with_children=yes&good_with_dogs=no": "Biscuit",
        "house_trained=no": "Zoë",
        "special_needs=yes": "Zoë",
        "special_needs=no": "Biscuit Gap",
        "altered=unknown": "Zoë Gap",
        "code=E-1": "Biscuit",
        "code=e-1,E": "",
        "code=E-1,E-2": "Biscuit",
        "code=unknown": "",
        "q=aki": "Biscuit",
        "q=zoe": "Zoë",
        "q=quiet%20friends": "Biscuit",
        "q=quiet&breed=akita&sex=female": "Biscuit",
        "q=quiet&sex=male": "",
        "q=%25": "",
        "q=%27": "",
        "q=%22%29%20OR%20%28%22": "",
        "shown_since=2026-11-29": "Zoë",
        "shown_since=2026-11-29T00:30:00%2B00:30": "Zoë",
        "shown_before=2026-11-29T00:00:00Z": "Biscuit Gap",
        "updated_since=2026-11-21": "Zoë Gap",
    }
    for query, names in expected.items():
        answer = key.get(f"/v1/animals?{query}")
        assert answer.status_code == 200, (query, answer.text)
        assert [each["name"] for each in answer.json] == names.split(), query


BAD = {
    "good_with_cats=yes,maybe": ("good_with_cats ", "'maybe'"),
    "good_with_cats=yes&good_with_cats=no": ("good_with_cats ", "only once"),
    "good_with_cats=yes,no,unknown": ("good_with_cats ", "2"),
    "goodwithcats=yes": ("'goodwithcats' ", "good_with_cats"),
    "status=": ("status ", "available"),
    "status=Sold": ("status ", "'Sold'"),
    "species=dragon": ("species ", "rabbit"),
    "special_needs=unknown": ("special_needs ", "yes, no"),
    "code=" + ",".join(map(str, range(21))): ("code ", "20"),
    "code=a%00": ("code ", "control"),
    "q=" + "a" * 201: ("q ", "200"),
    "breed=": ("breed ", "1 to 20 values"),
    "sort=distance": ("sort ", "newest"),
    "sort=id,newest": ("sort ", "1"),
    "shown_since=2026-11-29T00:00:00": ("shown_since ", "zone"),
    "shown_since=2026-11-29T00:00:00+01:00": ("shown_since ", "%2B"),
    "shown_since=2026-02-30": ("shown_since ", "'2026-02-30'"),
    "fields=goodWith.cats": ("fields ", "'goodWith.cats'"),
    "include=photos": ("include ", "shelter"),
}


@pytest.mark.settings("embedded")
def test_bad_parameters_are_rejected_by_name(key: cast.Shelter) -> None:
    for query, (start, part) in BAD.items():
        answer = key.get(f"/v1/animals?{query}")
        assert answer.status_code == 400, query
        assert answer.json["message"].startswith(start), answer.json
        assert part in answer.json["message"], answer.json


RUN = 40
"""The number of animals in a row with the same dates."""


def add_many(elm: Project, count: int, **more: Any) -> None:
    """Add animals with runs of equal dates. Every seventh animal has no date, if the site is unpublished."""
    rows = []
    for number in range(count):
        when = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number // RUN, microseconds=number // RUN)
        dates = {"arrival_date": when.date()} if number % 7 else {}
        rows.append(
            {"project_id": elm.id, "name": f"Animal {number}", "category_id": 1, "status": "available"}
            | {"created_at": when, "updated_at": when, **dates, **more}
        )
    Random(5).shuffle(rows)
    with transaction() as session:
        session.add_all(Animal(**row) for row in rows)
        session.flush()
        shown = update(Animal).where(Animal.arrival_date.is_not(None), Animal.shown_at.is_(None))
        session.execute(shown.values(shown_at=Animal.created_at))


def in_order(sort: str, ids: set[int]) -> list[int]:
    """Return the ids in this order, sorted by Python."""
    with transaction() as session:
        rows = session.execute(
            select(Animal.id, Animal.shown_at, Animal.arrival_date, Animal.updated_at)
        ).all()
    place = {"newest": 1, "waiting": 2, "updated": 3}.get(sort)
    known = [row for row in rows if row[0] in ids]
    dated = [] if place is None else [row for row in known if row[place] is not None]
    dated.sort(key=lambda row: (row[place or 0], row[0]), reverse=sort in ("newest", "updated"))
    return [row[0] for row in dated] + sorted(row[0] for row in set(known) - set(dated))


@pytest.mark.parametrize("sort", ["id", "newest", "waiting", "updated"])
def test_every_animal_is_on_one_page_while_others_come_and_go(app: APIFlask, sort: str) -> None:
    elm = factories.project("Elm Road", plan="pro", published=False)
    key = key_of(app, elm)
    add_many(elm, 250)
    with transaction() as session:
        stay = set(session.scalars(select(Animal.id)))
    seen: list[int] = []
    address: str | None = f"/v1/animals?sort={sort}&fields=id&limit=7"
    while address:
        answer = key.get(address)
        seen += [each["id"] for each in answer.json]
        address = next_address(answer.headers.get("Link"))
        if len(seen) in (14, 70, 140):
            with transaction() as session:
                newest = max(session.scalars(select(Animal.id)))
                session.execute(delete(Animal).where(Animal.id > max(stay), Animal.id == newest))
            add_many(elm, 3)
    assert len(seen) == len(set(seen))
    assert [id_ for id_ in seen if id_ in stay] == in_order(sort, stay)


def test_a_cursor_works_only_with_its_filters_and_order(
    elm: Project, key: cast.Shelter, neighbour: cast.Shelter
) -> None:
    add_many(elm, 30, sex="female", colours="Black")
    query = "sort=newest&sex=female&colour=black"
    cursor = cursor_of(key, f"/v1/animals?{query}&limit=3")
    same = key.get(f"/v1/animals?cursor={cursor}&colour=black&fields=name&limit=5&sex=female&sort=newest")
    assert (same.status_code, len(same.json)) == (200, 5)
    wrong = [query.replace("newest", "updated"), query.replace("sex=female&", ""), f"{query}&status=sold"]
    wrong += [query.replace("black", "white"), query.replace("female", "male")]
    forged = [f"{query}&cursor={cursor[:-1]}0", f"{query}&cursor=a-{'0' * 32}", f"{query}&cursor=-"]
    answers = [key.get(f"/v1/animals?{each}&cursor={cursor}") for each in wrong]
    answers += [key.get(f"/v1/animals?{each}") for each in forged if cursor not in each]
    answers += [key.get(f"/v1/pets?cursor={cursor}"), neighbour.get(f"/v1/animals?{query}&cursor={cursor}")]
    answers += [key.get(f"/v1/animals?cursor={cursor_of(key, '/v1/pets?limit=3')}")]
    for answer in answers:
        assert answer.status_code == 400, answer.request.url
        assert answer.json["message"].startswith("cursor ")


def test_the_next_link_keeps_special_characters(elm: Project, key: cast.Shelter) -> None:
    for number in range(3):
        factories.animal(elm, f"Café {number}", description="Rain & #1, 100% + é")
    text = "café & #1 + é 100%"
    address: str | None = f"/v1/animals?q={quote(text, safe='')}&limit=1&breed=&fields=id".replace(
        "breed=&", ""
    )
    seen = []
    while address:
        answer = key.get(address)
        assert answer.status_code == 200, answer.text
        seen += [each["id"] for each in answer.json]
        address = next_address(answer.headers.get("Link"))
    assert len(seen) == 3


@pytest.mark.settings("embedded")
def test_free_text_evicts_no_cached_query(key: cast.Shelter) -> None:
    key.get("/v1/animals?species=dog")
    before = parse_query.cache_info().currsize
    for number in range(3):
        key.get(f"/v1/animals?q=word{number}")
    assert parse_query.cache_info().currsize == before
