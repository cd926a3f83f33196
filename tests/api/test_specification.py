"""GET /v1/openapi.json, compared with the published file."""

import json
from pathlib import Path
from typing import Any

import openapi_spec_validator
import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from adoption.settings import Settings
from api.specification import document_path
from tests import cast
from tests.api.conftest import client_of
from wsgi import create_app

PUBLISHED = Path(__file__).with_name("openapi.json")
EVERY = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id")
ALWAYS = {"400", "429", "500", "503"}
KEY = {"401", "403"}
STATUSES = {
    "listPets": ALWAYS | KEY | {"200", "304"},
    "createPet": ALWAYS | KEY | {"201", "409", "411", "413", "415"},
    "getPet": ALWAYS | KEY | {"200", "304", "404", "410"},
    "listAnimals": ALWAYS | KEY | {"200", "304"},
    "getAnimal": ALWAYS | KEY | {"200", "304", "404"},
    "listChanges": ALWAYS | KEY | {"200", "304", "410"},
    "listOrders": ALWAYS | KEY | {"200", "304"},
    "listCategories": ALWAYS | KEY | {"200", "304"},
    "listDirectoryAnimals": ALWAYS | KEY | {"200", "304"},
    "getDirectoryAnimal": ALWAYS | KEY | {"200", "304", "404"},
    "listShelters": ALWAYS | KEY | {"200", "304"},
    "getShelter": ALWAYS | KEY | {"200", "304", "404"},
    "getSpecification": ALWAYS | {"200", "304"},
}
SHELTER_FILTERS = ("q", "region", "country", "near", "within", "sort", "limit", "cursor")
LISTS = {"listPets", "listAnimals", "listChanges", "listOrders", "listShelters", "listDirectoryAnimals"}
DIRECTORY = {"listShelters", "getShelter", "listDirectoryAnimals", "getDirectoryAnimal"}
FILTERS = (
    *("species", "age", "sex", "size", "coat", "breed", "colour", "code", "q", "sort", "fields", "include"),
    *("good_with_children", "good_with_dogs", "good_with_cats", "house_trained", "special_needs", "altered"),
    *("shown_since", "shown_before", "updated_since"),
)
"""The parameters of listAnimals that listPets does not have."""


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/v1/openapi.json")
    assert (answer.status_code, answer.content_type) == (200, "application/json")
    return dict(answer.json)


@pytest.fixture
def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["operationId"]: one for path in document["paths"].values() for one in path.values()}


def test_the_specification_is_the_published_file(app: APIFlask) -> None:
    settings: Settings = app.config["HOMEWARD"]
    base = {
        "base_url": "https://homeward.example/v1",
        "staging_base_url": "https://staging.homeward.example/v1",
    }
    made = client_of(create_app(settings.model_copy(update=base))).get("/v1/openapi.json").json
    text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    if not PUBLISHED.exists() or json.loads(PUBLISHED.read_text()) != made:
        kept = Path(settings.instance) / "openapi.json"
        kept.write_text(text)
        pytest.fail(
            "The specification document differs from the published one, tests/api/openapi.json. Integrators "
            f"build on it: if the change is meant, accept it with: cp {kept} {PUBLISHED}"
        )


def test_the_specification_needs_no_key(client: FlaskClient, shelter: cast.Shelter) -> None:
    assert client.get("/v1/openapi.json").data == shelter.get("/v1/openapi.json").data


def test_the_specification_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"


def test_the_specification_has_both_servers(app: APIFlask, document: dict[str, Any]) -> None:
    settings: Settings = app.config["HOMEWARD"]
    assert [one["url"] for one in document["servers"]] == [settings.base_url, settings.staging_base_url]
    assert all(one["url"].endswith("/v1") for one in document["servers"])
    assert all(not path.startswith("/v1") for path in document["paths"])


