"""Layout of email texts in paragraphs. ``mime`` breaks the paragraphs into lines."""

Email = tuple[str, str]
"""The subject and the text of an email."""


def join_paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def join_lines(*given: str) -> str:
    return "\n".join(given)


def quote_lines(text: str) -> str:
    return "\n".join(f"> {line}".rstrip(" ") for line in text.split("\n"))
