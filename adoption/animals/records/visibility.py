"""The animals that the reader of a list of records may see."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, exists

from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.projects.models import Project


@dataclass(frozen=True, eq=False)
class Visibility:
    """Which animals a reader sees. Its statements are cached for this object."""

    conditions: tuple[Any, ...]
    """Conditions on ``Animal``. Their parameters are the ``scope`` of a query."""


OWN = Visibility((Animal.project_id == bindparam("project_id"), Animal.listed))
"""The listed animals of one project, published or not: what the project's own keys read."""

IN_DIRECTORY = Visibility(
    (SHOWN_CLAUSE, exists().where(Project.id == Animal.project_id, Project.in_directory)),
)
"""The animals of all shelters that any visitor sees, except of shelters that left the directory."""
