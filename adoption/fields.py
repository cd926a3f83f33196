"""What people type, whatever it is of: lines, texts, addresses. A ValueError tells what to mend."""

import re
import unicodedata

EMAIL_LONGEST = 254
PHONE_LONGEST = 50
DIGITS_LEAST = 4


def line(text: str, longest: int, what: str) -> str:
    """One line, or empty where nothing is written."""
    return refusing_controls(no_longer_than(longest, one_line(text), what), what)


def lines(text: str, longest: int, what: str) -> str:
    """Text of several lines, empty where nothing is written."""
    return refusing_controls(no_longer_than(longest, several_lines(text), what), what)


def one_line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def several_lines(text: str) -> str:
    return unicodedata.normalize("NFC", re.sub(r"\r\n?", "\n", text)).strip()


def no_longer_than(longest: int, text: str, what: str) -> str:
    if len(text) > longest:
        raise ValueError(f"Shorten {what} to {longest:,} characters; it has {len(text):,}")
    return text


def refusing_controls(text: str, what: str) -> str:
    """Raises ValueError for what is no text: a database may not keep it, and no page can show it."""
    if any(unicodedata.category(each) in ("Cc", "Cs") and each not in "\n\t" for each in text):
        raise ValueError(f"Type {what} again; it holds a character that cannot be shown")
    return text


def email(text: str) -> str:
    """An address with its host in small letters and, where it is international, as the network has it."""
    # It brings tables along that only those need who read an address.
    from email_validator import EmailNotValidError, validate_email

    given = text.strip()
    if not given:
        raise ValueError("Enter an email address, such as sam@example.org")
    if "@" not in given:
        raise ValueError("Enter an email address with an @, such as sam@example.org")
    if not given.rpartition("@")[0].isascii():
        raise ValueError("Use an address with plain letters before the @; we cannot write to others")
    try:
        found = validate_email(given, allow_smtputf8=False, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError("Check the email address; it should look like sam@example.org") from error
    address = found.ascii_email or ""
    # Mail programs take what follows for an encoded word, which may hold a line break.
    if "=?" in address or len(address) > EMAIL_LONGEST:
        raise ValueError("Check the email address; it should look like sam@example.org")
    return address


def phone(text: str) -> str:
    """A number as it was written; empty where none was."""
    number = one_line(text)
    if len(number) > PHONE_LONGEST:
        raise ValueError(f"Shorten the phone number to {PHONE_LONGEST} characters, or leave it empty")
    if number and sum(letter.isdigit() for letter in number) < DIGITS_LEAST:
        raise ValueError("Enter a phone number such as 01632 960 144, or leave it empty")
    return refusing_controls(number, "the phone number")
