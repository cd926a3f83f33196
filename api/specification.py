"""The specification document at ``/v1/openapi.json``."""

import json
import re
from typing import Any

from apiflask import APIFlask
from flask import Response, current_app

from adoption.settings import Settings
from api import v1
from api.deprecation import REMOVED
from api.etags import etag_response
from api.http_rules import BODY_LARGEST
from api.query_parameters import reject_parameters
from api.schemas import Error

REF = "#/components/schemas/"


def describe_header(
    description: str, kind: str = "string", required: bool = True, **schema: Any
) -> dict[str, Any]:
    return {"description": description, "required": required, "schema": {"type": kind, **schema}}


EVERY_RESPONSE = {
    "X-RateLimit-Limit": describe_header(
        "The limit of the window that has the fewest requests left.", "integer", minimum=1
    ),
    "X-RateLimit-Remaining": describe_header("Requests left in that window.", "integer", minimum=0),
    "X-RateLimit-Reset": describe_header("Unix time, in seconds, at which that window resets.", "integer"),
    "X-Request-Id": describe_header("The id of this request. Include it when you report a problem."),
}
RETRY_AFTER = {
    "Retry-After": describe_header("Whole seconds to wait before the next try.", "integer", minimum=1)
}
WWW_AUTHENTICATE = {"WWW-Authenticate": describe_header("How to send a key (RFC 6750).")}
CORS = {
    "Access-Control-Allow-Origin": describe_header(
        "The page's origin, if the key can be used in it.", required=False
    ),
    "Access-Control-Expose-Headers": describe_header("The headers that the page can read.", required=False),
}
ETAG = {
    "ETag": describe_header("Send it back in If-None-Match."),
    "Cache-Control": describe_header("private, no-cache: check a stored copy before each use."),
}
SHARED_ETAG = ETAG | {
    "Cache-Control": describe_header(
        "`public, max-age=60` with a publishable key, `private, no-cache` with a secret key."
    )
}
NO_STORE = {"Cache-Control": describe_header("no-store: do not store errors.")}
ACCEPT_ENCODING = {
    "Accept-Encoding": describe_header("identity, if the body was compressed.", required=False)
}
NEXT = {"Link": describe_header('The next page, as rel="next"; absent on the last page.', required=False)}
NEXT_CHANGES = {
    "Link": describe_header('The address of the next request, as rel="next", also on an empty page.')
}
LOCATION = {"Location": describe_header("The address of the animal.")}
REPLAYED = {
    "Idempotent-Replayed": describe_header(
        "true if this is the response of an earlier request with the same Idempotency-Key.",
        required=False,
        enum=["true"],
    )
}
DEPRECATION = {
    "Deprecation": describe_header("When this operation was deprecated (RFC 9745)."),
    "Sunset": describe_header("When it is removed (RFC 8594)."),
    "Link": describe_header('The replacement, as rel="successor-version".'),
}

WHEN = {
    400: "The request is invalid; `message` lists the errors.",
    401: "The API key is missing or invalid.",
    403: "The key lacks the scope that this operation needs (`insufficient_scope`), or the account has as "
    "many animals as its plan includes (`plan_limit`).",
    404: "The key's project has no animal with this id.",
    409: "The `Idempotency-Key` was used with another body.",
    410: f"The operation was {REMOVED}.",
    411: "The body has no `Content-Length`: it was sent in chunks.",
    413: f"The body has more than {BODY_LARGEST:,} bytes.",
    415: "The body is not sent as `application/json`, or is compressed.",
    429: "The quota is used up (`rate_limited`), or the key is banned (`key_banned`).",
    500: "An error on our side; `message` contains the request id.",
    503: "The database or the quota store cannot be reached at the moment.",
}
MORE_HEADERS = {401: WWW_AUTHENTICATE, 415: ACCEPT_ENCODING, 429: RETRY_AFTER, 503: RETRY_AFTER}
ON_EVERY_OPERATION = (400, 429, 500, 503)


def responses_of(
    status: int,
    what: str,
    *also: int,
    headers: dict[str, Any] | None = None,
    always: dict[str, Any] | None = None,
    content: dict[str, Any] | None = None,
    when: dict[int, str] | None = None,
) -> dict[int | str, Any]:
    """Return an operation's responses for the document: success, 304 if it supports ETags, and errors.

    The success has ``headers``; every response has ``always``. ``@v1.output`` adds its model to the success.
    ``content`` is for a success without a model. ``when`` has the descriptions that differ from ``WHEN``.
    """
    always = EVERY_RESPONSE | (always or {})
    responses: dict[int | str, Any] = {
        status: {"description": what, "headers": always | (headers or {}), "content": content or {}}
    }
    if "ETag" in (headers or {}):
        responses[304] = {
            "description": "Not modified: the caller's copy is current.",
            "headers": always | (headers or {}),
            "content": {},
        }
    for error in sorted({*ON_EVERY_OPERATION, *also}):
        more = NO_STORE | MORE_HEADERS.get(error, {})
        responses[error] = {
            "description": (WHEN | (when or {}))[error],
            "headers": always | more,
            "content": {"application/json": {"schema": {"$ref": f"{REF}Error"}}},
        }
    return responses


IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "An earlier ETag. The response is 304 if nothing has changed.",
    "schema": {"type": "string"},
}
PATH_IDS = {"petId": "The animal's id.", "animalId": "The animal's id.", "shelterId": "The shelter's id."}
"""The descriptions of the parameters in paths."""


def describe_path_id(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": PATH_IDS[name],
        "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**63 - 1},
    }


def document_path(rule: str) -> str:
    """Return the path of a Flask rule as the document has it, such as /pets/{petId}."""
    return re.sub(r"[<{](\w+)_id[}>]", r"{\1Id}", rule).removeprefix("/v1")


TAGS = [
    {"name": "Animals", "description": "The animals of the key's project."},
    {"name": "Store", "description": "Adoption applications."},
    {"name": "Directory", "description": "All published shelters, for programs and web pages."},
    {"name": "Service", "description": "What is the same for every project."},
]

DESCRIPTION = """\
Animals that are available for adoption, and the applications for them.

Every operation needs an API key, as `Authorization: Bearer hw_…`. A key belongs to one project and can
read only that project's animals and orders. Errors, quotas, paging and deprecation are described at `/docs/`.
"""


def configure_document(app: APIFlask) -> None:
    """Configure the document that APIFlask generates from the routes."""
    settings: Settings = app.config["HOMEWARD"]
    app.config.update(
        OPENAPI_VERSION="3.1.0",
        AUTO_OPERATION_SUMMARY=False,
        AUTO_OPERATION_DESCRIPTION=False,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_AUTH_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
        VALIDATION_ERROR_STATUS_CODE=400,
        SECURITY_SCHEMES={
            "apiKey": {"type": "http", "scheme": "bearer", "description": "An API key: `hw_…`."}
        },
    )
    app.description = DESCRIPTION
    app.tags = TAGS
    app.license = {"name": "MIT", "identifier": "MIT"}
    app.contact = {"name": "Homeward", "url": f"{settings.base_url.removesuffix('v1')}docs/#support"}
    app.servers = [
        {"url": settings.base_url, "description": "Production"},
        {"url": settings.staging_base_url, "description": "Staging, a separate installation"},
    ]
    app.spec_processor(complete_document)


def complete_document(document: Any) -> Any:
    """Return the document with relative addresses, shorter schema names and the parts that APIFlask omits."""
    # APIFlask adds the containing model to an enumeration's name: Pet.PetStatus.
    document = json.loads(re.sub(rf'"({REF})?[A-Z]\w+\.(\w+)"', r'"\1\2"', json.dumps(document)))
    document["paths"] = {document_path(path): methods for path, methods in document["paths"].items()}
    for path, methods in document["paths"].items():
        methods.pop("parameters", None)
        for operation in methods.values():
            operation["parameters"] = parameters_of(operation, path)
            operation.setdefault("security", [])
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
    schemas = document["components"]["schemas"] | {"Error": Error.model_json_schema()}
    document["components"]["schemas"] = {name: clean_schema(schema) for name, schema in schemas.items()}
    return document


def parameters_of(operation: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """Return an operation's parameters, with each description moved from the schema to the parameter."""
    parameters = [describe_path_id(name) for name in re.findall(r"{(\w+)}", path)]
    for one in operation["parameters"]:
        if one["in"] == "path":  # the view accepts any text
            continue
        schema = clean_schema(one["schema"])
        parameters.append(
            {"name": one["name"], "in": one["in"], "description": schema.pop("description"), "schema": schema}
        )
    return [*parameters, IF_NONE_MATCH] if "304" in operation["responses"] else parameters


def clean_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without the titles that Pydantic generates, and without a default next to a $ref.

    Some code generators treat a property with a default as required. An empty default is not a value.
    """
    kept = {key: value for key, value in schema.items() if key != "title"}
    if "$ref" in kept or not kept.get("default"):
        kept.pop("default", None)
    if "properties" in kept:
        kept["properties"] = {name: clean_schema(one) for name, one in kept["properties"].items()}
    return kept


@v1.get("/openapi.json")
@v1.doc(
    operation_id="getSpecification",
    summary="Get the specification",
    description="This document: every operation, parameter, header and error.",
    tags=["Service"],
    responses=responses_of(
        200,
        "The OpenAPI document.",
        headers=ETAG,
        content={"application/json": {"schema": {"type": "object"}}},
    ),
)
def specification() -> Response:
    reject_parameters()
    return etag_response(current_app.spec)  # type: ignore[attr-defined]
