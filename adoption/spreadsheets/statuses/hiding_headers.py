"""Recognition of headers and flags, from any program, that seem to hide an animal from adopters."""

import re

from adoption.animals.parsing.spreadsheet_words import LANGUAGES
from adoption.animals.parsing.text_cleanup import letters

UNTIL = re.compile(r"until|expire|expir(y|ation)|release|ends?(date|on)?$")
ORDERED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "hides",
        re.compile(
            r"(do|dont|donot|not?|never|un|non)(to|be|yet|currently)*(publish|list|show|adopt|available|shown|display|advertise|post)"
            r"|notready|notforadoption|nonshelter|notour|embargo|inactive|permanent(resident|foster)"
            r"|(hide|hidden|confidential)(?!.*(notes|comments|details|info))"
        ),
    ),
    ("quarantine", re.compile(r"quarantine|isolation")),
    ("hold", re.compile(r"cruelty|courtcase|bitecase|abusecase|dangerousdog|evidence")),
    ("died", re.compile(r"euthan|deceas|dateofdeath|deathdate|puttosleep|deadonarrival|passedaway")),
    (
        "listed",
        re.compile(
            r"^(list|post|upload|publish)(on|to)|publish(ed|able)?(to.*|on.*|web.*|now)?$|published|(show|display|list)(ed|n)?(on|in)?(the)?(web|site|internet|public)"
            r"|adoptable|(available|ready|ok|up)foradoption|canbeadopted|visibletopublic|publiclyvisible"
        ),
    ),
)  # fmt: skip
PARTS = {
    meaning: [letters(part) for language in LANGUAGES for part in language.hiding[meaning].split("|")]
    for meaning in ("hides", "quarantine", "hold", "died", "listed")
}
"""Parts of headers in other languages, by meaning. "Not published" must come before "published"."""
HOLD_WORDS = frozenset(["hold", "holds", "held"])
DEATH_WORDS = frozenset(["died", "dead", "death", "doa", "rip", "pts", "euth"])
HARMLESS = re.compile(r"harmless|publisher|household|threshold|^(last|first|date)published")


def find_hiding_meaning(header: str) -> str | None:
    """Return the meaning of a header or flag that is about visibility; None for any other header or flag."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", header).lower())
    joined = "".join(words)
    if HARMLESS.search(joined):
        return None
    if HOLD_WORDS.intersection(words) or joined.endswith(("onhold", "strayhold")):
        return "hold_until" if UNTIL.search(joined) else "hold"
    if "stray" in words and UNTIL.search(joined):
        return "hold_until"
    if DEATH_WORDS.intersection(words):
        return "died"
    found = next((meaning for meaning, pattern in ORDERED if pattern.search(joined)), None)
    if found is None:
        return find_foreign_meaning(letters(header))
    return "available_from" if found == "hides" and UNTIL.search(joined) else found


def find_foreign_meaning(name: str) -> str | None:
    """Return the meaning of a header that contains one of ``PARTS``; None for any other header."""
    return next((meaning for meaning in PARTS if any(part in name for part in PARTS[meaning])), None)
