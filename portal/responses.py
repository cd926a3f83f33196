"""Answers that views give again and again."""

from flask import Response, make_response, redirect, request

from portal.headers import PRIVATE

CSV = "text/csv; charset=utf-8"


def onward(address: str) -> Response:
    """Go on to another page, after something was done."""
    return make_response(redirect(address, 303))


def attached(response: Response, name: str, media_type: str) -> Response:
    """The answer as a file to keep, under this name."""
    response.headers["Content-Type"] = media_type
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def private(response: Response) -> Response:
    """The answer for one person alone: no store keeps it, and no other site learns its address."""
    response.headers.update(PRIVATE)
    return response


def revalidated(response: Response) -> Response:
    """Return the response with an ETag, or 304 if the browser has it already."""
    response.add_etag()
    response.make_conditional(request)
    return response
