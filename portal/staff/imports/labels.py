"""Labels and sentences on the import pages: columns, values, states and numbers of rows."""

from typing import Any, NamedTuple

from adoption.imports.models import Import
from adoption.spreadsheets.code_clashes import NEW, SAME, SKIP
from adoption.spreadsheets.columns.column_meanings import PHOTOS
from adoption.spreadsheets.import_options import BLANK
from adoption.spreadsheets.value_mapping import MEANINGS as VALUE_MEANINGS
from adoption.translations import gettext, message, ngettext

GROUPS: dict[str, dict[str, str]] = {
    message("The animal"): {
        "name": message("Name"),
        "code": message("Shelter ID"),
        "species": message("Species"),
        "breed_primary": message("Breed"),
        "breed_secondary": message("Second breed"),
        "mixed": message("Is a mix (yes or no)"),
        "breed_mixed": message("Is a mix (yes or no)"),
        "purebred": message("Is purebred (yes or no)"),
        "breed_unknown": message("Breed is not known (yes or no)"),
        "sex": message("Sex"),
        "altered": message("Neutered"),
        "altered_date": message("Neutered on"),
        "born": message("Birth date"),
        "birth_date": message("Birth date"),
        "born_estimated": message("Birth date is estimated"),
        "birth_date_estimated": message("Birth date is estimated"),
        "age": message("Age"),
        "age_group": message("Age group (baby, young, adult, senior)"),
        "age_months": message("Age in months"),
        "age_weeks": message("Age in weeks"),
        "age_arrived": message("Age at intake"),
        "age_moved": message("Age at outcome"),
        "size": message("Size"),
        "coat": message("Coat"),
        "colour": message("Colour"),
        "colours": message("Colours"),
        "colour_2": message("Second colour"),
        "colour_3": message("Third colour"),
        "description": message("Description"),
        PHOTOS: message("Photo addresses"),
        "tags": message("Tags"),
        "video": message("Address of a video"),
        "video_url": message("Address of a video"),
    },
    message("In a home"): {
        "children": message("Good with children"),
        "dogs": message("Good with dogs"),
        "cats": message("Good with cats"),
        "good_with_children": message("Good with children"),
        "good_with_dogs": message("Good with dogs"),
        "good_with_cats": message("Good with cats"),
        "no_children": message("Not good with children"),
        "no_dogs": message("Not good with dogs"),
        "no_cats": message("Not good with cats"),
        "house_trained": message("House trained"),
        "shots_current": message("Vaccinations up to date"),
        "declawed": message("Declawed"),
        "special_needs": message("Special needs"),
        "special_needs_note": message("Details of special needs"),
        "fee": message("Adoption fee"),
        "fee_waived": message("Fee is waived"),
        "fee_shown": message("Fee is shown"),
    },
    message("Status and dates"): {
        "status": message("Status"),
        "listed": message("Listed (yes or no)"),
        "hides": message("Hidden (yes or no)"),
        "available_from": message("Available from"),
        "outcome": message("Outcome"),
        "moved": message("Date of the outcome"),
        "moved_time": message("Time of the outcome"),
        "returned": message("Date of return"),
        "trial": message("On trial (yes or no)"),
        "adopted": message("Adopted (yes, or a date)"),
        "reserved": message("Reserved (yes or no)"),
        "died": message("Died (yes, or a date)"),
        "flags": message("Flags"),
        "attributes": message("Attributes"),
        "intake_type": message("Type of intake"),
        "not_for_adoption": message("Not for adoption (yes or no)"),
        "not_in_care": message("Not in your care (yes or no)"),
        "in_custody": message("In your care (yes or no)"),
        "place": message("Location, such as quarantine"),
        "record_type": message("Type of record"),
        "date_type": message("Type of date"),
        "kennel_status": message("Kennel status"),
        "arrived": message("Intake date"),
        "arrival_date": message("Intake date"),
        "arrived_time": message("Intake time"),
    },
    message("Private"): {
        "microchip": message("Microchip"),
        "hold": message("On hold"),
        "on_hold": message("On hold"),
        "hold_until": message("On hold until"),
        "quarantine": message("In quarantine"),
        "in_quarantine": message("In quarantine"),
        "notes": message("Internal notes"),
        "internal_notes": message("Internal notes"),
        "surrenderer": message("Surrendered by"),
        "foster_home": message("Foster home"),
        "foster_address": message("Foster home"),
        "arrival_reason": message("Reason for intake"),
        "arrival_details": message("Intake details"),
    },
}


