"""Names in sentences, for letters, pages and the audit log alike."""

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """As "Biscuit", "Biscuit and Crumble" or "Biscuit, Crumble and Pip". There is one at least."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
