import json
import re
import stat
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import pairwise, repeat
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import Column, Table, select

from adoption.accounts.models import Account, Member, User
from adoption.accounts.plans import PLANS
from adoption.animals.fields import CATEGORIES
from adoption.animals.models import Animal, Bond, CareRecord, Photo
from adoption.animals.pictures import names_of
from adoption.database import Base, db
from adoption.demo.loading import CHUNK, PICTURED_MOST, load
from adoption.demo.sitters import PICTURES, SITTERS
from adoption.demo.welcome import welcome
from adoption.orders.models import Application, ApplicationNote, Order, OrderEvent
from adoption.projects.models import Deploy, Project
from tests import cast

DAY = date(2026, 11, 28)
OWN = {"words", "token_hash", "submission"}
"""Columns that differ from load to load: words name a project, and the rest is secret."""


def table_of(model: type[Base]) -> Table:
    assert isinstance(model.__table__, Table)
    return model.__table__


def rows(model: type[Base]) -> Sequence[Any]:
    table = table_of(model)
    with db.engine.connect() as connection:
        told = (column for column in table.columns if column.name not in OWN)
        return connection.execute(select(*told).order_by(*table.primary_key.columns)).all()


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Every row, its ids counted from the first of their table, without what is a load's own."""
    models = (Account, User, Member, Project, Deploy, Bond, Animal, Photo, CareRecord)
    models += (Application, Order, OrderEvent, ApplicationNote)
    every = {model.__tablename__: rows(model) for model in models}
    first = {name: found[0][0] if found else 0 for name, found in every.items()}
    told = {}
    for model in models:
        name, of = (
            model.__tablename__,
            [refers_to(column) for column in table_of(model).columns if column.name not in OWN],
        )
        told[name] = [tuple(map(rebased, row, of, repeat(first))) for row in every[name]]
    return told


def rebased(value: Any, table: str | None, first: dict[str, Any]) -> Any:
    return value - first[table] if table and value is not None else value


def refers_to(column: Column[Any]) -> str | None:
    """The table whose id stands in a column, where ids differ from load to load."""
    key = next(iter(column.foreign_keys), None)
    if key:
        return None if key.column.table.name == "categories" else str(key.column.table.name)
    return str(column.table.name) if column.primary_key else None


def empty() -> None:
    with db.engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            if table.name != "categories":
                connection.execute(table.delete())


def homeward(app: APIFlask, *arguments: str) -> Any:
    return app.test_cli_runner().invoke(args=["demo", "load", *arguments])


def test_a_seed_gives_the_same_on_the_same_day(app: APIFlask) -> None:
    load(400, 9, seed=5, today=DAY)
    once = everything()
    empty()
    load(400, 9, seed=5, today=DAY)
    assert everything() == once


def test_another_seed_gives_other_animals(app: APIFlask) -> None:
    load(50, today=DAY, seed=1)
    once = everything()["animals"]
    empty()
    load(50, today=DAY, seed=2)
    assert everything()["animals"] != once


def test_the_command_loads_six_shelters_and_240_animals(app: APIFlask) -> None:
    ran = homeward(app, "--json")
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert len(told["projects"]) == len(rows(Project)) == 6
    assert told["animals"] == len(rows(Animal)) == 240
    assert told["orders"] == len(rows(Order)) > 100


def test_any_size_is_loaded(app: APIFlask) -> None:
    assert homeward(app, "--animals", "5000", "--projects", "50").exit_code == 0
    assert (len(rows(Animal)), len(rows(Project))) == (5000, 50)


@pytest.mark.parametrize("animals", [0, 1, CHUNK + 1])
def test_odd_sizes_are_loaded_exactly(app: APIFlask, animals: int) -> None:
    told: list[int] = []
    loaded = load(animals, 2, today=DAY, progress=told.append)
    assert loaded.animals == sum(told) == len(rows(Animal)) == animals


def test_no_project_or_no_sense_is_refused_as_usage(app: APIFlask) -> None:
    assert homeward(app, "--projects", "0").exit_code == 2
    assert homeward(app, "--animals", "-1").exit_code == 2
    assert rows(Project) == []


