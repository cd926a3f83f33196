"""The operation listChanges."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from flask import Response
from pydantic import Field

from adoption.animals.records.pages import read_records
from adoption.animals.records.visibility import OWN
from adoption.animals.sitemap_and_feed import to_the_second
from adoption.changes.change_feed import VALID_FOR, ChangeRow, page_of_changes
from adoption.request_context import current_request
from api import v1
from api.animal_members import select_members
from api.animal_queries import RecordParameters
from api.animal_records import records_json
from api.animal_responses import current_day
from api.animal_schemas import Change
from api.animals import own_scope
from api.authentication import needs
from api.cursors import CURSOR_PATTERN, NOT_ISSUED, open_cursor, seal_cursor
from api.errors import Problem
from api.etags import etag_response
from api.paging import LIMIT_DEFAULT, PageLimit, next_link
from api.query_parameters import QueryParameters, reason
from api.specification import ETAG, NEXT_CHANGES, responses_of

DAY = timedelta(days=1).total_seconds()
EXPIRED = (
    f"The address was issued more than {VALID_FOR.days} days ago, and animals that are gone may be missing. "
    "Delete your copy and start again without after."
)


class ChangesQuery(QueryParameters):
    """The query parameters of listChanges."""

    limit: PageLimit = LIMIT_DEFAULT
    include: Annotated[
        Literal["animal"],
        Field(description="`animal` adds the animal with all its fields, unless it is gone."),
        reason("must be animal, not {}"),
    ] = None  # type: ignore[assignment]  # or the document would allow null
    after: Annotated[
        str,
        Field(
            pattern=CURSOR_PATTERN,
            description="Where the page starts. Opaque: take it from the `Link` header of the last response.",
        ),
        reason(NOT_ISSUED),
    ] = ""


@v1.get("/changes")
@v1.doc(
    operation_id="listChanges",
    summary="List changes of animals",
    description="For an exact copy of the project's animals. Each animal appears once, with its newest "
    "change, oldest change first. Keep the address in the `Link` header of each response, also of an empty "
    "one, and request it later: it returns what has changed since. Without `after`, the list starts with "
    "the first animal, so that the first read and every later one are the same loop.",
    tags=["Animals"],
    security="apiKey",
    responses=responses_of(
        200, "A page of changes.", 401, 403, 410, headers=NEXT_CHANGES | ETAG, when={410: EXPIRED}
    ),
)
@v1.input(ChangesQuery, location="query", arg_name="query")
@v1.output(list[Change])  # type: ignore[arg-type]  # its hint lacks lists
@needs("pets:read")
def list_changes(query: ChangesQuery) -> Response:
    project_id = current_request().project_id
    bound = {"project": str(project_id)}
    today = int(current_request().now // DAY)
    xid, seq, complete_on = open_cursor(query.after, bound) or (0, 0, today)
    if today - complete_on > VALID_FOR.days:
        raise Problem(410, EXPIRED)
    rows = page_of_changes(project_id, (xid, seq), query.limit + 1)
    page = rows[: query.limit]
    if page:
        xid, seq = page[-1].xid, page[-1].seq
    if len(rows) <= query.limit:
        complete_on = today  # the program has read every change
    after = seal_cursor([xid, seq, complete_on], bound)
    include = "include=animal&" if query.include else ""
    items = with_animals(page) if query.include else [change_json(row) for row in page]
    return etag_response(items, link=next_link(f"limit={query.limit}&{include}after={after}"))


def change_json(row: ChangeRow) -> dict[str, Any]:
    change = "changed" if row.is_listed else "gone"
    return {"animalId": row.animal_id, "change": change, "at": to_the_second(row.at)}


def with_animals(page: list[ChangeRow]) -> list[dict[str, Any]]:
    """Return the changes with the animals' records.

    If an animal was hidden after the changes were read, its change is "gone".
    """
    selection, scope = select_members(RecordParameters().members), own_scope()
    ids = [row.animal_id for row in page if row.is_listed]
    rows = read_records(OWN, selection.columns, ids, scope) if ids else []
    records = {one["id"]: one for one in records_json(OWN, selection, rows, current_day(), scope, False)}
    items = [change_json(row._replace(is_listed=row.animal_id in records)) for row in page]
    return [
        item | {"animal": records[item["animalId"]]} if item["change"] == "changed" else item
        for item in items
    ]
