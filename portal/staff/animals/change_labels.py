"""Sentences about changes in the list of animals."""

from collections import Counter
from collections.abc import Sequence

from adoption.animals.bulk_changes import Done
from adoption.animals.bulk_undo import Undone
from adoption.text_joining import listed
from portal import labels

NAMES_MOST = 3
"""Names in a sentence; more animals are counted."""

SAID = {
    ("status", "available"): "{} now Available",
    ("status", "pending"): "{} now Adoption pending",
    ("status", "sold"): "{} now Adopted",
    ("listed", "yes"): "{} now visible to visitors",
    ("listed", "no"): "{} now hidden from visitors",
    ("on_hold", "yes"): "{} now on hold and hidden from visitors",
    ("on_hold", "no"): "{} no longer on hold",
    ("in_quarantine", "no"): "{} no longer in quarantine",
    ("removed", "yes"): "removed",
    ("removed", "no"): "restored",
}
"""What happened, after the names and "is" or "are"."""

HOLD_WORDS = {"on_hold": "on hold", "in_quarantine": "in quarantine"}


def undone_in_words(undone: Undone) -> str:
    since = f" {labels.counted(undone.kept, 'animal')} changed again since, and left unchanged."
    sentence = f"Undone. {labels.counted(undone.restored, 'animal')} changed back."
    return sentence + (since if undone.kept else "")


def change_sentence(done: Done, wanted: tuple[str, str]) -> str:
    names = [name for _, name in done.animals]
    return f"{who_are(names)} {SAID[wanted].format('is' if len(names) == 1 else 'are')}"


def stays_hidden(kept: Sequence[tuple[str, list[str]]]) -> str:
    """Return how many animals stay hidden, and why: "2 are in quarantine and stay hidden."."""
    by_reason = Counter(listed([HOLD_WORDS[each] for each in holds]) for _, holds in kept)
    verbs = {True: ("is", "stays"), False: ("are", "stay")}
    sentences = [
        f"{number:,} {verbs[number == 1][0]} {reason} and {verbs[number == 1][1]} hidden."
        for reason, number in by_reason.items()
    ]
    lift = " End each hold in the menu of its row or on its page." if kept else ""
    return " ".join(sentences) + lift


def who_are(names: list[str]) -> str:
    return listed(names) if len(names) <= NAMES_MOST else f"{len(names):,} animals"