def test_loading_again_adds_and_numbers_the_slugs(app: APIFlask) -> None:
    first = load(20, 2, today=DAY)
    second = load(20, 2, today=DAY)
    assert first.projects == ["riverside-animal-rescue", "tilbrook-cats"]
    assert second.projects == ["riverside-animal-rescue-2", "tilbrook-cats-2"]
    assert len(rows(Animal)) == 40


def test_an_animal_added_afterwards_gets_an_id_of_its_own(client: FlaskClient) -> None:
    load(20, 2, today=DAY)
    added = cast.shelter(client).add("Newcomer")
    assert added > max(row.id for row in rows(Animal) if row.name != "Newcomer")
    load(20, 2, today=DAY)
    assert len({row.id for row in rows(Animal)}) == 41


def test_every_plan_has_an_account(app: APIFlask) -> None:
    load(today=DAY)
    accounts = rows(Account)
    assert {account.plan for account in accounts} == set(PLANS)
    for account in accounts:
        assert (account.per_day is not None) == PLANS[account.plan].custom_quota


def test_every_project_is_published_and_can_be_written_to(app: APIFlask) -> None:
    load(today=DAY)
    published = {deploy.project_id: deploy.number for deploy in rows(Deploy) if deploy.succeeded}
    for project in rows(Project):
        assert project.live_deploy == published[project.id] == 1
        assert project.place
        assert project.about
        assert project.contact_email.endswith(".example.org")
        assert project.contact_phone.startswith("555-01")


def test_every_account_has_one_owner(app: APIFlask) -> None:
    load(today=DAY)
    owners = Counter(member.account_id for member in rows(Member) if member.role == "owner")
    assert owners == {account.id: 1 for account in rows(Account)}
    assert all(user.email.endswith(".example.org") and user.password_hash is None for user in rows(User))


@pytest.mark.parametrize("seed", range(4))
def test_each_category_has_animals_and_each_animal_a_known_one(app: APIFlask, seed: int) -> None:
    load(today=DAY, seed=seed)
    assert {animal.category_id for animal in rows(Animal)} == set(CATEGORIES)


def test_an_animal_was_born_before_it_came_and_came_before_today(app: APIFlask) -> None:
    load(1000, today=DAY)
    now = datetime(2026, 11, 28, tzinfo=UTC)
    for animal in rows(Animal):
        assert animal.arrival_date < DAY
        assert animal.birth_date is None or animal.birth_date <= animal.arrival_date
        assert animal.created_at <= animal.updated_at <= now


def test_what_is_held_is_not_listed(app: APIFlask) -> None:
    load(1000, today=DAY)
    listed = {animal.id: animal.listed for animal in rows(Animal)}
    for care in rows(CareRecord):
        assert listed[care.animal_id] != (care.on_hold or care.in_quarantine)
    assert 20 < list(listed.values()).count(False) < 150


def test_applications_fit_their_animals(app: APIFlask) -> None:
    load(1000, today=DAY)
    status = {animal.id: animal.status for animal in rows(Animal)}
    decided = {"sold": ["completed"], "pending": ["approved"], "available": []}
    orders: dict[int, list[str]] = {animal_id: [] for animal_id in status}
    for order in rows(Order):
        orders[order.animal_id].append(order.status)
    for animal_id, of_it in orders.items():
        assert [each for each in of_it if each in ("completed", "approved")] == decided[status[animal_id]]
        assert not (status[animal_id] == "sold" and "placed" in of_it)
    assert len({each for of_it in orders.values() for each in of_it}) == 5


def test_bonded_animals_share_shelter_and_status(app: APIFlask) -> None:
    load(1000, today=DAY)
    pairs: dict[int, list[Any]] = {bond.id: [] for bond in rows(Bond)}
    for animal in rows(Animal):
        if animal.bond_id is not None:
            pairs[animal.bond_id].append(animal)
    assert len(pairs) > 5
    for one, other in pairs.values():
        assert (one.project_id, one.status, one.category_id) == (
            other.project_id,
            other.status,
            other.category_id,
        )
        assert other.name in one.description


def test_projects_share_out_the_ids(app: APIFlask) -> None:
    load(1000, 10, today=DAY)
    owners = [animal.project_id for animal in rows(Animal)]
    changes = sum(one != other for one, other in pairwise(owners))
    assert changes > 500


def test_descriptions_differ_and_leave_no_gap(app: APIFlask) -> None:
    load(today=DAY)
    texts = [animal.description for animal in rows(Animal)]
    assert len(set(texts)) == 240
    assert not any("{" in text or "None" in text or "  " in text for text in texts)


