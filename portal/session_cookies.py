"""Session cookies, which only pages on the platform's hosts set."""

from functools import cache

from flask import Flask, Request
from flask.sessions import NullSession, SecureCookieSession, SecureCookieSessionInterface

from adoption.accounts.sessions import STAYS
from adoption.request_context import Interface, current_request

NO_SESSION = NullSession()
SESSION = "homeward.session"
"""Key of the session in ``environ``."""


def set_up_session_cookies(app: Flask) -> None:
    secure = app.config["HOMEWARD"].environment != "development"
    app.config.update(
        # Browsers accept this prefix only from the same host over TLS (RFC 6265bis, 4.1.3.2).
        SESSION_COOKIE_NAME="__Host-homeward" if secure else "homeward",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_PATH="/",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=STAYS,
    )
    app.session_interface = PlatformSessions()


class PlatformSessions(SecureCookieSessionInterface):
    """Sessions of pages on the platform's hosts.

    A shelter's site sets no cookies. Programs that use the API have keys, so their cookies are ignored.
    """

    # Flask would derive the signing key again for each page.
    get_signing_serializer = cache(SecureCookieSessionInterface.get_signing_serializer)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        context = current_request()
        if context.interface is not Interface.PAGES or not context.host.is_platform:
            return NO_SESSION
        # A page that is rendered within another request (``page_at``) shares its session.
        if SESSION not in request.environ:
            request.environ[SESSION] = super().open_session(app, request)
        session: SecureCookieSession | None = request.environ[SESSION]
        return session
