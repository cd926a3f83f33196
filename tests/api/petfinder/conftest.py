from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update
from werkzeug.test import TestResponse

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.api_access.key_format import DIRECTORY_READ
from adoption.projects.models import Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from tests import factories

ADDRESS = {"street": "12 Elm Road", "city": "Passaic", "region": "NJ", "postcode": "07055", "country": "US"}


@dataclass
class Program:
    """A program that was written for Petfinder's API."""

    client: FlaskClient
    key: str
    token: str = ""

    @property
    def credentials(self) -> dict[str, str]:
        client_id = self.key.rpartition("_")[0]
        return {"grant_type": "client_credentials", "client_id": client_id, "client_secret": self.key}

    def sign_in(self) -> str:
        answer = self.client.post("/petfinder/v2/oauth2/token", data=self.credentials)
        assert answer.status_code == 200, answer.text
        return str(answer.json["access_token"])  # type: ignore[index]

    def ask(self, path: str, base: str = "/petfinder/v2") -> TestResponse:
        self.token = self.token or self.sign_in()
        return self.client.get(base + path, headers={"Authorization": f"Bearer {self.token}"})

    def names(self, query: str) -> list[str]:
        answer = self.ask(f"/animals?{query}")
        assert answer.status_code == 200, answer.text
        return [one["name"] for one in answer.json["animals"]]  # type: ignore[index]


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    """A published shelter in Passaic, NJ, with the id NJ333."""
    made = factories.project("Elm Road", plan="pro", **ADDRESS)
    with transaction() as session:
        session.execute(update(Project).where(Project.id == made.id).values(petfinder_id="NJ333"))
    publish_site(made.slug)
    return made


@pytest.fixture
def program(client: FlaskClient, elm_road: Project) -> Program:
    return Program(client, create_key(elm_road.slug, scopes=[DIRECTORY_READ])[1])


def add_biscuit(elm: Project, **rest: Any) -> int:
    """Add an animal of which nearly everything is known."""
    known: dict[str, Any] = {
        "code": "E-1",
        "breed_primary": "Akita",
        "breed_secondary": "Pug",
        "breed_mixed": True,
        "sex": "female",
        "altered": True,
        "birth_date": date(2024, 11, 20),
        "size": "xlarge",
        "coat": "short",
        "colours": "Black, White",
        "good_with_children": True,
        "good_with_dogs": False,
        "house_trained": True,
        "shots_current": True,
        "description": "Biscuit **loves** walks. " + "She runs far. " * 20,
        "tags": '["Calm"]',
        "created_at": datetime(2026, 11, 1, 8, 30, 15, tzinfo=UTC),
    }
    return factories.animal(elm, "Biscuit", photos=1, **known | rest)
