"""The secret of an applicant's private link, and the mark of links in emails.

The secret is computed from the submission and the service's key. So a form that is sent twice has the same
link, and the link of a held application can be emailed after the release. Only the secret's hash is stored.

The browser shows the private link to anyone who applies. A link in an email also has a mark, computed from
the service's key. So a visitor who opens a link with the mark can read the applicant's emails.
"""

import base64
import hashlib
import hmac
import re

from flask import current_app

from adoption.orders.models import Application
from adoption.platform_addresses import platform_link
from adoption.token_hashes import hash_token

TOKEN = re.compile("[a-z2-7]{40}")
"""The token's format: 200 bits, in characters that no mail program treats as the end of a link."""


def submission_of(form: str, email: str) -> str:
    """Return the id of a submission. The same form from two email addresses is two submissions."""
    return hashlib.sha256(f"{form}\n{email.lower()}".encode()).hexdigest()


def token_of(submission: str, number: int = 0) -> str:
    """Return the token of the private link with this number."""
    text = f"application {submission}{f' {number}' if number else ''}"
    return sign(text, 25)


def email_mark(application: Application) -> str:
    """Return the mark of the links in emails."""
    return sign(f"emailed application {application.submission} {application.link_number}", 15)


def sign(text: str, length: int) -> str:
    """Return the first ``length`` bytes of a signature of ``text``, in base 32.

    The signature is made with the service's key.
    """
    digest = hmac.new(str(current_app.config["SECRET_KEY"]).encode(), text.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:length]).decode().lower()


def own_token(application: Application) -> str:
    """Return the token of an application's current link."""
    return token_of(application.submission, application.link_number)


def emailed_link(application: Application) -> str:
    """Return the link for emails; empty if the service's key has changed since the link was created."""
    token = own_token(application)
    is_current = hash_token(token) == application.token_hash
    return platform_link(f"applications/{token}/{email_mark(application)}") if is_current else ""


def renew_link(application: Application) -> None:
    """Replace the private link. The previous link stops working."""
    application.link_number += 1
    application.token_hash = hash_token(own_token(application))
