"""Orders: listOrders."""

from datetime import UTC, datetime

from flask import Response, g

from adoption.orders.models import STATUSES
from adoption.orders.queries import OrderRow, page_of_orders
from api import v1
from api.authentication import needs
from api.paging import page, page_asked
from api.specification import ETAG, NEXT, REF, answers


def timestamp(when: datetime) -> str:
    """RFC 3339, UTC, whole seconds."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def shown(row: OrderRow) -> dict[str, object]:
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
    description="The adoption applications for the project's animals by id, a page at a time.",
    tags=["Store"],
    security="apiKey",
    responses=answers(
        200,
        "A page of orders.",
        {"type": "array", "items": {"$ref": f"{REF}Order"}},
        401,
        403,
        headers=NEXT | ETAG,
    ),
)
@needs("orders:read")
def list_orders() -> Response:
    asked = page_asked(STATUSES)
    rows = page_of_orders(g.caller.project_id, asked.status, asked.after, asked.limit + 1)
    return page(rows, [shown(row) for row in rows], asked)
