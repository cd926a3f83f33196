"""The reference for integrators at ``/docs/``, and the changelog of the API.

Operations come from the specification document. Plans, codes, scopes and numbers come from the code. So the
reference cannot contradict the service. The tests run every example against the service.
"""

import hashlib
from typing import Any, cast

from apiflask import APIBlueprint, APIFlask
from flask import Response, current_app, render_template, request

from adoption.accounts import plans
from adoption.accounts.api_access import key_format, page_origins
from adoption.accounts.quotas import bans, windows
from adoption.animals import allowed_values
from adoption.animals.idempotency_keys import REMEMBERED
from adoption.orders import models as orders
from adoption.projects.request_hosts import bare_host
from adoption.settings import Settings
from api import deprecation, errors, http_rules, paging, specification
from api import quotas as api_quotas
from api.docs.changelog_entries import CHANGES
from api.docs.examples import REQUESTS, RESPONSES, TAB_NAMES, render_examples
from api.docs.markdown import code_to_html
from api.docs.operations import codes_of, list_operations, member_rows
from api.durations_in_words import spell_duration
from serving.compression import pack

page = APIBlueprint("docs", __name__, enable_openapi=False)
page.after_request(pack)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cache-Control": "no-cache",
}


@page.get("/docs")
def add_slash() -> Response:
    # A relative address: behind a proxy that ends TLS, the framework's own redirect would go to http.
    return Response(status=308, headers={"Location": "/docs/"})


@page.get("/docs/")
def show() -> Response:
    return docs_response("docs/index.html", "text/html")


@page.get("/docs/changelog")
def changelog() -> Response:
    return docs_response("docs/changelog.html", "text/html")


@page.get("/docs/changelog.atom")
def changelog_feed() -> Response:
    """Return the changelog as an Atom feed (RFC 4287)."""
    return docs_response("docs/changelog.xml", "application/atom+xml")


def docs_response(template: str, mimetype: str) -> Response:
    """Return a page of the reference. Each process renders the page only once.

    The page depends on nothing but the settings.
    """
    app = cast(APIFlask, current_app)
    pages: dict[str, bytes] = app.extensions.setdefault("homeward.docs", {})
    if template not in pages or app.debug:
        pages[template] = render_template(template, **docs_values(app)).encode()
    response = Response(pages[template], mimetype=mimetype, headers=HEADERS)
    response.set_etag(hashlib.sha256(pages[template]).hexdigest()[:24])
    response.make_conditional(request)
    return response


def docs_values(app: APIFlask) -> dict[str, Any]:
    """Return the values for the templates."""
    settings: Settings = app.config["HOMEWARD"]
    document: Any = app.spec
    schemas = document["components"]["schemas"]
    operations = list(list_operations(app, document))
    addresses = addresses_of(settings)
    return addresses | {
        "tags": document["tags"],
        "operations": operations,
        "shapes": {name: shape for name, shape in schemas.items() if "properties" in shape},
        "members": lambda name: list(member_rows(schemas[name], schemas)),
        "every_response": {name: one["description"] for name, one in specification.EVERY_RESPONSE.items()},
        "codes": [(status, code) for status in errors.CODES for code in codes_of(status)],
        "plans": plans.PLANS.values(),
        "free": plans.FREE,
        "scopes": {scope: [one for one in operations if scope in one.scopes] for scope in key_format.SCOPES},
        **{
            "keys": key_format,
            "pages": api_quotas,
            "quotas": windows,
            "bans": bans,
            "fields": allowed_values,
            "orders": orders,
            "paging": paging,
        },
        "origins_most": page_origins.ORIGINS_MOST,
        "body_largest": http_rules.BODY_LARGEST,
        "remembered": int(REMEMBERED.total_seconds()),
        "deprecated_on": deprecation.format_day(deprecation.DEPRECATED),
        "removed_on": deprecation.format_day(deprecation.SUNSET),
        "changes": CHANGES,
        "prose": code_to_html,
        "day": deprecation.format_day,
        "duration": spell_duration,
        "requests": lambda name: render_examples(app, name, addresses, REQUESTS),
        "responses": lambda name: render_examples(app, name, addresses, RESPONSES),
        "tab_names": TAB_NAMES,
    }


def addresses_of(settings: Settings) -> dict[str, Any]:
    """Return the values for the examples: this service's addresses and the categories."""
    return {
        "base_url": settings.base_url,
        "staging_base_url": settings.staging_base_url,
        "root": settings.platform_url.rstrip("/"),
        "platform_name": bare_host(settings.platform_host),
        "categories": allowed_values.CATEGORIES,
    }
