"""Checks of passwords, with a limit on failed attempts."""

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import invitations, login_throttle
from adoption.accounts.models import SignIn, User
from adoption.accounts.passwords import UNKNOWN_USER_HASH, verify_password
from adoption.storage.database import reading


def authenticate(email: str, password: str, address: str, now: datetime | None = None) -> User | None:
    """Return the user with this email address and password; None if either is wrong.

    An unknown address takes as long and is counted alike. If it has an invitation, that is emailed again.
    ``address`` is the network address. Raises TooMany.
    """
    now = now or datetime.now(UTC)
    given = email.strip().lower()
    with reading() as session:
        user = session.scalar(select(User).where(User.email == given)) if given.isprintable() else None
        been_here = was_signed_in(session, user.id if user else 0, address)
    attempt = login_throttle.reserve_attempt(given, address, been_here, now)
    if user is None and given.isprintable():
        invitations.resend_to_address(given, now)
    known = user.password_hash if user and user.password_hash else None
    if not verify_password(password, known or UNKNOWN_USER_HASH) or known is None:
        return None
    attempt.give_back()
    return user


def was_signed_in(session: Session, user_id: int, address: str) -> bool:
    """Return whether this user has signed in from this network address before."""
    query = select(SignIn.id).where(SignIn.user_id == user_id, SignIn.address == address).limit(1)
    return session.scalar(query) is not None


def check_own_password(user_id: int, password: str, address: str, now: datetime | None = None) -> bool:
    """Return whether this is the password of a person who is signed in. Raise TooMany."""
    now = now or datetime.now(UTC)
    with reading() as session:
        user = session.get_one(User, user_id)
    attempt = login_throttle.reserve_attempt(user.email, address, True, now)
    if not user.password_hash or not verify_password(password, user.password_hash):
        return False
    attempt.give_back()
    return True
