"""Filters of the catalogue, read from its address."""

import re
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import url_for
from werkzeug.datastructures import MultiDict

from adoption.animals.age_groups import AGE_GROUPS
from adoption.animals.allowed_values import ID_LARGEST, SEXES, SIZES, STATUSES, WAITING
from adoption.animals.catalogue import COMPANIONS, CatalogueFilters
from adoption.animals.catalogue_orders import ORDERS, PagePosition
from adoption.animals.query.interpreted_query import InterpretedQuery
from adoption.animals.query.parser import read_query
from adoption.domains.site_lookup import was_published_below
from adoption.errors import NotFound
from adoption.places.distances import DEFAULT_WITHIN, parse_within
from adoption.places.nearby_projects import NearbyProject, near
from adoption.places.place_lookup import Place
from adoption.projects.published_sites import Site, find_published_site
from adoption.projects.shelter_search_index import projects_by_word
from adoption.translations import gettext, message
from portal import animal_labels
from portal.nearness import NEAR_LONGEST, is_valid_within, label_near, place_or_error
from portal.translated_labels import Labels

PAGE_SIZE, PAGE_SIZE_MOST = 24, 120
"""The number of cards that a page shows at first and that "show more" adds, and the maximum of cards on one
page."""

QUESTION_LONGEST = 200

FILTER_VALUES = {
    "species": tuple(animal_labels.SPECIES_BY_SLUG),
    "status": STATUSES,
    "sex": SEXES,
    "age": tuple(AGE_GROUPS),
    "size": SIZES,
    **dict.fromkeys(COMPANIONS, ("yes",)),
    "untested": ("yes",),
    "sort": tuple(ORDERS),
}
"""Filters by name, each with its allowed values. The empty value is also allowed for every filter."""

COMPANION_NAMES = Labels({"children": message("Children"), "dogs": message("Dogs"), "cats": message("Cats")})
COMPANION_LABELS = Labels(
    {
        "children": message("Good with children"),
        "dogs": message("Good with dogs"),
        "cats": message("Good with cats"),
    }
)
SLUG = re.compile(r"[a-z0-9-]{1,63}")
BROKEN_LINK = message("This link is broken. Start again from the first page.")
NO_SHELTER = message("There is no such shelter here. Choose another, or look at all animals.")
SHELTER_OFFLINE = message(
    "This shelter's site is offline for now, so its animals are not shown. It may come back."
)

POSITION = re.compile(r"(?:(\d{4}-\d\d-\d\d|none|[0-4]|near-[0-9]{1,18})\.)?([0-9]{1,19})", re.ASCII)


