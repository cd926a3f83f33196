"""Names joined with commas and "and"."""

from collections.abc import Sequence

from adoption.translations import gettext


def join_names(names: Sequence[str]) -> str:
    """Return "Biscuit", "Biscuit and Crumble" or "Biscuit, Crumble and Pip".

    ``names`` is not empty.
    """
    *others, last = names
    return gettext("%(names)s and %(last)s", names=", ".join(others), last=last) if others else last
