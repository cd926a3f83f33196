"""Changes of a password. A change ends sign-ins and is reported by email."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from adoption.accounts import email_templates, reauthentication
from adoption.accounts.models import User
from adoption.accounts.password_hashes import hash_password
from adoption.accounts.sessions import SignedInUser, end_sign_ins
from adoption.mail import outbox
from adoption.platform_addresses import platform_link
from adoption.storage.database import transaction


def change_password(who: SignedInUser, password: str, now: datetime | None = None) -> None:
    """Change the password, and end all other sign-ins.

    Raises ProofRequired without a recent proof of identity.
    """
    now = now or datetime.now(UTC)
    reauthentication.require_recent_proof(who, now)
    password_hash = hash_password(password)
    with transaction() as session:
        store_password(session, session.get_one(User, who.user_id), password_hash, now, but=who.sign_in_id)


def store_password(
    session: Session, user: User, password_hash: str, now: datetime, but: int | None = None
) -> None:
    """Store a new password, end the user's sign-ins except ``but``, and email the user."""
    user.password_hash = password_hash
    end_sign_ins(session, user.id, now, but)
    outbox.add_email(
        session,
        user.email,
        *email_templates.password_changed(platform_link("password/forgotten")),
        now=now,
    )
