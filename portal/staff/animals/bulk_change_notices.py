"""The sentences of notices about bulk changes in the list of animals."""

from collections import Counter
from collections.abc import Callable, Sequence

from adoption.animals.bulk_undo import BulkUndoResult
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal.animal_labels import count_animals

NAMES_MOST = 3
"""The maximum of animals that a sentence names. If there are more, the sentence contains only their
number."""

CHANGED: dict[tuple[str, str], Callable[[int, str], str]] = {
    ("status", "available"): lambda number, names: ngettext(
        "%(names)s is now Available.", "%(names)s are now Available.", number, names=names
    ),
    ("status", "pending"): lambda number, names: ngettext(
        "%(names)s is now Adoption pending.", "%(names)s are now Adoption pending.", number, names=names
    ),
    ("status", "sold"): lambda number, names: ngettext(
        "%(names)s is now Adopted.", "%(names)s are now Adopted.", number, names=names
    ),
    ("listed", "yes"): lambda number, names: ngettext(
        "%(names)s is now visible to visitors.", "%(names)s are now visible to visitors.", number, names=names
    ),
    ("listed", "no"): lambda number, names: ngettext(
        "%(names)s is now hidden from visitors.",
        "%(names)s are now hidden from visitors.",
        number,
        names=names,
    ),
    ("on_hold", "yes"): lambda number, names: ngettext(
        "%(names)s is now on hold and hidden from visitors.",
        "%(names)s are now on hold and hidden from visitors.",
        number,
        names=names,
    ),
    ("on_hold", "no"): lambda number, names: ngettext(
        "%(names)s is no longer on hold.", "%(names)s are no longer on hold.", number, names=names
    ),
    ("in_quarantine", "no"): lambda number, names: ngettext(
        "%(names)s is no longer in quarantine.", "%(names)s are no longer in quarantine.", number, names=names
    ),
    ("removed", "yes"): lambda number, names: ngettext(
        "%(names)s removed.", "%(names)s removed.", number, names=names
    ),
    ("removed", "no"): lambda number, names: ngettext(
        "%(names)s restored.", "%(names)s restored.", number, names=names
    ),
}
"""A function for each change. It takes the number of animals and their names, and returns the sentence."""


def undone_in_words(undone: BulkUndoResult) -> str:
    back = ngettext(
        "Undone. %(num)s animal changed back.", "Undone. %(num)s animals changed back.", undone.restored
    )
    if not undone.kept:
        return back
    kept = ngettext(
        "%(num)s animal changed again since, and left unchanged.",
        "%(num)s animals changed again since, and left unchanged.",
        undone.kept,
    )
    return f"{back} {kept}"


def change_sentence(names: list[str], wanted: tuple[str, str]) -> str:
    return CHANGED[wanted](len(names), names_or_number(names))


def stays_hidden(kept: Sequence[tuple[str, list[str]]]) -> str:
    """Return a sentence about animals that stay hidden, such as "2 are in quarantine and stay hidden."."""
    if not kept:
        return ""
    by_reason = Counter(frozenset(holds) for _, holds in kept)
    sentences = [hidden_sentence(holds, number) for holds, number in by_reason.items()]
    return " ".join([*sentences, gettext("End each hold in the menu of its row or on its page.")])


def hidden_sentence(holds: frozenset[str], number: int) -> str:
    if len(holds) > 1:
        return ngettext(
            "%(num)s is on hold and in quarantine and stays hidden.",
            "%(num)s are on hold and in quarantine and stay hidden.",
            number,
        )
    if "on_hold" in holds:
        return ngettext(
            "%(num)s is on hold and stays hidden.", "%(num)s are on hold and stay hidden.", number
        )
    return ngettext(
        "%(num)s is in quarantine and stays hidden.", "%(num)s are in quarantine and stay hidden.", number
    )


def names_or_number(names: list[str]) -> str:
    return join_names(names) if len(names) <= NAMES_MOST else count_animals(len(names))
