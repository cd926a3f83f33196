"""The operations listDirectoryAnimals and getDirectoryAnimal."""

from flask import Response

from adoption.animals.records.visibility import IN_DIRECTORY
from api import v1
from api.animal_queries import DirectoryRecordsQuery, RecordParameters
from api.animal_responses import one_record, page_of_records
from api.animal_schemas import Animal
from api.authentication import needs
from api.directory import WHEN, cache_control
from api.specification import CORS, NEXT, SHARED_ETAG, responses_of

WHEN_ANIMAL = WHEN | {404: "No shelter of the directory shows an animal with this id."}


@v1.get("/directory/animals")
@v1.doc(
    operation_id="listDirectoryAnimals",
    summary="List all shelters' animals",
    description="The animals of all shelters in the directory, with all public fields, a page at a time.",
    tags=["Directory"],
    security="apiKey",
    responses=responses_of(
        200, "A page of animals.", 401, 403, headers=NEXT | SHARED_ETAG, always=CORS, when=WHEN
    ),
)
@v1.input(DirectoryRecordsQuery, location="query", arg_name="query")
@v1.output(list[Animal])  # type: ignore[arg-type]  # its hint lacks lists
@needs("directory:read")
def list_directory_animals(query: DirectoryRecordsQuery) -> Response:
    return page_of_records(IN_DIRECTORY, query, {}, cache_control())


@v1.get("/directory/animals/<animal_id>")
@v1.doc(
    operation_id="getDirectoryAnimal",
    summary="Get any shelter's animal",
    description="An animal of a shelter in the directory, with all public fields and a strong ETag.",
    tags=["Directory"],
    security="apiKey",
    responses=responses_of(
        200, "The animal.", 401, 403, 404, headers=SHARED_ETAG, always=CORS, when=WHEN_ANIMAL
    ),
)
@v1.input(RecordParameters, location="query", arg_name="parameters")
@v1.output(Animal)
@needs("directory:read")
def get_directory_animal(animal_id: str, parameters: RecordParameters) -> Response:
    return one_record(IN_DIRECTORY, animal_id, parameters, {}, cache_control())