def test_the_specification_has_the_operations_of_the_contract(document: dict[str, Any]) -> None:
    found = {
        one["operationId"]: (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    }
    assert found == {
        "listPets": ("GET", "/pets"),
        "createPet": ("POST", "/pets"),
        "getPet": ("GET", "/pets/{petId}"),
        "listAnimals": ("GET", "/animals"),
        "getAnimal": ("GET", "/animals/{animalId}"),
        "listChanges": ("GET", "/changes"),
        "listOrders": ("GET", "/store/orders"),
        "listCategories": ("GET", "/categories"),
        "listDirectoryAnimals": ("GET", "/directory/animals"),
        "getDirectoryAnimal": ("GET", "/directory/animals/{animalId}"),
        "listShelters": ("GET", "/directory/shelters"),
        "getShelter": ("GET", "/directory/shelters/{shelterId}"),
        "getSpecification": ("GET", "/openapi.json"),
    }


def test_every_route_under_v1_is_specified(app: APIFlask, document: dict[str, Any]) -> None:
    routes = {
        (document_path(rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method) for path, methods in document["paths"].items() for method in methods}


def test_only_get_pet_is_deprecated(operations: dict[str, dict[str, Any]]) -> None:
    assert [name for name, one in operations.items() if one.get("deprecated")] == ["getPet"]
    assert "5 December 2030" in operations["getPet"]["description"]


def test_every_status_of_an_operation_is_specified(operations: dict[str, dict[str, Any]]) -> None:
    assert {name: set(one["responses"]) for name, one in operations.items()} == STATUSES


def test_every_header_of_a_response_is_specified(operations: dict[str, dict[str, Any]]) -> None:
    more = {
        "401": {"WWW-Authenticate"},
        "415": {"Accept-Encoding"},
        "429": {"Retry-After"},
        "503": {"Retry-After"},
        "304": {"ETag", "Cache-Control"},
        "200": {"ETag", "Cache-Control"},
        "201": {"Location", "Idempotent-Replayed"},
    }
    for name, one in operations.items():
        for status, found in one["responses"].items():
            expected = {*EVERY, *more.get(status, ()), *({"Cache-Control"} if int(status) >= 400 else ())}
            if name == "getPet":
                expected |= {"Sunset", "Deprecation", "Link"}
            if name in LISTS and status in ("200", "304"):
                expected |= {"Link"}
            if name in DIRECTORY:
                expected |= {"Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}
            assert set(found["headers"]) == expected, (name, status)
            optional = {header for header, its in found["headers"].items() if not its["required"]}
            cors = {header for header in optional if header.startswith("Access-Control-")}
            assert optional - cors <= {"Accept-Encoding", "Idempotent-Replayed", "Link"}


def test_every_error_has_the_error_schema_and_every_304_no_body(
    operations: dict[str, dict[str, Any]],
) -> None:
    for one in operations.values():
        for status, found in one["responses"].items():
            if int(status) >= 400:
                schema = found["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Error"}
            assert found["description"].strip()
            assert bool(found.get("content")) == (status != "304")


def test_an_error_has_exactly_three_members(document: dict[str, Any]) -> None:
    error = document["components"]["schemas"]["Error"]
    assert set(error["properties"]) == set(error["required"]) == {"code", "message", "status"}
    assert error["additionalProperties"] is False


def test_every_operation_but_the_specification_requires_a_key(
    document: dict[str, Any], operations: dict[str, dict[str, Any]]
) -> None:
    schemes = document["components"]["securitySchemes"]
    assert [(one["type"], one["scheme"]) for one in schemes.values()] == [("http", "bearer")]
    without = [name for name, one in operations.items() if not one.get("security")]
    assert without == ["getSpecification"]


def test_the_parameters_are_those_of_the_contract(operations: dict[str, dict[str, Any]]) -> None:
    found = {
        name: {(p["in"], p["name"]) for p in one.get("parameters", ())} for name, one in operations.items()
    }
    fresh = ("header", "If-None-Match")
    page = {("query", "limit"), ("query", "status"), ("query", "cursor"), fresh}
    assert found == {
        "listPets": page,
        "listAnimals": page | {("query", name) for name in FILTERS},
        "listDirectoryAnimals": page | {("query", name) for name in (*FILTERS, "shelter")},
        "getDirectoryAnimal": {("path", "animalId"), ("query", "fields"), ("query", "include"), fresh},
        "getAnimal": {("path", "animalId"), ("query", "fields"), ("query", "include"), fresh},
        "createPet": {("header", "Idempotency-Key")},
        "getPet": {("path", "petId"), fresh},
        "listChanges": {*(("query", name) for name in ("limit", "include", "after")), fresh},
        "listOrders": page,
        "listCategories": {fresh},
        "listShelters": {*(("query", name) for name in SHELTER_FILTERS), fresh},
        "getShelter": {("path", "shelterId"), fresh},
        "getSpecification": {fresh},
    }
    limit = next(p["schema"] for p in operations["listPets"]["parameters"] if p["name"] == "limit")
    assert limit == {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
    assert operations["createPet"]["requestBody"]["required"] is True


def test_new_pet_has_the_members_of_the_contract(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    new, pet = schemas["NewPet"], schemas["Pet"]
    assert set(new["properties"]) == {"name", "categoryId", "status"}
    assert set(new["required"]) == {"name", "categoryId"}
    assert new["additionalProperties"] is False
    assert new["properties"]["categoryId"]["format"] == pet["properties"]["id"]["format"] == "int64"
    assert set(pet["required"]) == {"id", "name", "categoryId", "status"}
    assert schemas["PetStatus"]["enum"] == ["available", "pending", "sold"]


def test_the_specification_is_valid_openapi(document: dict[str, Any]) -> None:
    openapi_spec_validator.validate(document)


def test_the_specification_suits_client_generators(document: dict[str, Any]) -> None:
    """Generators treat a property with a default as required, and create a type for each enum."""
    new = document["components"]["schemas"]["NewPet"]["properties"]
    assert not any("default" in one for one in new.values())
    assert "enum" not in new["categoryId"]
    assert new["categoryId"]["maximum"] == 2**63 - 1
    assert document["paths"]["/openapi.json"]["get"]["security"] == []
    assert document["info"]["contact"]["url"].endswith("/docs/#support")
    assert all(one["description"] for path in document["paths"].values() for one in path.values())


def test_its_schemas_are_valid_json_schema(document: dict[str, Any]) -> None:
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t",
        "a\nb",
        "\u0000",
        "a\u0085b",
        "x" * 201,
        "\u001f",
        " a ",
        "a\t",
        "\u001fa",
        "\u00a0a b\u2003",
        "x",
    ],
)
def test_the_name_pattern_agrees_with_the_api(
    shelter: cast.Shelter, document: dict[str, Any], name: str
) -> None:
    body = {"name": name, "categoryId": 1}
    schema = document["components"]["schemas"]["NewPet"] | {"components": document["components"]}
    taken = shelter.post("/v1/pets", json=body).status_code == 201
    assert taken == Draft202012Validator(schema).is_valid(body)
