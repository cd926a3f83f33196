"""Validation of a site's texts. Each ValueError says how to fix the text."""

import re
from collections.abc import Callable

from adoption import validation
from adoption.links_in_names import has_web_address
from adoption.translations import message

NAME_LONGEST = 200
ABOUT_LONGEST = 20_000
PLACE_LONGEST = 200
COLOUR = re.compile(r"#[0-9a-f]{6}")

CURRENCY_AT_FIRST = "USD"
CURRENCIES = {
    "AED": message("UAE dirham"),
    "ARS": message("Argentine peso"),
    "AUD": message("Australian dollar"),
    "BGN": message("Bulgarian lev"),
    "BRL": message("Brazilian real"),
    "CAD": message("Canadian dollar"),
    "CHF": message("Swiss franc"),
    "CLP": message("Chilean peso"),
    "CNY": message("Chinese yuan"),
    "COP": message("Colombian peso"),
    "CZK": message("Czech koruna"),
    "DKK": message("Danish krone"),
    "EGP": message("Egyptian pound"),
    "EUR": message("Euro"),
    "GBP": message("British pound"),
    "GEL": message("Georgian lari"),
    "HKD": message("Hong Kong dollar"),
    "HUF": message("Hungarian forint"),
    "IDR": message("Indonesian rupiah"),
    "ILS": message("Israeli shekel"),
    "INR": message("Indian rupee"),
    "ISK": message("Icelandic króna"),
    "JPY": message("Japanese yen"),
    "KES": message("Kenyan shilling"),
    "KRW": message("South Korean won"),
    "MAD": message("Moroccan dirham"),
    "MXN": message("Mexican peso"),
    "MYR": message("Malaysian ringgit"),
    "NOK": message("Norwegian krone"),
    "NZD": message("New Zealand dollar"),
    "PEN": message("Peruvian sol"),
    "PHP": message("Philippine peso"),
    "PLN": message("Polish złoty"),
    "RON": message("Romanian leu"),
    "RSD": message("Serbian dinar"),
    "SEK": message("Swedish krona"),
    "SGD": message("Singapore dollar"),
    "THB": message("Thai baht"),
    "TRY": message("Turkish lira"),
    "TWD": message("New Taiwan dollar"),
    "UAH": message("Ukrainian hryvnia"),
    "USD": message("US dollar"),
    "VND": message("Vietnamese dong"),
    "ZAR": message("South African rand"),
}


def check_site_name(text: str) -> str:
    name = validation.line(text, NAME_LONGEST, "the name")
    if not name:
        raise ValueError("Enter the name by which adopters know you")
    if has_web_address(name):
        raise ValueError("Remove the web address from the name. You can write it in the text about you")
    return name


def check_about(text: str) -> str:
    return validation.lines(text, ABOUT_LONGEST, "the text")


def check_place(text: str) -> str:
    return validation.line(text, PLACE_LONGEST, "the place")


def check_contact_email(text: str) -> str:
    """Return the address. It may be empty, because a draft does not need one yet."""
    return validation.email(text) if text.strip() else ""


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
    "contact_phone": validation.phone,
    "colour": check_colour,
    "currency": check_currency,
}
"""The checks, by column name."""
