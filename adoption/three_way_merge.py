"""Three-way merge of two people's edits, field by field.

A form contains a fingerprint of each field's value when the form was opened. A field that only one person has
changed since then is merged. A field that both people have changed is a clash, and the person who saves
chooses.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

FINGERPRINT_LENGTH = 12
MINE, THEIRS = "mine", "theirs"


class Merged(NamedTuple):
    values: dict[str, Any]
    """The values of all fields to save. Fields that clash have my value."""
    theirs: list[str]
    """The fields that only the other person has changed."""
    clashes: list[str]
    """The fields that both people have changed to different values, and for which I have made no choice."""


def fingerprint(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def fingerprints(values: Mapping[str, Any]) -> dict[str, str]:
    return {field: fingerprint(value) for field, value in values.items()}


def format_fingerprints(prints: Mapping[str, str]) -> str:
    """Return fingerprints as the text of a hidden field."""
    return " ".join(f"{field}:{print_}" for field, print_ in prints.items())


def parse_fingerprints(text: str) -> dict[str, str]:
    """Return the fingerprints in the text of ``format_fingerprints``.

    A field without a fingerprint counts as changed by both people.
    """
    return {field: print_ for field, colon, print_ in (each.partition(":") for each in text.split()) if colon}


def choice_text(side: str, value: Any) -> str:
    """Return the text of a choice between my value and ``value``, the current value of the other person."""
    return f"{side}:{fingerprint(value)}"


def merge_values(
    opened: Mapping[str, str], mine: Mapping[str, Any], now: Mapping[str, Any], choices: Mapping[str, str]
) -> Merged:
    """Merge my values with the current values.

    ``opened`` contains the fingerprints of the fields when my form was opened. ``choices`` contains the
    ``choice_text`` of each field for which I have made a choice. A choice counts only if the other person's
    value has not changed since the choice.
    """
    merged = Merged(dict(mine), [], [])
    for field, value in mine.items():
        current = now[field]
        if value == current:
            continue
        if fingerprint(value) == opened.get(field) or choices.get(field) == choice_text(THEIRS, current):
            merged.values[field] = current
            merged.theirs.append(field)
        elif fingerprint(current) != opened.get(field) and choices.get(field) != choice_text(MINE, current):
            merged.clashes.append(field)
    return merged
