"""Responses with animals' records: a page of a list, and one animal."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import orjson
from flask import Response

from adoption.animals.records.pages import RecordPosition, RecordQuery, Row, read_page, read_record
from adoption.animals.records.visibility import Visibility
from adoption.request_context import current_request
from api.animal_members import age_group_of, earliest_births, select_members
from api.animal_queries import RecordParameters, RecordsQuery
from api.animal_records import records_json
from api.errors import Problem
from api.etags import PRIVATE, etag_response, matches_copy, strong_etag_headers
from api.query_parameters import read_id
from api.responses import JsonResponse

NO_ANIMAL = "There is no animal with this id."
ETAG_COLUMNS = ("revision", "birth_date", "age_group")


def page_of_records(
    visibility: Visibility, query: RecordsQuery, scope: Mapping[str, Any], cache_control: str = PRIVATE
) -> Response:
    """Return a page of the animals that the reader may see.

    ``scope`` contains the parameters of the visibility's conditions.
    """
    selection, today = select_members(query.members), current_day()
    wanted = RecordQuery(selection.columns, query.filters, query.sort, query.after, query.limit + 1)
    rows = read_page(visibility, wanted, today, scope)
    page = rows[: query.limit]
    items = records_json(visibility, selection, page, today, scope, "shelter" in query.include)
    has_more = len(rows) > query.limit
    link = query.link_after(RecordPosition(page[-1][0], page[-1][-1])) if has_more else ""
    return etag_response(items, link, cache_control)


def one_record(
    visibility: Visibility,
    animal_id: str,
    parameters: RecordParameters,
    scope: Mapping[str, Any],
    cache_control: str = PRIVATE,
) -> Response:
    """Return one animal, or 304 if the caller's copy is current.

    Raises Problem if the reader may not see an animal with this id.
    """
    id_, today = read_id(animal_id), current_day()
    if id_ is None:
        raise Problem(404, NO_ANIMAL)
    selection = select_members(parameters.members)
    row = read_record(visibility, selection.columns + ETAG_COLUMNS, id_, scope)
    rows = [] if row is None else [row]
    records = records_json(visibility, selection, rows, today, scope, "shelter" in parameters.include)
    if row is None or not records:
        raise Problem(404, NO_ANIMAL)
    body = orjson.dumps(records[0])
    tag = record_etag(row[-len(ETAG_COLUMNS) :], today, body)
    headers = strong_etag_headers(tag, cache_control)
    return Response(status=304, headers=headers) if matches_copy(tag) else JsonResponse(body, 200, headers)


def record_etag(row: Row, today: date, body: bytes) -> str:
    """Return the ETag of an animal. ``row`` contains the animal's ``ETAG_COLUMNS``.

    The ETag includes the age group, because an animal grows older without an edit. It includes a hash of
    the response, because texts of the shelter and bonds change without a new revision.
    """
    revision, born, group = row
    age_group = age_group_of(earliest_births(today), born, group) or "unknown"
    return f"{revision}.{age_group}.{hashlib.blake2b(body, digest_size=6).hexdigest()}"


def current_day() -> date:
    return datetime.fromtimestamp(current_request().now, UTC).date()
