"""The operations listAnimals and getAnimal."""

from datetime import UTC, date, datetime
from typing import Any

import orjson
from flask import Response

from adoption.animals.records.pages import RecordPosition, RecordQuery, Row, read_page, read_record
from adoption.animals.records.visibility import OWN
from adoption.request_context import current_request
from api import v1
from api.animal_members import age_group_of, earliest_births, select_members
from api.animal_queries import RecordParameters, RecordsQuery
from api.animal_records import records_json
from api.animal_schemas import Animal
from api.authentication import needs
from api.errors import Problem
from api.etags import etag_response, matches_copy, strong_etag_headers
from api.query_parameters import read_id
from api.responses import JsonResponse
from api.specification import ETAG, NEXT, responses_of

NO_ANIMAL = "There is no animal with this id."


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
    selection = select_members(query.members)
    wanted = RecordQuery(selection.columns, query.filters, query.sort, query.after, query.limit + 1)
    scope, today = own_scope(), current_day()
    rows = read_page(OWN, wanted, today, scope)
    items = records_json(OWN, selection, rows[: query.limit], today, scope, "shelter" in query.include)
    if len(rows) <= query.limit:
        return etag_response(items)
    last = rows[query.limit - 1]
    return etag_response(items, query.link_after(RecordPosition(last[0], last[-1])))


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
    id_, scope, today = read_id(animal_id), own_scope(), current_day()
    if id_ is None:
        raise Problem(404, NO_ANIMAL)
    if "HTTP_IF_NONE_MATCH" in current_request().environ:
        tag = record_etag(read_record(OWN, ETAG_COLUMNS, id_, scope), today)
        if matches_copy(tag):
            return Response(status=304, headers=strong_etag_headers(tag))
    selection = select_members(parameters.members)
    row = read_record(OWN, selection.columns + ETAG_COLUMNS, id_, scope) or ()
    tag = record_etag(row[-len(ETAG_COLUMNS) :], today)
    items = records_json(OWN, selection, [row], today, scope, "shelter" in parameters.include)
    return JsonResponse(orjson.dumps(items[0]), 200, strong_etag_headers(tag))


ETAG_COLUMNS = ("revision", "birth_date", "age_group")


def record_etag(row: Row | None, today: date) -> str:
    """Return the ETag of an animal with these ``ETAG_COLUMNS``. Raises Problem if there is no animal.

    The age group is a part of it, because it changes without a change of the animal.
    """
    if not row:
        raise Problem(404, NO_ANIMAL)
    revision, born, group = row
    return f"{revision}.{age_group_of(earliest_births(today), born, group) or 'unknown'}"


def own_scope() -> dict[str, Any]:
    return {"project_id": current_request().project_id}


def current_day() -> date:
    return datetime.fromtimestamp(current_request().now, UTC).date()
