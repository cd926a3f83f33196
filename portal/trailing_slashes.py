"""Redirects from an address with slashes at the end to the same address without them."""

from urllib.parse import quote

from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException, NotFound

from adoption.request_context import current_request
from portal.redirects import Redirect, query_as_written
from portal.sites.hosts import ON_SITES


def redirect_trailing_slash() -> Response | None:
    """Redirect if a page exists at this path without its slashes at the end."""
    is_missing = isinstance(request.routing_exception, NotFound) and request.method in ("GET", "HEAD")
    if not is_missing or not request.path.endswith("/"):
        return None
    bare = request.path.rstrip("/")
    adapter = current_app.create_url_adapter(request)
    try:
        if adapter is None or not bare:
            return None
        endpoint, _ = adapter.match(bare, method="GET")
    except HTTPException:
        return None
    if current_request().site and endpoint not in ON_SITES:
        return None
    return Redirect(f"{quote(bare)}{query_as_written(request.environ)}", 301)
