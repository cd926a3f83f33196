"""The API reference, parsed from the served HTML: examples, headings, links and assets."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

ASSETS = {"script": "src", "link": "href", "img": "src", "use": "href"}
HEADING = re.compile(r"h[1-6]")


@dataclass
class DocsPage(HTMLParser):
    html: str
    examples: dict[str, str] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    assets: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    words: str = ""
    example: str | None = None

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        if tag in ASSETS and given.get(ASSETS[tag]):
            self.assets.append(str(given[ASSETS[tag]]))
        if HEADING.fullmatch(tag):
            self.levels.append(int(tag[1]))
        if "data-example" in given:
            self.example = str(given["data-example"])
            self.examples[self.example] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self.example = None

    def handle_data(self, data: str) -> None:
        self.words += data
        if self.example is not None:
            self.examples[self.example] += data
