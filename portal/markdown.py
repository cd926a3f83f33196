"""HTML and first words of the Markdown that shelters write.

Most texts have stored HTML. Other texts are rendered and shortened here.
"""

from functools import lru_cache

from markupsafe import Markup

from adoption.markdown import (
    LONGEST,
    READ_FOR_BEGINNING,
    beginning_of,
    cut_after_word,
    render_prose,
    stored_rendering,
)

TEXTS_KEPT = 100
"""The number of cached texts.

They are texts about shelters, and texts of animals that were last saved before HTML was stored.
"""
cached_html = lru_cache(TEXTS_KEPT)(render_prose)
cached_beginning = lru_cache(TEXTS_KEPT)(beginning_of)


def html_of_markdown(text: str, column: str | None = None) -> Markup:
    """Return the HTML of a text. ``column`` is the HTML that is stored for it."""
    html = stored_rendering(text, column)
    return Markup(html if html is not None else cached_html(text[:LONGEST]))  # noqa: S704 - cleaned when it was rendered


def first_words(text: str, longest: int, column: str | None = None) -> str:
    """Return the start of a text in one line, at most ``longest`` characters."""
    line = stored_rendering(text, column)
    return (
        cut_after_word(line, longest)
        if line is not None
        else cached_beginning(text[:READ_FOR_BEGINNING], longest)
    )
