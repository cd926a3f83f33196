"""Redirects from an address that ends with a slash to the page without one."""

from urllib.parse import quote

from flask import Response, current_app, g, make_response, redirect, request
from werkzeug.exceptions import HTTPException, NotFound

from portal import people
from portal.sites import ON_SITES, VISIBLE


@people.before_app_request
def redirect_trailing_slash() -> Response | None:
    """A path that leads nowhere only because of its last slashes redirects; any other passes."""
    nowhere = isinstance(request.routing_exception, NotFound) and request.method in ("GET", "HEAD")
    if not nowhere or not request.path.endswith("/") or g.get("under_v1"):
        return None
    bare = request.path.rstrip("/")
    adapter = current_app.create_url_adapter(request)
    try:
        if adapter is None or not bare:
            return None
        endpoint, _ = adapter.match(bare, method="GET")
    except HTTPException:
        return None
    if g.get("site") and endpoint not in ON_SITES:
        return None
    query = quote(request.query_string, safe=VISIBLE)
    return make_response(redirect(f"{quote(bare)}{'?' if query else ''}{query}", 301))
