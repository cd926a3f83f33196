"""The operations listAnimals and getAnimal."""

from typing import Any

from flask import Response

from adoption.animals.records.visibility import OWN
from adoption.request_context import current_request
from api import v1
from api.animal_queries import RecordParameters, RecordsQuery
from api.animal_responses import one_record, page_of_records
from api.animal_schemas import Animal
from api.authentication import needs
from api.specification import ETAG, NEXT, responses_of


@v1.get("/animals")
@v1.doc(
    operation_id="listAnimals",
    summary="List animals with all fields",
    description="The project's animals with all public fields, a page at a time.",
    tags=["Animals"],
    security="apiKey",
    responses=responses_of(200, "A page of animals.", 401, 403, headers=NEXT | ETAG),
)
@v1.input(RecordsQuery, location="query", arg_name="query")
@v1.output(list[Animal])  # type: ignore[arg-type]  # its hint lacks lists
@needs("pets:read")
def list_animals(query: RecordsQuery) -> Response:
    return page_of_records(OWN, query, own_scope())


@v1.get("/animals/<animal_id>")
@v1.doc(
    operation_id="getAnimal",
    summary="Get an animal with all fields",
    description="One animal with all public fields. Its ETag is strong: `If-Match` accepts it.",
    tags=["Animals"],
    security="apiKey",
    responses=responses_of(200, "The animal.", 401, 403, 404, headers=ETAG),
)
@v1.input(RecordParameters, location="query", arg_name="parameters")
@v1.output(Animal)
@needs("pets:read")
def get_animal(animal_id: str, parameters: RecordParameters) -> Response:
    return one_record(OWN, animal_id, parameters, own_scope())


def own_scope() -> dict[str, Any]:
    return {"project_id": current_request().project_id}
