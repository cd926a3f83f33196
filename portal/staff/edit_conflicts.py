"""Conflicts between the changes that two people make to the same field of a form."""

from typing import NamedTuple


class FieldConflict(NamedTuple):
    """A field that two people have changed, with the choice between the two values."""

    field: str
    label: str
    now: str
    yours: str
    keep_mine: str
    """The value that the form sends if the user keeps their own change."""
    keep_theirs: str
    """The value that the form sends if the user keeps the other person's change."""
    who: str = ""
    when: str = ""
