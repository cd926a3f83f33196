"""What shelters write, as pages show it. Texts without stored HTML are rendered here, within bounds."""

from functools import lru_cache

from markupsafe import Markup

from adoption.markdown import LONGEST, READ_FOR_BEGINNING, beginning_of, cut, render_prose, stored

TEXTS_KEPT = 100
"""Shelters' own texts, and those of animals that were last saved before their HTML was stored."""


def html_of_markdown(text: str, column: str | None = None) -> Markup:
    """Return the HTML of a text. ``column`` is what was stored of it."""
    html = stored(text, column)
    return Markup(html if html is not None else render_bounded(text[:LONGEST]))  # noqa: S704 - cleaned when it was rendered


@lru_cache(maxsize=TEXTS_KEPT)
def render_bounded(text: str) -> str:
    return render_prose(text)


def first_words(text: str, longest: int, column: str | None = None) -> str:
    """Return the first words of a text in one line, at most ``longest`` characters."""
    line = stored(text, column)
    return cut(line, longest) if line is not None else beginning(text[:READ_FOR_BEGINNING], longest)


@lru_cache(maxsize=TEXTS_KEPT)
def beginning(text: str, longest: int) -> str:
    return beginning_of(text, longest)
