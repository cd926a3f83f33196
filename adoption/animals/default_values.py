"""The default value of each column. A new animal needs only a name and a species."""

from typing import Any

CARE_BLANK: dict[str, Any] = {
    "microchip": None,
    "on_hold": False,
    "in_quarantine": False,
    "internal_notes": "",
    "surrenderer": "",
    "foster_address": "",
    "arrival_details": "",
}
ANIMAL_BLANK: dict[str, Any] = {
    "status": "available",
    "listed": True,
    "code": None,
    "breed_primary": None,
    "breed_secondary": None,
    "breed_mixed": False,
    "breed_unknown": False,
    "sex": None,
    "altered": None,
    "birth_date": None,
    "birth_date_estimated": False,
    "age_group": None,
    "size": None,
    "coat": None,
    "colours": None,
    "good_with_children": None,
    "good_with_dogs": None,
    "good_with_cats": None,
    "house_trained": None,
    "declawed": None,
    "shots_current": None,
    "special_needs": False,
    "special_needs_note": "",
    "fee_cents": None,
    "description": "",
    "tags": "[]",
    "video_url": None,
    "arrival_date": None,
}
