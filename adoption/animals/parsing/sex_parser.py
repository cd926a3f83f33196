"""Parsing of cells about an animal's sex, and about whether the animal is altered.

Many files have both facts in one cell.
"""

import re
from typing import NamedTuple

from adoption.animals.parsing.cell_parsers import parse_yes_no
from adoption.animals.parsing.parse_cache import kept_by_text
from adoption.animals.parsing.text_cleanup import plain_word
from adoption.animals.parsing.vocabulary import (
    ALTERED_WORDS,
    SEX_CODES,
    SEX_FILLERS,
    SEX_WORDS,
    SEXES,
    SEXES_OF_ALTERED,
    TAKING_BACK,
)
from adoption.translations import message


class Sex(NamedTuple):
    """An animal's sex, and whether it is altered. None means unknown."""

    sex: str | None
    altered: bool | None


WORDS = sorted(
    (re.escape(word) for word in {*SEX_WORDS, *ALTERED_WORDS} if not word.isascii()), key=len, reverse=True
)
TOKEN = re.compile("|".join([*WORDS, r"[^\W\d_]+"]))
"""Matches a word. In scripts without spaces, only known words are matched."""


@kept_by_text(1024)
def parse_sex(text: str) -> Sex:
    """Return the sex, and whether the animal is altered. Raises ValueError for an unknown word."""
    word = plain_word(text)
    if word in SEXES:
        return Sex(*SEXES[word])
    tokens = TOKEN.findall(word)
    if "".join(tokens) in SEX_CODES:
        return Sex(*SEX_CODES["".join(tokens)])
    sexes, altered = set(), set()
    negated = False
    for token in tokens:
        if token in SEX_WORDS:
            sexes.add(SEX_WORDS[token])
        elif token in ALTERED_WORDS:
            altered.add(ALTERED_WORDS[token] != negated)
        elif token in TAKING_BACK:
            negated = True
            continue
        elif token not in SEX_FILLERS:
            break
        negated = False
    else:
        if len(sexes) <= 1 and len(altered) <= 1 and (sexes or altered):
            implied = {SEXES_OF_ALTERED[token] for token in tokens if token in SEXES_OF_ALTERED}
            chosen = sexes or (implied if len(implied) == 1 else set())
            return Sex(next(iter(chosen), None), next(iter(altered), None))
    raise ValueError(message("this is not a sex that we know. Write female, male or unknown"))


def parse_asm_sex(text: str) -> Sex:
    """Parse ShelterManager's code (0 female, 1 male, 2 unknown) or a word."""
    coded = {"0": "female", "1": "male", "2": "unknown"}
    return parse_sex(coded.get(text, text))


def parse_altered(text: str) -> Sex:
    """Parse a cell about altering.

    The cell has yes or no, or a word such as ``Spayed``, which also shows the sex.
    """
    try:
        return Sex(None, parse_yes_no(text))
    except ValueError:
        pass
    try:
        return parse_sex(text)
    except ValueError:
        raise ValueError(message("this is neither yes nor no. Write yes, no or unknown")) from None
