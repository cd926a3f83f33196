"""What shelters write, in Markdown: as HTML that can do no harm, and as plain words."""

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

TEXTS_KEPT = 500
LONGEST = 20_000
"""Letters that are shown of a text."""
MARKS, MARKS_MOST = "[*_`", 600
"""A text with more of these is no prose, and stands as it is: parsing takes the square of their number."""

TAGS = {"p", "br", "hr", "strong", "em", "s", "code", "pre", "a", "ul", "ol", "li", "blockquote"}
TAGS |= {"h3", "h4", "h5", "h6"}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto", "tel"}
LINK_REL = "nofollow noopener"
FIRST_HEADING, LAST_HEADING = 3, 6
"""A description stands below a heading of the page's own, which is an ``h2``."""

# A line that ends stays one: people who write in a form need not know of Markdown.
markdown = MarkdownIt("js-default", {"breaks": True}).disable("table")
# A picture from elsewhere tells its owner who looks at the page; its words stay.
markdown.add_render_rule("image", lambda _self, tokens, place, *_rest: nh3.clean_text(tokens[place].content))
lines = MarkdownIt("zero", {"breaks": True}).enable("newline")


@lru_cache(maxsize=TEXTS_KEPT)
def prose(text: str) -> Markup:
    """The HTML of a text: no HTML of its writer's, no picture, no script, and headings from ``h3`` on."""
    tokens = parsed(text)
    demote(tokens)
    rendered: str = markdown.renderer.render(tokens, markdown.options, {})
    clean = nh3.clean(rendered, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=LINK_REL)
    return Markup(clean)  # noqa: S704 - nh3 has just cleaned it


def parsed(text: str) -> list[Token]:
    text = text[:LONGEST]
    return (markdown if sum(map(text.count, MARKS)) <= MARKS_MOST else lines).parse(text)


def demote(tokens: list[Token]) -> None:
    """Make the highest heading in use an ``h3`` and the next ``h4``, so that no level is left out."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    ranks = sorted({token.tag for token in headings})
    for heading in headings:
        heading.tag = f"h{min(FIRST_HEADING + ranks.index(heading.tag), LAST_HEADING)}"


@lru_cache(maxsize=TEXTS_KEPT)
def plain(text: str, longest: int) -> str:
    """The words of a text in one line, cut behind a word where there are more than ``longest`` letters."""
    inline = [token for token in parsed(text) if token.type == "inline"]
    line = " ".join(" ".join(said(token) for token in inline).split())
    if len(line) <= longest:
        return line
    head = line[: longest - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head).rstrip(",;:. ") + "…"


def said(token: Token) -> str:
    return "".join(child.content or " " * ("break" in child.type) for child in token.children or ())
