"""Words for an animal's status, with their meanings. This module has only tables, in lower case."""

import re

from adoption.animals.parsing.spreadsheet_words import foreign_meanings, foreign_words

# The meaning of a word: the status, and whether adopters can see the animal. The status None leaves the
# stored status unchanged.
AVAILABLE, PENDING, SOLD = ("available", True), ("pending", True), ("sold", True)
GONE = (None, False)
"""The meaning of words for animals that are not in care or cannot be adopted.

Such animals are never shown, and none of our statuses fits.
"""

STATUS_WORDS = foreign_meanings("statuses")
SHOWN_AS = {"available": AVAILABLE, "pending": PENDING, "sold": SOLD, "hidden": GONE}
STATUSES: dict[str, tuple[str | None, bool]] = {
    **dict.fromkeys(("si", "oui", "ja", "sim", "はい"), AVAILABLE),
    **dict.fromkeys(("non", "nein", "nee", "nao", "いいえ"), GONE),
    **{word: SHOWN_AS[meaning] for word, meaning in STATUS_WORDS.items() if meaning in SHOWN_AS},
    **dict.fromkeys(
        (
            "available", "adoptable", "a", "active", "available for adoption", "for adoption", "ready",
            "available - in foster", "available in foster", "in foster", "in foster care", "foster", "yes",
        ),
        AVAILABLE,
    ),
    **dict.fromkeys(
        (
            "pending", "adoption pending", "p", "reserved", "application pending", "on trial", "trial",
            "trial adoption", "foster to adopt", "adoption in progress", "pending adoption", "reservation",
        ),
        PENDING,
    ),
    **dict.fromkeys(("sold", "adopted", "x", "adoption", "healthy in home", "rehomed", "adopted out"), SOLD),
    **dict.fromkeys(
        (
            "f", "found", "unavailable", "not available", "not for adoption", "inactive", "deleted",
            "removed",
            "hidden", "draft", "transferred", "deceased", "dead", "died", "euthanized", "euthanised",
            "reclaimed",
            "returned to owner", "rto", "escaped", "stolen", "missing", "permanent foster", "sanctuary",
            "lost",
            "passed away", "rainbow bridge", "rip", "impounded", "stray", "evaluate", "no", "released",
            "closed",
            "coming soon", "available for sponsorship", "available to foster", "hospice",
            "not yet available", "not available yet", "not adoptable", "returned to guardian",
        ),
        GONE,
    ),
}  # fmt: skip

HOLDS = frozenset(
    ["h", "hold", "on hold", "stray hold", "hold - stray", "bite hold", "medical hold", "court hold"]
) | {word for word, meaning in STATUS_WORDS.items() if meaning == "on_hold"}
QUARANTINES = frozenset(["q", "quarantine", "in quarantine", "bite quarantine", "isolation"]) | {
    word for word, meaning in STATUS_WORDS.items() if meaning == "in_quarantine"
}

# Words for the outcome of a stay, or for the newest movement of an animal.
OUTCOMES: dict[str, tuple[str | None, bool]] = {
    **STATUSES,
    **dict.fromkeys(("adoption", "adopted", "rto-adopt", "adoption - offsite"), SOLD),
    **dict.fromkeys(("foster", "fostered", "retailer", "none", "in care"), AVAILABLE),
    **dict.fromkeys(("trial adoption", "trial", "foster to adopt", "reservation", "reserved"), PENDING),
    **dict.fromkeys(
        (
            "transfer", "transferred", "transfer out", "reclaimed", "reclaim", "return to owner",
            "returned to owner", "return to owner/guardian", "rto", "escaped", "stolen", "missing", "lost",
            "lost in care", "died", "died in care", "dead", "euthanasia", "euthanized", "euthanised",
            "shelter euthanasia", "owner requested euthanasia", "disposal", "released to wild",
            "released", "tnr",
            "return to field", "rtf", "snr", "permanent foster", "closed", "treatment", "service out",
            "relocate", "clinic out",
        ),
        GONE,
    ),
}  # fmt: skip

NO_HOLD = frozenset(
    ["adop rescu", "adoption", "available", "released from quarantine", "released", "expired", "ended",
     "lifted", "cleared", "no hold"]
)  # fmt: skip
"""Words in a hold column that mean no hold, including Chameleon's words."""

ADOPTABLE_KENNELS = frozenset(
    ["available", "adoptable", "foster", "reserved", "adopted", "released from quarantine"]
)
NOT_ADOPTABLE_KENNELS = frozenset(
    ["unavailable", "impounded", "lab", "pre-lab", "quarantine", "hold", "missing", "stray"]
)

VISITS = re.compile(
    r"\b(service|clinic|doa|dead|disposal|dispos|euth\w*|wildlife|tnr|snr|boarding|lost|return to field)\b"
)
"""Intake types of animals that the shelter cannot offer for adoption."""

NOT_YET_WORDS = foreign_words("not_yet")
NOT_YET = re.compile(
    "|".join(word for word in NOT_YET_WORDS if not word.isascii())
    + rf"|\b({'|'.join(word for word in NOT_YET_WORDS if word.isascii())})\b"
    r"|\b(not|no|never|soon|until|after|from|later|unavailable|stray|bite|court|cruelty|evaluat\w*|deceased|dead|died"
    r"|euthan\w*|returned|removed|cancel\w*|fail\w*|previously|was|except|rescue only|sponsor\w*"
    r"|to foster|impound\w*|isolation|transfer\w*|reclaim\w*|rto|intake|surger\w*|medical|vet"
    r"|behaviou?r eval\w*)\b"
)
"""Matches words that reverse the status in the same text, as in "Available soon"."""

NOW = frozenset(["now", "immediately", "today", "available", "ready"])
