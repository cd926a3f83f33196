"""The command line for operators: ``homeward <noun> <verb>``.

Results go to standard output, messages for people to standard error. Exit codes: 0 done, 1 refused, 2 usage.
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
    """A group of verbs. A refusal becomes one sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        with saying_refusals():
            return super().invoke(ctx)


@contextmanager
def saying_refusals() -> Iterator[None]:
    """Print a refusal, or the error of a database that cannot be used, as one sentence."""
    try:
        yield
    except Refusal as refusal:
        raise click.ClickException(refusal.sentence) from refusal
    except (DBAPIError, sqlite3.Error, psycopg.Error) as error:  # the drivers' own errors too
        cause = cause_of(error)
        if is_unavailable(error) or is_no_database(error):
            raise click.ClickException(
                f"The database at {database_address()} cannot be used now: {cause}"
            ) from error
        if "no such table" in cause or "does not exist" in cause:
            raise click.ClickException(
                f"The database at {database_address()} has no tables yet: run homeward db upgrade."
            ) from error
        raise
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader closed the pipe; click then ends silently
            raise
        discard_output()
        raise click.ClickException(f"The operating system refused the command: {error}") from error


def discard_output() -> None:
    """Discard output that could not be written.

    Otherwise Python would write the output again at exit, and exit with the code 120.
    """
    with suppress(OSError):  # in tests the output is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_no_database(error: Exception) -> bool:
    kind = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
    return kind in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def database_address() -> str:
    """Return the URL of the database without its password."""
    return db.engine.url.render_as_string(hide_password=True)


def register_commands(app: Flask) -> None:
    from adoption.commands import account, animals, demo, domain, key, places, project, serve, worker

    verbs = (serve.serve, worker.worker)
    nouns = (
        account.account,
        animals.animals,
        demo.demo,
        domain.domain,
        key.key,
        places.places,
        project.project,
    )
    for each in (*nouns, *verbs):
        app.cli.add_command(each)


class Homeward(FlaskGroup):
    """A service where shelters keep their animals, and from where adopters and programs read them."""

    NOUNS = ("account", "animals", "db", "demo", "domain", "key", "places", "project", "serve", "worker")

    def __init__(self, create_app: Callable[[], Flask]) -> None:
        super().__init__(create_app=create_app, add_default_commands=False, help=type(self).__doc__)
        self.params = []  # without Flask's options to choose an application
        click.version_option(package_name="homeward", message="Homeward %(version)s")(self)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.NOUNS)

    def invoke(self, ctx: click.Context) -> Any:
        # The message contains the database's address, which only this application context knows.
        with saying_refusals():
            return super().invoke(ctx)


def run(homeward: Homeward) -> None:
    """Run the command line. A refusal before the verb begins also becomes one sentence and exit code 1."""
    try:
        with saying_refusals():
            homeward.main(prog_name="homeward")
    except click.ClickException as refused:
        refused.show()
        sys.exit(refused.exit_code)
