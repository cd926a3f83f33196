"""``db.session`` has one transaction at a time, and keeps nothing of an earlier use."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress

import pytest
from apiflask import APIFlask
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from adoption.projects.models import Project
from adoption.storage.database import call_after_commit, db, reading, transaction
from tests.locks import in_own_session

Use = Callable[[], AbstractContextManager[Session]]
NAME = select(Project.name)
RENAME = update(Project).values(name="Fen Lane")


def rename() -> None:
    with transaction() as session:
        session.execute(RENAME)


def test_a_transaction_is_committed_whole_or_not_at_all(elm: Project) -> None:
    with suppress(ZeroDivisionError), transaction() as session:
        session.execute(RENAME)
        1 / 0  # noqa: B018
    with reading() as session:
        assert session.scalar(NAME) == "Elm Road"
    rename()
    with reading() as session:
        assert session.scalar(NAME) == "Fen Lane"


def test_a_read_within_a_transaction_sees_its_changes(elm: Project) -> None:
    with transaction() as session:
        session.execute(RENAME)
        with reading() as same:
            assert same.scalar(NAME) == "Fen Lane"
        assert db.session.scalar(NAME) == "Fen Lane"


@pytest.mark.parametrize("use", [transaction, reading])
def test_a_transaction_within_another_use_of_the_session_is_an_error(app: APIFlask, use: Use) -> None:
    with pytest.raises(RuntimeError, match="in use"), use(), transaction():
        pass


@pytest.mark.parametrize("use", [transaction, reading])
def test_each_use_of_the_session_reads_rows_again(elm: Project, use: Use) -> None:
    with use() as session:
        before = session.get_one(Project, elm.id)
    in_own_session(rename)()
    with use() as session:
        after = session.get_one(Project, elm.id)
    assert (before.name, after.name) == ("Elm Road", "Fen Lane")


def test_an_open_session_ends_with_its_request(app: APIFlask) -> None:
    with app.app_context():
        session = db.session()
        session.connection()
    assert not session.in_transaction()


def test_a_function_is_called_after_the_commit_of_its_transaction(elm: Project) -> None:
    called: list[object] = []

    def call() -> None:
        with reading() as session:
            called.append(session.scalar(NAME))

    with transaction() as session:
        session.execute(RENAME)
        call_after_commit(session, call)
        assert called == []
    assert called == ["Fen Lane"]
    with reading() as session, pytest.raises(RuntimeError, match="needs a transaction"):
        call_after_commit(session, call)
