"""Passkey challenges, which the session keeps until the browser answers."""

from typing import Any

from flask import Response, current_app, make_response, session

from adoption.accounts.authentication.webauthn import (
    PasskeyChallenge,
    RelyingParty,
)
from adoption.errors import Invalid
from adoption.projects.request_hosts import bare_host
from adoption.request_context import current_request
from adoption.translations import gettext
from portal.responses import private

CHALLENGE = "challenge"


def relying_party() -> RelyingParty:
    """Return this service as a relying party.

    ``portal.sites.hosts`` has checked that the host is the platform's.
    """
    host = bare_host(current_app.config["HOMEWARD"].platform_host)
    return RelyingParty(host, current_request().origin)


def challenge_response(options: str, challenge: PasskeyChallenge) -> Response:
    session[CHALLENGE] = list(challenge)
    response = make_response(options)
    response.mimetype = "application/json"
    return private(response)


def take_challenge() -> PasskeyChallenge:
    """Remove the challenge from the session, and return it. Raises Invalid if there is none."""
    kept: Any = session.pop(CHALLENGE, None)
    if kept is None:
        raise Invalid([("passkey", gettext("That took too long. Try again."))])
    return PasskeyChallenge(*kept)
