"""The lenient query parser of the Petfinder API.

Unknown parameters are ignored, names in brackets and repeated names are lists, and case does not matter. A
known parameter with an invalid value is an error, because otherwise the whole list would be returned.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from adoption.request_context import current_request
from api.listed_values import VALUES_MOST
from api.petfinder.problems import parameter_problem
from api.responses import HeaderList

BRACKETS = re.compile(r"\[[0-9]*\]$")
TEXT_LONGEST = 100
ANSWERS = {"true": True, "1": True, "false": False, "0": False}
LIMIT_DEFAULT, LIMIT_MOST = 20, 100


class Parameters(NamedTuple):
    """The parameters of a query that the operation knows. Empty values are left out."""

    given: Mapping[str, tuple[str, ...]]
    ignored: tuple[str, ...]
    """The names of unknown parameters, as they were sent."""

    def text(self, name: str) -> str:
        """Return the value of a parameter; the last one if it is repeated."""
        text = self.given[name][-1] if name in self.given else ""
        if len(text) > TEXT_LONGEST or not text.isprintable():
            raise parameter_problem(name, f"{name} must have 1 to {TEXT_LONGEST} characters.")
        return text

    def values(
        self, name: str, known: Collection[str] = (), normalise: Callable[[str], str] = str.lower
    ) -> tuple[str, ...]:
        """Return the values of a list. A value whose normalised text is ``known`` may contain commas."""
        found: list[str] = []
        for text in self.given.get(name, ()):
            parts = [text] if normalise(text) in known else text.split(",")
            found += [part.strip() for part in parts if part.strip()]
        if len(found) > VALUES_MOST or not all(len(v) <= TEXT_LONGEST and v.isprintable() for v in found):
            message = f"{name} can have {VALUES_MOST} values of up to {TEXT_LONGEST} characters each."
            raise parameter_problem(name, message)
        return tuple(dict.fromkeys(found))

    def choices(self, name: str, choices: Mapping[str, Any], normalise: Callable[[str], str]) -> list[Any]:
        """Return the choices for the values of a list."""
        found = []
        for text in self.values(name, choices, normalise):
            if normalise(text) not in choices:
                raise parameter_problem(name, f"{name} must be one of: {', '.join(choices)}.")
            found.append(choices[normalise(text)])
        return found

    def answer(self, name: str) -> bool | None:
        text = self.text(name).lower()
        if text and text not in ANSWERS:
            raise parameter_problem(name, f"{name} must be true, false, 1 or 0.")
        return ANSWERS.get(text)

    def whole_number(self, name: str, least: int, most: int, default: int) -> int:
        text = self.text(name)
        if not text:
            return default
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise parameter_problem(name, f"{name} must be a whole number from {least} to {most}.")
        return int(text)

    @property
    def page(self) -> int:
        return self.whole_number("page", 1, 10**9 - 1, 1)

    @property
    def limit(self) -> int:
        return self.whole_number("limit", 1, LIMIT_MOST, LIMIT_DEFAULT)

    @property
    def headers(self) -> HeaderList:
        """The header that names the ignored parameters."""
        names = [re.sub(r"[^\w.\[\]-]", "?", name, flags=re.ASCII)[:50] for name in self.ignored]
        return [("Homeward-Ignored", ", ".join(names[:VALUES_MOST]))] if names else []


def read_parameters(*known: str) -> Parameters:
    return parse_parameters(current_request().environ.get("QUERY_STRING", ""), known)


@lru_cache(100)
def parse_parameters(query: str, known: tuple[str, ...]) -> Parameters:
    given: dict[str, tuple[str, ...]] = {}
    ignored: dict[str, None] = {}
    for sent, value in parse_qsl(query, errors="replace"):
        name = BRACKETS.sub("", sent).lower()
        if name in known:
            given[name] = (*given.get(name, ()), value.strip())
        else:
            ignored[sent] = None
    return Parameters({name: values for name, values in given.items() if any(values)}, tuple(ignored))


def pagination_json(path: str, page: int, limit: int, total: int) -> dict[str, Any]:
    """Return the member ``pagination``, with the addresses of the next and the previous page."""
    pages = -(-total // limit)
    query = parse_qsl(current_request().environ.get("QUERY_STRING", ""), errors="replace")
    links = {}
    for name, number in (("previous", page - 1), ("next", page + 1)):
        if 1 <= number <= pages:
            links[name] = {"href": page_address(path, query, number)}
    return {
        "count_per_page": limit,
        "total_count": total,
        "current_page": page,
        "total_pages": pages,
        "_links": links,
    }


def page_address(path: str, query: list[tuple[str, str]], number: int) -> str:
    kept = [(name, value) for name, value in query if name.lower() != "page"]
    return f"{path}?{urlencode([*kept, ('page', str(number))])}"
