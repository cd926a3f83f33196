"""Parsing and validation of the staff form of an animal.

Each field function takes a form field's text and returns the value. If the text is invalid, the function
raises ValueError with a message for the user.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from adoption import validation
from adoption.animals.age_form_field import TypedAge, same_age, typed_age
from adoption.animals.age_groups import age_group, stored_age_group
from adoption.animals.allowed_values import (
    BREED_LONGEST,
    CATEGORIES,
    COATS,
    CODE_LONGEST,
    COLOURS_LONGEST,
    NAME_LONGEST,
    PROSE_LONGEST,
    SEXES,
    SIZES,
    STATUSES,
    animal_name,
)
from adoption.animals.microchips import microchip_field
from adoption.animals.parsing import cell_parsers, date_parser
from adoption.animals.tags import parse_tags, tags_text
from adoption.links_in_names import has_web_address
from adoption.translations import gettext, message

Values = dict[str, Any]
"""Values by column of ``Animal`` and ``CareRecord``. ``bonded_with`` is a list of ids."""

FEES = ("money", "waived", "hidden")
AMOUNT_LONGEST = 100


def name_field(text: str) -> str:
    if not text.strip():
        raise ValueError(gettext("Enter a name"))
    try:
        return animal_name(text)
    except ValueError:
        if len(text.strip()) > NAME_LONGEST:
            raise ValueError(
                gettext("Shorten the name to %(limit)s characters", limit=NAME_LONGEST)
            ) from None
        if has_web_address(text):
            raise ValueError(gettext("Remove the web address from the name")) from None
        raise ValueError(
            gettext("The name contains a character that we cannot save. Type the name again")
        ) from None


def line_field(longest: int, what: str) -> Callable[[str], str | None]:
    """Return a parser for one line of text. A blank line becomes None."""

    def rule(text: str) -> str | None:
        return validation.validate_line(text, longest, gettext(what)) or None

    return rule


def prose_field(what: str) -> Callable[[str], str]:
    """Return a parser for text of several lines. Blank text becomes an empty text."""

    def rule(text: str) -> str:
        name = gettext(what)
        validation.strip_bounded(PROSE_LONGEST, text, name)
        lines = validation.with_plain_breaks(text.rstrip()).split("\n")
        written = "\n".join(each.rstrip() for each in lines).strip("\n")
        return validation.refuse_controls(validation.require_length(PROSE_LONGEST, written, name), name)

    return rule


def species_field(text: str) -> int:
    if text not in map(str, CATEGORIES):
        raise ValueError(gettext("Choose a species"))
    return int(text)


def choice_field(known: tuple[str, ...], error: str) -> Callable[[str], str | None]:
    def rule(text: str) -> str | None:
        if text and text not in known:
            raise ValueError(gettext(error))
        return text or None

    return rule


def status_field(text: str) -> str:
    if text not in STATUSES:
        raise ValueError(gettext("Choose a status"))
    return text


ANSWERS = {"yes": True, "no": False, "": None}


def answer_field(text: str) -> bool | None:
    if text not in ANSWERS:
        raise ValueError(gettext("Choose yes, no or not known"))
    return ANSWERS[text]


def video_field(text: str) -> str | None:
    """Return the address of a video. An empty field becomes None."""
    address = validation.validate_web_address(text)
    if address and not address.startswith("https://"):
        raise ValueError(gettext("Write an address that begins with https://"))
    return address or None


def tick_field(text: str) -> bool:
    return bool(text)


def past_day_field(future_error: str) -> Callable[[str, date], date | None]:
    """Return a parser for a date that is not in the future. A blank field becomes None."""

    def rule(text: str, today: date) -> date | None:
        text = text.strip()
        if not text:
            return None
        try:
            found = date_parser.parse_date_time(text, None, today.year).date()
        except ValueError as error:
            sentence = str(error)
            raise ValueError(sentence[:1].upper() + sentence[1:]) from error
        if found > today:
            raise ValueError(gettext(future_error))
        return found

    return rule


birth_date = past_day_field(message("The date of birth is in the future. Check the year"))
arrival_date = past_day_field(message("The day of arrival is in the future. Check the year"))


def fee_field(kind: str, amount: str, known: int | None = None) -> int | None:
    """Return the fee in hundredths of the currency. 0 means waived, None means not shown.

    A new amount together with "waived" or "not shown" is rejected, so that the amount is not lost silently.
    The amount of the ``known`` fee is not rejected, because the page filled in this amount.
    """
    if kind not in FEES:
        raise ValueError(gettext("Choose what visitors see about the fee"))
    amount = amount.strip()
    try:
        found = (
            cell_parsers.parse_fee(validation.strip_bounded(AMOUNT_LONGEST, amount, gettext("the fee")))
            if amount
            else None
        )
    except ValueError:
        found = -1
    if kind != "money":
        chosen = 0 if kind == "waived" else None
        if found not in (None, chosen, known):
            raise ValueError(gettext("Choose “An amount” to ask for this fee, or clear the amount"))
        return chosen
    if not amount:
        raise ValueError(gettext("Enter the fee, or choose that it is waived or not shown"))
    if found is None or found < 0:
        raise ValueError(gettext("Write the fee as a number, such as 125.00"))
    return found


VISIBILITY = {
    "shown": (True, False, False),
    "hidden": (False, False, False),
    "on_hold": (False, True, False),
    "in_quarantine": (False, False, True),
    "held": (False, True, True),
}
"""Values of ``listed``, ``on_hold`` and ``in_quarantine`` for each visibility choice."""


def visibility_field(text: str) -> tuple[bool, bool, bool]:
    if text not in VISIBILITY:
        raise ValueError(gettext("Choose whether visitors see the animal"))
    return VISIBILITY[text]


def visibility_of(values: Values) -> str:
    """Return the visibility choice for these values. An animal on hold counts as hidden."""
    held = (bool(values.get("on_hold")), bool(values.get("in_quarantine")))
    found = (bool(values.get("listed")) and not any(held), *held)
    return next(name for name, each in VISIBILITY.items() if each == found)


RULES: dict[str, Callable[[str], Any]] = {
    "name": name_field,
    "category_id": species_field,
    "status": status_field,
    "visibility": visibility_field,
    "code": line_field(CODE_LONGEST, message("the code")),
    "breed_primary": line_field(BREED_LONGEST, message("the breed")),
    "breed_secondary": line_field(BREED_LONGEST, message("the second breed")),
    "breed_mixed": tick_field,
    "breed_unknown": tick_field,
    "sex": choice_field(SEXES, message("Choose the sex from the list")),
    "altered": answer_field,
    "birth_date_estimated": tick_field,
    "size": choice_field(SIZES, message("Choose the size from the list")),
    "coat": choice_field(COATS, message("Choose the coat from the list")),
    "colours": line_field(COLOURS_LONGEST, message("the colours")),
    "good_with_children": answer_field,
    "good_with_dogs": answer_field,
    "good_with_cats": answer_field,
    "house_trained": answer_field,
    "declawed": answer_field,
    "shots_current": answer_field,
    "special_needs": tick_field,
    "special_needs_note": prose_field(message("the note on special needs")),
    "description": prose_field(message("the description")),
    "tags": parse_tags,
    "video_url": video_field,
    "microchip": microchip_field,
    "internal_notes": prose_field(message("the notes")),
    "surrenderer": prose_field(message("who gave the animal up")),
    "foster_address": prose_field(message("the foster home")),
    "arrival_details": prose_field(message("how the animal arrived")),
}
DAYS: dict[str, Callable[[str, date], Any]] = {
    "birth_date": birth_date,
    "age": typed_age,
    "arrival_date": arrival_date,
}


def parse_animal_form(
    texts: Mapping[str, str], today: date, known: Values | None = None
) -> tuple[Values, dict[str, str]]:
    """Return the values, and an error message for each invalid field. A missing field counts as empty.

    The values in ``known`` are from the time when the form was loaded. A typed age can replace the known date
    of birth, but not a new date. An unchanged microchip is not validated again.
    """
    values: Values = {}
    wrong: dict[str, str] = {}
    known = known or {}
    typed = {key: texts.get(key, "") for key in (*RULES, *DAYS)}
    for key, text in typed.items():
        if key == "microchip" and text and text == known.get(key):
            values[key] = text
            continue
        try:
            values[key] = RULES[key](text) if key in RULES else DAYS[key](text, today)
        except ValueError as error:
            wrong[key] = str(error)
    try:
        values["fee_cents"] = fee_field(
            texts.get("fee", ""), texts.get("fee_amount", ""), known.get("fee_cents")
        )
    except ValueError as error:
        wrong["fee_amount"] = str(error)
    if "visibility" in values:
        values |= zip(("listed", "on_hold", "in_quarantine"), values.pop("visibility"), strict=True)
    if not put_age(values, values.pop("age", TypedAge()), known.get("birth_date"), today):
        wrong.setdefault(
            "age", gettext("This age does not fit the date of birth. Clear the age or the date of birth")
        )
    return settled(values), wrong


def put_age(values: Values, typed: TypedAge, known: date | None, today: date) -> bool:
    """Set the values that follow from a typed age. Return whether the age agrees with the date of birth."""
    born = values.get("birth_date")
    values["age_group"] = stored_age_group(typed.group, born)
    if typed.group and born:
        return age_group(born, today) == typed.group
    if typed.born is None or (born and same_age(typed.born, born, today)):
        return True
    if born and born != known:
        return False
    values |= {"birth_date": typed.born, "birth_date_estimated": True}
    return True


def settled(values: Values) -> Values:
    """Return the values, changed so that no value contradicts another."""
    if not values.get("birth_date"):
        values["birth_date_estimated"] = False
    if values.get("breed_secondary") and not values.get("breed_primary"):
        values |= {"breed_primary": values["breed_secondary"], "breed_secondary": None}
    values["breed_unknown"] = bool(values.get("breed_unknown") and not values.get("breed_primary"))
    values["special_needs"] = bool(values.get("special_needs") or values.get("special_needs_note"))
    return values


def animal_form_texts(values: Values) -> dict[str, str]:
    """Return the form texts for these values, the inverse of ``parse_animal_form``."""
    texts = {key: form_text(values.get(key), RULES.get(key) is tick_field) for key in (*RULES, *DAYS)}
    texts["tags"] = tags_text(values.get("tags") or "[]")
    texts["age"] = (values.get("age_group") or "").capitalize()
    cents = values.get("fee_cents")
    texts["visibility"] = visibility_of(values)
    texts["fee"] = "hidden" if cents is None else "money" if cents else "waived"
    texts["fee_amount"] = f"{cents // 100}.{cents % 100:02}" if cents else ""
    return texts


def form_text(value: Any, is_tick: bool) -> str:
    if is_tick:
        return "yes" if value else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


BLANK: Values = {"status": "available", "listed": True}
"""Initial values in the form of a new animal."""
