"""The session's cookie, and the token by which a form shows that it is ours."""

from apiflask import APIFlask
from flask import request
from flask_wtf.csrf import CSRFProtect, generate_csrf
from markupsafe import Markup

from adoption.accounts.sign_ins import STAYS

protection = CSRFProtect()

WITHOUT_TOKEN = {"portal.apply", "portal.withdraw"}
"""Forms of people without a session, who have nothing that a forged request could borrow."""


def guard(app: APIFlask) -> None:
    secure = app.config["HOMEWARD"].environment != "development"
    app.config.update(
        # The prefix has browsers take it from this very host over TLS alone: RFC 6265bis, section 4.1.3.2.
        SESSION_COOKIE_NAME="__Host-homeward" if secure else "homeward",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_PATH="/",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=STAYS,
        WTF_CSRF_CHECK_DEFAULT=False,  # each blueprint for people asks by itself, and /v1 has no cookie
        WTF_CSRF_TIME_LIMIT=None,  # as long as the session
        WTF_CSRF_SSL_STRICT=False,  # some browsers send no Referer, and the token is enough
    )
    protection.init_app(app)
    app.jinja_env.globals["csrf"] = csrf


def csrf() -> Markup:
    """The hidden field that every form of the staff's bears."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def refuse() -> None:
    """Raises CSRFError for what is sent without the token of its sender's session."""
    if request.endpoint not in WITHOUT_TOKEN:
        protection.protect()
