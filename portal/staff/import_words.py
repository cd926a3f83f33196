"""What the columns of a spreadsheet may be, in words, and the states of an import."""

from typing import NamedTuple

from adoption.animals.spreadsheets.columns import PHOTOS
from adoption.imports.models import Import

GROUPS: dict[str, dict[str, str]] = {
    "The animal": {
        "name": "Name",
        "code": "Your own code",
        "species": "Species",
        "breed_primary": "Breed",
        "breed_secondary": "Second breed",
        "mixed": "Is a mix (yes or no)",
        "breed_mixed": "Is a mix (yes or no)",
        "purebred": "Is purebred (yes or no)",
        "breed_unknown": "Breed is not known (yes or no)",
        "sex": "Sex",
        "altered": "Neutered",
        "born": "Birth date",
        "birth_date": "Birth date",
        "born_estimated": "Birth date is estimated",
        "birth_date_estimated": "Birth date is estimated",
        "age": "Age",
        "age_arrived": "Age on arrival",
        "age_moved": "Age on leaving",
        "size": "Size",
        "coat": "Coat",
        "colour": "Colour",
        "colours": "Colours",
        "colour_2": "Second colour",
        "colour_3": "Third colour",
        "description": "Description",
        PHOTOS: "Photo addresses",
    },
    "In a home": {
        "children": "Good with children",
        "dogs": "Good with dogs",
        "cats": "Good with cats",
        "good_with_children": "Good with children",
        "good_with_dogs": "Good with dogs",
        "good_with_cats": "Good with cats",
        "no_children": "Not good with children",
        "no_dogs": "Not good with dogs",
        "no_cats": "Not good with cats",
        "house_trained": "House trained",
        "special_needs": "Special needs",
        "special_needs_note": "Special needs, in words",
        "fee": "Adoption fee",
        "fee_waived": "Fee is waived",
        "fee_shown": "Fee is shown",
    },
    "Where it stands": {
        "status": "Status",
        "listed": "Listed (yes or no)",
        "outcome": "Outcome",
        "moved": "Date of the outcome",
        "moved_time": "Time of the outcome",
        "returned": "Date of return",
        "trial": "On trial (yes or no)",
        "reserved": "Reserved (yes or no)",
        "died": "Date of death",
        "not_for_adoption": "Not for adoption (yes or no)",
        "not_in_care": "Not in your care (yes or no)",
        "in_custody": "In your care (yes or no)",
        "record_type": "Type of record",
        "date_type": "Type of date",
        "kennel_status": "Kennel status",
        "arrived": "Arrival date",
        "arrival_date": "Arrival date",
        "arrived_time": "Arrival time",
    },
    "Only you see it": {
        "microchip": "Microchip",
        "hold": "On hold",
        "on_hold": "On hold",
        "quarantine": "In quarantine",
        "in_quarantine": "In quarantine",
        "notes": "Internal notes",
        "internal_notes": "Internal notes",
        "surrenderer": "Surrenderer",
        "foster_address": "Foster's address",
        "arrival_reason": "Reason for arrival",
        "arrival_details": "Arrival details",
    },
}


class State(NamedTuple):
    word: str
    tone: str
    icon: str


STATES = {
    "uploaded": State("Not started", "none", "upload"),
    "waiting": State("Waiting", "brand", "clock"),
    "running": State("Running", "brand", "refresh-cw"),
    "done": State("Done", "good", "check"),
    "cancelled": State("Stopped", "warn", "x"),
    "failed": State("Failed", "bad", "circle-alert"),
}
TRIED = State("Tried", "good", "check")
"""Done as a dry run: nothing was written."""


def groups_for(choices: list[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The groups of a list, each with its choices and their words, of those that a file has."""
    known = set(choices)
    groups = [
        (group, [(choice, word) for choice, word in words.items() if choice in known])
        for group, words in GROUPS.items()
    ]
    return [(group, words) for group, words in groups if words]


def state_of(each: Import) -> State:
    return TRIED if each.state == "done" and each.dry_run else STATES[each.state]
