"""Changes of a user's own name and password."""

from datetime import UTC, datetime

from sqlalchemy import update
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, recent_proofs, signed_links
from adoption.accounts.models import User
from adoption.accounts.passwords import hash_password
from adoption.accounts.sessions import SignedInUser, end_sign_ins
from adoption.mail import outbox
from adoption.storage.database import transaction


def rename_user(user_id: int, name: str) -> None:
    with transaction() as session:
        session.execute(update(User).where(User.id == user_id).values(name=name))


def change_password(who: SignedInUser, password: str, now: datetime | None = None) -> None:
    """Replace the password, and end all sign-ins but this one. Raises ProofRequired."""
    now = now or datetime.now(UTC)
    recent_proofs.require_recent_proof(who, now)
    password_hash = hash_password(password)
    with transaction() as session:
        store_password(session, session.get_one(User, who.user_id), password_hash, now, but=who.sign_in_id)


def store_password(
    session: Session, user: User, password_hash: str, now: datetime, but: int | None = None
) -> None:
    """Store a new password, end the user's sign-ins, and email the user."""
    user.password_hash = password_hash
    end_sign_ins(session, user.id, now, but)
    outbox.add_email(
        session,
        user.email,
        *email_templates.password_changed(signed_links.platform_link("password/forgotten")),
        now=now,
    )
