"""Forms that were not accepted: the session had ended or changed, or there was an error.

The page of the form is shown again with the values filled in. If the session had ended, the sign-in form
keeps the values, signed, in a hidden field. Nothing is saved until the user sends the form again.
"""

from contextvars import Context
from io import BytesIO
from typing import NamedTuple, cast
from urllib.parse import unquote_to_bytes

from flask import Response, current_app, make_response, render_template, request, url_for
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.exceptions import HTTPException

from adoption.translations import gettext, message
from portal import current_user, htmx
from portal.csrf import is_from_our_page, needs_token
from portal.flash import notice
from portal.redirects import local_path
from portal.responses import private, see_other
from portal.sign_in.html_form_filler import FRESH, fill_form
from portal.sign_in.sign_in_page import redirect_to_sign_in, sign_in_page

NEVER_KEPT = FRESH | {"password", "answer"}
"""Names of fields that are not kept: passwords, and tokens that work once."""
SEALED = {"form", "opened"}
"""Names of hidden fields whose values are not readable text."""
LASTS = 86_400
"""The number of seconds for which the values are kept."""
NOT_READ = {405, 411, 413, 414}
"""Statuses after which the form is not shown again.

The form belongs to no page of ours, or it is too large to read.
"""
HOPELESS = {403, 404, 409}
"""Statuses that would be the same if the user sent the same form again."""
TOO_BUSY = {429, 503}
"""Statuses after which the page is not rendered again.

Rendering would cost more than the request.
"""
LARGEST = 400_000
"""The most characters of the signed values. The field of a form may have 500,000 bytes."""

SIGNED_OUT = message(
    "You were signed out, so this was not saved yet. Sign in again, and what you typed will be filled in."
)
TOO_LARGE = message(
    "You were signed out, and this is too long to keep while you sign in. "
    "Sign in again in another tab, then go back here and save."
)
SOMEONE_ELSE = message(
    "Someone else has signed in on this browser, so this was not saved yet. "
    "Sign in again, and what you typed will be filled in."
)
CHANGED = message("Your session changed. Check and save again.")
CONFIRMED = message(
    "Thank you. Nothing has changed yet. Check what you entered, then press the button again."
)
SIGNED_IN = message("You're signed in again. Check and save: nothing has been saved yet.")
FILES = message("Choose your files again.")
OTHER_PERSON = message("You signed in as someone else, so we dropped what was typed before you signed in.")


class UnsavedForm(NamedTuple):
    """A form that was sent but not saved."""

    path: str
    """The address that the form was sent to, with its query."""
    page: str
    """The address of the page that contains the form."""
    fields: list[tuple[str, str]]
    user_id: int | None
    """The id of the user who was signed in when the page of the form was opened; None if unknown."""
    had_files: bool

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The text of each field, by the field's label."""
        return [
            (name.replace("_", " ").capitalize(), text)
            for name, text in self.fields
            if text.strip() and name not in SEALED
        ]


def sign_in_first(in_background: bool = False, why: str = SIGNED_OUT) -> Response:
    """Ask a visitor to sign in, and keep the values of the sent form.

    If ``in_background``, for example when a script checks a single field, the response is empty and changes
    nothing.
    """
    if in_background and htmx.target_id() is not None:
        return make_response("", 204)
    if request.method in ("GET", "HEAD") or not is_from_our_page():
        return redirect_to_sign_in()
    if htmx.target_id() is not None:
        # The script then sends the form without htmx, so that the answer is a whole page.
        return private(make_response("", 401))
    unsaved, text = kept_form()
    return sign_in_page(401, next=unsaved.page, unsaved=text, why=gettext(why if text else TOO_LARGE))


def kept_form() -> tuple[UnsavedForm, str]:
    """Return the values that this request sent, and a signed text of them for a hidden field.

    The signed text is empty if it is too large.
    """
    unsaved = sent_form(typist_id())
    text = serializer().dumps(unsaved)
    return unsaved, text if len(text) <= LARGEST else ""


def session_changed() -> Response | None:
    """Return the page with the form again if the form's token belongs to another session.

    The result is None if the form is not ours.
    """
    if not is_from_our_page():
        return None
    if htmx.target_id() is not None:
        return private(make_response("", 401))
    who = current_user.current_person()
    if who is not None and typist_id() not in (None, who.user_id):
        return sign_in_first(why=SOMEONE_ELSE)
    unsaved = sent_form(typist_id())
    page = page_at(unsaved.page)
    if page.status_code == 302 and page.location and page.location.startswith(url_for("portal.sign_in")):
        return sign_in_first()
    return show_again(unsaved, page, gettext(CHANGED), 409)


