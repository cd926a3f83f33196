"""Validation of typed lines, texts, email addresses and phone numbers. A ValueError says how to fix the
value."""

import re
from urllib.parse import urlsplit

from adoption.translations import gettext
from adoption.unicode_characters import EMBEDDING, VISIBLE
from adoption.unicode_normalization import normal_form

EMAIL_LONGEST = 254
PHONE_LONGEST = 50
DIGITS_LEAST = 4
WEB_ADDRESS_LONGEST = 500
UNSAFE_IN_URLS = re.compile(r'[\s"<>\\^`{|}]')
"""Characters that are not allowed in a URL (RFC 3986), and blanks."""

ROOM = 4
"""A text may be longer than its limit by this factor before normalisation, because normalisation can shorten
the text."""


def validate_line(text: str, longest: int, what: str) -> str:
    """Return one line of text; empty if no character is visible.

    Invisible characters that change the direction of the following words are removed. Raises ValueError if
    the line is too long or has control characters.
    """
    plain = one_line(EMBEDDING.sub("", strip_bounded(longest, text, what)))
    cleaned = refuse_controls(require_length(longest, plain, what), what)
    return cleaned if VISIBLE.search(cleaned) else ""


def validate_lines(text: str, longest: int, what: str) -> str:
    """Return a text of several lines as it is stored.

    Raises ValueError if the text is too long or has control characters.
    """
    plain = several_lines(strip_bounded(longest, text, what))
    return refuse_controls(require_length(longest, plain, what), what)


def one_line(text: str) -> str:
    return " ".join(normal_form("NFC", text).split())


LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""The pattern of line breaks other than the line feed, such as Word's U+000B."""


def several_lines(text: str) -> str:
    return with_plain_breaks(text).strip()


def with_plain_breaks(text: str) -> str:
    return normal_form("NFC", LINE_BREAKS.sub("\n", text))


def strip_bounded(longest: int, text: str, what: str) -> str:
    """Return the text without surrounding blanks. Raises ValueError if the text is far too long to
    process."""
    trimmed = text.strip()
    require_length(longest, trimmed if len(trimmed) > ROOM * longest else "", what)
    return trimmed


def require_length(longest: int, text: str, what: str) -> str:
    if len(text) > longest:
        raise ValueError(
            gettext(
                "Shorten %(name)s to %(longest)s characters; it has %(length)s",
                name=what,
                longest=f"{longest:,}",
                length=f"{len(text):,}",
            )
        )
    return text


CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters of Unicode's categories Cc and Cs, except line feeds and tabs."""


def refuse_controls(text: str, what: str) -> str:
    """Return the text. Raises ValueError, with the position, if a character cannot be shown."""
    if found := CONTROL.search(text):
        raise ValueError(control_character_error(text, found.start(), what))
    return text


BEFORE = 20
"""The number of characters quoted before an invalid character."""


def control_character_error(text: str, place: int, what: str) -> str:
    named = f"{what[:1].upper()}{what[1:]}"
    before = " ".join(text[max(0, place - BEFORE) : place].split())
    if not before:
        return gettext(
            "%(name)s begins with a character that we cannot save. Delete the character", name=named
        )
    return gettext(
        "%(name)s contains a character that we cannot save, after “%(before)s”. Delete the character",
        name=named,
        before=before,
    )


def validate_email_address(text: str) -> str:
    """Return an email address with its host in lower case. An international host is in its ASCII form."""
    # Imported here because of its large tables.
    from email_validator import EmailNotValidError, validate_email

    given = text.strip()
    if not given:
        raise ValueError(gettext("Enter an email address, such as sam@example.org"))
    if len(given) > ROOM * EMAIL_LONGEST:
        raise ValueError(gettext("Check the email address; it should look like sam@example.org"))
    if "@" not in given:
        raise ValueError(gettext("Enter an email address with an @, such as sam@example.org"))
    if not given.rpartition("@")[0].isascii():
        raise ValueError(
            gettext("Use an email address without accents or other special letters before the @")
        )
    try:
        found = validate_email(given, allow_smtputf8=False, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError(gettext("Check the email address; it should look like sam@example.org")) from error
    address = found.ascii_email or ""
    # Mail programs decode what follows as an encoded word, which may contain a line break.
    if "=?" in address or len(address) > EMAIL_LONGEST:
        raise ValueError(gettext("Check the email address; it should look like sam@example.org"))
    return address


def validate_phone(text: str) -> str:
    """Return a phone number as it was typed; empty if none was typed."""
    written = text.strip()
    number = one_line(written) if len(written) <= ROOM * PHONE_LONGEST else written
    if len(number) > PHONE_LONGEST:
        raise ValueError(
            gettext(
                "Shorten the phone number to %(longest)s characters, or leave it empty", longest=PHONE_LONGEST
            )
        )
    if number and sum(letter.isdigit() for letter in number) < DIGITS_LEAST:
        raise ValueError(gettext("Enter a phone number such as 01632 960 144, or leave it empty"))
    return refuse_controls(number, "the phone number")


def validate_web_address(text: str) -> str:
    """Return a web address, with ``https://`` if no scheme was typed; empty if nothing was typed."""
    written = strip_bounded(WEB_ADDRESS_LONGEST, text, gettext("the web address"))
    if not written:
        return ""
    address = written if "://" in written else f"https://{written}"
    if not is_web_address(address):
        raise ValueError(gettext("Enter a web address such as https://www.example.org, or leave it empty"))
    return require_length(WEB_ADDRESS_LONGEST, address, gettext("the web address"))


def is_web_address(address: str) -> bool:
    """Return whether this is an http or https URL that contains a domain name and no user name."""
    if UNSAFE_IN_URLS.search(address) or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises ValueError for an invalid port
    except ValueError:
        return False
    host = parts.hostname or ""
    return parts.scheme in ("http", "https") and "@" not in parts.netloc and "." in host.strip(".")
