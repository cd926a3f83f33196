"""Template functions for the Markdown that shelters write."""

from markupsafe import Markup

from adoption.markdown import html_of_text


def html_of_markdown(text: str, column: str | None = None) -> Markup:
    """Return the HTML of a text. ``column`` is the stored HTML of the text, with its fingerprint."""
    return Markup(html_of_text(text, column))  # noqa: S704 - cleaned when it was rendered
