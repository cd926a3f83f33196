"""What an import changed, chunk by chunk, as compact as an undo allows.

Of a new value, only enough is stored to notice a later change. Of a new animal, a digest is stored.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from adoption.animals.spreadsheets.upsert import ANIMAL_BLANK, CARE_BLANK, UpsertResult
from adoption.imports.models import ImportChange

SHORT = 40
"""Letters up to which a new text is stored as it is."""
WATCHED = ("name", "category_id", *ANIMAL_BLANK, *CARE_BLANK)
"""Columns of an animal and of its care record by which a change since the import is noticed."""


class Changes(NamedTuple):
    """What one chunk of an import did."""

    created: dict[int, str]
    """The digest of each new animal, by its id."""
    updated: dict[int, dict[str, list[Any]]]
    """By the id of an animal: each changed column with its old value and the ``mark_of`` its new one."""


def record_changes(session: Session, import_id: int, written: Sequence[UpsertResult]) -> None:
    """Store what a chunk did, within the transaction that does it."""
    made = Changes(
        {each.animal_id: animal_digest(each.created) for each in written if each.animal_id and each.created},
        {
            each.animal_id: {
                key: [json_value(old), value_mark(new)] for key, (old, new) in each.changed.items()
            }
            for each in written
            if each.animal_id and each.changed
        },
    )
    if made.created or made.updated:
        session.add(ImportChange(import_id=import_id, record=pack_changes(made)))


def pack_changes(made: Changes) -> bytes:
    return zlib.compress(json.dumps(made, separators=(",", ":")).encode())


def unpack_changes(record: bytes) -> Changes:
    created, updated = json.loads(zlib.decompress(record))
    return Changes(
        {int(id_): digest for id_, digest in created.items()},
        {int(id_): values for id_, values in updated.items()},
    )


def json_value(value: Any) -> Any:
    """Return a value as JSON has it. Blank text and no text are one, as in an import."""
    if isinstance(value, date):
        return value.isoformat()
    return None if value == "" else value


def value_mark(value: Any) -> Any:
    """Return a text that shows later whether a column still has this value."""
    value = json_value(value)
    if isinstance(value, str) and len(value) > SHORT:
        return {"sha256": hashlib.sha256(value.encode()).hexdigest()[:32]}
    return value


def animal_digest(values: Mapping[str, Any]) -> str:
    watched = [json_value(values.get(key)) for key in WATCHED]
    return hashlib.sha256(json.dumps(watched).encode()).hexdigest()[:16]
