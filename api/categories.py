"""Categories: listCategories."""

from flask import Response

from adoption.animals.validation import CATEGORIES
from api import v1
from api.authentication import needs
from api.paging import cacheable, parameters
from api.specification import ETAG, REF, answers


@v1.get("/categories")
@v1.doc(
    operation_id="listCategories",
    summary="List categories",
    description="All categories, the same for every project.",
    tags=["Service"],
    security="apiKey",
    responses=answers(
        200,
        "All categories.",
        {"type": "array", "items": {"$ref": f"{REF}Category"}},
        401,
        403,
        headers=ETAG,
    ),
)
@needs("pets:read", "pets:write")
def list_categories() -> Response:
    parameters(())
    return cacheable([{"id": id_, "name": name} for id_, name in CATEGORIES.items()])
