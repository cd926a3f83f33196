"""The text of a letter: paragraphs with an empty line between. ``messages`` breaks them into lines."""


def join_paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def join_lines(*told: str) -> str:
    return "\n".join(told)


def quote_lines(text: str) -> str:
    return "\n".join(f"> {line}".rstrip(" ") for line in text.split("\n"))
