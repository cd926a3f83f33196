"""The service with different settings."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from apiflask import APIFlask
from flask import Flask
from flask.testing import FlaskClient

from adoption.storage.database import db
from wsgi import create_app

Install = Callable[..., FlaskClient]


@pytest.fixture(scope="module")
def installation(service: APIFlask) -> Iterator[Install]:
    """Return a function that creates the service again with different settings, on the same database."""
    made: list[Flask] = []

    def install(**changes: Any) -> FlaskClient:
        made.append(create_app(service.config["HOMEWARD"].model_copy(update=changes)))
        return made[-1].test_client()

    yield install
    for other in made:
        with other.app_context():
            other.extensions["homeward.driver_connections"].close()
            db.engine.dispose()
