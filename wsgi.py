"""Joins settings, database and doors. ``create_app`` is what a WSGI server or ``flask --app wsgi`` runs."""

import gc

gc.disable()  # what is imported stays: looking through it again and again is a fifth of the start

from pathlib import Path
from typing import TYPE_CHECKING

from apiflask import APIFlask, HTTPError
from flask import Response, request
from flask_migrate import Migrate
from werkzeug.exceptions import HTTPException

import api.errors
import packing
import portal.errors
from adoption import commands, jobs, queue
from adoption.commands.processes import begin_as_child
from adoption.database import db, open_database
from adoption.logs import set_up_logs
from adoption.projects.hosts import Hosts
from adoption.settings import Settings
from portal import uploads
from server import Front
from service import Service, ServiceRequest

gc.freeze()
gc.enable()

if TYPE_CHECKING:
    from adoption.commands.listener import Listener

migrate = Migrate(directory=str(Path(__file__).parent / "adoption" / "migrations"), render_as_batch=True)


def create_app(settings: Settings | None = None) -> APIFlask:
    """The whole service. Raises SettingRefused when the environment holds a wrong setting."""
    settings = settings or Settings.from_environment()
    app = Service(
        __name__, title="Homeward", version="1.0.0", spec_path=None, docs_path=None, static_folder="static"
    )
    app.config.update(SECRET_KEY=settings.secret_key, HOMEWARD=settings)
    app.url_map.merge_slashes = False
    app.extensions["homeward.hosts"] = Hosts(settings)
    packing.set_up(app)
    open_database(app, settings.database_url)
    migrate.init_app(app, db)
    queue.know(app, jobs.JOBS)
    api.register_api(app)
    portal.register_pages(app)
    app.request_class = ServiceRequest
    commands.register_commands(app)
    answer_errors(app)
    return app


def answer_errors(app: APIFlask) -> None:
    """Each door words its own errors; the path says whose it is."""

    def answer(error: Exception) -> Response:
        return api.errors.answer(error) if api.is_under_v1(request.path) else portal.errors.page_for(error)

    for kind in (HTTPException, HTTPError, Exception):
        app.register_error_handler(kind, answer)


def create_server() -> Front:
    """What each worker of ``homeward serve`` runs."""
    begin_as_child()
    app = create_app()
    set_up_logs(app.config["HOMEWARD"].environment)
    turn = app.extensions["homeward.reader"].turn
    at_end = app.extensions["homeward.tally"].end
    return Front(
        app,
        app.config["HOMEWARD"].threads,
        uploads.largest_body,
        turn,
        are_brief=api.is_under_v1,
        take_long=uploads.are_staffs,
        at_end=at_end,
    )


def create_listener() -> "Listener":
    """What gives certificates to edges, on an address of its own."""
    from adoption.certificates.vault import Vault
    from adoption.commands.listener import Listener

    begin_as_child()
    app = create_app()
    set_up_logs(app.config["HOMEWARD"].environment)
    return Listener(app, Vault(app.config["HOMEWARD"].certificate_keys))


def command_line() -> None:
    """The ``homeward`` command."""
    commands.run(commands.Homeward(create_app))


if __name__ == "__main__":
    command_line()
