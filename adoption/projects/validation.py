"""Validation of a site's texts. Each ValueError says how to fix the text."""

import re
from collections.abc import Callable
from typing import Any

from adoption import validation
from adoption.links_in_names import has_web_address
from adoption.projects.countries_and_languages import country_names, language_names
from adoption.projects.currencies import CURRENCIES
from adoption.translations import gettext

NAME_LONGEST = 200
ABOUT_LONGEST = 20_000
POLICY_LONGEST = 5_000
PLACE_LONGEST = 200
STREET_LONGEST = 200
CITY_LONGEST = REGION_LONGEST = 100
POSTCODE = re.compile("[0-9A-Z]+(?:[ -][0-9A-Z]+)*")
POSTCODE_LONGEST = 20
PETFINDER_ID = re.compile("[A-Z]{2}[0-9]{1,5}")
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


def check_adoption_policy(text: str) -> str:
    return validation.validate_lines(text, POLICY_LONGEST, gettext("the adoption policy"))


def check_street(text: str) -> str:
    return validation.validate_line(text, STREET_LONGEST, gettext("the street"))


def check_city(text: str) -> str:
    return validation.validate_line(text, CITY_LONGEST, gettext("the city"))


def check_region(text: str) -> str:
    return validation.validate_line(text, REGION_LONGEST, gettext("the state, province or county"))


def check_postcode(text: str) -> str:
    """Return a postal code in capital letters; empty if none was typed."""
    code = validation.validate_line(text, POSTCODE_LONGEST, gettext("the postal code")).upper()
    if code and not POSTCODE.fullmatch(code):
        raise ValueError(gettext("Enter a postal code such as 07055 or SW1A 1AA, or leave it empty"))
    return code


def check_country(text: str) -> str:
    if text and text not in country_names():
        raise ValueError(gettext("Choose your country from the list"))
    return text


def check_language(text: str) -> str:
    if text not in language_names():
        raise ValueError(gettext("Choose the language of your texts from the list"))
    return text


def check_petfinder_id(text: str) -> str | None:
    """Return the shelter's id at Petfinder in capital letters; None if none was typed."""
    shelter_id = text.strip().upper()
    if shelter_id and not PETFINDER_ID.fullmatch(shelter_id):
        raise ValueError(
            gettext(
                "Enter two letters and one to five digits, such as NJ333, or leave the Petfinder id empty"
            )
        )
    return shelter_id or None


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
    "street": check_street,
    "city": check_city,
    "region": check_region,
    "postcode": check_postcode,
    "country": check_country,
    "website": validation.validate_web_address,
    "adoption_policy": check_adoption_policy,
    "language": check_language,
}
"""The checks of a site's texts, by column name."""
DIRECTORY_CHECKS: dict[str, Callable[[str], Any]] = {
    "in_directory": bool,
    "petfinder_id": check_petfinder_id,
}
"""The checks of a project's listing in the directory of all shelters, by column name."""
