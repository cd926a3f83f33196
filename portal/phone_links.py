"""Phone numbers for ``tel:`` links (RFC 3966)."""

import re

PHONE = re.compile(r"[+(]?[0-9][0-9 ()./-]{4,}")


def tel_number(phone: str) -> str:
    """Return a phone number for a ``tel:`` link.

    The result is an empty text if the text is not one phone number.
    """
    return re.sub("[^+0-9]", "", phone) if PHONE.fullmatch(phone.strip()) else ""
