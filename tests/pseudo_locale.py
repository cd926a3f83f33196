"""A language for tests: English in wide letters. A text in ordinary letters was not translated."""

import re
import string
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

from babel.dates import get_day_names, get_month_names
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from adoption.accounts.plans import PLANS
from adoption.projects.currencies import CURRENCIES

LOCALE = "eo"
"""The test language is called Esperanto, because Babel accepts only languages that it knows."""
WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in string.ascii_letters}
KEPT = re.compile(r"%\(\w+\)[sd]|<[^>]*>|&\w+;|\{\w*\}")
"""Placeholders, tags and entities. They stay the same in each language."""

SHOWN_ATTRIBUTES = {"alt", "title", "aria-label", "placeholder", "data-label", "data-announce"}
NOT_SHOWN = {"script", "style", "code", "template"}
VOID = {"input", "img", "meta", "link", "br"}
NAMES = {
    *CURRENCIES,
    *map(str.capitalize, PLANS),
    "Homeward",
    "WhatsApp",
    "UTC",
    "JPEG",
    "PNG",
    "CSV",
    "Excel",
    "Atom",
    "DNS",
    "ALIAS",
    "CNAME",
    "API",
    "HTML",
}
NOT_WORDS = re.compile(r"\{\w+\}|\S+@\S+|https?:\S+|[\w-]+(\.[\w-]+)+")
"""Addresses, and placeholders of scripts. They are not translated."""


def wide(text: str) -> str:
    """Return a text in wide letters. Placeholders, tags and entities stay the same."""
    found, end = [], 0
    for kept in KEPT.finditer(text):
        found += [text[end : kept.start()].translate(WIDE), kept[0]]
        end = kept.end()
    return "".join([*found, text[end:].translate(WIDE)])


def write_catalogue(root: Path, folder: Path) -> Catalog:
    """Write translations of all messages of the product to a folder, in the layout of gettext."""
    template = folder / "messages.pot"
    pybabel = [Path(sys.executable).with_name("pybabel"), "-q", "extract", "-F", "pyproject.toml"]
    subprocess.run([*pybabel, "-k", "message", "-o", template, "."], cwd=root, check=True)
    with template.open("rb") as file:
        catalog = read_po(file, locale=LOCALE)
    for message in catalog:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        if message.id:
            message.string = tuple(map(wide, texts)) if len(texts) > 1 else wide(texts[0])
    target = folder / LOCALE / "LC_MESSAGES"
    target.mkdir(parents=True)
    with (target / "messages.mo").open("wb") as file:
        write_mo(file, catalog)
    return catalog


def is_shown(attribute: str) -> bool:
    """Return whether people see or hear the value of an attribute.

    Scripts show the values of ``data-text-…``.
    """
    return attribute in SHOWN_ATTRIBUTES or attribute.startswith("data-text-")


class Texts(HTMLParser):
    """The texts of a page that people read, or that a screen reader reads aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.hidden: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.found += [text for name, text in attributes if text and is_shown(name)]
        if tag == "meta" and values.get("name") == "description":
            self.found.append(values["content"] or "")
        if tag in NOT_SHOWN or (values.get("translate") == "no" and tag not in VOID):
            self.hidden.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.hidden and self.hidden[-1] == tag:
            self.hidden.pop()

    def handle_data(self, text: str) -> None:
        if not self.hidden and text.strip():
            self.found.append(text)


def ordinary_words(text: str) -> list[str]:
    """Return the words of a text that are in ordinary letters.

    Ordinary letters are allowed in names, addresses and dates.
    """
    allowed = NAMES | {*get_month_names(locale=LOCALE).values(), *get_day_names(locale=LOCALE).values()}
    words = re.findall(r"[A-Za-z]{2,}", NOT_WORDS.sub(" ", text))
    return [word for word in words if word not in allowed]


def untranslated(page: str) -> list[str]:
    """Return the texts of a page that were not translated."""
    texts = Texts()
    texts.feed(page)
    return [text.strip() for text in texts.found if ordinary_words(text)]
