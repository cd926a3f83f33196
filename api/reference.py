"""The specification document at ``/v1/openapi.json``."""

from typing import Any

from apiflask import APIFlask
from flask import Response, current_app

from adoption.settings import Settings
from api import v1
from api.paging import cacheable, parameters
from api.schemas import components
from packing import documents

REF = "#/components/schemas/"


def header(description: str, kind: str = "string", required: bool = True, **schema: Any) -> dict[str, Any]:
    return {"description": description, "required": required, "schema": {"type": kind, **schema}}


EVERY_RESPONSE = {
    "X-RateLimit-Limit": header(
        "The limit of the window that has the fewest requests left.", "integer", minimum=1
    ),
    "X-RateLimit-Remaining": header("Requests left in that window.", "integer", minimum=0),
    "X-RateLimit-Reset": header("Unix time, in seconds, at which that window resets.", "integer"),
    "X-Request-Id": header("Names this request, for a report to us."),
}
RETRY_AFTER = {"Retry-After": header("Whole seconds to wait before the next try.", "integer", minimum=1)}
WWW_AUTHENTICATE = {"WWW-Authenticate": header("How to send a key (RFC 6750).")}
ETAG = {
    "ETag": header("Send it back in If-None-Match."),
    "Cache-Control": header("private, no-cache: what is kept is asked about again before each use."),
}
NEXT = {"Link": header('The next page, as rel="next"; absent on the last page.', required=False)}
LOCATION = {"Location": header("Where the animal is.")}
REPLAYED = {
    "Idempotent-Replayed": header(
        "true where an earlier answer to the same Idempotency-Key is given again.",
        required=False,
        enum=["true"],
    )
}
DEPRECATION = {
    "Deprecation": header("When this operation was deprecated (RFC 9745)."),
    "Sunset": header("When it is removed (RFC 8594)."),
    "Link": header('What to use instead, as rel="successor-version".'),
}

WHEN = {
    400: "The request is malformed; `message` says where.",
    401: "The API key is missing or not valid.",
    403: "The key has not the scope that this operation needs.",
    404: "There is no such animal in the key's project.",
    409: "The `Idempotency-Key` was used with another body.",
    410: "The operation was removed on 5 December 2030.",
    411: "The body has no `Content-Length`: it was sent in chunks.",
    413: "The body has more than 65,536 bytes.",
    415: "The body is not sent as `application/json`.",
    429: "The quota is used up (`rate_limited`), or the key is banned (`key_banned`).",
    500: "A fault on our side; `message` names the request id.",
    503: "A store cannot be reached at the moment.",
}
ON_EVERY_OPERATION = (400, 429, 500, 503)
WITH_A_KEY = (401, 403)
"""What any operation with a key can answer besides."""


def answers(
    status: int,
    what: str,
    schema: dict[str, Any],
    *also: int,
    headers: dict[str, Any] | None = None,
    always: dict[str, Any] | None = None,
) -> dict[int | str, Any]:
    """All responses of an operation, as OpenAPI has them: the good one, 304 where it has an ETag, each error.

    ``headers`` come with the good one, ``always`` with every one.
    """
    always = EVERY_RESPONSE | (always or {})
    content = {"application/json": {"schema": schema}}
    told: dict[int | str, Any] = {
        status: {"description": what, "headers": always | (headers or {}), "content": content}
    }
    if "ETag" in (headers or {}):
        told[304] = {
            "description": "What the caller has is still true.",
            "headers": always | (headers or {}),
            "content": {},
        }
    for error in sorted({*ON_EVERY_OPERATION, *also}):
        more = RETRY_AFTER if error in (429, 503) else {}
        if error == 401:
            more = WWW_AUTHENTICATE
        told[error] = {
            "description": WHEN[error],
            "headers": always | more,
            "content": {"application/json": {"schema": {"$ref": f"{REF}Error"}}},
        }
    return told


LIMIT = {
    "name": "limit",
    "in": "query",
    "description": "The most that a page holds.",
    "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
}
CURSOR = {
    "name": "cursor",
    "in": "query",
    "description": "Where the page begins. Opaque: follow the `Link` header rather than making one.",
    "schema": {"type": "string", "pattern": "^[0-9]{1,19}-[0-9a-f]{32}$"},
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "An earlier ETag; the answer is 304 while it holds.",
    "schema": {"type": "string"},
}
PET_ID = {
    "name": "petId",
    "in": "path",
    "required": True,
    "description": "The animal's id.",
    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**63 - 1},
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Makes a repeat safe for 24 hours: the same key and body create one animal.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
}


def status_filter(schema: str) -> dict[str, Any]:
    return {
        "name": "status",
        "in": "query",
        "description": "Only those with this status.",
        "schema": {"$ref": f"{REF}{schema}"},
    }


PARAMETERS = {
    "listPets": [LIMIT, status_filter("PetStatus"), CURSOR, IF_NONE_MATCH],
    "createPet": [IDEMPOTENCY_KEY],
    "getPet": [PET_ID, IF_NONE_MATCH],
    "listOrders": [LIMIT, status_filter("OrderStatus"), CURSOR, IF_NONE_MATCH],
    "listCategories": [IF_NONE_MATCH],
    "getSpecification": [IF_NONE_MATCH],
}

TAGS = [
    {"name": "Animals", "description": "The animals of the key's project."},
    {"name": "Store", "description": "Adoption applications."},
    {"name": "Service", "description": "What is the same for everybody."},
]

DESCRIPTION = """\
Animals that are available for adoption, and the applications for them.

Every operation needs an API key, as `Authorization: Bearer hw_…`. A key belongs to one project and sees
only that project's animals and orders. Errors, quotas, paging and deprecation are described at `/docs/`.
"""


def describe(app: APIFlask) -> None:
    """Have APIFlask make the document from the routes, and complete what it does not know."""
    settings: Settings = app.config["HOMEWARD"]
    app.config.update(
        OPENAPI_VERSION="3.1.0",
        AUTO_OPERATION_SUMMARY=False,
        AUTO_OPERATION_DESCRIPTION=False,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_AUTH_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
        VALIDATION_ERROR_STATUS_CODE=400,
    )
    app.description = DESCRIPTION
    app.tags = TAGS
    app.license = {"name": "MIT", "identifier": "MIT"}
    app.servers = [
        {"url": settings.base_url, "description": "Production"},
        {"url": settings.staging_base_url, "description": "Staging, an installation of its own"},
    ]
    app.spec_processor(complete)


def complete(document: Any) -> Any:
    """Addresses are relative to the servers; shapes, parameters and the key's scheme are added."""
    document["paths"] = {
        path.removeprefix("/v1").replace("{pet_id}", "{petId}"): methods
        for path, methods in document["paths"].items()
    }
    for methods in document["paths"].values():
        methods.pop("parameters", None)
        for operation in methods.values():
            operation["parameters"] = PARAMETERS[operation["operationId"]]
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
    document["components"] = {
        "schemas": components(),
        "securitySchemes": {
            "apiKey": {"type": "http", "scheme": "bearer", "description": "An API key: `hw_…`."}
        },
    }
    return document


@v1.get("/openapi.json")
@v1.doc(
    operation_id="getSpecification",
    summary="Get the specification",
    tags=["Service"],
    responses=answers(200, "The OpenAPI document.", {"type": "object"}, headers=ETAG),
)
@documents.compressed()
def specification() -> Response:
    parameters(())
    return cacheable(current_app.spec)  # type: ignore[attr-defined]
