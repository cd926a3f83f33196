"""Proof of identity within the last minutes, which changes to the ways of signing in need.

A session alone is not enough for them: the browser may have been left open, or its cookie stolen. Signing in
proves it, and so does entering the password or using a passkey again.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from adoption.accounts.models import SignIn
from adoption.accounts.sessions import SignedInUser
from adoption.errors import ProofRequired
from adoption.storage.database import transaction

LASTS = timedelta(minutes=10)


def has_recent_proof(who: SignedInUser, now: datetime | None = None) -> bool:
    """Return whether this sign-in was proved within the last minutes."""
    now = now or datetime.now(UTC)
    return who.proved_at is not None and abs(now - who.proved_at) < LASTS


def require_recent_proof(who: SignedInUser, now: datetime | None = None) -> None:
    """Raise ProofRequired if this sign-in was not proved within the last minutes."""
    if not has_recent_proof(who, now):
        raise ProofRequired("Enter your password or use a passkey first.")


def record_proof(who: SignedInUser, now: datetime | None = None) -> None:
    """Note that this sign-in was proved now."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        session.execute(update(SignIn).where(SignIn.id == who.sign_in_id).values(proved_at=now))