MEANINGS = {
    "available": message("Available"),
    "adopted": message("Adopted"),
    "pending": message("Adoption pending"),
    "unavailable": message("Hidden: not for adoption, or no longer here"),
    "hold": message("On hold"),
    "quarantine": message("In quarantine"),
    "female": message("Female"),
    "male": message("Male"),
    "spayed female": message("Female, spayed"),
    "neutered male": message("Male, neutered"),
    "small": message("Small"),
    "medium": message("Medium"),
    "large": message("Large"),
    "extra large": message("Extra large"),
    "hairless": message("Hairless"),
    "short": message("Short"),
    "long": message("Long"),
    "wire": message("Wire"),
    "curly": message("Curly"),
    "yes": message("Yes"),
    "no": message("No"),
    BLANK: message("Not known"),
}
"""The labels of the meanings that a value can have, except species (see ``CATEGORY_LABELS``)."""

CATEGORY_LABELS = {
    "Dog": message("Dog"),
    "Cat": message("Cat"),
    "Rabbit": message("Rabbit"),
    "Small & furry": message("Small & furry"),
    "Bird": message("Bird"),
    "Horse": message("Horse"),
    "Barnyard": message("Barnyard"),
    "Reptile": message("Reptile"),
    "Fish": message("Fish"),
    "Other": message("Other"),
}

CLASH_CHOICES = {
    SAME: message("The same animal: update it"),
    NEW: message("A new animal: give it a new code"),
    SKIP: message("Leave these rows out"),
}


def labels_of_meanings(columns: list[dict[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    """Return the meanings that values can have, with their labels, for each kind of column."""
    labels = MEANINGS | CATEGORY_LABELS
    kinds = {column["kind"] for column in columns}
    return {kind: [(meaning, gettext(labels[meaning])) for meaning in VALUE_MEANINGS[kind]] for kind in kinds}


class ImportState(NamedTuple):
    label: str
    tone: str
    icon: str


STATES = {
    "reading": ImportState(message("Being read"), "brand", "clock"),
    "uploaded": ImportState(message("Not started"), "none", "upload"),
    "waiting": ImportState(message("Waiting"), "brand", "clock"),
    "running": ImportState(message("Running"), "brand", "refresh-cw"),
    "done": ImportState(message("Done"), "good", "check"),
    "cancelled": ImportState(message("Stopped"), "warn", "x"),
    "failed": ImportState(message("Failed"), "bad", "circle-alert"),
    "undone": ImportState(message("Undone"), "none", "arrow-left"),
}
TRIED = ImportState(message("Checked"), "good", "check")
"""The state of an import that was only a check, so that nothing was saved."""


def groups_for(choices: list[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the groups of columns that a file offers. Each column has its label."""
    offered = set(choices)
    groups = [
        (gettext(group), [(choice, gettext(label)) for choice, label in labels.items() if choice in offered])
        for group, labels in GROUPS.items()
    ]
    return [(group, labels) for group, labels in groups if labels]


def import_state(each: Import) -> ImportState:
    state = TRIED if each.state == "done" and each.dry_run else STATES[each.state]
    return state._replace(label=gettext(state.label))


def rows_in_words(look: dict[str, Any]) -> str:
    """Return how many rows a file has, and its format, in a sentence."""
    num, name = f"{look['rows']:,}", look["format"]
    if name == "plain":
        if look["whole"]:
            return ngettext("%(num)s row.", "%(num)s rows.", look["rows"])
        return gettext("More than %(num)s rows.", num=num)
    if look["whole"]:
        return ngettext(
            "%(num)s row, in %(format)s format.",
            "%(num)s rows, in %(format)s format.",
            look["rows"],
            format=name,
        )
    return gettext("More than %(num)s rows, in %(format)s format.", num=num, format=name)


def blanks_sentence(result: dict[str, Any], is_dry_run: bool) -> str:
    """Return what an import did, or would do, with blank cells whose stored value is not blank."""
    blanks = result["blanks"]
    if is_dry_run and result["blanks_cleared"]:
        return ngettext(
            "Your file has a blank cell for 1 stored value. The value would be cleared.",
            "Your file has a blank cell for %(num)s stored values. The values would be cleared.",
            blanks,
        )
    if is_dry_run:
        return ngettext(
            "Your file has a blank cell for 1 stored value. The value would be kept.",
            "Your file has a blank cell for %(num)s stored values. The values would be kept.",
            blanks,
        )
    if result["blanks_cleared"]:
        return ngettext(
            "Your file has a blank cell for 1 stored value. The value was cleared.",
            "Your file has a blank cell for %(num)s stored values. The values were cleared.",
            blanks,
        )
    return ngettext(
        "Your file has a blank cell for 1 stored value. The value was kept.",
        "Your file has a blank cell for %(num)s stored values. The values were kept.",
        blanks,
    )
