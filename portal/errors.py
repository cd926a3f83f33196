"""The one table from what went wrong to a page: what happened, what to do, and nothing of how we work."""

import logging
from typing import NamedTuple

from flask import Response, g, make_response, render_template
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from adoption import errors
from adoption.database import cause_of, is_unavailable
from portal.headers import dress

log = logging.getLogger("homeward.portal")

RETRY_AFTER = 5
"""Seconds after which a reader may try again when a store could not be reached."""

STATUSES: dict[type[errors.Refusal], int] = {
    errors.Refusal: 400,
    errors.NotFound: 404,
    errors.Gone: 410,
    errors.NotAllowed: 403,
    errors.PlanRequired: 403,
    errors.Invalid: 400,
    errors.Conflict: 409,
    errors.IdempotencyConflict: 409,
    errors.FileRefused: 400,
    errors.TooMany: 429,
    errors.Unavailable: 503,
}


class Page(NamedTuple):
    title: str
    sentence: str


PAGES = {
    400: Page(
        "That did not come through",
        "Part of what your browser sent could not be read. Go back, and try it once more.",
    ),
    403: Page(
        "This door is not yours",
        "You are not allowed to see this page. If you think you should be, ask the owner of the account.",
    ),
    404: Page(
        "Nobody lives at this address",
        "The page may have moved, or the animal may already be in a new home. "
        "Check the address for typing slips.",
    ),
    405: Page(
        "That does not work here",
        "This page can be looked at, but not sent to. Go back, and try it from the page you came from.",
    ),
    409: Page(
        "Somebody was faster",
        "What you asked for no longer fits with what is there. Go back, reload the page and look again.",
    ),
    410: Page(
        "Nobody lives here any more",
        "What was at this address was taken away. Others are waiting: have a look who they are.",
    ),
    413: Page(
        "That was too large",
        "We take no more than 32 MB at once. Go back, and send fewer files, or a smaller one.",
    ),
    429: Page(
        "That was rather often",
        "The same has come from you so often that we take no more just now. Wait an hour, then try again.",
    ),
    500: Page(
        "The light has gone out",
        "Something broke on our side. Anything you had already saved is safe. Wait a minute, then try again.",
    ),
    503: Page(
        "Back in a moment",
        "We cannot reach our records just now. Nothing is lost. Wait a few seconds, then try again.",
    ),
}
STALE = Page(
    "This page was open for too long",
    "You were signed out meanwhile, or your browser keeps no cookies for us. "
    "Go back, reload the page, and send it again.",
)
OTHER = Page("That did not work", "We could not do what was asked. Go back, and try it once more.")


def page_for(error: Exception) -> Response:
    """The page that answers any exception; of one that nobody foresaw the log tells, and the page does not.

    A redirect, or an answer that was given with ``abort``, is passed on as it is.
    """
    if isinstance(error, HTTPException) and (error.response or 300 <= (error.code or 500) < 400):
        return dress(make_response(error.get_response()))
    status = status_of(error)
    if status >= 500:
        report(error, status)
    template = "errors/broken.html" if status >= 500 else "errors/page.html"
    page, reference = page_of(error, status), g.get("request_id")
    text = render_template(template, status=status, page=page, reference=reference)
    response = make_response(text, status)
    if isinstance(error, HTTPException):
        allowed = dict(error.get_headers()).get("Allow")
        response.headers.update({"Allow": allowed} if allowed else {})
    return dress(response if status != 503 else with_pause(response))


def with_pause(response: Response) -> Response:
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def page_of(error: Exception, status: int) -> Page:
    return STALE if isinstance(error, CSRFError) else PAGES.get(status, OTHER)


def status_of(error: Exception) -> int:
    if isinstance(error, errors.Refusal):
        return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    if is_unavailable(error):
        return 503
    # Werkzeug's exceptions have the one, APIFlask's the other.
    status = getattr(error, "code", None) or getattr(error, "status_code", None)
    return status if isinstance(status, int) and 400 <= status < 600 else 500


def report(error: Exception, status: int) -> None:
    if status == 503:
        log.warning("request %s unavailable: %s", g.get("request_id"), cause_of(error))
    else:
        log.error("request %s failed", g.get("request_id"), exc_info=error)
