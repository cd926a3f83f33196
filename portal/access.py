"""Who is at the browser: read from the cookie once a request, and never on the pages for the public."""

from flask import Response, current_app, g, make_response, redirect, request, session, url_for

from adoption.accounts import sessions
from adoption.accounts.sessions import SignedInUser
from adoption.addresses import client_address
from adoption.audit.trail import Actor
from portal import htmx

TOKEN = "sign_in"  # noqa: S105 - the name of it in the session


def address_of_client() -> str:
    forwarded = request.headers.get("X-Forwarded-For", "")
    return client_address(request.remote_addr, forwarded, current_app.config["HOMEWARD"].trusted_proxies)


def current_person() -> SignedInUser | None:
    """Return the person who is signed in, or None."""
    if "person" not in g:
        token = session.get(TOKEN)
        g.person = sessions.find_signed_in_user(token, address_of_client()) if token else None
        if g.person is not None and g.person.was_renewed:
            session.modified = True  # the cookie is sent again, with a new date
    found: SignedInUser | None = g.person
    return found


def last_user_id() -> int | None:
    """Return the id of the person who is or was last signed in with this cookie."""
    token = session.get(TOKEN)
    return sessions.user_of_ended_sign_in(token) if token else None


def signed_in_person() -> SignedInUser:
    """Who is signed in, where a gate has seen to it that somebody is."""
    found = current_person()
    assert found is not None, "the gate lets nobody in who is not signed in"  # noqa: S101
    return found


def actor() -> Actor:
    """Who is signed in, as the audit log names them."""
    who = signed_in_person()
    return Actor(who.user_id, who.email, address_of_client(), who.proved_at)


def let_in(user_id: int, stay: bool) -> None:
    """Sign the person in here. All that the browser had before is gone, so nobody can have planted it."""
    session.clear()
    browser = request.headers.get("User-Agent", "")
    session[TOKEN] = sessions.sign_in(user_id, address_of_client(), browser, stay)
    session.permanent = stay
    g.pop("person", None)


def let_out() -> None:
    """Sign the person out here; a sign-in that is over already is no fault."""
    if (who := current_person()) is not None:
        sessions.sign_out(who.user_id, who.sign_in_id)
    session.clear()
    g.pop("person", None)


def to_sign_in() -> Response:
    """Send a stranger to sign in, and back to the page afterwards."""
    is_part = htmx.target_id() is not None
    here = request.full_path.rstrip("?") if request.method in ("GET", "HEAD") else None
    target = url_for("portal.sign_in", next=htmx.current_page() if is_part else here)
    if is_part:
        return htmx.elsewhere(target)
    return make_response(redirect(target))


def ours(address: str) -> str | None:
    """The address if it leads to a page of this host, as a path; None for any other."""
    # Behind one slash and no second, which browsers also read in "\\", nothing can lead to another host.
    plain = address.isprintable() and address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if plain else None
