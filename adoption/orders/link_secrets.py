"""The secret of an applicant's private link, and the mark of the link in emails.

It is computed from the submission and the service's key, so that a form that is sent twice leads to the same
link, and a held application's link can be emailed when it is released. Only its hash is stored.

The browser shows the private link to anyone who applies. The link in emails also has a mark, computed from
the service's key, so that opening it proves that someone reads the emails.
"""

import base64
import hashlib
import hmac
import re

from flask import current_app

from adoption.accounts.signed_links import platform_link
from adoption.orders.models import Application
from adoption.token_hashes import hash_of

TOKEN = re.compile("[a-z2-7]{40}")
"""200 bits, in characters that no mail program takes for the end of a link."""


def submission_of(form: str, email: str) -> str:
    """Return the id of a submission: the same form sent by two people is two submissions."""
    return hashlib.sha256(f"{form}\n{email.lower()}".encode()).hexdigest()


def token_of(submission: str, number: int = 0) -> str:
    """Return the token of the link of this number."""
    text = f"application {submission}{f' {number}' if number else ''}"
    return sign(text, 25)


def email_mark(application: Application) -> str:
    """Return the mark of the link in emails."""
    return sign(f"emailed application {application.submission} {application.link_number}", 15)


def sign(text: str, length: int) -> str:
    """Return bytes that only the service's key can compute, in base 32."""
    digest = hmac.new(str(current_app.config["SECRET_KEY"]).encode(), text.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:length]).decode().lower()


def own_token(application: Application) -> str:
    """Return the token of an application's current link."""
    return token_of(application.submission, application.link_number)


def emailed_link(application: Application) -> str:
    """Return the link for emails; empty if the service had another key when it was made."""
    token = own_token(application)
    is_current = hash_of(token) == application.token_hash
    return platform_link(f"applications/{token}/{email_mark(application)}") if is_current else ""


def renew_link(application: Application) -> None:
    """Replace the private link. The earlier one stops working."""
    application.link_number += 1
    application.token_hash = hash_of(own_token(application))
