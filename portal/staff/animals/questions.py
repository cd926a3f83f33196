"""What the form of an animal asks: each field with its label, in the order of the page."""

from collections.abc import Mapping
from typing import NamedTuple

from portal.animals.facts import COATS
from portal.labels import SEXES, SIZES, SPECIES, STATUSES


class FormQuestion(NamedTuple):
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

QUESTIONS: dict[str, FormQuestion] = {
    "name": FormQuestion("line", "Name", required=True),
    "category_id": FormQuestion(
        "select",
        "Species",
        choices=(
            ("", "Choose"),
            *((str(each.category_id), each.one_message.capitalize()) for each in SPECIES),
        ),
        required=True,
    ),
    "breed_primary": FormQuestion("line", "Breed", suggests="breeds"),
    "breed_secondary": FormQuestion("line", "Second breed", suggests="breeds"),
    "breed_mixed": FormQuestion("tick", "Mixed breed"),
    "breed_unknown": FormQuestion("tick", "Breed not known"),
    "sex": FormQuestion("segments", "Sex", choices=(*SEXES.messages.items(), ("", "Not known"))),
    "altered": FormQuestion("segments", "Spayed or neutered", choices=ANSWERS),
    "birth_date": FormQuestion("day", "Date of birth", "Visitors see an age, not the date."),
    "age": FormQuestion("line", "Approximate age", "Such as 2 years, 8 weeks or adult."),
    "birth_date_estimated": FormQuestion("tick", "Date of birth is estimated"),
    "size": FormQuestion("segments", "Adult size", choices=(*SIZES.messages.items(), ("", "Not known"))),
    "coat": FormQuestion("select", "Coat", choices=(("", "Not known"), *COATS.messages.items())),
    "colours": FormQuestion("line", "Colours"),
    "description": FormQuestion(
        "prose",
        "Description",
        "What would you tell someone at the gate? Start with what they are like, then their routine.",
    ),
    "good_with_children": FormQuestion("segments", "Children", choices=TESTED),
    "good_with_dogs": FormQuestion("segments", "Dogs", choices=TESTED),
    "good_with_cats": FormQuestion("segments", "Cats", choices=TESTED),
    "house_trained": FormQuestion("segments", "House trained", choices=ANSWERS),
    "special_needs": FormQuestion("tick", "Has special needs"),
    "special_needs_note": FormQuestion(
        "prose", "Details of special needs", "Medicine, food, a quiet home: visitors read this."
    ),
    "fee": FormQuestion(
        "segments",
        "Adoption fee",
        choices=(("waived", "Waived"), ("hidden", "Not shown"), ("money", "An amount")),
    ),
    "fee_amount": FormQuestion("line", "Amount", mode="decimal"),
    "bonded_with": FormQuestion(
        "line",
        "Adopted together with",
        "Names, codes or numbers of your animals, separated by commas. People apply for them together.",
    ),
    "code": FormQuestion("line", "Shelter ID", "Your own reference. Visitors see it."),
    "arrival_date": FormQuestion("day", "Intake date", "Visitors see the waiting time."),
    "microchip": FormQuestion("line", "Microchip", "15 digits, or 9 or 10 characters on older chips."),
    "internal_notes": FormQuestion("prose", "Notes for the team"),
    "surrenderer": FormQuestion("prose", "Surrendered by"),
    "foster_address": FormQuestion("prose", "Foster home"),
    "arrival_details": FormQuestion("prose", "Intake details"),
    "status": FormQuestion(
        "status",
        "Status",
        choices=tuple(STATUSES.messages.items()),
        hints={
            "available": "People can apply",
            "pending": "Reserved for an applicant; others can still apply",
            "sold": "Nobody can apply any more",
        },
    ),
    "visibility": FormQuestion(
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
