"""The parser of the domain field. It returns the host in a pasted text, or an error that says what to enter.

Unicode and punycode are treated alike: IDNA 2008 (RFC 5891) applies, after the mapping of UTS 46.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Collection

import idna

from adoption.domains.hostnames import display_host, registrable
from adoption.domains.public_suffixes import ending_problem
from adoption.translations import gettext, message
from adoption.unicode_normalization import normal_form

PASTED_LONGEST = 2_000
LABEL_LONGEST, NAME_LONGEST = 63, 253
"""The maximum characters of a label and of a name in punycode (RFC 1035, 2.3.4), without the root's dot."""

SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
AFTER_HOST = re.compile(r"[/?#\\]")
PORT = re.compile(r":[0-9]*$")
DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))
"""The other characters that UTS 46 treats as a full stop."""

NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""The format of a last label that makes browsers read a host as an IPv4 address (WHATWG URL, 3.5)."""

EMPTY = message("Enter a domain of yours, such as adopt.example.org.")
TOO_LONG = message("That is too long to be a domain. Enter the domain alone, such as adopt.example.org.")
BLANK = message("Enter one domain, without spaces, such as adopt.example.org.")
ADDRESS = message("That is an IP address. Enter a name, such as adopt.example.org.")
EMAIL = message(
    "That is an email address. Enter a domain: the part after the @, or a name such as adopt.example.org."
)
ONE_LABEL = message("The dot is missing. Enter a domain such as adopt.example.org.")
WILDCARD = message(
    "Names with * (wildcards) cannot be added. Add each name on its own, such as adopt.example.org."
)
UNDERSCORE = message(
    "A web address cannot have an underscore. A hyphen can take its place, as in my-shelter.example.org."
)
EMOJI = message(
    "Emoji do not work in every browser and mail program. Enter a domain of letters, digits and hyphens."
)
PUNYCODE = message(
    "The part that begins with xn-- is damaged. Copy the domain again, or type it in "
    "its readable form, such as bücher.example."
)
HYPHEN = message(
    "A part between two dots cannot begin or end with a hyphen, or have hyphens as its third and fourth "
    "characters."
)
LETTERS = message("A domain can have only letters, digits, hyphens and dots. Remove the other characters.")
NO_LABEL = message(
    "There are two dots in a row, or one at the start. Enter a domain such as adopt.example.org."
)
LABEL_TOO_LONG = message("A part between two dots is too long: it can have at most %(number)s characters.")
NAME_TOO_LONG = message("The domain is too long: it can have at most %(number)s characters, with the dots.")
SUFFIX = message(
    "%(ending)s is an ending that many domains share. Enter your own domain, such as shelter.%(ending)s."
)
OURS = message(
    "%(domain)s belongs to this service. Enter a domain that you own. You keep your address here too."
)


class NameRefused(ValueError):
    """The pasted text contains no host that can be added.

    The message gives the reason and a correct example.
    """


def host_in(pasted: str, ours: Collection[str] = ()) -> str:
    """Return the host in a pasted text: in lower case, in punycode, without the last dot.

    To add the host as a domain, pass the platform's own hosts as ``ours``. Then the platform's own hosts, all
    hosts below them, and hosts that cannot get a certificate are rejected. Raises NameRefused if there is no
    valid host.
    """
    if len(pasted) > PASTED_LONGEST:
        raise NameRefused(gettext(TOO_LONG))
    host = strip_to_host(normal_form("NFKC", pasted).translate(DOTS).strip())
    refuse_by_sight(host)
    found = in_dns(host)
    refuse_number(found)
    if "." not in found:
        raise NameRefused(gettext(ONE_LABEL))
    for own in ours:
        if found == own or found.endswith(f".{own}"):
            raise NameRefused(gettext(OURS, domain=display_host(found)))
    if ours and (problem := ending_problem(found, ours)):
        raise NameRefused(problem)
    if registrable(found) is None:
        raise NameRefused(gettext(SUFFIX, ending=display_host(found)))
    return found


def strip_to_host(text: str) -> str:
    """Return the text without scheme, path, query, fragment, port and last dot."""
    text = text.strip("<>\"'")
    schemed = SCHEME.match(text)
    host = AFTER_HOST.split(text[schemed.end() :] if schemed else text, maxsplit=1)[0].strip()
    if "@" in host and not schemed:
        raise NameRefused(gettext(EMAIL))
    host = host.rpartition("@")[2]
    refuse_address(host)
    host = PORT.sub("", host).strip()
    refuse_address(host)
    return host.removesuffix(".")


def refuse_address(host: str) -> None:
    if host.startswith("["):
        raise NameRefused(gettext(ADDRESS))
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return
    raise NameRefused(gettext(ADDRESS))


def refuse_number(host: str) -> None:
    if NUMBER.fullmatch(host.rpartition(".")[2]):
        raise NameRefused(gettext(ADDRESS))


def refuse_by_sight(host: str) -> None:
    if not host:
        raise NameRefused(gettext(EMPTY))
    for refused, sentence in ((any(map(str.isspace, host)), BLANK), ("*" in host, WILDCARD)):
        if refused:
            raise NameRefused(gettext(sentence))
    if "_" in host:
        raise NameRefused(gettext(UNDERSCORE))
    if any(map(is_emoji, host)):
        raise NameRefused(gettext(EMOJI))


def is_emoji(letter: str) -> bool:
    pictured = letter > "\x7f" and unicodedata.category(letter) in ("So", "Sk")
    # Zero-width joiners are allowed, because some scripts need them in words (RFC 5892, A.2).
    return pictured or letter in "\ufe0f\u20e3"


def in_dns(host: str) -> str:
    """Return the host in punycode. Raises NameRefused with the first invalid label."""
    if host.isascii() and any(len(label) > LABEL_LONGEST for label in host.split(".")):
        raise NameRefused(gettext(LABEL_TOO_LONG, number=LABEL_LONGEST))
    try:
        mapped = idna.uts46_remap(host, std3_rules=True, transitional=False)
    except (idna.IDNAError, UnicodeError, IndexError) as error:
        raise NameRefused(gettext(LETTERS)) from error
    labels = [label_in_dns(label) for label in mapped.removesuffix(".").split(".")]
    found = ".".join(labels)
    if len(found) > NAME_LONGEST:
        raise NameRefused(gettext(NAME_TOO_LONG, number=NAME_LONGEST))
    try:
        # Check the whole name too: the rule for right-to-left scripts covers all labels (RFC 5893).
        if idna.encode(idna.decode(found), uts46=True, std3_rules=True).decode() != found:
            raise NameRefused(gettext(PUNYCODE))
    except (idna.IDNAError, UnicodeError, IndexError) as error:
        raise NameRefused(gettext(LETTERS)) from error
    return found


def label_in_dns(label: str) -> str:
    if not label:
        raise NameRefused(gettext(NO_LABEL))
    if label.startswith("xn--"):
        return checked_punycode(label)
    if label[0] == "-" or label[-1] == "-" or label[2:4] == "--":
        raise NameRefused(gettext(HYPHEN))
    try:
        return idna.alabel(label).decode()
    except (idna.IDNAError, UnicodeError, IndexError) as error:
        sentence = LABEL_TOO_LONG if "too long" in str(error) else LETTERS
        raise NameRefused(gettext(sentence, number=LABEL_LONGEST)) from error


def checked_punycode(label: str) -> str:
    try:
        letters = label[4:].encode("ascii").decode("punycode")
        if any(map(is_emoji, letters)):
            raise NameRefused(gettext(EMOJI))
        if idna.alabel(idna.ulabel(label)).decode() == label and not letters.isascii():
            return label
    except (idna.IDNAError, UnicodeError, IndexError, OverflowError) as error:
        raise NameRefused(gettext(PUNYCODE)) from error
    raise NameRefused(gettext(PUNYCODE))
