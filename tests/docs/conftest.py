import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from flask_migrate import upgrade

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import SCOPES
from adoption.animals.api_animal_creation import NewAnimal, insert_animal
from adoption.animals.models import Animal
from adoption.orders.models import Order
from adoption.settings import Settings
from adoption.storage.database import db, transaction
from tests import factories, servers
from tests.docs.reading import DocsPage
from wsgi import create_app

ANIMALS = 205
"""Enough for three pages of 100."""

KNOWN = [("Juno", 1, "available"), ("Clementine", 2, "pending"), ("Pickle", 3, "available")]
"""The first animals, which the examples show."""

SHELTER = {
    "about": "We find homes for the cats and dogs of Passaic.",
    "petfinder_id": "NJ333",
    **{"street": "12 Elm Road", "city": "Passaic", "region": "NJ", "postcode": "07055", "country": "US"},
}
"""The shelter's texts, which the examples show."""
JUNO = {
    "birth_date": date(2025, 4, 1),
    "breed_primary": "Akita",
    "sex": "female",
    "colours": "Black, White",
    "good_with_children": True,
    "good_with_dogs": False,
    "fee_cents": 12_500,
    "description": "Juno loves **long** walks.",
}
"""More columns of the first animal."""


@dataclass(frozen=True)
class Site:
    """A running service with one project, and the environment of a reader with its key."""

    root: str
    environ: dict[str, str]
    page: DocsPage


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    port = servers.free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("HOMEWARD_")}
    environ |= {
        "HOMEWARD_INSTANCE": str(tmp_path_factory.mktemp("instance")),
        "HOMEWARD_WORKERS": "1",
        "PORT": str(port),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), environ["PATH"]]),
    }
    environ |= {"HOMEWARD_KEY": add_content(environ), "PET_ID": "1", "SHELTER_ID": "1"}
    root = f"http://localhost:{port}"
    with serving(environ, root):
        yield Site(root, environ, DocsPage(get(f"{root}/docs/")))


def get(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode())


def add_content(environ: dict[str, str]) -> str:
    """Add a project with animals and an application; return its key. Commands would take seconds each."""
    app = create_app(Settings.from_environment(environ))
    with app.app_context():
        upgrade()
        project = factories.project(plan="business", **SHELTER)
        fill(project.id, datetime.now(UTC))
        _, key = api_keys.create_key(project.slug, scopes=SCOPES)
        db.engine.dispose()
    return key


def fill(project_id: int, now: datetime) -> None:
    rest = [(f"Animal {number}", 10, "sold") for number in range(len(KNOWN), ANIMALS)]
    times = {"created_at": now, "updated_at": now}
    with transaction() as session:
        pets = [insert_animal(session, project_id, NewAnimal(*one), now) for one in KNOWN + rest]
        juno = session.get_one(Animal, pets[0][0])
        for name, value in JUNO.items():
            setattr(juno, name, value)
        session.add(Order(project_id=project_id, animal_id=pets[0][0], status="placed", **times))


@contextmanager
def serving(environ: dict[str, str], root: str) -> Iterator[None]:
    server = subprocess.Popen(
        ["homeward", "serve"], env=environ, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + 60
        while not answers(f"{root}/v1/openapi.json"):
            assert server.poll() is None, server.stderr and server.stderr.read().decode()
            assert time.monotonic() < until, "the server did not answer for a minute"
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait(10)


def answers(address: str) -> bool:
    try:
        return "openapi" in json.loads(get(address))
    except OSError:
        return False
