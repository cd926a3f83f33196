"""An API with the addresses, parameters and fields of Petfinder's API, for existing programs.

Its animals and shelters are those of the directory.
"""

from functools import partial

from apiflask import APIFlask
from flask import Blueprint, Flask, Response, request

from adoption.accounts.api_access.key_format import DIRECTORY_READ
from adoption.request_context import RequestContext, add_to_context, current_request
from adoption.settings import Settings
from api import TLS_FOR_A_YEAR, authentication, demand_api_address, identify_caller
from api.cors import EXPOSED
from api.http_rules import check_request
from api.petfinder.access_tokens import find_token_caller
from api.petfinder.problems import TOKEN_INVALID, PetfinderProblem, error_response
from api.quotas import PlanWindows, demand_admission, quota_headers
from api.responses import HeaderList, JsonResponse

__all__ = ["check_petfinder_request", "error_response", "register_petfinder", "response_headers"]

petfinder = Blueprint("petfinder", __name__)
TOKEN_ENDPOINT = "create_token"  # noqa: S105 - the name of a view
PREFLIGHT_CACHED = 7_200


def register_petfinder(app: APIFlask) -> None:
    """Add the API at both of its addresses."""
    from api.petfinder import animals, organizations, token_requests, types  # noqa: F401 - each adds its routes

    app.register_blueprint(petfinder, url_prefix="/petfinder/v2")
    # Links in responses begin with /v2, so programs find this address too.
    app.register_blueprint(petfinder, url_prefix="/v2", name="petfinder_v2")


def check_petfinder_request(app: Flask, windows: PlanWindows) -> Response | None:
    """Check a request in this order: token → ban → quota → HTTP → scope.

    Raise Problem or PetfinderProblem if a check fails. Return the response to a browser's preflight.
    """
    context, settings = current_request(), app.config["HOMEWARD"]
    if context.environ["REQUEST_METHOD"] == "OPTIONS":
        verdict, quota = windows.hit_as_preflight(context)
        demand_admission(add_to_context(verdict=verdict, quota=quota))
        return preflight_response(context)
    is_token_request = (request.endpoint or "").endswith(f".{TOKEN_ENDPOINT}")
    if is_token_request:
        context = add_to_context(endpoint=request.endpoint)
    else:
        context = identify_caller(windows, partial(find_token_caller, settings=settings))
        demand_admission(context)
    check_request(app, context)
    demand_api_address(app, context)
    if request.endpoint is not None and not is_token_request:
        demand_token(context)
    return None


def demand_token(context: RequestContext) -> None:
    """Raise PetfinderProblem if the token is missing or invalid (401) or its key lacks the scope (403)."""
    if context.caller is None:
        raise PetfinderProblem(401, TOKEN_INVALID)
    if not context.caller.may(DIRECTORY_READ):
        raise PetfinderProblem(403, f"This key lacks the scope {DIRECTORY_READ}. Create a key that has it.")
    authentication.demand_key_and_scope((DIRECTORY_READ,), context)


def preflight_response(context: RequestContext) -> Response:
    """Return the response to a browser's preflight. Pages can send any header, as at Petfinder."""
    asked = context.environ.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "")
    response = JsonResponse(b"", 204)
    response.header_list = [
        ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
        ("Access-Control-Max-Age", str(PREFLIGHT_CACHED)),
    ]
    if asked:
        response.header_list.append(("Access-Control-Allow-Headers", asked))
    return response


def response_headers(context: RequestContext, settings: Settings) -> HeaderList:
    """Return the headers of every response of this API. Pages of every origin can read responses."""
    headers = [("X-Content-Type-Options", "nosniff"), *quota_headers(context)]
    headers += [("Access-Control-Allow-Origin", "*")]
    headers += [("Access-Control-Expose-Headers", f"{EXPOSED}, Homeward-Ignored")]
    if context.scheme == "https" and settings.environment != "development":
        headers.append(("Strict-Transport-Security", TLS_FOR_A_YEAR))
    return headers
