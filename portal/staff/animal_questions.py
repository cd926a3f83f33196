"""What the form of an animal asks: each field with its label, in the order of the page."""

from collections.abc import Mapping
from typing import NamedTuple

from portal.facts import COATS
from portal.labels import SEXES, SIZES, SPECIES, STATUSES


class Question(NamedTuple):
    kind: str
    """``line``, ``day``, ``prose``, ``select``, ``segments``, ``status``, ``visibility`` or ``tick``."""
    label: str
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    required: bool = False
    mode: str = ""
    """What a phone's keyboard is for: ``decimal``, ``numeric``."""
    suggests: str = ""
    """Id of the list of suggestions."""
    hints: Mapping[str, str] = {}
    """Hints of the choices, by value."""

    def said(self, text: str) -> str:
        """An answer as people read it."""
        if self.kind == "tick":
            return "Yes" if text else "No"
        return dict(self.choices).get(text, text) or "Nothing"


ANSWERS = (("yes", "Yes"), ("no", "No"), ("", "Not known"))
TESTED = (("yes", "Yes"), ("no", "No"), ("", "Not tested"))

QUESTIONS: dict[str, Question] = {
    "name": Question("line", "Name", required=True),
    "category_id": Question(
        "select",
        "Species",
        choices=(("", "Choose"), *((str(each.category_id), each.one.capitalize()) for each in SPECIES)),
        required=True,
    ),
    "breed_primary": Question("line", "Breed", suggests="breeds"),
    "breed_secondary": Question("line", "Second breed", suggests="breeds"),
    "breed_mixed": Question("tick", "Mixed breed"),
    "breed_unknown": Question("tick", "Breed not known"),
    "sex": Question("segments", "Sex", choices=(*SEXES.items(), ("", "Not known"))),
    "altered": Question("segments", "Spayed or neutered", choices=ANSWERS),
    "birth_date": Question("day", "Date of birth", "Visitors see an age, not the date."),
    "age": Question("line", "Approximate age", "Such as 2 years, 8 weeks or adult."),
    "birth_date_estimated": Question("tick", "Date of birth is estimated"),
    "size": Question("segments", "Adult size", choices=(*SIZES.items(), ("", "Not known"))),
    "coat": Question("select", "Coat", choices=(("", "Not known"), *COATS.items())),
    "colours": Question("line", "Colours"),
    "description": Question(
        "prose",
        "Description",
        "What would you tell someone at the gate? Start with what they are like, then their routine.",
    ),
    "good_with_children": Question("segments", "Children", choices=TESTED),
    "good_with_dogs": Question("segments", "Dogs", choices=TESTED),
    "good_with_cats": Question("segments", "Cats", choices=TESTED),
    "house_trained": Question("segments", "House trained", choices=ANSWERS),
    "special_needs": Question("tick", "Has special needs"),
    "special_needs_note": Question(
        "prose", "Details of special needs", "Medicine, food, a quiet home: visitors read this."
    ),
    "fee": Question(
        "segments",
        "Adoption fee",
        choices=(("waived", "Waived"), ("hidden", "Not shown"), ("money", "An amount")),
    ),
    "fee_amount": Question("line", "Amount", mode="decimal"),
    "bonded_with": Question(
        "line",
        "Adopted together with",
        "Names, codes or numbers of your animals, separated by commas. People apply for them together.",
    ),
    "code": Question("line", "Shelter ID", "Your own reference. Visitors see it."),
    "arrival_date": Question("day", "Intake date", "Visitors see the waiting time."),
    "microchip": Question("line", "Microchip", "15 digits, or 9 or 10 characters on older chips."),
    "internal_notes": Question("prose", "Notes for the team"),
    "surrenderer": Question("prose", "Surrendered by"),
    "foster_address": Question("prose", "Foster home"),
    "arrival_details": Question("prose", "Intake details"),
    "status": Question(
        "status",
        "Status",
        choices=tuple(STATUSES.items()),
        hints={
            "available": "People can apply",
            "pending": "Reserved for an applicant; others can still apply",
            "sold": "Nobody can apply any more",
        },
    ),
    "visibility": Question(
        "visibility",
        "Who sees the animal",
        choices=(
            ("shown", "Visible to visitors"),
            ("hidden", "Hidden: not ready yet"),
            ("on_hold", "Hidden: on hold"),
            ("in_quarantine", "Hidden: in quarantine"),
            ("held", "Hidden: on hold and in quarantine"),
        ),
        hints={"shown": "On the websites, in feeds and in the API"},
    ),
}
