"""The operation listCategories."""

from flask import Response

from adoption.animals.allowed_values import CATEGORIES
from api import v1
from api.authentication import needs
from api.etags import etag_response
from api.query_parameters import reject_parameters
from api.schemas import Category
from api.specification import ETAG, responses_of


@v1.get("/categories")
@v1.doc(
    operation_id="listCategories",
    summary="List categories",
    description="All categories, the same for every project.",
    tags=["Service"],
    security="apiKey",
    responses=responses_of(200, "All categories.", 401, 403, headers=ETAG),
)
@v1.output(list[Category])  # type: ignore[arg-type]  # its hint lacks lists
@needs("pets:read", "pets:write")
def list_categories() -> Response:
    reject_parameters()
    return etag_response([{"id": id_, "name": name} for id_, name in CATEGORIES.items()])
