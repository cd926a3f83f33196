"""Markdown of the specification document, as HTML."""

import re

from markupsafe import Markup, escape


def code_to_html(text: str) -> Markup:
    """Return Markdown as HTML. The document uses only `code`."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before
