"""The animals that the reader of a list of records may see."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam

from adoption.animals.models import Animal


@dataclass(frozen=True, eq=False)
class Visibility:
    """Which animals a reader sees. Its statements are cached for this object."""

    conditions: tuple[Any, ...]
    """Conditions on ``Animal``. Their parameters are the ``scope`` of a query."""


OWN = Visibility((Animal.project_id == bindparam("project_id"), Animal.listed))
"""The listed animals of one project, published or not: what the project's own keys read."""
