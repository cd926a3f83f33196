"""A conflict between two people's changes of the same field of a form."""

from typing import NamedTuple


class FieldConflict(NamedTuple):
    """A field that two people have changed, with the choice between the two values."""

    field: str
    label: str
    now: str
    yours: str
    keep_mine: str
    """What the form sends if the user keeps their own value."""
    keep_theirs: str
    """What the form sends if the user keeps the other person's value."""
    who: str = ""
    when: str = ""
