"""The filters of the list of animals, from Petfinder's parameters."""

from typing import Any, NamedTuple

from adoption.animals.age_groups import AGE_GROUPS
from adoption.animals.allowed_values import COATS
from adoption.animals.records.breeds_in_use import all_breeds
from adoption.request_context import current_request
from api.listed_values import parse_instant
from api.petfinder.animal_types import SIZES, TYPES, slug_of
from api.petfinder.parameters import Parameters
from api.petfinder.places import Location
from api.petfinder.problems import parameter_problem
from api.petfinder.shelter_ids import project_ids_of

STATUSES = {"adoptable": ("available",), "adopted": ("sold",), "found": ()}
CHOICES = {
    "gender": ("sex", {"female": "female", "male": "male", "unknown": "unknown"}),
    "age": ("age", {each: each for each in AGE_GROUPS}),
    "size": ("size", {slug_of(name): size for size, name in SIZES.items()} | {size: size for size in SIZES}),
    "coat": ("coat", {each: each for each in COATS}),
}
"""For each parameter, the filter's name, and its values by the parameter's."""
ANSWERS = (
    *("good_with_children", "good_with_dogs", "good_with_cats"),
    *("house_trained", "declawed", "special_needs"),
)
NAMES = (
    *("type", "breed", "color", "status", "name", "organization", "location", "distance", "before", "after"),
    *(*CHOICES, *ANSWERS, "sort", "page", "limit", "description"),
)
"""The known parameters."""


class AnimalFilters(NamedTuple):
    """The filters of a query."""

    filters: dict[str, Any]
    matches_nothing: bool
    """Whether a filter has no value that an animal can have, such as an unknown shelter."""


def read_filters(parameters: Parameters, location: Location | None) -> AnimalFilters:
    """Return the filters. Raise PetfinderProblem if a parameter has an invalid value."""
    found: dict[str, Any] = {"status": read_status(parameters)}
    if types := parameters.choices("type", TYPES, slug_of):
        found["species"] = tuple(id_ for each in types for id_ in each.category_ids)
    for name, (column, choices) in CHOICES.items():
        if values := parameters.choices(name, choices, slug_of):
            found[column] = tuple(dict.fromkeys(values))
    for name in ANSWERS:
        answer = parameters.answer(name)
        if answer is not None:
            found[name] = ("yes" if answer else "no",)
    if breeds := read_breeds(parameters):
        found["breed"] = breeds
    if colours := parameters.values("color"):
        found["colour"] = colours
    if name := parameters.text("name"):
        found["name"] = (name,)
    found |= read_instants(parameters)
    shelters = read_shelters(parameters, location)
    if shelters is not None:
        found["shelter"] = shelters
    return AnimalFilters(found, not found["status"] or shelters == ())


def read_status(parameters: Parameters) -> tuple[str, ...]:
    text = parameters.text("status").lower() or "adoptable"
    if text not in STATUSES:
        raise parameter_problem("status", f"status must be one of: {', '.join(STATUSES)}.")
    return STATUSES[text]


def read_breeds(parameters: Parameters) -> tuple[str, ...]:
    has_comma = any("," in text for text in parameters.given.get("breed", ()))
    return parameters.values("breed", all_breeds(current_request().now) if has_comma else ())


def read_instants(parameters: Parameters) -> dict[str, Any]:
    found = {}
    for name, column in (("after", "shown_since"), ("before", "shown_before")):
        if text := parameters.text(name):
            try:
                found[column] = parse_instant(text.replace(" ", "+"))
            except ValueError as error:
                message = f"{name} must be a date or a time such as 2026-11-29T08:00:00Z."
                raise parameter_problem(name, message) from error
    return found


def read_shelters(parameters: Parameters, location: Location | None) -> tuple[int, ...] | None:
    """Return the numbers of the shelters whose animals match; None if all match."""
    ids = location and location.project_ids()
    if names := parameters.values("organization"):
        named = project_ids_of(names)
        ids = named if ids is None else [each for each in ids if each in named]
    return None if ids is None else tuple(dict.fromkeys(ids))
