"""HTML pages, parsed."""

import json
import re
from html.parser import HTMLParser
from typing import Any

from flask.testing import FlaskClient


class ParsedPage(HTMLParser):
    """The elements of a page, its text, and its JSON-LD."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = self.script = ""
        self.within_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        self.within_script = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self.within_script = False

    def handle_data(self, text: str) -> None:
        if self.within_script:
            self.script += text
        else:
            self.words += text

    @property
    def text(self) -> str:
        return " ".join(self.words.split())

    def all(self, tag: str, **having: str) -> list[dict[str, str | None]]:
        wanted = {name.strip("_"): value for name, value in having.items()}.items()
        return [given for name, given in self.elements if name == tag and wanted <= given.items()]

    def meta(self, name: str) -> str | None:
        found = [*self.all("meta", name=name), *self.all("meta", property=name)]
        return found[0]["content"] if found else None

    @property
    def data(self) -> dict[str, Any]:
        """The parts of the JSON-LD graph, by schema.org type."""
        return {part["@type"]: part for part in json.loads(self.script)["@graph"]}


def open_animal_page(client: FlaskClient, animal_id: int, query: str = "", status: int = 200) -> ParsedPage:
    answer = client.get(f"/animals/{animal_id}{query}", follow_redirects=True)
    assert answer.status_code == status
    return ParsedPage(answer.text)


def without_times(html: str) -> str:
    """Return the page with the text of ``<time>`` elements but without their tags."""
    return re.sub("</?time[^>]*>", "", html)


def names_on_cards(page: str) -> list[str]:
    """Return the names of the animals on a page of the catalogue, without the similar animals below."""
    cards = page.partition('id="similar"')[0]
    return re.findall(r'<h3 class="animal-card-name" dir="auto"><a [^>]*>(.*?)</a></h3>', cards)
