"""The tables and columns that ``db migrate`` and ``db check`` compare with the models."""

from collections.abc import Mapping


def is_modelled(name: str | None, _kind: str, parents: Mapping[str, str | None]) -> bool:
    """Return False for the search index, which has no model: tables on SQLite, a column on PostgreSQL."""
    own = {"search", "ix_animals_search"} if parents.get("table_name") == "animals" else set()
    return not (name or "").startswith("animal_search") and name not in own
