"""Generator of demo animals, in the order in which their shelters entered them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate
from random import Random
from typing import NamedTuple

from adoption.animals.indexed_words import words_to_index
from demo.bulk_inserts import Row
from demo.descriptions import WORDS, DescriptionWriter
from demo.names import EITHER, HE, SHE
from demo.orders import generate_orders
from demo.photographed_animals import PhotographedAnimal
from demo.shuffled_deck import Deck
from demo.species import KINDS, DemoBreed, DemoSpecies
from demo.staff_only_fields import care_record

YEAR = 365.25
ENTERED_OVER = 420
"""The number of days over which the shelters entered the animals."""
BONDING = 7
"""The id of the last category whose animals can be bonded. Reptiles and later categories cannot."""
TRI_STATES = {
    1: ((0.55, 0.15), (0.6, 0.18), (0.25, 0.35)),
    2: ((0.5, 0.18), (0.25, 0.3), (0.5, 0.25)),
    3: ((0.4, 0.2), (0.05, 0.3), (0.15, 0.2)),
}
"""By category, the chances of the answers yes and no about children, dogs and cats.

Other answers are unknown.
"""


@dataclass
class DemoProject:
    """The categories and codes of a project's animals."""

    project_id: int
    kinds: tuple[DemoSpecies, ...]
    shares: tuple[int, ...]
    """The cumulative shares of ``kinds``."""
    code_form: str
    entered: int = 0

    def code(self, year: int) -> str:
        self.entered += 1
        return self.code_form.format(year=year, number=self.entered)


CODE_FORMS = ("{year}-{number:04}", "A{number:06}", "D{year}{number:03}", "K{number}", "R/{number:05}")


def demo_project(project_id: int, categories: tuple[int, ...], number: int) -> DemoProject:
    kinds = tuple(kind for kind in KINDS if not categories or kind.category_id in categories)
    shares = tuple(accumulate(kind.share for kind in kinds))
    return DemoProject(project_id, kinds, shares, CODE_FORMS[number % len(CODE_FORMS)])


class Stay(NamedTuple):
    """The time and kind of an animal's arrival, and the birth date."""

    entered: datetime
    arrival: date
    birth: date
    intake: str


class DemoAnimal(NamedTuple):
    animal: Row
    care: Row
    orders: list[Row]
    subject: PhotographedAnimal | None = None
    """The photographed animal that the entry is about, if any."""


