import json
import stat
from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import Column, Table, select

from adoption.accounts.models import Account, Member, User
from adoption.accounts.plans import PLANS
from adoption.animals.models import Animal, Bond, CareRecord
from adoption.animals.photo_models import Photo
from adoption.audit.models import AuditEntry
from adoption.orders.models import Application, ApplicationNote, Order, OrderEvent
from adoption.projects.models import Deploy, Project
from adoption.storage.database import Base, db
from demo.first_run import load_on_first_run
from demo.loader import CHUNK, PICTURED_MOST, load_demo
from demo.photographed_animals import PHOTOGRAPHED_ANIMALS
from tests import cast

DAY = date(2026, 11, 28)
OWN = {"words", "token_hash", "submission"}
"""The columns that differ between loads: indexed words contain project ids, and the others are secrets."""


def table_of(model: type[Base]) -> Table:
    assert isinstance(model.__table__, Table)
    return model.__table__


def rows(model: type[Base]) -> Sequence[Any]:
    table = table_of(model)
    with db.engine.connect() as connection:
        told = (column for column in table.columns if column.name not in OWN)
        return connection.execute(select(*told).order_by(*table.primary_key.columns)).all()


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows without columns that differ. Ids are counted from the first id of each table."""
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
    """Return the table that a column's ids refer to, if ids differ between loads."""
    key = next(iter(column.foreign_keys), None)
    if key:
        return None if key.column.table.name == "categories" else str(key.column.table.name)
    return str(column.table.name) if column.primary_key else None


def empty() -> None:
    with db.engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            # These rows are deleted with their accounts.
            if table.name not in ("categories", "audit_entries"):
                connection.execute(table.delete())


def homeward(app: APIFlask, *arguments: str) -> Any:
    return app.test_cli_runner().invoke(args=["demo", "load", *arguments])


def test_the_same_seed_and_day_load_the_same_rows(app: APIFlask) -> None:
    load_demo(400, 9, seed=5, today=DAY)
    once = everything()
    empty()
    load_demo(400, 9, seed=5, today=DAY)
    assert everything() == once


def test_the_command_loads_six_shelters_and_240_animals(app: APIFlask) -> None:
    ran = homeward(app, "--json")
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert len(told["projects"]) == len(rows(Project)) == 6
    assert told["animals"] == len(rows(Animal)) == 240
    assert told["orders"] == len(rows(Order)) > 100


def test_the_command_loads_any_number_of_animals_and_projects(app: APIFlask) -> None:
    assert homeward(app, "--animals", "700", "--projects", "50").exit_code == 0
    assert (len(rows(Animal)), len(rows(Project))) == (700, 50)


@pytest.mark.parametrize("animals", [0, 1, CHUNK + 1])
def test_odd_sizes_are_loaded_exactly(app: APIFlask, animals: int) -> None:
    told: list[int] = []
    loaded = load_demo(animals, 2, today=DAY, progress=told.append)
    assert loaded.animals == sum(told) == len(rows(Animal)) == animals
    assert all(order.application_id for order in rows(Order)), "also in a large load"


def test_zero_projects_or_negative_animals_are_wrong_usage(app: APIFlask) -> None:
    assert homeward(app, "--projects", "0").exit_code == 2
    assert homeward(app, "--animals", "-1").exit_code == 2
    assert rows(Project) == []


def test_loading_again_adds_projects_with_numbered_slugs(app: APIFlask) -> None:
    first = load_demo(20, 2, today=DAY)
    second = load_demo(20, 2, today=DAY)
    assert first.projects == ["riverside-animal-rescue", "tilbrook-cats"]
    assert second.projects == ["riverside-animal-rescue-2", "tilbrook-cats-2"]
    assert len(rows(Animal)) == 40


def test_an_animal_added_afterwards_gets_an_id_of_its_own(client: FlaskClient) -> None:
    load_demo(20, 2, today=DAY)
    added = cast.shelter(client).add("Newcomer")
    assert added > max(row.id for row in rows(Animal) if row.name != "Newcomer")
    load_demo(20, 2, today=DAY)
    assert len({row.id for row in rows(Animal)}) == 41


def test_every_plan_has_an_account(app: APIFlask) -> None:
    load_demo(today=DAY)
    accounts = rows(Account)
    assert {account.plan for account in accounts} == set(PLANS)
    for account in accounts:
        assert (account.per_day is not None) == PLANS[account.plan].custom_quota


def test_every_account_has_one_owner(app: APIFlask) -> None:
    load_demo(today=DAY)
    owners = Counter(member.account_id for member in rows(Member) if member.role == "owner")
    assert owners == {account.id: 1 for account in rows(Account)}
    assert all(user.email.endswith(".example.org") and user.password_hash is None for user in rows(User))


@pytest.mark.settings("embedded")
def test_members_have_names_and_audit_entries_and_shelters_have_time_zones(app: APIFlask) -> None:
    load_demo(today=DAY)
    assert all(user.name for user in rows(User))
    opened = [entry for entry in rows(AuditEntry) if entry.action == "account.opened"]
    assert len(opened) == len(rows(Account))
    joined = [entry for entry in rows(AuditEntry) if entry.action == "member.joined"]
    assert len(joined) == len(rows(User)) - len(opened)
    zones = {(project.time_zone, project.currency) for project in rows(Project)}
    assert zones == {("Europe/London", "GBP"), ("America/New_York", "USD")}


def test_loading_again_reuses_the_photo_files(app: APIFlask) -> None:
    load_demo(today=DAY)
    folder = Path(app.config["HOMEWARD"].media_url)
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    load_demo(today=DAY)
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert len(rows(Photo)) == 2 * len(PHOTOGRAPHED_ANIMALS)


def test_a_load_of_many_animals_has_no_photos(app: APIFlask) -> None:
    load_demo(PICTURED_MOST + 1, today=DAY)
    assert rows(Photo) == []


@pytest.fixture
def kept(app: APIFlask) -> Any:
    path: Path = app.config["HOMEWARD"].instance / "demo.json"
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


def test_a_first_start_loads_the_demo_with_a_working_key(client: FlaskClient, kept: Path) -> None:
    told = load_on_first_run()
    assert told is not None
    assert told.email == "demo@homeward.example"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    answer = client.get("/v1/pets", headers={"Authorization": f"Bearer {told.key}"})
    assert answer.status_code == 200
    account = next(row for row in rows(Account) if row.plan == "business")
    owner = next(row for row in rows(User) if row.email == told.email)
    assert (account.id, owner.id, "owner") in {(m.account_id, m.user_id, m.role) for m in rows(Member)}
    assert told.project in {row.slug for row in rows(Project) if row.account_id == account.id}


def test_a_later_start_returns_the_same_key_and_adds_nothing(app: APIFlask, kept: Path) -> None:
    first = load_on_first_run()
    assert load_on_first_run() == first
    assert len(rows(Project)) == 6


def test_a_database_in_use_gets_no_demo(client: FlaskClient, kept: Path) -> None:
    cast.shelter(client)
    assert load_on_first_run() is None
    assert len(rows(Project)) == 1
    assert not kept.exists()


def test_a_start_with_an_emptied_database_loads_the_demo_again(app: APIFlask, kept: Path) -> None:
    first = load_on_first_run()
    empty()
    second = load_on_first_run()
    assert second is not None
    assert first is not None
    assert second.key != first.key
    assert len(rows(Project)) == 6
