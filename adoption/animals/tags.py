"""Tags of an animal: short texts of the shelter's own, such as "quiet" or "loves water"."""

import json

from adoption import validation
from adoption.translations import gettext

TAGS_MOST = 10
TAG_LONGEST = 30
TEXT_LONGEST = TAGS_MOST * (TAG_LONGEST + 2)
"""The maximum length of a form field or cell with all tags."""


def parse_tags(text: str) -> str:
    """Return the tags in a text as the JSON array that the database stores.

    Commas separate the tags in the text.

    A repeated tag is left out. Raises ValueError if there are too many tags, or if a tag is too long.
    """
    line = validation.validate_line(text, TEXT_LONGEST, gettext("the tags"))
    tags = list(
        {each.casefold(): each for each in map(str.strip, reversed(line.split(","))) if each}.values()
    )
    if len(tags) > TAGS_MOST:
        raise ValueError(gettext("Write at most %(limit)s tags, separated by commas", limit=TAGS_MOST))
    for tag in tags:
        validation.require_length(TAG_LONGEST, tag, gettext("the tag “%(tag)s”", tag=tag))
    return json.dumps(tags[::-1], ensure_ascii=False)


def tags_of(stored: str) -> list[str]:
    """Return the stored tags."""
    return list(json.loads(stored))


def tags_text(stored: str) -> str:
    """Return the stored tags as a text with commas. ``parse_tags`` converts the text back."""
    return ", ".join(tags_of(stored))