def test_microchips_are_test_transponders(app: APIFlask) -> None:
    load(today=DAY)
    chips = [care.microchip for care in rows(CareRecord) if care.microchip]
    assert len(chips) > 100
    assert all(len(chip) == 15 and chip.startswith("999") for chip in chips)


def shown(client: FlaskClient) -> list[str]:
    """What the catalogue's first cards show: a photo's text, or that there is none."""
    return re.findall(r'<img src="[^"]*" alt="([^"]*)"', client.get("/").text)


@pytest.mark.parametrize("seed", range(3))
def test_the_catalogue_begins_with_photos(client: FlaskClient, seed: int) -> None:
    load(today=DAY, seed=seed)
    first = shown(client)
    assert [sitter.alt for sitter in SITTERS] == first[: len(SITTERS)]
    assert all(text.startswith("No photo of") for text in first[len(SITTERS) :])


def test_each_photo_is_of_the_animal_that_it_shows(client: FlaskClient) -> None:
    load(today=DAY)
    animals = {animal.id: animal for animal in rows(Animal)}
    photos = {animals[photo.animal_id].name: photo for photo in rows(Photo)}
    assert set(photos) == {sitter.name for sitter in SITTERS}
    for sitter in SITTERS:
        photo = photos[sitter.name]
        animal = animals[photo.animal_id]
        assert (animal.category_id, animal.breed_primary) == (sitter.category_id, sitter.breed)
        assert (animal.status, animal.listed, animal.breed_mixed) == ("available", True, False)
        assert sitter.name in photo.alt
        for name in names_of(photo.digest, photo.width):
            assert client.get(f"/media/{name}").status_code == 200


def test_the_sitters_are_spread_over_the_shelters(app: APIFlask) -> None:
    load(today=DAY)
    projects = {animal.id: animal.project_id for animal in rows(Animal)}
    assert len({projects[photo.animal_id] for photo in rows(Photo)}) > 2


def test_loading_again_shares_the_files(app: APIFlask) -> None:
    load(today=DAY)
    folder = Path(app.config["HOMEWARD"].media_url)
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    load(today=DAY)
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert len(rows(Photo)) == 2 * len(SITTERS)


def test_a_load_to_measure_with_has_no_photos(app: APIFlask) -> None:
    load(PICTURED_MOST + 1, today=DAY)
    assert rows(Photo) == []


def test_every_photo_has_its_credit_beside_it() -> None:
    told = (PICTURES / "LICENCES.md").read_text()
    for file in PICTURES.glob("*.webp"):
        assert f"`{file.name}`" in told
    assert {file.name for file in PICTURES.glob("*.webp")} == {sitter.file for sitter in SITTERS}


@pytest.fixture
def kept(app: APIFlask) -> Any:
    path: Path = app.config["HOMEWARD"].instance / "demo.json"
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


def test_a_first_start_is_welcomed_with_a_key_that_works(client: FlaskClient, kept: Path) -> None:
    told = welcome()
    assert told is not None
    assert told.email == "demo@homeward.example"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    answer = client.get("/v1/pets", headers={"Authorization": f"Bearer {told.key}"})
    assert answer.status_code == 200
    account = next(row for row in rows(Account) if row.plan == "business")
    owner = next(row for row in rows(User) if row.email == told.email)
    assert (account.id, owner.id, "owner") in {(m.account_id, m.user_id, m.role) for m in rows(Member)}
    assert told.project in {row.slug for row in rows(Project) if row.account_id == account.id}


def test_a_later_start_is_told_the_same_and_adds_nothing(app: APIFlask, kept: Path) -> None:
    first = welcome()
    assert welcome() == first
    assert len(rows(Project)) == 6


def test_a_database_in_use_gets_no_demo(client: FlaskClient, kept: Path) -> None:
    cast.shelter(client)
    assert welcome() is None
    assert len(rows(Project)) == 1
    assert not kept.exists()


def test_a_database_that_was_emptied_is_welcomed_anew(app: APIFlask, kept: Path) -> None:
    first = welcome()
    empty()
    second = welcome()
    assert second is not None
    assert first is not None
    assert second.key != first.key
    assert len(rows(Project)) == 6
