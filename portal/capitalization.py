"""Capital letters at the start of a text."""


def capitalise(words: str) -> str:
    """Return the text with a capital first letter.

    The rest does not change, unlike with ``str.capitalize``.
    """
    return words[:1].upper() + words[1:]
