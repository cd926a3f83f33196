"""Animals: listPets, createPet, getPet."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from flask import Response, g

from adoption.animals.actions import NewAnimal, add_animal
from adoption.animals.api_reads import PetRow, listed_animal, page_of_animals
from adoption.animals.validation import STATUSES
from api import v1
from api.authentication import needs
from api.deprecation import REMOVED, SUNSET
from api.errors import Problem
from api.paging import cacheable, page, page_asked, parameters
from api.responses import answer
from api.schemas import NewPet
from api.specification import DEPRECATION, ETAG, LOCATION, NEXT, REF, REPLAYED, answers

PET_ID = re.compile(r"[0-9]{1,19}")

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")


def shown(rows: Iterable[PetRow]) -> list[dict[str, object]]:
    return [
        {"id": id_, "name": name, "categoryId": category_id, "status": status}
        for id_, name, category_id, status in rows
    ]


PET = {"$ref": f"{REF}Pet"}
SECURITY = "apiKey"


@v1.get("/pets")
@v1.doc(
    operation_id="listPets",
    summary="List animals",
    description="The project's animals by id, a page at a time.",
    tags=["Animals"],
    security=SECURITY,
    responses=answers(
        200, "A page of animals.", {"type": "array", "items": PET}, 401, 403, headers=NEXT | ETAG
    ),
)
@needs("pets:read")
def list_pets() -> Response:
    asked = page_asked(STATUSES)
    rows = page_of_animals(
        g._get_current_object().caller.project_id, asked.status, asked.after, asked.limit + 1
    )
    return page(rows, shown(rows), asked)


@v1.post("/pets")
@v1.doc(
    operation_id="createPet",
    summary="Add an animal",
    description="Adds an animal to the project. It is on disk before the 201 is sent.",
    tags=["Animals"],
    security=SECURITY,
    responses=answers(
        201, "The animal, with its id.", PET, 401, 403, 409, 411, 413, 415, headers=LOCATION | REPLAYED
    ),
)
@v1.input(NewPet, arg_name="pet")
@needs("pets:write")
def create_pet(pet: NewPet) -> Response:
    parameters(())
    key = g.asked.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not IDEMPOTENCY_KEY.fullmatch(key):
        raise Problem(400, "Idempotency-Key must have 1 to 255 visible ASCII characters.")
    new = NewAnimal(pet.name, pet.categoryId, pet.status.value)
    row, repeated = add_animal(g.caller.project_id, new, key, datetime.fromtimestamp(g.now, UTC))
    (animal,) = shown([row])
    response = answer(animal, 201)
    response.headers.add("Location", f"{g.settings.base_url}/pets/{row[0]}")
    if repeated:
        response.headers.add("Idempotent-Replayed", "true")
    return response


@v1.get("/pets/<pet_id>")
@v1.doc(
    operation_id="getPet",
    summary="Get an animal",
    description=f"Deprecated, and {REMOVED}: use `GET /pets` with its `status` filter.",
    tags=["Animals"],
    deprecated=True,
    security=SECURITY,
    responses=answers(200, "The animal.", PET, 401, 403, 404, 410, headers=ETAG, always=DEPRECATION),
)
@needs("pets:read")
def get_pet(pet_id: str) -> Response:
    if g.now >= SUNSET.timestamp():
        raise Problem(410, f"GET /v1/pets/{{petId}} was {REMOVED}. Use GET /v1/pets instead.")
    parameters(())
    # Python accepts other digits, and an id may be larger than a database can store: neither is an animal's.
    well_formed = PET_ID.fullmatch(pet_id) and int(pet_id) < 2**63
    row = listed_animal(g.caller.project_id, int(pet_id)) if well_formed else None
    if row is None:
        raise Problem(404, "There is no animal with this id.")
    (animal,) = shown([row])
    return cacheable(animal)
