"""CSRF tokens of forms."""

from apiflask import APIFlask
from flask import request
from flask_wtf.csrf import CSRFProtect, generate_csrf, validate_csrf
from markupsafe import Markup
from wtforms.validators import ValidationError

from adoption.request_context import current_request
from portal import current_user

protection = CSRFProtect()

WITHOUT_TOKEN = {"portal.apply", "portal.application", "portal.open_emailed_link", "portal.withdraw"}
"""Endpoints of adopters' forms.

Adopters have no session, so a forged request gains nothing.
"""


def set_up_csrf(app: APIFlask) -> None:
    app.config.update(
        WTF_CSRF_CHECK_DEFAULT=False,  # The blueprints of pages check the token. ``/v1`` has no cookie.
        WTF_CSRF_TIME_LIMIT=None,  # The token lasts as long as the session.
        WTF_CSRF_SSL_STRICT=False,  # some browsers send no Referer
    )
    protection.init_app(app)
    app.jinja_env.globals["csrf"] = csrf_fields


def csrf_fields() -> Markup:
    """Return the hidden fields of a form: the CSRF token, the page and the signed-in user.

    If the session has ended or changed before the form is sent, the filled-in form is shown again, but only
    to the same user.
    """
    fields = {"csrf_token": generate_csrf(), "shown_on": page_of_form()}
    if person := current_user.current_person():
        fields["typed_by"] = str(person.user_id)
    hidden = Markup('<input type="hidden" name="{}" value="{}">')
    return Markup("").join(hidden.format(name, value) for name, value in fields.items())


def page_of_form() -> str:
    """Return the address of this page, or of the page whose form this request sent."""
    here = request.full_path.rstrip("?")
    return here if request.method in ("GET", "HEAD") else request.form.get("shown_on", "") or here


def refuse_forgery() -> None:
    """Raise CSRFError if the form lacks the token of its session."""
    if needs_token():
        protection.protect()


def needs_token() -> bool:
    """Return whether the user of this request's form can have a session."""
    return request.endpoint not in WITHOUT_TOKEN


def is_from_our_page() -> bool:
    """Return whether this form was sent from a page of this host. The signed-in user does not matter.

    Browsers report the sending page in ``Sec-Fetch-Site`` or ``Origin``, which scripts cannot change. If a
    browser sends neither header, the form must have the token of this session.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    if (origin := request.headers.get("Origin", "null")) != "null":
        return origin == current_request().origin
    try:
        validate_csrf(request.form.get("csrf_token") or request.headers.get("X-CSRFToken"))
    except ValidationError:
        return False
    return True