class AnimalGenerator:
    """Generates animals. The same ``rng`` and ``today`` give the same animals."""

    def __init__(self, rng: Random, today: date) -> None:
        self.rng, self.today = rng, today
        self.midnight = datetime.combine(today, time(), UTC)
        self.descriptions = DescriptionWriter(rng)
        self.names = {"female": Deck(SHE, rng), "male": Deck(HE, rng), None: Deck(EITHER, rng)}
        self.breeds = {
            kind.category_id: Deck([breed for breed in kind.breeds for _ in range(breed.common)], rng)
            for kind in KINDS
        }

    def group(self, project: DemoProject, kind: DemoSpecies, progress: float, room: int) -> list[DemoAnimal]:
        """Return one animal, or a bonded pair if there is room for two.

        ``progress`` is 0 for the first animal entered and near 1 for the last.
        """
        rng = self.rng
        size = 2 if room > 1 and kind.category_id <= BONDING and rng.random() < 0.03 else 1
        stay = self.stay(kind, progress)
        status = self.status(progress)
        looks = [self.looks(kind) for _ in range(size)]
        names = [self.names[each["sex"] if rng.random() < 0.5 else None].deal() for each in looks]
        generated = generate_orders(rng, status, stay.entered, self.midnight)
        entries = []
        for look, name, other in zip(looks, names, reversed(names), strict=True):
            mate = other if size == 2 else None
            animal, care = self.entry(project, kind, stay, status, {"name": name, **look}, mate)
            orders = [{"project_id": project.project_id, **order} for order in generated if animal["listed"]]
            entries.append(DemoAnimal(animal, care, orders))
        return entries

    def photographed_animal(
        self, project: DemoProject, kind: DemoSpecies, subject: PhotographedAnimal, progress: float
    ) -> DemoAnimal:
        """Return the animal of a photo. It is available, and has no bonded partner."""
        stay = self.stay(kind, progress)
        stay = stay._replace(birth=stay.arrival - timedelta(days=subject.days_old))
        animal, care = self.entry(project, kind, stay, "available", subject.look, None)
        animal["listed"], care["on_hold"], care["in_quarantine"] = True, False, False
        generated = generate_orders(self.rng, "available", stay.entered, self.midnight)
        orders = [{"project_id": project.project_id, **order} for order in generated]
        return DemoAnimal(animal, care, orders, subject)

    def entry(
        self, project: DemoProject, kind: DemoSpecies, stay: Stay, status: str, look: Row, other: str | None
    ) -> tuple[Row, Row]:
        rng = self.rng
        care = care_record(rng, kind, stay.intake, may_be_held=status == "available" and not other)
        need, needed = self.need(kind)
        animal = {
            **look,
            **self.temper(kind),
            "project_id": project.project_id,
            "category_id": kind.category_id,
            "status": status,
            "listed": not (care["on_hold"] or care["in_quarantine"]),
            "code": project.code(stay.entered.year) if rng.random() < 0.93 else None,
            "special_needs": bool(need),
            "special_needs_note": need,
            "fee_cents": self.fee(kind),
            "bond_id": None,
            **self.dates(stay),
        }
        age = (self.today - stay.birth).days / YEAR / kind.lifespan
        animal["description"] = self.descriptions.describe(
            animal, kind.words, age, stay.intake, needed, other
        )
        animal["words"] = words_to_index(animal)
        animal["published"] = True
        animal["shown_at"] = stay.entered if animal["listed"] else None
        animal["status_changed_at"] = stay.entered if status == "available" else animal["updated_at"]
        return animal, care

    def stay(self, kind: DemoSpecies, progress: float) -> Stay:
        rng = self.rng
        ago = 1 + int((1 - progress) ** 1.4 * ENTERED_OVER + rng.random() * 3)
        day = self.today - timedelta(days=ago)
        entered = datetime.combine(day, time(9 + int(rng.random() * 8), int(rng.random() * 60)), UTC)
        if 56 <= ago <= 300 and kind.category_id not in (6, 8, 9) and rng.random() < 0.07:
            return Stay(entered, day, day, "Born in care")
        intake = ("Stray", "Surrender", "Transfer in")[int(rng.random() ** 1.2 * 3)]
        longer = int(rng.random() * 900) if rng.random() < 0.06 else 0
        arrival = day - timedelta(days=longer)
        # Most arrivals are young, some very young; the oldest are near the end of their lifespan.
        old = timedelta(days=45 + int(rng.random() ** 1.8 * kind.lifespan * 0.8 * YEAR))
        return Stay(entered, arrival, arrival - old, intake)

    def dates(self, stay: Stay) -> Row:
        rng = self.rng
        return {
            "birth_date": stay.birth if rng.random() < 0.95 else None,
            "birth_date_estimated": stay.intake != "Born in care" and rng.random() < 0.45,
            "arrival_date": stay.arrival,
            "created_at": stay.entered,
            "updated_at": stay.entered + rng.random() ** 2 * (self.midnight - stay.entered),
        }

    def status(self, progress: float) -> str:
        chance = self.rng.random()
        sold = 0.05 + 0.15 * (1 - progress)
        return "sold" if chance < sold else "pending" if chance < sold + 0.13 else "available"

    def looks(self, kind: DemoSpecies) -> Row:
        rng = self.rng
        breed = self.breeds[kind.category_id].deal()
        mixed = rng.random() < kind.mixed
        unknown = mixed and rng.random() < 0.1
        second = self.second_breed(kind, breed) if mixed and not unknown else None
        sex = None if rng.random() > kind.sexed else "female" if rng.random() < 0.5 else "male"
        if breed.name.endswith(" hen"):
            sex = "female"
        return {
            "breed_primary": None if unknown else breed.name,
            "breed_secondary": second,
            "breed_mixed": mixed,
            "breed_unknown": unknown,
            "sex": sex,
            "size": breed.size,
            "coat": breed.coat,
            "colours": breed.colours[int(rng.random() * len(breed.colours))],
        }

    def second_breed(self, kind: DemoSpecies, first: DemoBreed) -> str | None:
        other = self.rng.choice(kind.breeds)
        alike = other.name != first.name and other.size == first.size
        return other.name if alike and self.rng.random() < 0.7 else None

    def temper(self, kind: DemoSpecies) -> Row:
        rng = self.rng
        known = TRI_STATES.get(kind.category_id)
        answers: list[bool | None] = [None, None, None]
        if known:
            chances = [rng.random(), rng.random(), rng.random()]
            answers = [
                True if chance < yes else False if chance < yes + no else None
                for chance, (yes, no) in zip(chances, known, strict=True)
            ]
        return {
            "good_with_children": answers[0],
            "good_with_dogs": answers[1],
            "good_with_cats": answers[2],
            "house_trained": (rng.random() < kind.trained or None) if kind.trained else None,
            "altered": rng.random() < kind.altered if kind.altered and rng.random() < 0.9 else None,
        }

    def need(self, kind: DemoSpecies) -> tuple[str, str]:
        """Return the note on a special need, and a sentence about the need. Usually both are empty."""
        needs = WORDS[kind.words].needs
        return self.rng.choice(needs) if needs and self.rng.random() < 0.07 else ("", "")

    def fee(self, kind: DemoSpecies) -> int | None:
        chance = self.rng.random()
        if chance < 0.09:
            return 0 if chance < 0.05 else None
        low, high = kind.fees
        return low + int(self.rng.random() * (high - low) / 500) * 500


