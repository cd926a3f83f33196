"""Error pages. Each page says what happened and what the visitor can do."""

import logging
from typing import NamedTuple

from flask import Response, g, make_response, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from adoption import errors
from adoption.request_context import current_request
from adoption.storage.database import cause_of, is_unavailable
from adoption.translations import gettext, message
from portal import htmx
from portal.account.reauthentication import confirm_identity_first
from portal.body_limits import largest_form, takes_files
from portal.current_user import current_person
from portal.headers import add_page_headers
from portal.sign_in.unsaved_forms import session_changed, show_after_error

log = logging.getLogger("homeward.portal")

RETRY_AFTER = 5
"""Seconds until a retry if the database or the quota store cannot be reached."""

STATUSES: dict[type[errors.Refusal], int] = {
    errors.Refusal: 400,
    errors.NotFound: 404,
    errors.Gone: 410,
    errors.NotAllowed: 403,
    errors.AccessEnded: 403,
    errors.PlanRequired: 403,
    errors.ProofRequired: 401,
    errors.PlanLimit: 403,
    errors.Invalid: 400,
    errors.Conflict: 409,
    errors.IdempotencyConflict: 409,
    errors.FileRefused: 400,
    errors.TooMany: 429,
    errors.Unavailable: 503,
    errors.Busy: 503,
}


class ErrorPage(NamedTuple):
    title: str
    sentence: str


PAGES = {
    400: ErrorPage(
        message("Something was wrong with that request"),
        message("Part of what your browser sent could not be read. Go back and try again."),
    ),
    403: ErrorPage(
        message("You do not have access to this page"),
        message("If you need access, ask an owner of your shelter's account."),
    ),
    404: ErrorPage(
        message("Page not found"),
        message(
            "The page may have moved, or the animal may already have a new home. "
            "Check you typed the address correctly."
        ),
    ),
    405: ErrorPage(
        message("That does not work here"),
        message(
            "This address does not accept what was sent. Go back and try again from the page you came from."
        ),
    ),
    409: ErrorPage(
        message("This has changed since you opened it"),
        message("Go back, reload the page and look again."),
    ),
    410: ErrorPage(
        message("This page has been removed"),
        message("Other animals are still waiting for a home."),
    ),
    411: ErrorPage(
        message("We could not tell whether your whole form arrived"),
        message(
            "Your browser, or a proxy between it and us, did not send the length of the form. "
            "Go back and try again, or try another network or browser."
        ),
    ),
    413: ErrorPage(
        message("That was too large"),
        message("You can send at most %(size)s at once. Go back and send fewer or smaller files."),
    ),
    414: ErrorPage(
        message("That address is too long"),
        message("Go back, and search for fewer words or choose fewer animals at once."),
    ),
    429: ErrorPage(
        message("Too many requests"),
        message("You have done this too often. Wait an hour, then try again."),
    ),
    500: ErrorPage(
        message("Something went wrong"),
        message(
            "The problem is on our side. Everything you saved before is safe. Wait a minute, then try again."
        ),
    ),
    503: ErrorPage(
        message("Back in a moment"),
        message(
            "We cannot reach our database just now. Everything you saved before is safe. "
            "Wait a few seconds, then try again."
        ),
    ),
}
FORM_TOO_LARGE = ErrorPage(
    message("That was too large"),
    message(
        "You can send at most %(size)s in this form, so nothing was saved. Go back, shorten the longest "
        "text, then send it again."
    ),
)
BUSY = message("Nothing was saved. Wait a few seconds, then try again.")
STALE = ErrorPage(
    message("Your session has expired"),
    message(
        "You were signed out, or cookies are blocked in your browser. Go back to the page and try again."
    ),
)
OTHER = ErrorPage(
    message("That did not work"),
    message("We could not do what you asked. Go back and try again."),
)


