"""The JSON API at ``/v1``, and its reference at ``/docs/``."""

import os
import time
from functools import cache, partial

from apiflask import APIBlueprint, APIFlask
from flask import Flask, Request, Response, g, request
from flask.sessions import NullSession, SecureCookieSession, SecureCookieSessionInterface

from adoption.accounts.api_access.usage import UsageTally
from adoption.accounts.quotas.storage import QuotaStorage
from adoption.domains.https_policy import YEAR
from adoption.projects.hosts import Hosts
from adoption.settings import Settings
from api import authentication, bodies, quotas
from api.deprecation import add_deprecation
from api.errors import Problem
from api.request_checks import check_request, check_slashes, demand_length, demand_place

v1 = APIBlueprint("v1", __name__, url_prefix="/v1")

BODY_UNREAD = (411, 413)
"""Statuses of a request whose body is not read. The rest of it would be taken for the next request."""


def register_api(app: APIFlask, storage: QuotaStorage) -> None:
    """Add the API to the application. Each request under /v1 passes these checks in this order:

    request id → key → ban → quota → HTTP → scope → body. Unknown addresses and methods do so too.
    """
    from api import categories, docs, pets, specification, store  # noqa: F401 - each adds its routes to v1

    app.json = bodies.StrictJSON(app)
    app.session_interface = SessionsOutsideV1()
    # One hook before and one after: each costs a list about 1.5 % of its CPU.
    app.before_request(partial(check, app, quotas.PlanWindows(storage)))
    tally = app.extensions["homeward.tally"] = UsageTally(app)
    app.after_request(partial(add_headers, tally))
    app.register_blueprint(v1)
    app.register_blueprint(docs.page)
    specification.describe(app)


def is_under_v1(path: str) -> bool:
    return path.startswith("/v1/") or path == "/v1"


def check(app: Flask, windows: quotas.PlanWindows) -> None:
    """Check a request, and put what later steps need into ``g``, also the request and the settings.

    To get them from Flask's proxies at each step would cost a list as much as its page from the database.
    """
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    known = g._get_current_object()
    known.asked = asked
    known.settings = app.config["HOMEWARD"]
    known.request_id = f"req_{os.urandom(12).hex()}"
    known.now = now = time.time()
    known.under_v1 = is_under_v1(asked.path)
    if known.under_v1:
        known.caller = authentication.caller(asked, now)
        known.verdict = windows.hit(known.caller, now)
        quotas.demand_admission(known.verdict, known.caller, now)
    demand_place(asked)
    check_request(app, asked)
    if known.under_v1:
        demand_api_address(asked, app.extensions["homeward.hosts"], known.settings)
        scopes = authentication.scopes_of(app, asked.endpoint)
        authentication.demand_key_and_scope(scopes, known.caller, now)
    demand_length(asked)
    if known.under_v1:
        bodies.demand_object(asked)


def demand_api_address(asked: Request, hosts: Hosts, settings: Settings) -> None:
    """Raise Problem on the host of a shelter's site, and NotFound for a path with other slashes."""
    if not hosts.are_platform(asked.environ.get("HTTP_HOST")):
        raise Problem(404, f"The API is not at this host. It is at {settings.base_url}.")
    check_slashes(asked)


TLS_FOR_A_YEAR = f"max-age={YEAR}"


def add_headers(tally: UsageTally, response: Response) -> Response:
    """Add the headers of every response, and count those under /v1 for the owner's usage page."""
    known = g._get_current_object()
    if known.asked.endpoint == "v1.get_pet":
        add_deprecation(response, known.settings.base_url)
    response.headers.add("X-Request-Id", known.request_id)
    if response.status_code in BODY_UNREAD:
        response.headers.add("Connection", "close")
    if known.under_v1:
        response.headers.add("X-Content-Type-Options", "nosniff")
        if known.asked.is_secure and known.settings.environment != "development":
            response.headers.add("Strict-Transport-Security", TLS_FOR_A_YEAR)
        caller = getattr(known, "caller", None)
        quotas.add_quota_headers(
            response, getattr(known, "verdict", None), quotas.quota_of(caller), known.now
        )
        if caller is not None:
            tally.count(caller.account_id, response.status_code, known.now)
    return response


NO_SESSION = NullSession()


class SessionsOutsideV1(SecureCookieSessionInterface):
    """Sessions for pages. Programs have keys, and a cookie is ignored."""

    # Flask would derive its key again for each page.
    get_signing_serializer = cache(SecureCookieSessionInterface.get_signing_serializer)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        return NO_SESSION if is_under_v1(request.path) else super().open_session(app, request)
