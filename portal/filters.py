"""The catalogue's filters: what an address asks for, and the choices that a page offers."""

import re
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from werkzeug.datastructures import MultiDict

from adoption.animals.ages import AGE_GROUPS
from adoption.animals.catalogue import COMPANIONS, ID_LARGEST, ORDERS, Place, Wanted
from adoption.animals.counts import Counts
from adoption.animals.fields import SEXES, SIZES, STATUSES, WAITING
from adoption.animals.search import words_in
from adoption.errors import NotFound
from adoption.projects.queries import Site, site_called
from portal import words

SHOWN, SHOWN_MOST = 24, 240
"""Cards that a page begins with and grows by, and those that one address shows at most."""

QUESTION_LONGEST, WORDS_MOST = 200, 8

KNOWN = {
    "species": tuple(words.SPECIES_BY_SLUG),
    "status": STATUSES,
    "sex": SEXES,
    "age": tuple(AGE_GROUPS),
    "size": SIZES,
    **dict.fromkeys(COMPANIONS, ("yes",)),
    "untested": ("yes",),
    "sort": tuple(ORDERS),
}
"""Every filter by its name in the address, with the values that it may have beside the empty one."""

SLUG = re.compile(r"[a-z0-9-]{1,63}")
BROKEN_LINK = "This link is broken. Start again from the first."
NO_SHELTER = "There is no such shelter here. Choose another, or look at all animals."

PLACE = re.compile(r"(?:(\d{4}-\d\d-\d\d|none)\.)?([0-9]{1,19})", re.ASCII)


class Asked(NamedTuple):
    """What an address asks for, read and found good. The empty text means "any"."""

    q: str = ""
    species: str = ""
    status: str = ""
    sex: str = ""
    age: str = ""
    size: str = ""
    children: str = ""
    dogs: str = ""
    cats: str = ""
    untested: str = ""
    shelter: str = ""
    sort: str = ""
    after: str = ""
    """Where the page begins: behind the animal with this id; by waiting time its day of arrival leads."""
    shown: int = SHOWN

    @classmethod
    def from_address(cls, given: "MultiDict[str, str]") -> "Asked":
        """Raises NotFound for a value that there is not; parameters that are not known are passed over."""
        first = given.to_dict()
        chosen = {name: first.get(name, "") for name in cls._fields if name != "shown"}
        chosen["q"] = " ".join(chosen["q"].replace("\0", " ").split())[:QUESTION_LONGEST]
        for name, values in KNOWN.items():
            if chosen[name] and chosen[name] not in values:
                raise NotFound(f"There is no such {name} here. Choose one of these.")
        chosen["sort"] = chosen["sort"] if chosen["sort"] != "newest" else ""
        if chosen["shelter"] and not SLUG.fullmatch(chosen["shelter"]):
            raise NotFound(NO_SHELTER)
        asked = cls(**chosen, shown=shown_of(first.get("shown", "")))
        asked.place()
        return asked

    def place(self) -> Place | None:
        found = PLACE.fullmatch(self.after)
        if not self.after:
            return None
        if not found or not 0 < int(found[2]) <= ID_LARGEST or bool(found[1]) != (self.sort == "waiting"):
            raise NotFound(BROKEN_LINK)
        if found[1] in (None, "none"):
            return Place(int(found[2]))
        try:
            return Place(int(found[2]), date.fromisoformat(found[1]).isoformat())
        except ValueError:
            raise NotFound(BROKEN_LINK) from None

    def of_shelter(self, site: Site | None) -> Site | None:
        """The shelter among all whose animals are asked for. Raises NotFound where it is not published."""
        if not self.shelter:
            return None
        shelter = site_called(self.shelter) if site is None else None
        if shelter is None:
            raise NotFound(NO_SHELTER)
        return shelter

    def wanted(self, site: Site | None, shelter: Site | None) -> Wanted:
        """The same for the rules, on a shelter's own ``site`` or of one ``shelter`` among all."""
        return Wanted(
            project_id=site.project_id if site else None,
            shelter=shelter.project_id if shelter else None,
            words=tuple((word,) for word in dict.fromkeys(words_in(self.q)))[:WORDS_MOST],
            category_id=words.SPECIES_BY_SLUG[self.species].category_id if self.species else None,
            # Unless others are asked for, those that can really be adopted.
            statuses=(self.status,) if self.status else WAITING,
            sex=self.sex or None,
            age=self.age or None,
            size=self.size or None,
            companions=frozenset(name for name in COMPANIONS if getattr(self, name)),
            untested=bool(self.untested),
        )

    def address(self, **changes: Any) -> str:
        """The query of this state, with ``changes``, and without what is as it always is."""
        state = self._replace(**changes)._asdict()
        told = {name: value for name, value in state.items() if value and (name, value) != ("shown", SHOWN)}
        return f"?{urlencode(told)}" if told else ""

    @property
    def applied(self) -> list[tuple[str, str]]:
        """The filters that narrow the page, but for species and words: name and what it says."""
        return [(name, told_of(name, getattr(self, name))) for name in NARROWING if getattr(self, name)]


NARROWING = ("status", "sex", "age", "size", *COMPANIONS, "untested")


def shown_of(text: str) -> int:
    """How many cards are shown: a multiple of ``SHOWN``, whatever the address says."""
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII):
        return SHOWN
    return min(max(SHOWN, -(-int(text) // SHOWN) * SHOWN), SHOWN_MOST)


def told_of(name: str, value: str) -> str:
    if name == "status":
        return words.STATUSES[value]
    if name in COMPANIONS:
        return f"Good with {name}"
    return {"sex": words.SEXES, "age": words.AGES, "size": words.SIZES, "untested": words.UNTESTED}[name][
        value
    ]


class Choice(NamedTuple):
    """One value of a filter, as the page offers it."""

    value: str
    label: str
    icon: str
    number: str
    """How many animals it would show; empty where they are too many to count."""
    chosen: bool


class Filter(NamedTuple):
    name: str
    label: str
    choices: list[Choice]


def filters_of(asked: Asked, counts: Counts) -> dict[str, Filter]:
    """Every filter with its choices, by name."""
    known = counts.by_filter()

    def number(filter_: str, *values: str | int) -> str:
        """How many animals these values show; without any, all values."""
        if known is None:
            return ""
        animals = known.get(filter_, {})
        return f"{sum(animals.get(value, 0) for value in values or animals):,}"

    def choice(name: str, value: str, label: str, count: str, icon: str = "") -> Choice:
        return Choice(value, label, icon, count, getattr(asked, name) == value)

    species = [choice("species", "", "All", number("category_id"), "paw-print")]
    species += [
        choice("species", each.slug, each.label, number("category_id", each.category_id), each.icon)
        for each in words.SPECIES
    ]
    status = [choice("status", "", "Waiting", number("status", *WAITING))]
    status += [
        choice("status", value, label, number("status", value)) for value, label in words.STATUSES.items()
    ]
    filters = {"species": Filter("species", "Species", species), "status": Filter("status", "Status", status)}
    for name, label, told in (
        ("sex", "Sex", words.SEXES),
        ("age", "Age", words.AGES),
        ("size", "Size", words.SIZES),
    ):
        choices = [choice(name, "", "Any", "")]
        choices += [choice(name, value, text, number(name, value)) for value, text in told.items()]
        filters[name] = Filter(name, label, choices)
    for companion in COMPANIONS:
        count = number(companion, "yes")
        filters[companion] = Filter(
            companion, f"Good with {companion}", [choice(companion, "yes", companion.capitalize(), count)]
        )
    return filters
