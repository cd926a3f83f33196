"""Detection of web addresses in names of animals, shelters and people, and in phone numbers.

Emails to strangers contain names, so names must not contain links. Mail programs make a link of any text that
looks like a host. So a name must not contain any ending below which domains can be registered.
"""

import re

from adoption.public_suffix_list import icann_suffixes
from adoption.unicode_normalization import normal_form

LINK = re.compile(r"https?:|ftp:|www\.|<a\b|\[(url|link)\b", re.IGNORECASE)
FULL_STOPS = re.compile(r"[\u3002\uff61\uff0e]")
"""Characters that browsers read as the dots of a host (Unicode Technical Standard 46)."""
SCHEME = re.compile(r"\w://|^//")
ENDING = re.compile(r"(?<=[\w-])\.([\w-]{2,63})(?![\w-])")
"""The pattern of a possible last label of a host."""
NUMBERS = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}[/:]")
"""The pattern of an IPv4 address with a path or a port. Without a path or a port, the digits may be a phone
number."""
TITLES = re.compile(r"(?:^|[^\w.-])(?:mr|mrs|ms|dr|st|ste|sgt|capt|prof)$", re.IGNORECASE)
TITLE_LONGEST = 5
"""The maximum characters of a title, such as "prof", with the character before the title."""


def has_web_address(name: str) -> bool:
    """Return whether there is a web address in a name or a phone number."""
    if name.isascii() and not any(sign in name for sign in "./:[<"):
        return False
    plain = FULL_STOPS.sub(".", normal_form("NFKC", name))
    if LINK.search(plain) or SCHEME.search(plain) or NUMBERS.search(plain):
        return True
    return any(is_ending(found[1]) and not is_titled(found) for found in ENDING.finditer(plain))


def is_titled(ending: re.Match[str]) -> bool:
    """Return whether the match is the dot between a title and a name, as in "Dr.Dog".

    Such a text could also be a host.
    """
    text, start, end = ending.string, *ending.span()
    return text[end : end + 1] not in (".", "/") and bool(
        TITLES.search(text[max(0, start - TITLE_LONGEST) : start])
    )


def without_web_addresses(name: str) -> str:
    """Return a name without the words that are web addresses. If a web address remains, return an empty
    text."""
    left = " ".join(word for word in name.split() if not has_web_address(word))
    return "" if has_web_address(left) else left


def is_ending(label: str) -> bool:
    """Return whether domains can be registered below this label."""
    return icann_suffixes().publicsuffix(label) is not None
