"""Joins settings, database and doors. ``create_app`` is what a WSGI server or ``flask --app wsgi`` runs."""

from pathlib import Path

from apiflask import APIFlask
from flask.cli import FlaskGroup
from flask_migrate import Migrate

import api
import portal
from adoption import commands
from adoption.database import db, open_database
from adoption.settings import Settings

migrate = Migrate(directory=str(Path(__file__).parent / "adoption" / "migrations"), render_as_batch=True)


def create_app(settings: Settings | None = None) -> APIFlask:
    """The whole service. Raises SettingRefused when the environment holds a wrong setting."""
    settings = settings or Settings.from_environment()
    app = APIFlask(
        __name__, title="Homeward", version="1.0.0", spec_path=None, docs_path=None, static_folder="static"
    )
    app.config.update(SECRET_KEY=settings.secret_key, HOMEWARD=settings)
    app.url_map.merge_slashes = False
    open_database(app, settings.database_url)
    migrate.init_app(app, db)
    api.open_door(app)
    portal.open_door(app)
    commands.open_door(app)
    return app


def command_line() -> None:
    """The ``homeward`` command."""
    commands.run(FlaskGroup(create_app=create_app, add_default_commands=False))
