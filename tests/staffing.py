"""Animals of a member's shelter, and their forms."""

import io
import re
from html import unescape
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from adoption.animals.models import Animal, CareRecord
from adoption.audit.models import AuditEntry
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import factories, photographs
from tests.cast import Colleague
from tests.pages import ParsedPage


def add_animal(of: Colleague, name: str = "Biscuit", care: dict[str, Any] | None = None, **rest: Any) -> int:
    """Add an animal to the member's shelter. Return its id."""
    animal_id = factories.animal(Project(id=of.project_id), name, **rest)
    if care:
        with transaction() as session:
            session.add(CareRecord(animal_id=animal_id, **care))
    return animal_id


def stored_animal(animal_id: int) -> Animal:
    """Return the animal from the database, with its care record and photos."""
    with reading() as session:
        together = select(Animal).options(joinedload(Animal.care), joinedload(Animal.photos))
        return session.scalars(together.where(Animal.id == animal_id)).unique().one()


def audit_entries(who: Colleague) -> list[tuple[str, str, str]]:
    """Return the project's audit log, oldest first.

    An entry is an action, a thing and a detail.
    """
    asked = select(AuditEntry.action, AuditEntry.thing, AuditEntry.detail)
    with reading() as session:
        rows = session.execute(asked.where(AuditEntry.project_id == who.project_id).order_by(AuditEntry.id))
        return [(row[0], row[1], row[2]) for row in rows if row[0].startswith(("animal", "photo"))]


def names_in(page: str) -> list[str]:
    """Return the names of the animals in a table, from top to bottom."""
    return [
        unescape(name)
        for name in re.findall(r'<a id="open-\d+" href="[^"]+" dir="auto">([^<]+)</a><span>', page)
    ]


NEW = {"name": "Biscuit", "category_id": "2", "status": "available", "visibility": "shown", "fee": "hidden"}
"""The required fields of a new animal."""


def form_in(page: str) -> dict[str, Any]:
    """Return the fields of the unchanged form of an animal."""
    parsed = ParsedPage(page)
    sent: dict[str, Any] = {}
    for given in parsed.all("input"):
        ticked = given.get("type") not in ("checkbox", "radio") or "checked" in given
        if ticked and given.get("name") and given.get("type") != "file":
            sent[str(given["name"])] = given.get("value") or ""
    for name, options in re.findall(r'<select class="select" id="(\w+)"(.*?)</select>', page, re.DOTALL):
        found = re.search(r'value="([^"]*)" selected', options)
        sent[name] = found[1] if found else ""
    for name, text in re.findall(r'<textarea [^>]*?name="(\w+)".*?>\n(.*?)</textarea>', page, re.DOTALL):
        sent[name] = unescape(text)
    return sent


def photo_file(name: str = "rex.jpg", **rest: Any) -> tuple[io.BytesIO, str]:
    """Return a photo in the shape in which a form sends it."""
    return io.BytesIO(photographs.photo(**rest)), name
