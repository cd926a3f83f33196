"""Web addresses in texts that are names: of animals, shelters, people and their phone numbers.

Names are part of emails to people who have never heard of the shelter, so none may lead anywhere.
"""

import re

LINK = re.compile(r"https?:|ftp:|www\.|<a\b|\[(url|link)\b", re.IGNORECASE)
"""In any text."""
HOST = re.compile(
    r"(?<![a-z0-9-])[a-z0-9-]{2,63}\.(com|net|org|info|biz|ru|cn|top|xyz|shop|online|site|click|co|io|app|dev|link|uk|eu)\b",
    re.IGNORECASE,
)
"""In a name or a phone number, where people write no address of a page."""


def has_web_address(name: str) -> bool:
    return bool(LINK.search(name) or HOST.search(name))


def without_web_addresses(name: str) -> str:
    """Return a name without the words that are web addresses, or an empty text if one is left."""
    left = " ".join(word for word in name.split() if not has_web_address(word))
    return "" if has_web_address(left) else left
