"""Names and numbers in sentences, the same in emails, on pages and in the audit log."""

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """As "Biscuit", "Biscuit and Crumble" or "Biscuit, Crumble and Pip". There is one at least."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, as "1 animal" or "2,000 animals"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
