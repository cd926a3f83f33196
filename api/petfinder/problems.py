"""Errors in the form of Petfinder's API: problem details (RFC 9457) with Petfinder's types and texts."""

from typing import Any

import orjson
from flask import Response

from api.errors import Problem, problem_of
from api.responses import HeaderList, JsonResponse

ERRORS = "https://www.petfinder.com/developers/v2/docs/errors/"
"""The beginning of ``type``. Programs compare the type with these addresses."""
MISSING, INVALID = "ERR-00001", "ERR-00002"
CODES = {400: INVALID, 401: "ERR-401", 403: "ERR-403", 404: "ERR-404", 500: "ERR-500"}
TITLES = {400: "Invalid Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found"}
TITLES |= {429: "Too Many Requests", 500: "Internal Error", 503: "Service Unavailable"}
INVALID_PARAMETERS = "The request contains invalid parameters."
TOKEN_INVALID = "Access token invalid or expired"  # noqa: S105 - clients compare this text
UNKNOWN_PLACE = "Could not determine location."


class PetfinderProblem(Exception):
    """An error response with more members than a status and a message."""

    def __init__(self, status: int, detail: str, code: str = "", **members: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.body = problem_body(status, detail, code) | members


def problem_body(status: int, detail: str, code: str = "") -> dict[str, Any]:
    code = code or CODES.get(status, "")
    kind = f"{ERRORS}{code}/" if code else "about:blank"
    return {"type": kind, "status": status, "title": TITLES.get(status, "Error"), "detail": detail}


def parameter_problem(name: str, message: str, code: str = INVALID, place: str = "query") -> PetfinderProblem:
    """Return the error for a parameter with an invalid value."""
    entry = {"in": place, "path": name, "message": message}
    return PetfinderProblem(400, INVALID_PARAMETERS, code, **{"invalid-params": [entry]})


def client_problem() -> PetfinderProblem:
    """Return the error for a token request with a wrong client id or secret."""
    entry = {
        "code": "invalid_client",
        "title": "Unauthorized",
        "message": "Client authentication failed",
        "details": "The client id is the part of an API key up to the second _, and the secret is the key.",
        "href": f"{ERRORS}ERR-401/",
    }
    return PetfinderProblem(
        401, "Client authentication failed", title="invalid_client", errors=[entry], hint=None
    )


def error_response(error: Exception) -> Response:
    """Return the response of the Petfinder API for any exception."""
    headers: HeaderList = [("Cache-Control", "no-store")]
    if isinstance(error, PetfinderProblem):
        status, body = error.status, error.body
    else:
        problem: Problem = problem_of(error)
        status, body = problem.status, problem_body(problem.status, problem.message)
        headers += problem.headers.items()
    return json_response(body, status, headers, "application/problem+json")


def json_response(
    body: object, status: int = 200, headers: HeaderList | None = None, media_type: str = "application/json"
) -> JsonResponse:
    response = JsonResponse(orjson.dumps(body), status, headers)
    response.header_list[0] = ("Content-Type", media_type)
    return response
