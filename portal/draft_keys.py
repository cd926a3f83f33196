"""Keys with which browsers encrypt the drafts of forms that were not saved yet."""

import hmac
from base64 import b64encode

from flask import current_app


def draft_key(user_id: int) -> str:
    """Return a person's key for AES-256, in base64.

    It is the same for each sign-in of the person, so that a draft outlives a session. Only pages that the
    person has signed in to contain it: nobody else at the computer can read the drafts.
    """
    secret = str(current_app.config["SECRET_KEY"]).encode()
    return b64encode(hmac.digest(secret, f"drafts of user {user_id}".encode(), "sha256")).decode()
