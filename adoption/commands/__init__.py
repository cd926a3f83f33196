"""The operators' door: ``homeward <noun> <verb>``.

Results go to standard output, words for people to standard error; exit 0 done, 1 refused, 2 usage.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from flask import Flask
from flask.cli import AppGroup, FlaskGroup
from sqlalchemy.exc import DBAPIError

from adoption.database import is_unavailable
from adoption.errors import Refusal, SettingRefused


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
            raise click.ClickException("The database has no tables yet: run homeward db upgrade.") from error
        if is_unavailable(error):
            raise click.ClickException(f"The database cannot be used now: {error.orig}") from error
        raise


def open_door(app: Flask) -> None:
    from adoption.commands import account, animals, demo, key, project, serve

    for noun in (account.account, animals.animals, demo.demo, key.key, project.project, serve.serve):
        app.cli.add_command(noun)


def run(homeward: FlaskGroup) -> None:
    """Run the command line; a wrong setting is one sentence and exit code 1."""
    try:
        homeward.main(prog_name="homeward")
    except SettingRefused as refusal:
        click.echo(f"Error: {refusal.sentence}", err=True)
        sys.exit(1)
