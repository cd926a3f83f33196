"""The operations for types of animals and their breeds."""

from typing import Any

from flask import Response

from adoption.animals.records.breeds_in_use import breeds_of_categories
from adoption.request_context import current_request
from api.errors import Problem
from api.petfinder import petfinder
from api.petfinder.animal_types import COAT_NAMES, COLOUR_NAMES, GENDERS, TYPES, AnimalType, slug_of
from api.petfinder.parameters import read_parameters
from api.petfinder.problems import json_response


@petfinder.get("/types", strict_slashes=False)
def list_types() -> Response:
    return json_response({"types": [type_json(each) for each in TYPES.values()]}, headers=ignored())


@petfinder.get("/types/<type_name>", strict_slashes=False)
def get_type(type_name: str) -> Response:
    return json_response({"type": type_json(find_type(type_name))}, headers=ignored())


@petfinder.get("/types/<type_name>/breeds", strict_slashes=False)
def list_breeds(type_name: str) -> Response:
    found = find_type(type_name)
    link = {"type": {"href": f"/v2/types/{found.slug}"}}
    names = breeds_of_categories(found.category_ids, current_request().now)
    return json_response({"breeds": [{"name": each, "_links": link} for each in names]}, headers=ignored())


def ignored() -> Any:
    return read_parameters().headers


def find_type(text: str) -> AnimalType:
    found = TYPES.get(slug_of(text))
    if found is None:
        raise Problem(404, f"There is no such type. The types are: {', '.join(TYPES)}.")
    return found


def type_json(one: AnimalType) -> dict[str, Any]:
    return {
        "name": one.name,
        "coats": COAT_NAMES,
        "colors": COLOUR_NAMES,
        "genders": GENDERS,
        "_links": {
            "self": {"href": f"/v2/types/{one.slug}"},
            "breeds": {"href": f"/v2/types/{one.slug}/breeds"},
        },
    }
