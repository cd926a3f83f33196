"""Text out of cells: plain lines and paragraphs, whatever a program put around them."""

import html
import re
import unicodedata

from adoption.characters import normal_form

SHIELDED = re.compile("'(?=[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]|[\\d.,/: -]+$)")
"""An apostrophe that keeps a spreadsheet from taking text for a formula or a number."""

SURROGATES = re.compile("[\ud800-\udfff]")


def joined_surrogates(text: str) -> str:
    """Return the text with each surrogate pair as its character, and each half as U+FFFD.

    JSON and workbooks can spell halves as escapes, but neither a page nor a file can hold one.
    """
    if text.isascii() or not SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


NUMBER_TOO_LARGE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,})+;?")
"""A reference to no character. Python refuses to read one of more than 4,300 digits."""


def unescape(text: str) -> str:
    return html.unescape(NUMBER_TOO_LARGE.sub("\ufffd", text))


def clean_line(text: str) -> str:
    """Text as a word or a line: without HTML entities, no-break spaces or a shield against formulas."""
    text = SHIELDED.sub("", text, count=1) if text[:1] == "'" else text
    text = unescape(text) if "&" in text else text
    return " ".join(normal_form("NFC", text).split())


def plain_word(text: str) -> str:
    """A word to look up: without case, accents and the punctuation at its ends."""
    return unaccented(clean_line(text)).strip(" .!:;*")


HEADER_LONGEST = 500
"""Characters of a header that are compared with known ones. Any cell may be tried as a header."""


def letters(header: str) -> str:
    """The letters and digits of a header, without case and accents; "#" reads as "number"."""
    return "".join(filter(str.isalnum, unaccented(header[:HEADER_LONGEST].replace("#", "number"))))


FOLDED_LONGEST = 4_000
"""Characters of a text that is compared with words, once decomposed: one can become 18 others."""


def unaccented(text: str) -> str:
    """Text in lower case and without accents, in any script."""
    if text.isascii():
        return text.lower()
    text = text.replace("’", "'")  # noqa: RUF001 - the apostrophe of print
    parts = normal_form("NFKD", text.casefold())[:FOLDED_LONGEST]
    return "".join(part for part in parts if unicodedata.category(part) != "Mn").replace("œ", "oe").casefold()


TAG = re.compile(r"<(/?)([a-z][a-z0-9]*(?::[a-z][a-z0-9]*)?)(?=[\s/>])[^<>]*>|<![^<>]*>", re.IGNORECASE)
"""A tag of HTML or, as ``<o:p>``, of Word. ``<https://example.org>`` and ``<sam@example.org>`` are text."""
LINES = frozenset(["br", "li", "tr"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
PARAGRAPHS = HEADINGS | {"p", "div", "ul", "ol", "table", "blockquote", "hr"}
SILENT = (("<!--", "-->"), ("<script", "</script"), ("<style", "</style"), ("<head", "</head"))


def clean_prose(text: str) -> str:
    """Text of several lines: HTML becomes paragraphs, entities letters, and odd spaces plain ones.

    Whatever remains is shown as Markdown and cleaned there, so nothing here need be proof against malice.
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
    """The text without what stands from ``begin`` to ``end``, in one walk through it."""
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
    """What a shelter wrote on PetHarbor, without the facts before it.

    Where the animal was picked up is nobody's business, and the rest stands in columns.
    """
    return clean_prose(PETHARBOR_FEE.sub("", PETHARBOR_LABELS.sub("", text, count=1), count=1))
