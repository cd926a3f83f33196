"""Cleanup of cell texts: lines and paragraphs without markup and escape sequences."""

import html
import re
import unicodedata

from adoption.unicode_normalization import normal_form

SHIELDED = re.compile("'(?=[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]|[\\d.,/: -]+$)")
"""Matches an apostrophe that stops a spreadsheet program from reading a text as a formula or number."""

SURROGATES = re.compile("[\ud800-\udfff]")


def joined_surrogates(text: str) -> str:
    """Return the text with surrogate pairs joined into characters. A lone surrogate becomes U+FFFD.

    JSON and workbooks can contain escaped surrogates. UTF-8 cannot.
    """
    if text.isascii() or not SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


NUMBER_TOO_LARGE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,})+;?")
"""Matches a numeric reference that is no character. Python rejects numbers of more than 4,300 digits."""


def unescape(text: str) -> str:
    return html.unescape(NUMBER_TOO_LARGE.sub("\ufffd", text))


def clean_line(text: str) -> str:
    """Return the text as one line, without HTML entities, no-break spaces and a formula apostrophe."""
    text = SHIELDED.sub("", text, count=1) if text[:1] == "'" else text
    text = unescape(text) if "&" in text else text
    return " ".join(normal_form("NFC", text).split())


def plain_word(text: str) -> str:
    """Return a word in the form used for lookups: without case, accents and surrounding punctuation."""
    return unaccented(clean_line(text)).strip(" .!:;*")


HEADER_LONGEST = 500
"""Limit of characters compared in a header. Any cell can be tried as a header."""


def letters(header: str) -> str:
    """Return the letters and digits of a header, without case and accents. "#" counts as "number"."""
    return "".join(filter(str.isalnum, unaccented(header[:HEADER_LONGEST].replace("#", "number"))))


FOLDED_LONGEST = 4_000
"""Limit of characters compared in a decomposed text. One character can decompose into 18 characters."""


def unaccented(text: str) -> str:
    """Return the text in lower case and without accents, in any script."""
    if text.isascii():
        return text.lower()
    text = text.replace("’", "'")  # noqa: RUF001 - the typographic apostrophe
    parts = normal_form("NFKD", text.casefold())[:FOLDED_LONGEST]
    return "".join(part for part in parts if unicodedata.category(part) != "Mn").replace("œ", "oe").casefold()


TAG = re.compile(r"<(/?)([a-z][a-z0-9]*(?::[a-z][a-z0-9]*)?)(?=[\s/>])[^<>]*>|<![^<>]*>", re.IGNORECASE)
"""Matches an HTML tag, including Word's, such as ``<o:p>``.

``<https://example.org>`` and ``<sam@example.org>`` are text.
"""
LINES = frozenset(["br", "li", "tr"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
PARAGRAPHS = HEADINGS | {"p", "div", "ul", "ol", "table", "blockquote", "hr"}
SILENT = (("<!--", "-->"), ("<script", "</script"), ("<style", "</style"), ("<head", "</head"))


def clean_prose(text: str) -> str:
    """Return plain text of several lines.

    HTML becomes paragraphs, entities become characters, and odd spaces become spaces. The result need not be
    safe against malicious HTML, because it is later rendered as Markdown and sanitised.
    """
    text = SHIELDED.sub("", text, count=1)
    if TAG.search(text):
        if any((tag[2] or "").lower() in LINES | PARAGRAPHS for tag in TAG.finditer(text)):
            text = " ".join(text.split())
        for begin, end in SILENT:
            text = drop_between(text, begin, end)
        text = TAG.sub(break_of, text)
    if "&" in text:
        text = unescape(text)
    text = re.sub(r"\r\n?", "\n", text)
    lines = [" ".join(line.split()) for line in normal_form("NFC", text).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def break_of(tag: re.Match[str]) -> str:
    name = (tag[2] or "").lower()
    if name in PARAGRAPHS:
        return "\n\n"
    if name in LINES and not tag[1]:
        return "\n- " if name == "li" else "\n"
    return ""


def drop_between(text: str, begin: str, end: str) -> str:
    """Return the text without the parts from ``begin`` to ``end``, in linear time."""
    parts, at, lower = [], 0, text.lower()
    while (start := lower.find(begin, at)) >= 0 and (stop := lower.find(end, start)) >= 0:
        parts.append(text[at:start])
        at = stop + len(end)
        if end[0] == "<":
            at = lower.find(">", at) + 1 or len(text)
    return "".join([*parts, text[at:]])


PETHARBOR_LABELS = re.compile(
    r"^(?>.*?Current Location:).*?<p></p>|^(?>.*?\bAge:).*?<p></p>", re.IGNORECASE | re.DOTALL
)
PETHARBOR_FEE = re.compile(
    r"(?<!\s)\s*+(?:<p></p>)?+\s*+Adoption Fee:.*?(?:<p></p>|$)", re.IGNORECASE | re.DOTALL
)


def clean_petharbor_memo(text: str) -> str:
    """Return the shelter's own text in a PetHarbor memo, without the facts before it.

    The place where the animal was found is private. The other facts are in their own columns.
    """
    return clean_prose(PETHARBOR_FEE.sub("", PETHARBOR_LABELS.sub("", text, count=1), count=1))
