"""Conflicts between two people's changes of a field."""

from typing import NamedTuple


class FieldConflict(NamedTuple):
    """A field that two people have changed, and the choice between them."""

    field: str
    label: str
    now: str
    yours: str
    keep_mine: str
    """Text of the choice that keeps yours."""
    keep_theirs: str
    who: str = ""
    when: str = ""
