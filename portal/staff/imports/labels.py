"""Labels for the columns of a spreadsheet and the states of an import."""

from typing import Any, NamedTuple

from adoption.imports.models import Import
from adoption.imports.undo import UndoCounts
from adoption.spreadsheets.code_clashes import NEW, SAME, SKIP
from adoption.spreadsheets.columns.column_meanings import PHOTOS
from adoption.spreadsheets.import_options import BLANK
from adoption.spreadsheets.value_mapping import MEANINGS as VALUE_MEANINGS
from portal.labels import capitalise

GROUPS: dict[str, dict[str, str]] = {
    "The animal": {
        "name": "Name",
        "code": "Shelter ID",
        "species": "Species",
        "breed_primary": "Breed",
        "breed_secondary": "Second breed",
        "mixed": "Is a mix (yes or no)",
        "breed_mixed": "Is a mix (yes or no)",
        "purebred": "Is purebred (yes or no)",
        "breed_unknown": "Breed is not known (yes or no)",
        "sex": "Sex",
        "altered": "Neutered",
        "altered_date": "Neutered on",
        "born": "Birth date",
        "birth_date": "Birth date",
        "born_estimated": "Birth date is estimated",
        "birth_date_estimated": "Birth date is estimated",
        "age": "Age",
        "age_group": "Age group (baby, young, adult, senior)",
        "age_months": "Age in months",
        "age_weeks": "Age in weeks",
        "age_arrived": "Age at intake",
        "age_moved": "Age at outcome",
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
        "special_needs_note": "Details of special needs",
        "fee": "Adoption fee",
        "fee_waived": "Fee is waived",
        "fee_shown": "Fee is shown",
    },
    "Status and dates": {
        "status": "Status",
        "listed": "Listed (yes or no)",
        "hides": "Hidden (yes or no)",
        "available_from": "Available from",
        "outcome": "Outcome",
        "moved": "Date of the outcome",
        "moved_time": "Time of the outcome",
        "returned": "Date of return",
        "trial": "On trial (yes or no)",
        "adopted": "Adopted (yes, or a date)",
        "reserved": "Reserved (yes or no)",
        "died": "Died (yes, or a date)",
        "flags": "Flags",
        "attributes": "Attributes",
        "intake_type": "Type of intake",
        "not_for_adoption": "Not for adoption (yes or no)",
        "not_in_care": "Not in your care (yes or no)",
        "in_custody": "In your care (yes or no)",
        "place": "Location, such as quarantine",
        "record_type": "Type of record",
        "date_type": "Type of date",
        "kennel_status": "Kennel status",
        "arrived": "Intake date",
        "arrival_date": "Intake date",
        "arrived_time": "Intake time",
    },
    "Private": {
        "microchip": "Microchip",
        "hold": "On hold",
        "on_hold": "On hold",
        "hold_until": "On hold until",
        "quarantine": "In quarantine",
        "in_quarantine": "In quarantine",
        "notes": "Internal notes",
        "internal_notes": "Internal notes",
        "surrenderer": "Surrendered by",
        "foster_home": "Foster home",
        "foster_address": "Foster home",
        "arrival_reason": "Reason for intake",
        "arrival_details": "Intake details",
    },
}


MEANINGS = {
    "adopted": "Adopted",
    "pending": "Adoption pending",
    "unavailable": "Hidden: not for adoption, or no longer here",
    "hold": "On hold",
    "quarantine": "In quarantine",
    "spayed female": "Female, spayed",
    "neutered male": "Male, neutered",
    BLANK: "Not known",
}
"""Labels of what a value can mean, where that is not the capitalised word itself."""

CLASH_CHOICES = {
    SAME: "The same animal: update it",
    NEW: "A new animal: give it a new code",
    SKIP: "Leave these rows out",
}


def words_of_meanings(columns: list[dict[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    """Return what the values of each kind of column can mean, with labels."""
    kinds = {column["kind"] for column in columns}
    return {
        kind: [(meaning, MEANINGS.get(meaning, capitalise(meaning))) for meaning in VALUE_MEANINGS[kind]]
        for kind in kinds
    }


def undo_sentences(counts: UndoCounts, is_done: bool) -> list[str]:
    """Return what an undo will do, or has done, with a sentence for each count."""
    outcomes = [
        ("{what} that this import added {was} deleted.", "animal", counts.deleted),
        (
            "{what} that this import added {was} moved to the removed animals, because of later changes.",
            "animal",
            counts.removed,
        ),
        (
            "{what} that this import added {was} kept, because of applications.",
            "animal",
            counts.with_applications,
        ),
        ("{what} that this import updated {was} set back to the earlier values.", "animal", counts.restored),
        ("Later changes to {what} that this import updated {were} kept.", "animal", counts.kept),
        ("{what} that this import added to existing animals {was} removed.", "photo", counts.photos),
    ]
    return [
        sentence.format(
            what=f"{number:,} {noun}{'' if number == 1 else 's'}",
            was=("was" if number == 1 else "were") if is_done else "will be",
            were="were" if is_done else "will be",
        )
        for sentence, noun, number in outcomes
        if number
    ] or ["There was nothing left to undo." if is_done else "There is nothing left to undo."]


class ImportState(NamedTuple):
    word: str
    tone: str
    icon: str


STATES = {
    "reading": ImportState("Being read", "brand", "clock"),
    "uploaded": ImportState("Not started", "none", "upload"),
    "waiting": ImportState("Waiting", "brand", "clock"),
    "running": ImportState("Running", "brand", "refresh-cw"),
    "done": ImportState("Done", "good", "check"),
    "cancelled": ImportState("Stopped", "warn", "x"),
    "failed": ImportState("Failed", "bad", "circle-alert"),
    "undone": ImportState("Undone", "none", "arrow-left"),
}
TRIED = ImportState("Checked", "good", "check")
"""Done as a dry run: nothing was saved."""


def groups_for(choices: list[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the groups of choices with their labels, only those that a file offers."""
    known = set(choices)
    groups = [
        (group, [(choice, word) for choice, word in words.items() if choice in known])
        for group, words in GROUPS.items()
    ]
    return [(group, words) for group, words in groups if words]


def import_state(each: Import) -> ImportState:
    return TRIED if each.state == "done" and each.dry_run else STATES[each.state]
