"""The signed-in user, read from the cookie once per request.

Public pages never read the cookie.
"""

from flask import g, request, session

from adoption.accounts import sessions
from adoption.accounts.sessions import SignedInUser
from adoption.audit.actors import Actor
from adoption.request_context import current_request

TOKEN = "sign_in"  # noqa: S105 - its name in the session


def current_person() -> SignedInUser | None:
    """Return the signed-in user, or None."""
    if "person" not in g:
        token = session.get(TOKEN)
        g.person = sessions.find_signed_in_user(token, current_request().client_address) if token else None
        if g.person is not None and g.person.was_renewed:
            session.modified = True  # sends the cookie again, with a new date
    found: SignedInUser | None = g.person
    return found


def last_user_id() -> int | None:
    """Return the id of the user of this cookie, even if the sign-in has ended."""
    token = session.get(TOKEN)
    return sessions.user_of_ended_sign_in(token) if token else None


def signed_in_person() -> SignedInUser:
    """Return the signed-in user, for a view that requires sign-in."""
    person = current_person()
    assert person is not None, "the view requires sign-in"  # noqa: S101
    return person


def actor() -> Actor:
    """Return the signed-in user for the audit log."""
    person = signed_in_person()
    return Actor(person.user_id, person.email, current_request().client_address, person.proved_at)


def start_session(user_id: int, stay: bool) -> None:
    """Sign a user in. The old session is cleared to prevent session fixation."""
    session.clear()
    browser = request.headers.get("User-Agent", "")
    session[TOKEN] = sessions.sign_in(user_id, current_request().client_address, browser, stay)
    session.permanent = stay
    g.pop("person", None)


def end_session() -> None:
    """Sign the user out, unless the sign-in has already ended."""
    if (person := current_person()) is not None:
        sessions.sign_out(person.user_id, person.sign_in_id)
    session.clear()
    g.pop("person", None)
