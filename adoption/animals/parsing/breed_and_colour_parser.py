"""Parsing of breeds and colours, which shelters join, abbreviate or write in capitals."""

import re
from typing import NamedTuple

from adoption.animals.allowed_values import BREED_LONGEST
from adoption.animals.parsing.parse_cache import kept_by_text
from adoption.animals.parsing.text_cleanup import clean_line, plain_word
from adoption.animals.parsing.vocabulary import BREED_WORDS, COLOUR_WORDS, MIXED_BREEDS, NOT_KNOWN


def ordinary(text: str) -> str:
    """Return a text in capitals as ordinary text, with only the first character of each word in capitals."""
    if not text.isupper() or len(text) < 3:
        return text
    return re.sub(r"[^\W\d_]+(?:'[^\W\d_]+)?", lambda word: word[0].capitalize(), text)


def spelt(text: str, words: dict[str, str]) -> str:
    return " ".join(words.get(word.lower().rstrip("."), word) for word in ordinary(text).split())


class ParsedBreed(NamedTuple):
    primary: str | None
    secondary: str | None
    mixed: bool
    unknown: bool


NO_BREED = frozenset(["unknown", "not provided", "unk", "none", "n/a", "?", "undetermined", "unknown breed"])
MIX_AT_END = re.compile(r"(?:^|[\s,/-]+)(?:mix|mixed|cross|x)\s*$", re.IGNORECASE)


@kept_by_text(4096)
def parse_breed(text: str) -> ParsedBreed:
    """Return the breeds in a cell (at most two), and whether the animal is a mix.

    Examples are ``Boxer/Boston Terrier``, ``Labrador Retriever Mix`` and ``DSH/Unknown``. An unknown second
    breed means a mix, as in ShelterManager.
    """
    parts = [part.strip() for part in re.split(r"/|\s+[xX]\s+", clean_line(text))]
    mixed = len(parts) > 1
    kept: list[str] = []
    for part in parts:
        bare = MIX_AT_END.sub("", part).strip(" ,-")
        mixed = mixed or bare != part
        if bare.lower() in ("mixed breed", "mix", "crossbreed"):
            mixed, bare = True, "Mixed Breed"
        mixed = mixed or plain_word(bare) in MIXED_BREEDS
        bare = spelt(bare, BREED_WORDS)
        if bare and bare.lower() not in NO_BREED and bare not in kept:
            kept.append(bare)
    if len(parts) > 1 and len(kept) == 1 and len({part.lower() for part in parts}) == 1:
        mixed = False  # the same breed twice does not mean a mix
    if any(len(each) > BREED_LONGEST for each in kept):
        raise ValueError(
            f"has more than {BREED_LONGEST} characters, which is too long for a breed. Write "
            "only the breed's name"
        )
    primary, secondary = ([*kept, None, None])[:2]
    return ParsedBreed(primary, secondary, mixed, not kept and clean_line(text).lower() in NO_BREED)


SEPARATORS = re.compile(r"\s*[/,;&]+\s*&?\s*|\s+and\s+")


def parse_colours(text: str) -> tuple[str, ...]:
    """Return up to three colours. Text in parentheses is part of the colour before it."""
    text = re.sub(r"\([^()]*\)", lambda found: SEPARATORS.sub("\x1f", found[0]), clean_line(text))
    parts = re.split(r"\s*[/,;&]\s*|\s+-?\s*(?:and|with)\s+", text)
    spelled = [spelt(part.replace("\x1f", " / "), COLOUR_WORDS)[:60] for part in parts]
    return tuple(dict.fromkeys(each for each in spelled if each and each.lower() not in NOT_KNOWN))[:3]


def parse_one_colour(text: str) -> tuple[str, ...]:
    """Return the colour from a single-colour cell, such as Petfinder's ``Yellow / Tan / Blond / Fawn``.

    Stored colours are separated by commas. So a comma within a name becomes a slash.
    """
    name = re.sub(r"\s*,\s*(?:&\s*)?", " / ", clean_line(text)).replace(" - with ", " with ")
    return (ordinary(name)[:60],) if name and name.lower() not in NOT_KNOWN else ()
