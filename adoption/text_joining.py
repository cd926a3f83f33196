"""Names and numbers in sentences."""

from collections.abc import Sequence

from adoption.translations import gettext


def join_names(names: Sequence[str]) -> str:
    """Return "Biscuit", "Biscuit and Crumble" or "Biscuit, Crumble and Pip". There must be at least one."""
    *others, last = names
    return gettext("%(names)s and %(last)s", names=", ".join(others), last=last) if others else last


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as "1 animal" or "2,000 animals"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
