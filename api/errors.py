"""Error responses: one table from exceptions to ``{"code", "message", "status"}``."""

import logging
from http import HTTPStatus

import orjson
from flask import Response
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, ServiceUnavailable

from adoption import errors
from adoption.request_context import current_request
from adoption.storage.database import cause_of, is_unavailable
from api.http_rules import BODY_LARGEST
from api.responses import JsonResponse

log = logging.getLogger("homeward.api")

CODES = {
    400: "invalid_request",
    401: "invalid_api_key",
    403: "insufficient_scope",
    404: "not_found",
    405: "method_not_allowed",
    409: "idempotency_conflict",
    410: "gone",
    411: "length_required",
    413: "payload_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
}

MORE_CODES = {403: ["plan_limit", "origin_not_allowed"], 429: ["key_banned"]}
"""Error codes besides the usual code of a status, by status."""

STATUSES: dict[type[errors.Refusal], int] = {
    errors.NotFound: 404,
    errors.Gone: 410,
    errors.NotAllowed: 403,
    errors.AccessEnded: 403,
    errors.PlanRequired: 403,
    errors.ProofRequired: 403,
    errors.PlanLimit: 403,
    errors.Invalid: 400,
    errors.Conflict: 409,
    errors.IdempotencyConflict: 409,
    errors.FileRefused: 400,
    errors.TooMany: 429,
    errors.Unavailable: 503,
    errors.Busy: 503,
}

MESSAGES = {
    404: "There is no operation at this address. The reference at /docs/ lists all operations.",
    405: "This method is not allowed at this address. The Allow header lists the methods that are.",
    411: "The body needs a Content-Length header. A chunked body (Transfer-Encoding: chunked) is rejected.",
    413: f"The body is too large. The limit is {BODY_LARGEST:,} bytes.",
}

UNAVAILABLE_FOR = 5
"""If a store is unreachable, clients are asked to retry after this number of seconds."""


class Problem(Exception):
    """An error response."""

    def __init__(
        self, status: int, message: str, code: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code or CODES[status]
        self.message = message
        self.headers = headers or {}


def problem_of(error: Exception) -> Problem:
    """Return the Problem for any exception.

    An unexpected exception is logged, and its response has no details.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error.__cause__, ValidationError):
        problem = Problem(400, " ".join(describe_violations(error.__cause__)))
    elif isinstance(error, errors.PlanLimit):
        problem = Problem(403, error.sentence, "plan_limit")
    elif isinstance(error, errors.Refusal):
        problem = Problem(
            next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), error.sentence
        )
    elif isinstance(error, HTTPException) and 400 <= (error.code or 500) < 500:
        status = error.code if error.code in CODES else 400
        message = MESSAGES.get(status) or error.description or HTTPStatus(status).phrase
        allow = dict(error.get_headers()).get("Allow")
        problem = Problem(status, message, headers={"Allow": allow} if allow else {})
    elif isinstance(error, ServiceUnavailable):
        problem = Problem(503, "The service has no room for this request at the moment.")
    elif is_unavailable(error):
        problem = Problem(503, "The service cannot reach its database at the moment.")
    else:
        log.error("request %s failed", current_request().request_id, exc_info=error)
        problem = Problem(
            500,
            "Something went wrong on our side. If you report it, include the request id "
            f"{current_request().request_id}.",
        )
    if problem.status == 503:
        log.warning("request %s unavailable: %s", current_request().request_id, cause_of(error))
        problem.message += f" Try again in {UNAVAILABLE_FOR} seconds."
        problem.headers["Retry-After"] = str(UNAVAILABLE_FOR)
    return problem


REASONS = {
    "missing": "is required",
    "extra_forbidden": "is not a known member",
    "string_type": "must be a string",
    "int_type": "must be an integer",
}

VIOLATIONS_MOST = 20
"""The maximum number of violations listed in one message. For more violations, only the number is shown."""


def describe_violations(error: ValidationError) -> list[str]:
    """Return the violations of a body. Each is a sentence that begins with the member's name."""
    sentences = []
    found = error.errors(include_url=False)
    for one in found[:VIOLATIONS_MOST]:
        member = ".".join(str(part) for part in one["loc"])
        if one["type"] == "value_error":
            reason = str(one["ctx"]["error"])
        elif one["type"] == "enum":
            reason = f"must be one of {one['ctx']['expected']}"
        elif one["type"] in ("greater_than_equal", "less_than_equal"):
            reason = "is not the id of a category; GET /v1/categories lists them"
        else:
            reason = REASONS.get(one["type"], "is not valid")
        sentences.append(f"{member[:50] or repr(member)} {reason}.")
    if len(found) > VIOLATIONS_MOST:
        sentences.append(f"There are {len(found) - VIOLATIONS_MOST:,} more errors.")
    return sentences


def error_response(error: Exception) -> Response:
    """Return the response under /v1 for any exception."""
    problem = problem_of(error)
    # A message can quote a lone surrogate from the request. UTF-8 cannot encode it.
    message = problem.message.encode("utf-8", "backslashreplace").decode()
    body = {"code": problem.code, "message": message, "status": problem.status}
    # RFC 9110, section 15.1: without this header, caches may store a 404, 405 or 410.
    headers = [("Cache-Control", "no-store"), *problem.headers.items()]
    return JsonResponse(orjson.dumps(body), problem.status, headers)
