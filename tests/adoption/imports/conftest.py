"""Imports that are uploaded, run and read again."""

import io
import json
from typing import Any

import pytest

from adoption.audit.actors import Actor
from adoption.imports import import_job, start_and_cancel, uploads
from adoption.imports.models import Import
from adoption.spreadsheets import importer
from adoption.storage.database import reading
from tests.cast import Shelter

SOMEBODY = Actor(None, "sam@elm.example", "192.0.2.7")
FILE = (
    "sheltercode,animalname,speciesname,dateofbirth,returnedreason\n"
    "D1,Rex,Dog,2020-02-28,\nD2,Bo,,2020-01-01,\nD3,Possy,Opossum,,\n"
)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save 25 rows at a time, so that small files have several chunks."""
    monkeypatch.setattr(importer, "CHUNK", 25)


def upload(of: Shelter, content: str | bytes = FILE, name: str = "animals.csv") -> Import:
    data = content.encode() if isinstance(content, str) else content
    return uploads.upload_spreadsheet(of.project_id, name, io.BytesIO(data), SOMEBODY)


def start(of: Shelter, content: str | bytes = FILE, dry_run: bool = False) -> Import:
    made = upload(of, content)
    return start_and_cancel.request_run(of.project_id, made.id, dry_run, SOMEBODY)


def reload_import(of: Import) -> Import:
    with reading() as session:
        return session.get_one(Import, of.id)


def run_import(of: Shelter, content: str | bytes = FILE, **rest: Any) -> tuple[Import, dict[str, Any]]:
    """Run an import; return it and its result."""
    made = start(of, content, **rest)
    import_job.run_waiting()
    done = reload_import(made)
    return done, json.loads(done.result or "{}")
