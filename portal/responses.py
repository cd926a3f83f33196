"""Responses of the kinds that many views return."""

from flask import Response, make_response, redirect, request

from portal.headers import PRIVATE

CSV = "text/csv; charset=utf-8"


def see_other(address: str) -> Response:
    """Return a redirect to another page after a form was sent."""
    return make_response(redirect(address, 303))


def as_download(response: Response, name: str, media_type: str) -> Response:
    """Let the browser save the response as a file of this name."""
    response.headers["Content-Type"] = media_type
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def private(response: Response) -> Response:
    """Forbid caches to store the response, and hide the page's address from other sites."""
    response.headers.update(PRIVATE)
    return response


def with_etag(response: Response) -> Response:
    """Return the response with an ETag, or 304 if the browser already has it."""
    response.add_etag()
    response.make_conditional(request)
    return response
