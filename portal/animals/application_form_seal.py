"""The seal of an application form: a signed field with the form's id and the time when it was opened.

Adopters have no session and get no cookie, so a CSRF token would protect nothing. Instead the form has a
signed field, the seal. The seal has an id, so that a form that is sent twice is one application.
"""

import secrets
from typing import NamedTuple

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer

LONGEST = 2 * 86_400
"""Seconds until a form expires. Browsers cache the page for a day, and it can be open for another day."""


class Seal(NamedTuple):
    """The signed values of a form."""

    form: str
    animal_id: int
    opened_at: float
    is_retry: bool
    """Whether the form was sent before. A quick resend is no sign of a bot."""
    was_trapped: bool = False
    """Whether the hidden field was filled in before.

    A browser may have filled it in, so the visitor gets a second try.
    """

    def sealed(self) -> str:
        return str(form_sealer().dumps(self))


def form_sealer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="application form")


def new_seal(animal_id: int, now: float, is_retry: bool = False) -> Seal:
    return Seal(secrets.token_urlsafe(16), animal_id, now, is_retry)


def read_seal(text: str, animal_id: int, now: float) -> Seal | None:
    """Return the seal, even if it has expired.

    The seal is None if it is forged or belongs to the form of another animal.
    """
    try:
        seal = Seal(*form_sealer().loads(text))
    except BadData:
        return None
    return seal if seal.animal_id == animal_id and seal.opened_at <= now else None
