"""Fingerprint of a user's email address and password.

An emailed link contains the fingerprint. After a change of the address or the password, the link no longer
works.
"""

import hashlib
import hmac

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import signed_links
from adoption.accounts.models import User
from adoption.errors import NotFound
from adoption.translations import gettext


def find_user_by_fingerprint(session: Session, user_id: int, fingerprint: str, changing: bool) -> User:
    """Return the user, locked if ``changing``.

    Raises NotFound if the password or the address has changed since the fingerprint was made.
    """
    query = select(User).where(User.id == user_id)
    user = session.scalar(query.with_for_update() if changing else query)
    if user is None or not hmac.compare_digest(fingerprint, credentials_fingerprint(user)):
        raise NotFound(gettext(signed_links.LINK_EXPIRED))
    return user


def credentials_fingerprint(user: User) -> str:
    """Return a fingerprint that changes with the address and the password."""
    return hashlib.sha256(f"{user.email} {user.password_hash}".encode()).hexdigest()[:32]
