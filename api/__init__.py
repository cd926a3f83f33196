"""The JSON API at ``/v1``, and its reference at ``/docs/``."""

from collections.abc import Callable

from apiflask import APIBlueprint, APIFlask
from flask import Flask, Response, request

from adoption.accounts.api_access.callers import Caller
from adoption.domains.hsts import YEAR
from adoption.request_context import Interface, RequestContext, add_to_context, current_request
from adoption.settings import Settings
from api import authentication, bodies, cors, quotas
from api.deprecation import deprecation_headers
from api.errors import Problem
from api.http_rules import check_request, check_slashes, demand_length
from api.responses import HeaderList

v1 = APIBlueprint("v1", __name__, url_prefix="/v1")


def register_api(app: APIFlask) -> None:
    """Add the API to the application."""
    from api import (  # noqa: F401 - each adds its routes to v1
        animals,
        categories,
        changes,
        directory,
        directory_animals,
        docs,
        orders,
        petfinder,
        pets,
        specification,
    )

    app.json = bodies.StrictJSON(app)
    app.register_blueprint(v1)
    app.register_blueprint(docs.page)
    petfinder.register_petfinder(app)
    specification.configure_document(app)


MOUNTS = {"/v1": Interface.V1, "/petfinder/v2": Interface.PETFINDER, "/v2": Interface.PETFINDER}


def interface_of(path: str) -> Interface:
    for mount, interface in MOUNTS.items():
        if path.startswith(f"{mount}/") or path == mount:
            return interface
    return Interface.PAGES


def check_api_request(app: Flask, windows: quotas.PlanWindows) -> Response | None:
    """Check a request in this order: key → ban → quota → HTTP → scope → origin → body.

    Requests for unknown paths and with unknown methods are checked too. Raise Problem if a check fails. If
    the request is a browser's preflight, return the response to it. Otherwise, return None.
    """
    is_preflight = cors.is_preflight(current_request())
    context = (
        count_preflight(windows) if is_preflight else identify_caller(windows, authentication.find_caller)
    )
    quotas.demand_admission(context)
    check_request(app, context)
    demand_api_address(app, context)
    if is_preflight:
        return cors.preflight_response(context)
    if scopes := authentication.scopes_of(app, context.endpoint):
        authentication.demand_key_and_scope(scopes, context)
        cors.demand_origin(context)
    demand_length(context.environ)
    bodies.demand_object(context)
    return None


def identify_caller(
    windows: quotas.PlanWindows, find_caller: Callable[[RequestContext], Caller | None]
) -> RequestContext:
    """Count the request against the caller's quota.

    Return the request's context, with endpoint, caller, verdict and quota.
    """
    context, endpoint, caller, verdict = current_request(), request.endpoint, None, None
    quota = context.quota
    try:
        caller = find_caller(context)
        quota = caller.quota if caller else quota
        verdict, quota = windows.hit(caller, context)
    finally:  # error responses have the headers of the caller's quota too
        context = add_to_context(endpoint=endpoint, caller=caller, verdict=verdict, quota=quota)
    return context


def count_preflight(windows: quotas.PlanWindows) -> RequestContext:
    """Count a preflight request. Return the request's context, with verdict and quota."""
    verdict, quota = windows.hit_as_preflight(current_request())
    return add_to_context(verdict=verdict, quota=quota)


def demand_api_address(app: Flask, context: RequestContext) -> None:
    """Raise Problem if the host is a shelter's site.

    Raise NotFound if the path has missing or extra slashes.
    """
    if not context.host.is_platform:
        settings: Settings = app.config["HOMEWARD"]
        raise Problem(404, f"The API is not at this host. It is at {settings.base_url}.")
    check_slashes(context.environ)


TLS_FOR_A_YEAR = f"max-age={YEAR}"


def response_headers(context: RequestContext, settings: Settings) -> HeaderList:
    """Return the headers of every response under /v1."""
    headers = [("X-Content-Type-Options", "nosniff"), *quotas.quota_headers(context)]
    headers += cors.cors_headers(context)
    if context.scheme == "https" and settings.environment != "development":
        headers.append(("Strict-Transport-Security", TLS_FOR_A_YEAR))
    if context.endpoint == "v1.get_pet":
        headers += deprecation_headers(settings.base_url)
    return headers
