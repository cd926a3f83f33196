"""The secret of an applicant's private link.

It is computed from the submission and the service's key, so that a form that is sent twice leads to the same
link, and a held application's link can be emailed when it is released. Only its hash is stored.
"""

import base64
import hashlib
import hmac
import re

from flask import current_app

from adoption.orders.models import Application
from adoption.tokens import hash_of

TOKEN = re.compile("[a-z2-7]{40}")
"""200 bits, in letters that no mail program takes for the end of a link."""


def submission_of(form: str, email: str) -> str:
    """Names what was sent: the form, and by whom. One form shown to two people is no one submission."""
    return hashlib.sha256(f"{form}\n{email.lower()}".encode()).hexdigest()


def token_of(submission: str, number: int = 0) -> str:
    """Return the token of the link of this number, which only the service's key can compute."""
    text = f"application {submission}{f' {number}' if number else ''}"
    known = hmac.new(own_key().encode(), text.encode(), hashlib.sha256).digest()
    return base64.b32encode(known[:25]).decode().lower()


def own_token(application: Application) -> str:
    """Return the token of an application's current link."""
    return token_of(application.submission, application.link_number)


def own_key() -> str:
    return str(current_app.config["SECRET_KEY"])


def link_of(application: Application, root: str) -> str:
    """The private link below ``root``; empty where the service had another key when it was made."""
    token = own_token(application)
    return f"{root}{token}" if hash_of(token) == application.token_hash else ""
