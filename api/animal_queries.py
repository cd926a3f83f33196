"""The query parameters of animals' records."""

from functools import cached_property
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import Field

from adoption.animals.age_groups import AGE_GROUPS
from adoption.animals.allowed_values import (
    BREED_LONGEST,
    COATS,
    CODE_LONGEST,
    COLOURS_LONGEST,
    SEXES,
    SIZES,
    SPECIES,
    STATUSES,
)
from adoption.animals.records.filters import INSTANTS, UNKNOWN, RecordFilters
from adoption.animals.records.pages import OLDEST, SORTS, RecordPosition
from adoption.directory.shelters_of_records import find_project_ids
from adoption.request_context import current_request
from api.animal_members import MEMBERS
from api.cursors import CursorText, open_cursor, seal_cursor
from api.listed_values import Choices, Instant, Texts, parse_instant
from api.paging import LIMIT_DEFAULT, PageLimit, next_link
from api.query_parameters import QueryParameters

INCLUDED = {"description": "description", "html": "descriptionHtml", "shelter": "shelter"}
"""The values of the parameter ``include``, each with the member that it adds."""
FIELDS = tuple(name for name in MEMBERS if name != "descriptionHtml")
SEARCH_LONGEST, SLUG_LONGEST = 200, 63
CATEGORY_IDS = {name: id_ for id_, name in SPECIES.items()}
STATUS = Choices(STATUSES)
SPECIES_NAMES = Choices(tuple(CATEGORY_IDS))
AGE = Choices((*AGE_GROUPS, UNKNOWN))
SEX = Choices((*SEXES, UNKNOWN))
SIZE = Choices((*SIZES, UNKNOWN))
COAT = Choices((*COATS, UNKNOWN))
ANSWER = Choices(("yes", "no", UNKNOWN), most=2)
YES_OR_NO = Choices(("yes", "no"))

Fields = Annotated[
    str,
    Choices(FIELDS, most=len(FIELDS)),
    Field(description="The members to return, separated by commas. `id` is always returned."),
]
Include = Annotated[
    str,
    Choices(tuple(INCLUDED), most=len(INCLUDED)),
    Field(description="`description`, `html` and `shelter` add what is left out otherwise."),
]


def requested_members(fields: str, include: str, left_out: set[str]) -> frozenset[str]:
    """Return the names of the members in the response.

    If ``fields`` is empty, the response has all members except ``left_out``. ``include`` adds members.
    """
    names = set(fields.split(",")) if fields else MEMBERS.keys() - left_out
    return frozenset({"id", *names, *(INCLUDED[each] for each in include.split(",") if each)})


class RecordParameters(QueryParameters):
    """The query parameters of one animal."""

    fields: Fields = ""
    include: Include = ""

    @cached_property
    def members(self) -> frozenset[str]:
        return requested_members(self.fields, self.include, {"descriptionHtml"})


class RecordsQuery(QueryParameters):
    """The query parameters of a list of animals."""

    limit: PageLimit = LIMIT_DEFAULT
    status: Annotated[str, STATUS, STATUS.described("One or more statuses")] = ""
    cursor: CursorText = ""
    species: Annotated[str, SPECIES_NAMES, SPECIES_NAMES.described("One or more species")] = ""
    age: Annotated[str, AGE, AGE.described("One or more age groups")] = ""
    sex: Annotated[str, SEX, SEX.described("One or more")] = ""
    size: Annotated[str, SIZE, SIZE.described("One or more sizes")] = ""
    coat: Annotated[str, COAT, COAT.described("One or more coats")] = ""
    breed: Annotated[
        str, Texts(BREED_LONGEST), Field(description="Whole words of either breed, in any case.")
    ] = ""
    colour: Annotated[str, Texts(COLOURS_LONGEST), Field(description="Whole words of the colours.")] = ""
    good_with_children: Annotated[
        str, ANSWER, ANSWER.described("One or two; `yes` means known to be good")
    ] = ""
    good_with_dogs: Annotated[str, ANSWER, ANSWER.described("One or two")] = ""
    good_with_cats: Annotated[str, ANSWER, ANSWER.described("One or two")] = ""
    house_trained: Annotated[str, ANSWER, ANSWER.described("One or two")] = ""
    special_needs: Annotated[str, YES_OR_NO, YES_OR_NO.described("One or both")] = ""
    altered: Annotated[str, ANSWER, ANSWER.described("Spayed or neutered; one or two")] = ""
    code: Annotated[str, Texts(CODE_LONGEST), Field(description="The shelter's own codes, exactly.")] = ""
    q: Annotated[
        str,
        Texts(SEARCH_LONGEST, most=1),
        Field(description="Words in any field. The end of a word can be left out."),
    ] = ""
    shown_since: Annotated[
        str, Instant(), Field(description="First shown at this time or later. A date is its start in UTC.")
    ] = ""
    shown_before: Annotated[str, Instant(), Field(description="First shown before this time.")] = ""
    updated_since: Annotated[str, Instant(), Field(description="Changed at this time or later.")] = ""
    sort: Annotated[
        str,
        Choices(tuple(each for each in SORTS if each != OLDEST), most=1),
        Field(description="`id`, or first `newest` shown, longest `waiting`, or last `updated`."),
    ] = "id"
    fields: Fields = ""
    include: Include = ""

    @cached_property
    def members(self) -> frozenset[str]:
        return requested_members(self.fields, self.include, {"description", "descriptionHtml"})

    @cached_property
    def given_filters(self) -> dict[str, str]:
        return {name: text for name, text in self.given.items() if name not in UNFILTERED}

    @cached_property
    def filters(self) -> RecordFilters:
        return {name: filter_value(name, text) for name, text in self.given_filters.items()}

    @property
    def after(self) -> RecordPosition | None:
        """The last animal of the previous page; None for the first page.

        Raises Problem if the cursor was issued for a different list.
        """
        position = open_cursor(self.cursor, self.bound)
        return RecordPosition(*position) if position else None

    @property
    def bound(self) -> dict[str, str]:
        """The project, sort order and filters for which a cursor is valid.

        The limit and the members can change from page to page.
        """
        return {"project": self.project, "sort": self.sort, **self.given_filters}

    @property
    def project(self) -> str:
        """The project to which the list belongs."""
        return str(current_request().project_id)

    def link_after(self, last: RecordPosition) -> str:
        """Return the ``Link`` header with the address of the page after this animal."""
        return next_link(f"{self.kept}cursor={seal_cursor(list(last), self.bound)}")

    @cached_property
    def kept(self) -> str:
        """The caller's query for the next page, without the cursor."""
        given = {name: text for name, text in self.given.items() if name != "cursor"}
        return f"{urlencode(given, safe=',')}&" if given else ""


UNFILTERED = ("limit", "cursor", "sort", "fields", "include")


def filter_value(name: str, text: str) -> Any:
    if name in INSTANTS:
        return parse_instant(text)
    if name == "q":
        return text
    values = tuple(text.split(","))
    return tuple(CATEGORY_IDS[each] for each in values) if name == "species" else values


class DirectoryRecordsQuery(RecordsQuery):
    """The query parameters of a list of all shelters' animals."""

    shelter: Annotated[
        str, Texts(SLUG_LONGEST), Field(description="Ids or slugs of shelters, separated by commas.")
    ] = ""

    @property
    def filters(self) -> RecordFilters:  # not cached: a slug can be renamed
        known = {name: filter_value(name, text) for name, text in self.given_filters.items()}
        if self.shelter:
            known["shelter"] = find_project_ids(self.shelter.split(","))
        return known

    @property
    def project(self) -> str:
        return ""
