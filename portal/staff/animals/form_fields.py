"""The fields of the form of an animal, in the order of the page: labels, hints and choices."""

from collections.abc import Mapping
from typing import NamedTuple

from adoption.translations import gettext, message
from portal.animal_labels import SEXES, SIZES, SPECIES, STATUSES
from portal.animals.facts import COATS
from portal.capitalization import capitalise


class FormQuestion(NamedTuple):
    kind: str
    """``line``, ``day``, ``prose``, ``select``, ``segments``, ``status``, ``visibility`` or ``tick``."""
    label: str
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    """The value and label of each choice."""
    required: bool = False
    mode: str = ""
    """The ``inputmode`` of the field: ``decimal`` or ``numeric``."""
    suggests: str = ""
    """The id of the ``datalist`` element with suggestions. Empty if there is none."""
    hints: Mapping[str, str] = {}
    """The hints of choices, by value. Not every choice has a hint."""

    @property
    def options(self) -> list[tuple[str, str]]:
        """The choices, with translated labels."""
        return [(value, capitalise(gettext(label))) for value, label in self.choices]

    def answer_in_words(self, text: str) -> str:
        if self.kind == "tick":
            return gettext("Yes") if text else gettext("No")
        return dict(self.options).get(text, text) or gettext("Nothing")


ANSWERS = (("yes", message("Yes")), ("no", message("No")), ("", message("Not known")))
TESTED = (("yes", message("Yes")), ("no", message("No")), ("", message("Not tested")))

QUESTIONS: dict[str, FormQuestion] = {
    "name": FormQuestion("line", message("Name"), required=True),
    "category_id": FormQuestion(
        "select",
        message("Species"),
        choices=(
            ("", message("Choose")),
            *((str(each.category_id), each.one_message) for each in SPECIES),
        ),
        required=True,
    ),
    "breed_primary": FormQuestion("line", message("Breed"), suggests="breeds"),
    "breed_secondary": FormQuestion("line", message("Second breed"), suggests="breeds"),
    "breed_mixed": FormQuestion("tick", message("Mixed breed")),
    "breed_unknown": FormQuestion("tick", message("Breed not known")),
    "sex": FormQuestion(
        "segments", message("Sex"), choices=(*SEXES.messages.items(), ("", message("Not known")))
    ),
    "altered": FormQuestion("segments", message("Spayed or neutered"), choices=ANSWERS),
    "birth_date": FormQuestion(
        "day", message("Date of birth"), message("Visitors see an age, not the date.")
    ),
    "age": FormQuestion("line", message("Approximate age"), message("Such as 2 years, 8 weeks or adult.")),
    "birth_date_estimated": FormQuestion("tick", message("Date of birth is estimated")),
    "size": FormQuestion(
        "segments", message("Adult size"), choices=(*SIZES.messages.items(), ("", message("Not known")))
    ),
    "coat": FormQuestion(
        "select", message("Coat"), choices=(("", message("Not known")), *COATS.messages.items())
    ),
    "colours": FormQuestion("line", message("Colours")),
    "description": FormQuestion(
        "prose",
        message("Description"),
        message(
            "What would you tell someone at the gate? Start with what they are like, then their routine."
        ),
    ),
    "tags": FormQuestion(
        "line", message("Tags"), message("Up to 10, separated by commas, such as quiet, loves water.")
    ),
    "video_url": FormQuestion(
        "line",
        message("Video"),
        message("The address of a video. Visitors see a link to it."),
        mode="url",
    ),
    "good_with_children": FormQuestion("segments", message("Children"), choices=TESTED),
    "good_with_dogs": FormQuestion("segments", message("Dogs"), choices=TESTED),
    "good_with_cats": FormQuestion("segments", message("Cats"), choices=TESTED),
    "house_trained": FormQuestion("segments", message("House trained"), choices=ANSWERS),
    "shots_current": FormQuestion("segments", message("Vaccinations up to date"), choices=ANSWERS),
    "declawed": FormQuestion("segments", message("Declawed"), choices=ANSWERS),
    "special_needs": FormQuestion("tick", message("Has special needs")),
    "special_needs_note": FormQuestion(
        "prose",
        message("Details of special needs"),
        message("Medicine, food, a quiet home: visitors read this."),
    ),
    "fee": FormQuestion(
        "segments",
        message("Adoption fee"),
        choices=(
            ("waived", message("Waived")),
            ("hidden", message("Not shown")),
            ("money", message("An amount")),
        ),
    ),
    "fee_amount": FormQuestion("line", message("Amount"), mode="decimal"),
    "bonded_with": FormQuestion(
        "line",
        message("Adopted together with"),
        message(
            "Names, codes or numbers of your animals, separated by commas. People apply for "
            "these animals together."
        ),
    ),
    "code": FormQuestion("line", message("Shelter ID"), message("Your own reference. Visitors see it.")),
    "arrival_date": FormQuestion("day", message("Intake date"), message("Visitors see the waiting time.")),
    "microchip": FormQuestion(
        "line", message("Microchip"), message("15 digits, or 9 or 10 characters on older chips.")
    ),
    "internal_notes": FormQuestion("prose", message("Notes for the team")),
    "surrenderer": FormQuestion("prose", message("Surrendered by")),
    "foster_address": FormQuestion("prose", message("Foster home")),
    "arrival_details": FormQuestion("prose", message("Intake details")),
    "status": FormQuestion(
        "status",
        message("Status"),
        choices=tuple(STATUSES.messages.items()),
        hints={
            "available": message("People can apply"),
            "pending": message("Reserved for an applicant; others can still apply"),
            "sold": message("Nobody can apply any more"),
        },
    ),
    "visibility": FormQuestion(
        "visibility",
        message("Who sees the animal"),
        choices=(
            ("shown", message("Visible to visitors")),
            ("hidden", message("Hidden: not ready yet")),
            ("on_hold", message("Hidden: on hold")),
            ("in_quarantine", message("Hidden: in quarantine")),
            ("held", message("Hidden: on hold and in quarantine")),
        ),
        hints={"shown": message("On the websites, in feeds and in the API")},
    ),
}


def field_label(field: str) -> str:
    return gettext(QUESTIONS[FIRST_QUESTION.get(field, field)].label)


FIRST_QUESTION = {"fee_cents": "fee"}
"""The question whose label a field has, by name of the field. Only fields without a question of the same name
need it."""
