"""Markdown of the specification document, as HTML."""

import re

from markupsafe import Markup, escape


def prose(text: str) -> Markup:
    """The document's Markdown, of which it uses `code` and nothing else."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before
