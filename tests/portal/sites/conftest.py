from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.projects.models import Project
from tests import domains, factories

ADOPT, WWW = "adopt.elm.example", "www.elm.example"
UNCLAIMED = "This address is not connected yet"
DASH = "\N{EN DASH}"
HOSTILE = '"><img src=x onerror=alert(1)>'


def at(client: FlaskClient, host: str, path: str = "/", scheme: str = "http", **rest: Any) -> TestResponse:
    """Request a page from a host, which may be malformed."""
    return client.get(path, headers={"Host": host}, environ_overrides={"wsgi.url_scheme": scheme}, **rest)


@pytest.fixture
def primary(elm: Project) -> int:
    """The id of Elm Road's primary domain."""
    return domains.add_verified_row(elm.id, ADOPT, primary_of=elm.id)


@pytest.fixture
def riverside(app: APIFlask) -> Project:
    return factories.project(
        "Riverside",
        place="Alderbrook",
        about="Beside the old lock.",
        contact_phone="555-0158",
        colour="#1f5f8b",
    )


@pytest.fixture
def harbour(app: APIFlask) -> Project:
    """Another shelter."""
    return factories.project("Harbour Cats", place="Eastmarsh")
