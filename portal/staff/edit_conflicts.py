"""Conflicts between two people's changes of the same field."""

from typing import NamedTuple


class FieldConflict(NamedTuple):
    """A field that two people have changed, with the choice between the values."""

    field: str
    label: str
    now: str
    yours: str
    keep_mine: str
    """The label of the choice that keeps the user's own value."""
    keep_theirs: str
    who: str = ""
    when: str = ""
