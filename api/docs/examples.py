"""Examples of the reference: the files of ``templates/docs/examples``, with this service's addresses."""

from typing import Any, NamedTuple

from flask import Flask
from jinja2 import TemplateNotFound
from markupsafe import Markup

# Pygments has no types.
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

LANGUAGES = {
    ".sh": "bash",
    ".py": "python",
    ".mjs": "javascript",
    ".php": "php",
    ".ts": "typescript",
    ".html": "html",
    ".json": "json",
    ".http": "http",
}
TAB_NAMES = {
    "bash": "Shell",
    "python": "Python",
    "javascript": "JavaScript",
    "php": "PHP",
    "typescript": "TypeScript",
}
REQUESTS = (".sh", ".py", ".mjs", ".php", ".ts", ".html")
RESPONSES = (".http", ".json", ".txt")


class Example(NamedTuple):
    """Code that readers can copy: a file of ``templates/docs/examples`` with this service's addresses."""

    name: str
    language: str
    html: Markup
    """The code as HTML with Pygments' CSS classes. The stylesheet sets the colours."""


def render_examples(app: Flask, name: str, values: dict[str, Any], endings: tuple[str, ...]) -> list[Example]:
    """Render the files of an example with ``values``, in the order of the file name ``endings``.

    An ending without a file is skipped.
    """
    found = []
    for ending in endings:
        try:
            text = app.jinja_env.get_template(f"docs/examples/{name}{ending}").render(values)
        except TemplateNotFound:
            continue
        language = LANGUAGES.get(ending, "text")
        html = highlight(text, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
        found.append(Example(name + ending, language, Markup(html.strip("\n"))))  # noqa: S704 - it escapes
    return found
