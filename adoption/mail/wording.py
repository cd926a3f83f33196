"""How the text of a letter is set: parts with a line between, each as wide as a mail's lines."""

import textwrap

WIDTH = 72


def letter(*parts: str) -> str:
    return "\n\n".join(part if "\n" in part else wrapped(part) for part in parts if part) + "\n"


def lines(*told: str) -> str:
    return "\n".join(told)


def wrapped(text: str) -> str:
    """Each line of the text in lines of a mail's width; words, and so links, stay whole."""
    return "\n".join(
        textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