def show_after_error(sentence: str, status: int) -> Response | None:
    """Return the form that led to an error, filled in, with the sentence above it.

    The result is None if no text was typed.
    """
    if request.method != "POST" or status in NOT_READ or htmx.target_id() is not None:
        return None
    try:
        unsaved = sent_form(None)
    except HTTPException:
        return None  # The error means that the form did not arrive.
    if not unsaved.texts or not is_from_our_page():
        return None
    page = None if status in TOO_BUSY else page_at(unsaved.page)
    return show_again(unsaved, page, sentence, status, status not in HOPELESS)


def continue_after_sign_in(wanted: str, sentence: str = SIGNED_IN) -> Response:
    """Continue to the requested page, or to the form that led to the sign-in page.

    A sentence above the form says what happened.
    """
    unsaved = unsaved_form_in(request.form.get("unsaved", ""))
    if unsaved is None:
        return private(see_other(wanted))
    who = current_user.current_person()
    if unsaved.user_id is not None and (who is None or who.user_id != unsaved.user_id):
        notice(gettext(OTHER_PERSON), "warn")
        return private(see_other(wanted))
    return show_again(unsaved, page_at(unsaved.page), gettext(sentence), 200)


def show_again(
    unsaved: UnsavedForm, page: Response | None, sentence: str, status: int, can_help: bool = True
) -> Response:
    """Return the page with the form filled in. If the page cannot be filled in, return a list of the texts.

    ``can_help`` is whether it can help to send the form again.
    """
    is_confirmed = sentence == gettext(CONFIRMED) and not unsaved.had_files
    if unsaved.had_files:
        sentence = f"{sentence} {gettext(FILES)}"

    def notice_about(form_id: str) -> str:
        words = {"sentence": sentence, "address": unsaved.page, "form_id": form_id}
        return render_template("sign_in/_unsaved.html", **words, is_confirmed=is_confirmed)

    text = None
    if page is not None and page.status_code == 200 and page.mimetype == "text/html":
        text = fill_form(
            page.get_data(as_text=True), unsaved.page, unsaved.path, unsaved.fields, notice_about
        )
    if text is None:
        words = {"sentence": sentence, "needs_token": needs_token(), "can_help": can_help}
        text = render_template("sign_in/unsaved.html", unsaved=unsaved, **words)
    return private(make_response(text, status))


def typist_id() -> int | None:
    """Return the id of the user who was signed in when the page of this form was opened; None if unknown."""
    return request.form.get("typed_by", type=int) or current_user.last_user_id()


def sent_form(user_id: int | None) -> UnsavedForm:
    """Return the values that this request sent.

    Only the user with ``user_id`` can get the values back. If ``user_id`` is None, any user can.
    """
    fields = [(name, text) for name, text in request.form.items(multi=True) if name not in NEVER_KEPT]
    had_files = any(file.filename for file in request.files.values()) or "photos_waiting" in request.form
    path = request.full_path.rstrip("?")
    page = local_path(request.form.get("shown_on", "")) or path
    return UnsavedForm(path, page, fields, user_id, had_files)


def unsaved_form_in(text: str) -> UnsavedForm | None:
    """Return the form in a signed text.

    The result is None if the text is empty, too old or not signed by us.
    """
    if not text:
        return None
    try:
        path, page, fields, user_id, had_files = serializer().loads(text, max_age=LASTS)
    except BadData:
        return None
    return UnsavedForm(path, page, [(name, value) for name, value in fields], user_id, had_files)


def serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="unsaved form")


LEFT_OUT = ("HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH", "CONTENT_TYPE", "HTTP_HX_REQUEST", "HTTP_HX_TARGET")


def page_at(address: str) -> Response:
    """Return the response to a GET request for one of our pages, as the user of this session."""
    path, _, query = address.partition("?")
    environ = {
        name: value
        for name, value in request.environ.items()
        if name not in LEFT_OUT and not name.startswith(("werkzeug.", "flask."))
    }
    # In WSGI, text contains bytes as Latin-1 (PEP 3333). The address is perhaps decoded already.
    path, query = unquote_to_bytes(path).decode("latin-1"), query.encode().decode("latin-1")
    environ |= {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_URI": address}
    environ |= {"wsgi.input": BytesIO(), "CONTENT_LENGTH": "0"}
    # The inner request has its own context, with its own user and project. Both requests share the session.
    page = Context().run(Response.from_app, current_app.wsgi_app, environ, buffered=True)
    return cast(Response, page)
