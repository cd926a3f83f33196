"""Recent proof of identity, which is required for changes whose effects outlast a session.

A session is not sufficient: the user may have left the browser open, or someone may have stolen the cookie. A
user proves their identity by signing in, by entering the password again, or by using a passkey again.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from adoption.accounts.models import SignIn
from adoption.accounts.permissions import exceeds_staff
from adoption.accounts.sessions import SignedInUser
from adoption.audit.actors import Actor
from adoption.errors import ProofRequired
from adoption.storage.database import transaction
from adoption.translations import gettext

LASTS = timedelta(minutes=10)


def has_recent_proof(who: SignedInUser | Actor, now: datetime | None = None) -> bool:
    """Return whether this person proved their identity within the last ``LASTS``."""
    now = now or datetime.now(UTC)
    return who.proved_at is not None and abs(now - who.proved_at) < LASTS


def require_recent_proof(who: SignedInUser | Actor, now: datetime | None = None) -> None:
    """Raise ProofRequired without a recent proof.

    The operator and the service have no session, and need no proof.
    """
    if who.user_id is not None and not has_recent_proof(who, now):
        raise ProofRequired(gettext("Enter your password or use a passkey first."))


def require_proof_for_roles(by: Actor, *roles: str, now: datetime | None = None) -> None:
    """Raise ProofRequired if there is no recent proof, and a role has permissions that staff lack.

    The roles are the roles of a member before and after a change.
    """
    if any(map(exceeds_staff, roles)):
        require_recent_proof(by, now)


def record_proof(who: SignedInUser, now: datetime | None = None) -> None:
    """Store that the user has just proved their identity."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        session.execute(update(SignIn).where(SignIn.id == who.sign_in_id).values(proved_at=now))
