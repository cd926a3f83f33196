"""The operators' door: ``homeward <noun> <verb>``.

Results go to standard output, words for people to standard error; exit 0 done, 1 refused, 2 usage.
"""

import errno
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click
import psycopg
from flask import Flask
from flask.cli import AppGroup, FlaskGroup
from sqlalchemy.exc import DBAPIError

from adoption.errors import Refusal
from adoption.storage.database import cause_of, db, is_unavailable


class Noun(AppGroup):
    """A group of verbs; what the rules refuse becomes one sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        with saying_refusals():
            return super().invoke(ctx)


@contextmanager
def saying_refusals() -> Iterator[None]:
    """Turn what the rules refuse, and a database that cannot be used, into a sentence for the terminal."""
    try:
        yield
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from refusal
    except (DBAPIError, sqlite3.Error, psycopg.Error) as error:  # not all comes by SQLAlchemy
        told = cause_of(error)
        if is_unavailable(error) or is_no_database(error):
            raise click.ClickException(f"The database at {where()} cannot be used now: {told}") from error
        if "no such table" in told or "does not exist" in told:
            raise click.ClickException(
                f"The database at {where()} has no tables yet: run homeward db upgrade."
            ) from error
        raise
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader closed the pipe; click then ends silently
            raise
        give_up_output()
        raise click.ClickException(f"This machine cannot do that now: {error}") from error


def give_up_output() -> None:
    """Let go of what could not be written: at its end Python would try once more, and exit with 120."""
    with suppress(OSError):  # a test's output is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_no_database(error: Exception) -> bool:
    kind = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
    return kind in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def where() -> str:
    """The database, without its password."""
    return db.engine.url.render_as_string(hide_password=True)


def register_commands(app: Flask) -> None:
    from adoption.commands import account, animals, demo, domain, key, project, serve, worker

    verbs = (serve.serve, worker.worker)
    nouns = (account.account, animals.animals, demo.demo, domain.domain, key.key, project.project)
    for each in (*nouns, *verbs):
        app.cli.add_command(each)


class Homeward(FlaskGroup):
    """A service where shelters keep their animals, and from where adopters and programs read them."""

    NOUNS = ("account", "animals", "db", "demo", "domain", "key", "project", "serve", "worker")

    def __init__(self, create_app: Callable[[], Flask]) -> None:
        super().__init__(create_app=create_app, add_default_commands=False, help=type(self).__doc__)
        # Flask's own choice of an application has no place here: there is the one.
        self.params = []
        click.version_option(package_name="homeward", message="Homeward %(version)s")(self)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.NOUNS)

    def invoke(self, ctx: click.Context) -> Any:
        # Further out there is no application left to ask which database it was.
        with saying_refusals():
            return super().invoke(ctx)


def run(homeward: Homeward) -> None:
    """Run the command line; what is refused before a verb begins is one sentence and exit code 1 too."""
    try:
        with saying_refusals():
            homeward.main(prog_name="homeward")
    except click.ClickException as refused:
        refused.show()
        sys.exit(refused.exit_code)
