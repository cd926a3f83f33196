"""Size limits of request bodies, forms and queries.

Staff pages accept large photos and spreadsheets. The limits of other pages are small.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, request, session
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import RequestEntityTooLarge, RequestURITooLarge

from adoption.accounts import sessions
from adoption.errors import Refusal
from adoption.request_context import Environ, RequestContexts
from portal.current_user import TOKEN
from serving.concurrent_request_limits import SMALL_BODY

BODY_LARGEST = SMALL_BODY
UPLOAD_LARGEST = 32 * 1_048_576
STAFF_FORM_LARGEST = 1_048_576
"""The most bytes of a staff form without a file.

The longest animal form has five texts of 32,767 characters.
"""
UNSAVED_LARGEST = 524_288
"""The maximum size in bytes of a sign-in form. The form can contain the fields of an unsaved form."""
CARRY_UNSAVED = {"/sign-in", "/sign-in/passkey", "/account/identity", "/account/identity/passkey"}

WITH_FILES = {"staff.new_animal", "staff.add_photos", "staff.upload_import"}
"""Endpoints whose form has a file."""
FIELDS_MOST = 10_000
"""The most fields of a form or a query."""
QUERY_LONGEST = 16_384

PHOTO = re.compile("/projects/[^/]+/photos/[^/]+")


def is_staff_page(path: str) -> bool:
    """Return whether this is a staff page.

    Staff pages do more than other pages: lists, exports, uploads.
    """
    return path.startswith("/projects/")


def is_staff_photo(path: str) -> bool:
    """Return whether this is a photo on a staff page."""
    return PHOTO.fullmatch(path) is not None


def largest_body(path: str) -> int:
    """Return the size limit, in bytes, of a body that is sent to this path."""
    if path in CARRY_UNSAVED:
        return UNSAVED_LARGEST
    return UPLOAD_LARGEST if is_staff_page(path) else BODY_LARGEST


def limit_request() -> None:
    """Raise an error if the form or the query is too large. This check runs before the form is read.

    Addresses without a page are checked too, because their error page shows the sent form again.
    """
    most = request.max_content_length = largest_form()
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge
    if len(request.query_string) > QUERY_LONGEST:
        raise RequestURITooLarge
    # The library has its own limit for the fields of a multipart form.
    is_encoded = request.method == "POST" and request.mimetype == "application/x-www-form-urlencoded"
    if is_encoded and request.get_data().count(b"&") >= FIELDS_MOST:
        raise RequestEntityTooLarge


def largest_form() -> int:
    """Return the size limit, in bytes, of the form of this request."""
    if is_staff_page(request.path) and not takes_files():
        return STAFF_FORM_LARGEST
    return largest_body(request.path)


def takes_files() -> bool:
    """Return whether this form is allowed to have files.

    A form with files needs a session cookie with a valid signature. The server reads only a few large bodies
    at once, so without this rule anyone could block all uploads.
    """
    return request.endpoint in WITH_FILES and request.mimetype == "multipart/form-data" and TOKEN in session


def largest_body_of(app: Flask, environ: Environ) -> int:
    """Return the size limit, in bytes, of the body of a WSGI request."""
    if int(environ.get("CONTENT_LENGTH") or 0) <= BODY_LARGEST:
        return BODY_LARGEST
    with opened(app, environ):
        return largest_form()


@contextmanager
def opened(app: Flask, environ: Environ) -> Iterator[None]:
    """Open the request's context, so that this module can read the request before the application does."""
    contexts: RequestContexts = app.extensions["homeward.contexts"]
    with contexts.opened(environ) as context, app.request_context(context.environ):
        yield


def uploading_account(app: Flask, environ: Environ) -> str:
    """Return the id of the account that uploads files; empty if no member of an account is signed in.

    All uploads without an account share the places of one account.
    """
    with opened(app, environ):
        try:
            account_id = sessions.account_of_member(session[TOKEN], (request.view_args or {})["slug"])
        except (KeyError, SQLAlchemyError, Refusal):
            return ""
    return "" if account_id is None else str(account_id)
