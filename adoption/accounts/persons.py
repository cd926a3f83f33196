"""What a person changes about themselves."""

from datetime import UTC, datetime

from sqlalchemy import update
from sqlalchemy.orm import Session

from adoption import queue
from adoption.accounts import email_templates, links, tries
from adoption.accounts.models import User
from adoption.accounts.passwords import goes_with, hashed
from adoption.accounts.sign_ins import end_all
from adoption.database import reading, transaction
from adoption.mail import outbox


def rename(user_id: int, name: str) -> None:
    with transaction() as session:
        session.execute(update(User).where(User.id == user_id).values(name=name))


def has_password(user_id: int, password: str, address: str, now: datetime | None = None) -> bool:
    """Whether this is the person's password, asked once more of who is signed in already. Raises TooMany."""
    now = now or datetime.now(UTC)
    with reading() as session:
        user = session.get_one(User, user_id)
    tries.refuse(user.email, address, True, now)
    if user.password_hash and goes_with(password, user.password_hash):
        return True
    tries.note(user.email, address, now)
    return False


def change_password(user_id: int, password: str, sign_in_id: int, now: datetime | None = None) -> None:
    """Put a new password in the place of the old one, and end all sign-ins but this one."""
    now = now or datetime.now(UTC)
    password_hash = hashed(password)
    with transaction() as session:
        put_password(session, session.get_one(User, user_id), password_hash, now, but=sign_in_id)
    queue.start("send_letters")


def put_password(
    session: Session, user: User, password_hash: str, now: datetime, but: int | None = None
) -> None:
    """Change a password: whoever was signed in by the old one is signed out, and its owner is told."""
    user.password_hash = password_hash
    end_all(session, user.id, now, but)
    outbox.write(session, user.email, *email_templates.changed(links.whole("password/forgotten")), now=now)
