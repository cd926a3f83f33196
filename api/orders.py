"""The operation listOrders."""

from datetime import UTC, datetime

from flask import Response

from adoption.orders.api_reads import OrderRow, page_of_orders
from adoption.request_context import current_request
from api import v1
from api.authentication import needs
from api.paging import OrdersQuery, page_response
from api.schemas import Order
from api.specification import ETAG, NEXT, responses_of


def timestamp(when: datetime) -> str:
    """Return a time in RFC 3339, in UTC and whole seconds."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def order_json(row: OrderRow) -> dict[str, object]:
    order_id, animal_id, status, created_at, updated_at = row
    return {
        "id": order_id,
        "petId": animal_id,
        "status": status,
        "createdAt": timestamp(created_at),
        "updatedAt": timestamp(updated_at),
    }


@v1.get("/store/orders")
@v1.doc(
    operation_id="listOrders",
    summary="List orders",
    description=("The adoption applications for the project's animals, sorted by id, one page at a time."),
    tags=["Store"],
    security="apiKey",
    responses=responses_of(200, "A page of orders.", 401, 403, headers=NEXT | ETAG),
)
@v1.input(OrdersQuery, location="query", arg_name="query")
@v1.output(list[Order])  # type: ignore[arg-type]  # its hint lacks lists
@needs("orders:read")
def list_orders(query: OrdersQuery) -> Response:
    rows = page_of_orders(current_request().project_id, query.status, query.after, query.limit + 1)
    return page_response(rows, [order_json(row) for row in rows], query)