def page_for(error: Exception) -> Response:
    """Return the page for any exception.

    The details of an unexpected exception are only in the log. Redirects and responses that were passed to
    ``abort`` do not change.
    """
    if isinstance(error, HTTPException) and (error.response or 300 <= (error.code or 500) < 400):
        return add_page_headers(make_response(error.get_response()))
    if isinstance(error, errors.ProofRequired):
        return add_page_headers(confirm_identity_first())
    if isinstance(error, CSRFError) and (again := session_changed()) is not None:
        return add_page_headers(again)
    status = error_status(error)
    if status >= 500:
        log_error(error, status)
    template = "errors/broken.html" if status >= 500 else "errors/page.html"
    page, reference = error_page(error, status), current_request().request_id
    if (again := show_after_error(error_sentence(page, status, reference), status)) is not None:
        return add_page_headers(with_wait(again, error, status))
    if (status < 500 or isinstance(error, errors.Busy)) and htmx.target_id() is not None:
        # The script shows this text next to the form, which keeps its values.
        response = make_response(f"{page.title}. {page.sentence}", status)
        response.mimetype = "text/plain"
    else:
        words = {"page": page, "reference": reference, "back": way_back(status)}
        text = render_template(template, status=status, searched_words=request.args.get("q", ""), **words)
        response = make_response(text, status)
    if isinstance(error, HTTPException):
        allowed = dict(error.get_headers()).get("Allow")
        response.headers.update({"Allow": allowed} if allowed else {})
    return add_page_headers(with_wait(response, error, status))


def error_sentence(page: ErrorPage, status: int, reference: str | None) -> str:
    """Return a sentence about what happened, for the notice above the form."""
    sentences = [f"{page.title}.", page.sentence]
    if status >= 500 and reference:
        sentences.append(
            gettext(
                "If this error keeps happening, send this reference to the people who run this "
                "site: %(reference)s",
                reference=reference,
            )
        )
    return " ".join(sentences)


def with_wait(response: Response, error: Exception, status: int) -> Response:
    """Add ``Retry-After`` for a temporary error."""
    if isinstance(error, errors.TooMany):
        response.headers["Retry-After"] = str(error.seconds)
    return with_pause(response) if status == 503 else response


def with_pause(response: Response) -> Response:
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def error_page(error: Exception, status: int) -> ErrorPage:
    """Return the content of the page, in the page's language."""
    if isinstance(error, errors.PlanLimit):
        return ErrorPage(gettext("Your plan's limit is reached"), error.sentence)
    if isinstance(error, errors.NotAllowed | errors.TooMany):
        return ErrorPage(gettext(PAGES[status].title), error.sentence)
    if isinstance(error, errors.Busy):
        return ErrorPage(gettext(PAGES[503].title), f"{error.sentence} {gettext(BUSY)}")
    page = STALE if isinstance(error, CSRFError) else PAGES.get(status, OTHER)
    if status != 413:
        return ErrorPage(gettext(page.title), gettext(page.sentence))
    page = PAGES[413] if takes_files() else FORM_TOO_LARGE
    return ErrorPage(gettext(page.title), gettext(page.sentence, size=body_limit_in_words(largest_form())))


def body_limit_in_words(size: int) -> str:
    return f"{size // 1_048_576} MB" if size >= 1_048_576 else f"{size // 1024} kB"


def way_back(status: int) -> tuple[str, str]:
    """Return the address and the label of the main button."""
    if status == 429 and request.method == "GET":
        return request.full_path.rstrip("?"), gettext("Try again")
    if (access := g.get("access")) is not None:
        return url_for("staff.animals", slug=access.project.slug), gettext("Back to your animals")
    if g.get("person") is not None or is_staff_elsewhere():
        return url_for("portal.projects"), gettext("Your shelters")
    return url_for("portal.catalogue"), gettext("Find an animal")


def is_staff_elsewhere() -> bool:
    """Return whether a signed-in user requested an address below ``/projects/`` that does not exist."""
    return (
        request.routing_exception is not None
        and request.path.startswith("/projects/")
        and bool(current_person())
    )


def error_status(error: Exception) -> int:
    if isinstance(error, errors.Refusal):
        return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    if is_unavailable(error):
        return 503
    # Werkzeug's exceptions have ``code``, APIFlask's ``status_code``.
    status = getattr(error, "code", None) or getattr(error, "status_code", None)
    return status if isinstance(status, int) and 400 <= status < 600 else 500


def log_error(error: Exception, status: int) -> None:
    if status == 503:
        log.warning("request %s unavailable: %s", current_request().request_id, cause_of(error))
    else:
        log.error("request %s failed", current_request().request_id, exc_info=error)