class CatalogueParameters(NamedTuple):
    """The checked parameters of an address. An empty text means "any"."""

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
    near: str = ""
    """The typed ZIP code or town."""
    within: str = ""
    """The distance from ``near``, such as "25mi"; empty for the default."""
    sort: str = ""
    after: str = ""
    """The last animal of the previous page: its rank, arrival date or project, a dot, and its id."""
    shown: int = PAGE_SIZE

    @classmethod
    def from_address(cls, params: "MultiDict[str, str]") -> "CatalogueParameters":
        """Read the parameters of an address. Raises NotFound if the shelter is invalid.

        Unknown names and values are ignored. Upper and lower case make no difference.
        """
        first = params.to_dict()
        chosen = {name: first.get(name, "") for name in cls._fields if name != "shown"}
        chosen["q"] = " ".join(chosen["q"].replace("\0", " ").split())[:QUESTION_LONGEST]
        for name, values in FILTER_VALUES.items():
            value = chosen[name].strip().casefold()
            chosen[name] = value if value in values else ""
        chosen["near"] = " ".join(chosen["near"].replace("\0", " ").split())[:NEAR_LONGEST]
        within = chosen["within"].strip().casefold()
        chosen["within"] = within if is_valid_within(within) and within != DEFAULT_WITHIN else ""
        if chosen["sort"] == "best" or (chosen["sort"] == "newest" and not chosen["q"]):
            chosen["sort"] = ""
        if chosen["shelter"] and not SLUG.fullmatch(chosen["shelter"]):
            raise NotFound(gettext(NO_SHELTER))
        return cls(**chosen, shown=number_shown(first.get("shown", "")))

    def position(self, order: str) -> PagePosition | None:
        """Return where the page begins. Raises NotFound if ``after`` does not match this order."""
        match = POSITION.fullmatch(self.after)
        if not self.after:
            return None
        lead = match[1] or "" if match else ""
        kind = "newest" if not lead else "best" if len(lead) == 1 else "waiting"
        kind = "distance" if lead.startswith("near-") else kind
        if not match or kind != order or not 0 < int(match[2]) <= ID_LARGEST:
            raise NotFound(gettext(BROKEN_LINK))
        if kind == "best":
            return PagePosition(int(match[2]), rank=int(lead))
        if kind == "distance":
            return PagePosition(int(match[2]), project_id=int(lead.removeprefix("near-")))
        if lead in ("", "none"):
            return PagePosition(int(match[2]))
        try:
            return PagePosition(int(match[2]), date.fromisoformat(lead).isoformat())
        except ValueError:
            raise NotFound(gettext(BROKEN_LINK)) from None

    def of_shelter(self, site: Site | None) -> Site | None:
        """Return the shelter in an address of the platform. Raises NotFound if it is not published."""
        if not self.shelter:
            return None
        shelter = find_published_site(self.shelter) if site is None else None
        if shelter is None:
            is_offline = site is None and was_published_below(self.shelter)
            raise NotFound(gettext(SHELTER_OFFLINE if is_offline else NO_SHELTER))
        return shelter

    @property
    def chosen(self) -> dict[str, object]:
        """The filters that the address sets. They override filters from the words of the query."""
        fields = {name: getattr(self, name) for name in ("sex", "age", "size", *COMPANIONS)}
        fields["category_id"] = (
            animal_labels.SPECIES_BY_SLUG[self.species].category_id if self.species else None
        )
        return {name: value for name, value in fields.items() if value}

    def query(self) -> InterpretedQuery:
        return read_query(self.q, self.chosen, projects_by_word) if self.q else InterpretedQuery()

    def filters(self, query: InterpretedQuery, site: Site | None, shelter: Site | None) -> CatalogueFilters:
        """Return the filters of a search on a shelter's ``site``, or on the platform.

        On the platform, ``shelter`` can limit the search to one shelter.
        """
        fields: dict[str, Any] = {each.meaning.field: each.meaning.value for each in query.readings}
        fields |= self.chosen
        place = None if site else self.place
        return CatalogueFilters(
            project_id=site.project_id if site else None,
            shelter=shelter.project_id if shelter else None,
            words=query.terms,
            category_id=fields.get("category_id"),
            # By default, only animals that can be adopted are shown.
            statuses=(self.status,) if self.status else WAITING,
            sex=fields.get("sex"),
            age=fields.get("age"),
            size=fields.get("size"),
            companions=frozenset(fields.keys() & {*COMPANIONS}),
            untested=bool(self.untested),
            nearby=",".join(str(each.project_id) for each in self.nearby()) if place else None,
        )

    @property
    def place(self) -> Place | None:
        """The place that distances are from; None if the address has no place or an unknown place."""
        return place_or_error(self.near)[0]

    def nearby(self) -> list[NearbyProject]:
        """Return the shelters within the distance, nearest first."""
        place = self.place
        return near(place.lat, place.lng, parse_within(self.within)) if place else []

    def without_place(self) -> "CatalogueParameters":
        return self._replace(near="", within="", sort="" if self.sort == "distance" else self.sort)

    def order(self, query: InterpretedQuery) -> str:
        """Return the order of the results, one of ``ORDERS``."""
        sort = "" if self.sort == "distance" and not self.place else self.sort
        return sort or ("best" if query.terms else "newest")

    def address(self, **changes: Any) -> str:
        """Return the query of these parameters with ``changes``. Default values are left out."""
        changed = self._replace(**changes)
        values = (changed if changed.near else changed.without_place())._asdict()
        query = {
            name: value for name, value in values.items() if value and (name, value) != ("shown", PAGE_SIZE)
        }
        return f"?{urlencode(query)}" if query else ""

    def at_start(self, **changes: Any) -> str:
        """Return the address of the first page with these changes."""
        return url_for("portal.catalogue") + self.address(**{"after": "", "shown": PAGE_SIZE, **changes})

    @property
    def applied(self) -> list[tuple[str, str]]:
        """The name and the label of each filter in use, without the species and the words of the query."""
        applied = [
            (name, filter_label(name, getattr(self, name))) for name in NARROWING if getattr(self, name)
        ]
        if place := self.place:
            applied.append(("near", label_near(place, self.within)))
        return applied


NARROWING = ("status", "sex", "age", "size", *COMPANIONS, "untested")


def unknown_values(params: "MultiDict[str, str]") -> tuple[str, ...]:
    """Return the parameters with unknown values, such as "cats=no"."""
    within = params.get("within", "").strip()
    wrong = (f"within={within[:40]}",) if within and not is_valid_within(within.casefold()) else ()
    return wrong + tuple(
        f"{name}={value[:40]}"
        for name, values in FILTER_VALUES.items()
        if (value := params.get(name, "").strip()) and value.casefold() not in values
    )


def number_shown(text: str) -> int:
    """Return the number of cards to show, which is the given number rounded up to a full ``PAGE_SIZE``."""
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII):
        return PAGE_SIZE
    return min(max(PAGE_SIZE, -(-int(text) // PAGE_SIZE) * PAGE_SIZE), PAGE_SIZE_MOST)


def filter_label(name: str, value: str) -> str:
    if name == "status":
        return animal_labels.STATUSES[value]
    if name in COMPANIONS:
        return COMPANION_LABELS[name]
    return {
        "sex": animal_labels.SEXES,
        "age": animal_labels.AGES,
        "size": animal_labels.SIZES,
        "untested": animal_labels.UNTESTED,
    }[name][value]
