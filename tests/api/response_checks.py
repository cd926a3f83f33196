"""Checks of a response under /v1 against the contract and the specification."""

import re
import time
from functools import cache
from typing import Any

from apiflask import APIFlask
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from api.errors import CODES, MORE_CODES

OF_HTTP_ITSELF = {
    "Content-Type",
    "Content-Length",
    "Content-Encoding",
    "Vary",
    "Date",
    "Server",
    "Connection",
    # Headers with instructions to browsers. They are the same on every response.
    "X-Content-Type-Options",
    "Strict-Transport-Security",
}
"""Headers that the specification does not list.

OpenAPI has Content-Type elsewhere, and servers add the other headers.
"""

ON_EVERY_RESPONSE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id")

ROUTES = [
    ("GET", "/v1/pets"),
    ("POST", "/v1/pets"),
    ("GET", "/v1/pets/1"),
    ("GET", "/v1/store/orders"),
    ("GET", "/v1/categories"),
    ("GET", "/v1/openapi.json"),
    ("GET", "/v1/nothing"),
    ("DELETE", "/v1/pets"),
]
"""Operations of the API, an unknown path, and a method that is not allowed."""


def check_response(app: APIFlask, response: TestResponse) -> None:
    """Assert that a response agrees with the contract and with its operation in the specification."""
    check_headers(response)
    if response.status_code >= 400:
        check_error(response)
    if operation := operation_of(specification_of(app), response.request.method, response.request.path):
        check_operation(specification_of(app), operation, response)


@cache
def specification_of(app: APIFlask) -> dict[str, Any]:
    with app.app_context():
        return dict(app.spec)


def check_headers(response: TestResponse) -> None:
    for name in ON_EVERY_RESPONSE:
        assert len(response.headers.getlist(name)) == 1, f"{name} on {response.status}: {response.headers}"
    limit, remaining, reset = (int(response.headers[name]) for name in ON_EVERY_RESPONSE[:3])
    assert 0 <= remaining <= limit
    assert reset > time.time() - 1


def check_error(response: TestResponse) -> None:
    status = response.status_code
    assert response.content_type == "application/json"
    if response.request.method != "HEAD":
        assert set(response.json) == {"code", "message", "status"}
        assert response.json["status"] == status
        assert response.json["code"] in (CODES[status], *MORE_CODES.get(status, []))
        assert response.json["message"].strip()
    assert ("Retry-After" in response.headers) == (status in (429, 503))
    assert ("Allow" in response.headers) == (status == 405)
    assert ("WWW-Authenticate" in response.headers) == (status == 401)
    if status in (429, 503):
        assert re.fullmatch("[1-9][0-9]*", response.headers["Retry-After"])


def operation_of(document: dict[str, Any], method: str, path: str) -> dict[str, Any] | None:
    for template, methods in document["paths"].items():
        pattern = "/v1" + re.sub(r"\{\w+\}", "[^/]+", template)
        if re.fullmatch(pattern, path, re.DOTALL):
            return methods.get("get" if method == "HEAD" else method.lower())  # type: ignore[no-any-return]
    return None


def check_operation(document: dict[str, Any], operation: dict[str, Any], response: TestResponse) -> None:
    found = operation["responses"].get(str(response.status_code))
    assert found, f"{operation['operationId']} does not document {response.status}"
    for name, header in found["headers"].items():
        if header.get("required"):
            assert name in response.headers, f"{name} is missing on {response.status}"
        for value in response.headers.getlist(name):
            number = header["schema"]["type"] == "integer"
            Draft202012Validator(header["schema"]).validate(int(value) if number else value)
    untold = set(response.headers.keys()) - set(found["headers"]) - OF_HTTP_ITSELF
    assert not untold, f"{operation['operationId']} does not document {untold} on {response.status}"
    content = found.get("content")
    if not content:
        assert response.data == b""
    elif response.request.method != "HEAD" and "Content-Encoding" not in response.headers:
        schema = content["application/json"]["schema"] | {"components": document["components"]}
        Draft202012Validator(schema).validate(response.json)
