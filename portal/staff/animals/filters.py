"""The filters, the order and the page number of the list of animals, read from the address."""

from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from flask import Response, request, url_for
from werkzeug.datastructures import MultiDict

from adoption.animals.allowed_values import STATUSES
from adoption.animals.staff_list import ORDERS, STANDINGS, AnimalSearch
from portal import animal_labels
from portal.responses import see_other

PAGES_MOST = 100_000
TEXT_LONGEST = 200
NEWEST_CHANGE = "-updated"
LARGEST_FIRST = {"updated", "arrival", "waiting"}
"""Columns that the first click sorts in descending order: the newest date or the longest wait is then
first."""


class AnimalListFilters(NamedTuple):
    """The filters, the order and the page number of the list, as in its address."""

    q: str = ""
    species: str = ""
    status: str = ""
    show: str = ""
    """The filter by visibility, a key of ``STANDINGS``. If empty, the list contains all animals that are not
    removed."""
    sort: str = NEWEST_CHANGE
    """A key of ``ORDERS``. A minus sign before the key means descending order."""
    page: int = 1

    @classmethod
    def from_address(cls, args: MultiDict[str, str]) -> "AnimalListFilters":
        """Return the filters in the parameters of an address. Unknown values are ignored."""
        page, sort = args.get("page", ""), args.get("sort", "")
        return cls(
            q=args.get("q", "").strip()[:TEXT_LONGEST].replace("\0", ""),
            species=known_value(args.get("species"), animal_labels.SPECIES_BY_SLUG),
            status=known_value(args.get("status"), STATUSES),
            show=known_value(args.get("show"), STANDINGS),
            sort=sort if sort.removeprefix("-") in ORDERS else NEWEST_CHANGE,
            page=min(max(1, int(page)), PAGES_MOST) if page.isdecimal() and len(page) < 7 else 1,
        )

    def address(self, **changes: Any) -> str:
        """Return these filters with ``changes`` as a query string. Default values are left out."""
        state = self._replace(**changes)._asdict()
        usual = AnimalListFilters()._asdict()
        changed = {name: value for name, value in state.items() if value != usual[name]}
        return f"?{urlencode(changed)}" if changed else ""

    def sorted_by(self, order: str) -> str:
        """Return the query string that sorts the list by the column ``order``.

        If the list is already sorted by this column, the query string reverses the order.
        """
        first = f"-{order}" if order in LARGEST_FIRST else order
        other = order if first.startswith("-") else f"-{order}"
        return self.address(sort=other if self.sort == first else first, page=1)

    def direction(self, order: str) -> str:
        if self.sort.removeprefix("-") != order:
            return ""
        return "descending" if self.sort.startswith("-") else "ascending"

    @property
    def sought(self) -> AnimalSearch:
        species = animal_labels.SPECIES_BY_SLUG.get(self.species)
        return AnimalSearch(self.q, species.category_id if species else None, self.status or None, self.show)

    @property
    def narrowed(self) -> bool:
        return self.sought != AnimalSearch()


def known_value(text: str | None, values: Any) -> str:
    return text if text and text in values else ""


def list_filters() -> AnimalListFilters:
    """Return the filters, the order and the page number of the list from which the current request came."""
    back = request.values.get("back", "")
    return AnimalListFilters.from_address(MultiDict(parse_qsl(back.removeprefix("?"))))


def back_to_list() -> Response:
    return see_other(url_for(".animals") + list_filters().address())
