"""Details that staff set for several animals at once. An empty field leaves the detail unchanged."""

from collections.abc import Mapping
from typing import Any

from adoption.animals.bulk_changes import DETAILS
from adoption.animals.form_fields import fee_field
from adoption.translations import gettext

ANSWERS = {"yes": True, "no": False, "unknown": None}
"""The value of a column for each answer in the form."""
ANSWERED = tuple(each for each in DETAILS if each != "fee_cents")


def parse_bulk_details(texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values to set, and an error message for each invalid field."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name in ANSWERED:
        text = texts.get(name, "")
        if text in ANSWERS:
            values[name] = ANSWERS[text]
        elif text:
            wrong[name] = gettext("Choose an answer from the list")
    kind, amount = texts.get("fee", ""), texts.get("fee_amount", "")
    if kind or amount.strip():
        try:
            values["fee_cents"] = fee_field(kind or "money", amount)
        except ValueError as error:
            wrong["fee_amount"] = str(error)
    return values, wrong