def generate_animals(
    rng: Random,
    today: date,
    count: int,
    projects: Sequence[DemoProject],
    weights: Sequence[float],
    subjects: Sequence[PhotographedAnimal] = (),
) -> Iterator[list[DemoAnimal]]:
    """Yield ``count`` animals, alone or in pairs, in order of entry across all shelters.

    Near the end comes one animal of each category that a shelter takes. So a small demo has animals of all
    these categories, and the catalogue, which starts with the newest animals, shows the variety. The
    photographed animals come last.
    """
    generator = AnimalGenerator(rng, today)
    sums = list(accumulate(weights))
    last = spread_subjects(subjects, projects)
    last += one_of_each(rng, projects, besides={subject.category_id for subject in subjects})
    made = 0
    while made < count:
        room = count - made - len(last)
        if room > 0:
            where = rng.choices(projects, cum_weights=sums)[0]
            kind = rng.choices(where.kinds, cum_weights=where.shares)[0]
            group = generator.group(where, kind, made / count, room)
        else:
            where, kind, subject = last.pop()
            alone = generator.photographed_animal(where, kind, subject, made / count) if subject else None
            group = [alone] if alone else generator.group(where, kind, made / count, 1)
        made += len(group)
        yield group


Last = tuple[DemoProject, DemoSpecies, PhotographedAnimal | None]


def one_of_each(rng: Random, projects: Sequence[DemoProject], besides: set[int]) -> list[Last]:
    """Return each category that any shelter takes, with one of the shelters that take it."""
    taking = [(kind, projects_taking(kind, projects)) for kind in KINDS if kind.category_id not in besides]
    each: list[Last] = [(rng.choice(where), kind, None) for kind, where in taking if where]
    rng.shuffle(each)
    return each


def spread_subjects(subjects: Sequence[PhotographedAnimal], projects: Sequence[DemoProject]) -> list[Last]:
    """Return the photographed animals, spread over the shelters that take their category."""
    kinds = {kind.category_id: kind for kind in KINDS}
    taking = [(subject, projects_taking(kinds[subject.category_id], projects)) for subject in subjects]
    return [
        (where[number % len(where)], kinds[subject.category_id], subject)
        for number, (subject, where) in enumerate(taking)
        if where
    ]


def projects_taking(kind: DemoSpecies, projects: Sequence[DemoProject]) -> list[DemoProject]:
    return [project for project in projects if kind in project.kinds]
