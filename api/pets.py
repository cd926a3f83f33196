"""The operations listPets, createPet and getPet."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated

import orjson
from flask import Response, current_app
from pydantic import BaseModel, Field

from adoption.animals.api_animal_creation import NewAnimal, add_animal
from adoption.animals.api_reads import PetRow, listed_animal, page_of_animals
from adoption.request_context import current_request
from api import v1
from api.authentication import needs
from api.deprecation import REMOVED, SUNSET
from api.errors import Problem
from api.etags import etag_response
from api.paging import PetsQuery, page_response
from api.query_parameters import read_id, reason, reject_parameters
from api.responses import JsonResponse
from api.schemas import NewPet, Pet
from api.specification import DEPRECATION, ETAG, LOCATION, NEXT, REPLAYED, responses_of


class CreateHeaders(BaseModel):
    """The request headers of createPet."""

    idempotency_key: Annotated[
        str,
        Field(
            alias="Idempotency-Key",
            pattern="^[!-~]{1,255}$",
            description="Makes a retry safe for 24 hours: the same key and body create one animal.",
        ),
        reason("must have 1 to 255 visible ASCII characters"),
    ] = ""


def pets_json(rows: Iterable[PetRow]) -> list[dict[str, object]]:
    return [
        {"id": id_, "name": name, "categoryId": category_id, "status": status}
        for id_, name, category_id, status in rows
    ]


@v1.get("/pets")
@v1.doc(
    operation_id="listPets",
    summary="List animals",
    description="The project's animals, sorted by id, one page at a time.",
    tags=["Animals"],
    security="apiKey",
    responses=responses_of(200, "A page of animals.", 401, 403, headers=NEXT | ETAG),
)
@v1.input(PetsQuery, location="query", arg_name="query")
@v1.output(list[Pet])  # type: ignore[arg-type]  # its hint lacks lists
@needs("pets:read")
def list_pets(query: PetsQuery) -> Response:
    rows = page_of_animals(current_request().project_id, query.status, query.after, query.limit + 1)
    return page_response(rows, pets_json(rows), query)


@v1.post("/pets")
@v1.doc(
    operation_id="createPet",
    summary="Add an animal",
    description="Adds an animal to the project. The animal is on disk before the 201 is sent.",
    tags=["Animals"],
    security="apiKey",
    responses=responses_of(
        201, "The animal, with its id.", 401, 403, 409, 411, 413, 415, headers=LOCATION | REPLAYED
    ),
)
@v1.input(NewPet, arg_name="pet")
@v1.input(CreateHeaders, location="headers", arg_name="headers")
@v1.output(Pet, status_code=201)
@needs("pets:write")
def create_pet(pet: NewPet, headers: CreateHeaders) -> Response:
    reject_parameters()
    key = headers.idempotency_key or None
    new = NewAnimal(pet.name, pet.categoryId, pet.status.value)
    context = current_request()
    row, repeated = add_animal(context.project_id, new, key, datetime.fromtimestamp(context.now, UTC))
    (animal,) = pets_json([row])
    more = [("Location", f"{current_app.config['HOMEWARD'].base_url}/pets/{row[0]}")]
    if repeated:
        more.append(("Idempotent-Replayed", "true"))
    return JsonResponse(orjson.dumps(animal), 201, more)


@v1.get("/pets/<pet_id>")
@v1.doc(
    operation_id="getPet",
    summary="Get an animal",
    description=f"Deprecated, and {REMOVED}: use `GET /pets` with its `status` filter.",
    tags=["Animals"],
    deprecated=True,
    security="apiKey",
    responses=responses_of(200, "The animal.", 401, 403, 404, 410, headers=ETAG, always=DEPRECATION),
)
@v1.output(Pet)
@needs("pets:read")
def get_pet(pet_id: str) -> Response:
    context = current_request()
    if context.now >= SUNSET.timestamp():
        raise Problem(410, f"GET /v1/pets/{{petId}} was {REMOVED}. Use GET /v1/pets instead.")
    reject_parameters()
    animal_id = read_id(pet_id)
    row = None if animal_id is None else listed_animal(context.project_id, animal_id)
    if row is None:
        raise Problem(404, "There is no animal with this id.")
    (animal,) = pets_json([row])
    return etag_response(animal)
