"""Rendering of the Markdown that shelters write, as safe HTML and as plain text.

A text is rendered when it is saved, and its HTML is stored with a fingerprint of the text and the renderer. A
page renders a text only if its stored HTML is missing, or is of an earlier text or renderer.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from importlib.metadata import version
from itertools import groupby
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST = 20_000
"""Characters of a text that are rendered."""
SIGNS_MOST = (("[", 60), ("[*_`~", 600), ("&<@!:\\", 5_000), ("\n", 500))
"""Characters that take long to parse, with their limit. A text with more is shown as it was typed."""
BEGINNING_LONGEST = 300
"""Characters of a stored beginning."""
READ_FOR_BEGINNING = 2_000
"""Characters of a text that are parsed to find its beginning."""

TAGS = {"p", "br", "hr", "strong", "em", "s", "code", "pre", "a", "ul", "ol", "li", "blockquote"}
TAGS |= {"h3", "h4", "h5", "h6"}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto", "tel"}
LINK_REL = "nofollow noopener"
FIRST_HEADING, LAST_HEADING = 3, 6
"""A description is below an ``h2`` of the page."""

VERSION = "2"
"""The version of this module's HTML. Changing it makes all stored HTML out of date."""
RENDERER_LENGTH, FINGERPRINT_LENGTH = 8, 24

MARKDOWN = re.compile(
    r"[\\`*_~\[\]<>]|&(?! )|^(?:[ #+=-]|\d+[.)])|[^\S \n]|[\0-\x09\x0b-\x1f\x7f-\x9f]", re.MULTILINE
)
"""Markdown's signs, starts of entities, headings, lists and code, and unusual blanks and controls."""

# Line breaks are kept: people who write in a form need not know Markdown.
markdown = MarkdownIt("js-default", {"breaks": True}).disable("table")
# A remote picture would show its owner who views the page, so only its text is kept.
markdown.add_render_rule("image", lambda _self, tokens, place, *_rest: nh3.clean_text(tokens[place].content))


def render_prose(text: str) -> str:
    """Return the HTML of a text, without HTML, pictures and scripts of its writer."""
    text = text[:LONGEST]
    if is_plain(text) or not is_prose(text):
        return as_typed(text)
    tokens = markdown.parse(text)
    demote_headings(tokens)
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=LINK_REL)


def is_plain(text: str) -> bool:
    """Return whether a text has no Markdown except line breaks and paragraphs."""
    return MARKDOWN.search(text) is None


def is_prose(text: str) -> bool:
    """Return whether a text can be parsed as Markdown in little time."""
    return all(sum(map(text.count, signs)) <= most for signs, most in SIGNS_MOST)


def as_typed(text: str) -> str:
    """Return the HTML of a text without reading it as Markdown."""
    paragraphs = ("<br>\n".join(map(escape_text, lines)) for lines in blocks_of(text))
    return "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)


def escape_text(text: str) -> str:
    return escape(text.replace("\0", "\ufffd").strip(), quote=False)


def blocks_of(text: str) -> Iterator[list[str]]:
    """Yield the lines of each paragraph."""
    for has_text, lines in groupby(text.split("\n"), key=lambda line: bool(line.strip())):
        if has_text:
            yield list(lines)


def demote_headings(tokens: list[Token]) -> None:
    """Make the highest heading in use an ``h3`` and the next ``h4``, so that no level is left out."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    ranks = sorted({token.tag for token in headings})
    for heading in headings:
        heading.tag = f"h{min(FIRST_HEADING + ranks.index(heading.tag), LAST_HEADING)}"


def beginning_of(text: str, longest: int = BEGINNING_LONGEST) -> str:
    """Return the beginning of a text in one line. A longer text is cut after a word."""
    text = text[:READ_FOR_BEGINNING]
    words = [text] if is_plain(text) or not is_prose(text) else plain_texts(markdown.parse(text))
    return cut_after_word(" ".join(" ".join(words).split()), longest)


def plain_texts(tokens: Iterable[Token]) -> list[str]:
    return ["".join(map(plain_text, token.children or ())) for token in tokens if token.type == "inline"]


def plain_text(token: Token) -> str:
    return token.content or " " * ("break" in token.type)


def cut_after_word(line: str, longest: int) -> str:
    if len(line) <= longest:
        return line
    head = line[: longest - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head).rstrip(",;:. \u2026") + "…"


def digest_of(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]


RENDERER = digest_of(f"{VERSION} {version('markdown-it-py')} {version('nh3')}", RENDERER_LENGTH)
"""The first part of each fingerprint. Another version of a library makes other HTML, or safer HTML."""


def fingerprint_of(text: str) -> str:
    return RENDERER + digest_of(text, FINGERPRINT_LENGTH - RENDERER_LENGTH)


RENDERED = {
    "description": ("description_html", "description_beginning"),
    "special_needs_note": ("needs_html",),
}
"""The columns that store the HTML and the beginning of each of an animal's texts."""
RENDERED_COLUMNS = tuple(column for columns in RENDERED.values() for column in columns)


def rendered_columns(animal: Mapping[str, Any]) -> dict[str, str]:
    """Return the rendered columns of the texts among these values of an animal."""
    made = {}
    for text, columns in RENDERED.items():
        for column in columns if text in animal else ():
            made[column] = rendering_to_store(
                animal[text], render_prose if column.endswith("_html") else beginning_of
            )
    return made


def rendering_to_store(text: str, make: Callable[[str], str]) -> str:
    """Return what a column stores for a text: its fingerprint, and what ``make`` returns for it."""
    return fingerprint_of(text) + make(text) if text else ""


def stored_rendering(text: str, column: str | None) -> str | None:
    """Return the content of a column without the fingerprint; None if it is empty or of an earlier text."""
    if column and column.startswith(fingerprint_of(text)):
        return column[FINGERPRINT_LENGTH:]
    return None
