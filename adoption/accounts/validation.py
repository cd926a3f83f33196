"""Validation of names, email addresses and passwords. Each ValueError says how to fix the input."""

from adoption import validation
from adoption.accounts.password_hashes import PASSWORD_LONGEST, is_too_long, normalize_password
from adoption.links_in_names import has_web_address
from adoption.translations import gettext

NAME_LONGEST = 200
PASSWORD_SHORTEST = 10

COMMON_PASSWORDS = frozenset(
    (
        "0123456789",
        "1234567890",
        "12345678910",
        "123456789a",
        "1q2w3e4r5t",
        "1qaz2wsx3edc",
        "abcdefghij",
        "administrator",
        "adoptadopt",
        "animalrescue",
        "animalshelter",
        "changemenow",
        "dogsandcats",
        "homeward123",
        "iloveanimals",
        "ilovecats1",
        "iloveyou123",
        "letmein123",
        "letmeinnow",
        "password01",
        "password10",
        "password11",
        "password12",
        "password123",
        "password1234",
        "passw0rd123",
        "qwerty12345",
        "qwerty123456",
        "qwertyuiop",
        "sunshine123",
        "welcome123",
        "welcome2026",
    )
)
"""Passwords that are long enough, but are among the first that attackers try."""


def check_shelter_name(text: str) -> str:
    return check_display_name(text, gettext("Enter the name of your shelter or rescue"), gettext("the name"))


def check_person_name(text: str) -> str:
    return check_display_name(
        text, gettext("Enter your name, so that your colleagues know who you are"), gettext("your name")
    )


def check_display_name(text: str, missing: str, called: str) -> str:
    line = validation.validate_line(text, NAME_LONGEST, called)
    if not line:
        raise ValueError(missing)
    if has_web_address(line):
        raise ValueError(gettext("Remove the web address from %(field)s", field=called))
    return line


def check_email(text: str) -> str:
    """Return the address in lower case, which is the stored form."""
    return validation.validate_email_address(text).lower()


def check_password(text: str) -> str:
    """Return the password in Unicode NFC, because keyboards produce different forms (RFC 8265, 4.2)."""
    if is_too_long(text):
        raise ValueError(gettext("Use %(number)s characters at most", number=PASSWORD_LONGEST))
    password = normalize_password(text)
    if not password:
        raise ValueError(gettext("Choose a password"))
    if len(password) < PASSWORD_SHORTEST:
        raise ValueError(
            gettext(
                "Use %(number)s characters or more; three or four words make a good password",
                number=PASSWORD_SHORTEST,
            )
        )
    if len(password) > PASSWORD_LONGEST:
        raise ValueError(gettext("Use %(number)s characters at most", number=PASSWORD_LONGEST))
    if password.lower() in COMMON_PASSWORDS or len(set(password)) < 4:
        raise ValueError(gettext("Choose a less common password: attackers try this one first"))
    return password
