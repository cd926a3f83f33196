"""Conditions that decide which animals the reader of a list may see."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, exists

from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.projects.models import Project


@dataclass(frozen=True, eq=False)
class Visibility:
    """The conditions that decide which animals a reader sees. Each object of this class is a cache key."""

    conditions: tuple[Any, ...]
    """SQL conditions on ``Animal``. The ``scope`` of a query contains the parameters of the conditions."""


OWN = Visibility((Animal.project_id == bindparam("project_id"), Animal.listed))
"""The listed animals of one project. The project's own keys read them even if the site is not published."""

IN_DIRECTORY = Visibility(
    (SHOWN_CLAUSE, exists().where(Project.id == Animal.project_id, Project.in_directory)),
)
"""The public animals of all shelters in the directory."""
