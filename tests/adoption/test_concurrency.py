"""Parallel changes on SQLite and PostgreSQL."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from apiflask import APIFlask
from sqlalchemy import select, text, update

from adoption.accounts.account_creation import create_account
from adoption.animals.models import Animal
from adoption.projects.models import Deploy, Project
from adoption.projects.publication import publish_site
from adoption.storage.database import db, is_unavailable, reading, transaction
from demo.first_run import load_on_first_run
from tests import cast
from tests.locks import wait_until_blocked

AT_ONCE = 4


def run_in_parallel(app: APIFlask, act: Callable[[], object]) -> list[object]:
    start = threading.Barrier(AT_ONCE)

    def one(_: int) -> object:
        with app.app_context():
            start.wait()
            return act()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, range(AT_ONCE)))


def test_parallel_accounts_of_one_name_get_different_slugs(app: APIFlask) -> None:
    run_in_parallel(app, lambda: create_account("Elm Road", "sam@example.org"))
    with reading() as session:
        slugs = sorted(session.scalars(select(Project.slug)))
    assert slugs == ["elm-road", "elm-road-2", "elm-road-3", "elm-road-4"]


def test_parallel_deploys_get_consecutive_numbers(app: APIFlask, shelter: cast.Shelter) -> None:
    run_in_parallel(app, lambda: publish_site(shelter.slug))
    with reading() as session:
        numbers = sorted(session.scalars(select(Deploy.number)))
    assert numbers == [1, 2, 3, 4, 5]  # the fixture has published the site once


def test_parallel_first_starts_load_the_demo_once(app: APIFlask) -> None:
    run_in_parallel(app, load_on_first_run)
    with reading() as session:
        assert len(session.scalars(select(Project.id)).all()) == 6


@pytest.mark.settings("scaled")  # readers of SQLite do not wait
def test_a_locked_table_is_unavailable_after_a_timeout(app: APIFlask, shelter: cast.Shelter) -> None:
    with db.engine.connect() as locking:
        locking.execute(text("LOCK TABLE animals"))
        assert shelter.get("/v1/pets").status_code == 503
        locking.rollback()
    assert shelter.get("/v1/pets").status_code == 200


@pytest.mark.settings("scaled")  # SQLite prepares statements again automatically
def test_readers_survive_a_migration_that_widens_a_column(app: APIFlask, shelter: cast.Shelter) -> None:
    shelter.add()
    reads = [shelter.get("/v1/pets").status_code for _ in range(8)]
    for length in (250, 200):
        with db.engine.begin() as connection:
            connection.execute(text(f"ALTER TABLE animals ALTER name TYPE varchar({length})"))
        reads += [shelter.get("/v1/pets").status_code for _ in range(8)]
    assert set(reads) == {200}


@pytest.mark.settings("scaled")
def test_a_read_only_standby_is_unavailable(app: APIFlask) -> None:
    with db.engine.connect() as connection:
        connection.execute(text("SET TRANSACTION READ ONLY"))
        with pytest.raises(Exception) as refused:
            connection.execute(text("DELETE FROM animals"))
    assert is_unavailable(refused.value)


@pytest.mark.settings("scaled")  # SQLite has one writer at a time
def test_an_animal_added_while_its_site_is_published_is_published(
    app: APIFlask, shelter: cast.Shelter
) -> None:
    with transaction() as session:
        session.execute(update(Project).values(live_deploy=None))
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            project = session.scalars(select(Project).with_for_update()).one()
            project.live_deploy = 1
            session.flush()
            adding = pool.submit(shelter.add)
            wait_until_blocked(adding)
        adding.result()
    with reading() as session:
        assert session.scalars(select(Animal.published)).all() == [True]
