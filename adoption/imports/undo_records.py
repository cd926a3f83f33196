"""Records of an import's changes, for an undo.

A record has the old values in full. For new values and new animals, a record has only marks. If a value's
current mark differs, the value was changed after the import.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from adoption.animals.default_values import ANIMAL_BLANK, CARE_BLANK
from adoption.imports.models import ImportChange
from adoption.spreadsheets.upsert import UpsertResult

SHORT = 40
"""Longest new text, in characters, that is stored unchanged. For a longer text, only a hash is stored."""
WATCHED = ("name", "category_id", *ANIMAL_BLANK, *CARE_BLANK)
"""Columns of an animal and its care record in which an undo detects later changes."""


class Changes(NamedTuple):
    """The changes of one chunk of an import."""

    created: dict[int, str]
    """A hash of each new animal's values, by animal id."""
    updated: dict[int, dict[str, list[Any]]]
    """The changed columns of each updated animal, by animal id.

    Each column has a list of its old value and the ``value_mark`` of its new value.
    """


def record_changes(session: Session, import_id: int, written: Sequence[UpsertResult]) -> None:
    """Store the changes of a chunk. Call this function in the transaction that makes the changes."""
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
    """Return the value as JSON.

    Blank text becomes None, because an import treats blank text and None alike.
    """
    if isinstance(value, date):
        return value.isoformat()
    return None if value == "" else value


def value_mark(value: Any) -> Any:
    """Return the mark of a value: the value itself, or the hash of a long text.

    Equal values have equal marks.
    """
    value = json_value(value)
    if isinstance(value, str) and len(value) > SHORT:
        return {"sha256": hashlib.sha256(value.encode()).hexdigest()[:32]}
    return value


def animal_digest(values: Mapping[str, Any]) -> str:
    watched = [json_value(values.get(key)) for key in WATCHED]
    return hashlib.sha256(json.dumps(watched).encode()).hexdigest()[:16]
