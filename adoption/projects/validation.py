"""Validation of a site's texts. Each ValueError says how to fix the text."""

import re
from collections.abc import Callable

from adoption import validation
from adoption.links_in_names import has_web_address
from adoption.projects.currencies import CURRENCIES

NAME_LONGEST = 200
ABOUT_LONGEST = 20_000
PLACE_LONGEST = 200
COLOUR = re.compile(r"#[0-9a-f]{6}")


def check_site_name(text: str) -> str:
    name = validation.validate_line(text, NAME_LONGEST, "the name")
    if not name:
        raise ValueError("Enter the name by which adopters know you")
    if has_web_address(name):
        raise ValueError("Remove the web address from the name. You can write it in the text about you")
    return name


def check_about(text: str) -> str:
    return validation.validate_lines(text, ABOUT_LONGEST, "the text")


def check_place(text: str) -> str:
    return validation.validate_line(text, PLACE_LONGEST, "the place")


def check_contact_email(text: str) -> str:
    """Return the address. The address may be empty, because a draft needs no address yet."""
    return validation.validate_email_address(text) if text.strip() else ""


def check_colour(text: str) -> str:
    """Return a colour such as ``#1d5c4b``; empty for the default."""
    colour = text.strip().lower()
    colour = f"#{colour}" if re.fullmatch("[0-9a-f]{6}", colour) else colour
    if colour and not COLOUR.fullmatch(colour):
        raise ValueError("Enter a colour such as #1d5c4b, or leave it empty for the default")
    return colour


def check_currency(text: str) -> str:
    if text not in CURRENCIES:
        raise ValueError("Choose the currency of your adoption fees")
    return text


CHECKS: dict[str, Callable[[str], str]] = {
    "name": check_site_name,
    "about": check_about,
    "place": check_place,
    "contact_email": check_contact_email,
    "contact_phone": validation.validate_phone,
    "colour": check_colour,
    "currency": check_currency,
}
"""The checks of a site's texts, by column name."""
