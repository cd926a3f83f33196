"""What each answer in an application may hold. A ValueError tells what is wrong, and the mend."""

import re
import unicodedata
from typing import NamedTuple

NAME_LONGEST = 200
EMAIL_LONGEST = 254
PHONE_LONGEST = 50
WHY_LONGEST = 5_000

HOMES = ("own", "rent")
COMPANY = ("young", "older", "cats", "dogs")
"""Who may live with the applicant: children under 8, children of 8 and over, cats, dogs."""

DIGITS_LEAST = 4


class Answers(NamedTuple):
    """An application as it was filled in; its values have passed the functions below."""

    name: str
    email: str
    phone: str
    home: str
    household: tuple[str, ...]
    why: str


def applicant(text: str) -> str:
    name = one_line(text)
    if not name:
        raise ValueError("Enter your name, so that the shelter knows who is writing")
    if len(name) > NAME_LONGEST:
        raise ValueError(f"Shorten your name to {NAME_LONGEST} letters; it has {len(name):,}")
    return refusing_controls(name, "your name")


def email(text: str) -> str:
    """An address with its host in small letters and, where it is international, as the network has it."""
    # It brings tables along that only those need who read an address.
    from email_validator import EmailNotValidError, validate_email

    given = text.strip()
    if not given:
        raise ValueError("Enter your email address, so that the shelter can answer")
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


def home(text: str) -> str:
    if text not in HOMES:
        raise ValueError("Choose whether you own or rent your home")
    return text


def why(text: str, animal: str) -> str:
    words = unicodedata.normalize("NFC", re.sub(r"\r\n?", "\n", text)).strip()
    if not words:
        raise ValueError(f"Tell us why you would like to adopt {animal}")
    if len(words) > WHY_LONGEST:
        raise ValueError(f"Shorten this to {WHY_LONGEST:,} characters; it has {len(words):,}")
    return refusing_controls(words, "your answer")


def one_line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def refusing_controls(text: str, what: str) -> str:
    """Raises ValueError for what is no text: a database may not keep it, and no page can show it."""
    if any(unicodedata.category(each) in ("Cc", "Cs") and each not in "\n\t" for each in text):
        raise ValueError(f"Type {what} again; it holds a character that cannot be shown")
    return text
