"""Rendering of the Markdown that shelters write, as safe HTML and as plain text.

A text is rendered when it is saved, and its HTML is stored with a fingerprint of the text and the renderer. A
page renders the text itself only if no stored HTML has the current fingerprint.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from importlib.metadata import version
from itertools import groupby
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST = 20_000
"""The maximum characters of a text that are rendered."""
SIGNS_MOST = (("[", 60), ("[*_`~", 600), ("&<@!:\\", 5_000), ("\n", 500))
"""Groups of characters that take long to parse, each with its limit. If a text has more characters of a group
than the limit, the text is not parsed, but shown as typed."""
BEGINNING_LONGEST = 300
"""The maximum characters of a stored beginning."""
SUMMARY_LONGEST = 200
"""The maximum characters of the summary of an animal's description."""
READ_FOR_BEGINNING = 2_000
"""The number of characters that are parsed to find the beginning of a text."""
TEXTS_KEPT = 100
"""The number of texts whose HTML is cached.

Most of these texts are about shelters. The others belong to animals that were last saved before HTML was
stored.
"""

TAGS = {"p", "br", "hr", "strong", "em", "s", "code", "pre", "a", "ul", "ol", "li", "blockquote"}
TAGS |= {"h3", "h4", "h5", "h6"}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto", "tel"}
LINK_REL = "nofollow noopener"
FIRST_HEADING, LAST_HEADING = 3, 6
"""The highest and the lowest level of a heading in rendered HTML. The page's own headings are ``h1`` and
``h2``."""

VERSION = "2"
"""The version of this module's HTML. A change of the version makes all stored HTML out of date."""
RENDERER_LENGTH, FINGERPRINT_LENGTH = 8, 24

MARKDOWN = re.compile(
    r"[\\`*_~\[\]<>]|&(?! )|^(?:[ #+=-]|\d+[.)])|[^\S \n]|[\0-\x09\x0b-\x1f\x7f-\x9f]", re.MULTILINE
)
"""The pattern of Markdown's signs, of beginnings of entities, headings, lists and code, and of unusual blanks
and controls."""

# Line breaks are kept, because people who write in a form may not know Markdown.
markdown = MarkdownIt("js-default", {"breaks": True}).disable("table")
# The owner of a remote picture would see who views the page, so only the picture's text is kept.
markdown.add_render_rule("image", lambda _self, tokens, place, *_rest: nh3.clean_text(tokens[place].content))


def render_prose(text: str) -> str:
    """Return the HTML of a text. HTML, pictures and scripts in the text itself are not kept."""
    text = text[:LONGEST]
    if is_plain(text) or not is_prose(text):
        return as_typed(text)
    tokens = markdown.parse(text)
    demote_headings(tokens)
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=LINK_REL)


def is_plain(text: str) -> bool:
    """Return whether line breaks and paragraphs are the only Markdown in a text."""
    return MARKDOWN.search(text) is None


def is_prose(text: str) -> bool:
    """Return whether a text can be parsed as Markdown quickly."""
    return all(sum(map(text.count, signs)) <= most for signs, most in SIGNS_MOST)


def as_typed(text: str) -> str:
    """Return the HTML of a text that is not parsed as Markdown."""
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
    """Change the headings to ``h3``, ``h4`` and so on, in the order of their levels, so that no level is left
    out."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    ranks = sorted({token.tag for token in headings})
    for heading in headings:
        heading.tag = f"h{min(FIRST_HEADING + ranks.index(heading.tag), LAST_HEADING)}"


def beginning_of(text: str, longest: int = BEGINNING_LONGEST) -> str:
    """Return the beginning of a text in one line. A longer text is cut after a word."""
    text = text[:READ_FOR_BEGINNING]
    words = [text] if is_plain(text) or not is_prose(text) else plain_texts(markdown.parse(text))
    return cut_after_word(" ".join(" ".join(words).split()), longest)


def strip_markdown(text: str) -> str:
    """Return the complete text without Markdown's signs, with its paragraphs."""
    if is_plain(text) or not is_prose(text) or len(text) > LONGEST:
        return text
    return "\n\n".join(plain_texts(markdown.parse(text)))


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
"""The first part of each fingerprint. It changes with the versions of the libraries, which can change the
HTML."""


def fingerprint_of(text: str) -> str:
    return RENDERER + digest_of(text, FINGERPRINT_LENGTH - RENDERER_LENGTH)


RENDERED = {
    "description": ("description_html", "description_beginning"),
    "special_needs_note": ("needs_html",),
}
"""The columns that store the HTML and the beginning of an animal's texts. The key is the column of the
text."""
RENDERED_COLUMNS = tuple(column for columns in RENDERED.values() for column in columns)


def rendered_columns(animal: Mapping[str, Any]) -> dict[str, str]:
    """Return the rendered columns for the texts in an animal's values."""
    made = {}
    for text, columns in RENDERED.items():
        for column in columns if text in animal else ():
            made[column] = rendering_to_store(
                animal[text], render_prose if column.endswith("_html") else beginning_of
            )
    return made


def rendering_to_store(text: str, make: Callable[[str], str]) -> str:
    """Return the content of a column for a text: the text's fingerprint, and the result of ``make``."""
    return fingerprint_of(text) + make(text) if text else ""


def stored_rendering(text: str, column: str | None) -> str | None:
    """Return the stored rendering of a text without its fingerprint.

    None if the column is empty, or contains the rendering of an earlier text.
    """
    if column and column.startswith(fingerprint_of(text)):
        return column[FINGERPRINT_LENGTH:]
    return None


cached_html = lru_cache(TEXTS_KEPT)(render_prose)
cached_beginning = lru_cache(TEXTS_KEPT)(beginning_of)


def html_of_text(text: str, column: str | None = None) -> str:
    """Return the safe HTML of a text. ``column`` is the stored HTML of the text, with its fingerprint."""
    html = stored_rendering(text, column)
    return html if html is not None else cached_html(text[:LONGEST])


def first_words(text: str, longest: int, column: str | None = None) -> str:
    """Return the start of a text in one line, at most ``longest`` characters.

    ``column`` is the stored beginning of the text, with its fingerprint.
    """
    line = stored_rendering(text, column)
    return (
        cut_after_word(line, longest)
        if line is not None
        else cached_beginning(text[:READ_FOR_BEGINNING], longest)
    )


def summary_of(text: str, column: str | None = None) -> str:
    """Return the summary of a description. ``column`` is the stored beginning of the description."""
    return first_words(text, SUMMARY_LONGEST, column)
