"""The secret of an applicant's private link.

It follows from the submission and the service's key, so that the one who sends a form twice comes to the same
link, and that a held application's link can be told when it is let through; kept is its hash alone.
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


def token_of(submission: str, key: str) -> str:
    """What only the holder of ``key`` can find."""
    known = hmac.new(key.encode(), f"application {submission}".encode(), hashlib.sha256).digest()
    return base64.b32encode(known[:25]).decode().lower()


def own_key() -> str:
    return str(current_app.config["SECRET_KEY"])


def link_of(application: Application, root: str) -> str:
    """The private link below ``root``; empty where the service had another key when it was made."""
    token = token_of(application.submission, own_key())
    return f"{root}{token}" if hash_of(token) == application.token_hash else ""
