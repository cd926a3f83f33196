"""The operators' door: ``homeward <noun> <verb>``.

Results go to standard output, words for people to standard error; exit 0 done, 1 refused, 2 usage.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from flask import Flask
from flask.cli import AppGroup, FlaskGroup
from sqlalchemy.exc import DBAPIError

from adoption.database import db, is_unavailable
from adoption.errors import Refusal


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
    except DBAPIError as error:
        if "no such table" in str(error.orig) or "does not exist" in str(error.orig):
            raise click.ClickException(
                f"The database at {where()} has no tables yet: run homeward db upgrade."
            ) from error
        if is_unavailable(error):
            raise click.ClickException(f"The database cannot be used now: {error.orig}") from error
        raise


def where() -> str:
    """The database, without its password."""
    return db.engine.url.render_as_string(hide_password=True)


def open_door(app: Flask) -> None:
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


def run(homeward: Homeward) -> None:
    """Run the command line; what is refused before a verb begins is one sentence and exit code 1 too."""
    try:
        with saying_refusals():
            homeward.main(prog_name="homeward")
    except click.ClickException as refused:
        refused.show()
        sys.exit(refused.exit_code)
