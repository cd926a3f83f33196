"""A new password by mail, for who has forgotten theirs."""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption import queue
from adoption.accounts import letters, links, mail_limits
from adoption.accounts.models import User
from adoption.accounts.passwords import hashed
from adoption.accounts.persons import put_password
from adoption.database import reading, transaction
from adoption.errors import NotFound

GOOD_FOR = timedelta(hours=1)


def ask(email: str, address: str, now: datetime | None = None) -> None:
    """Write to the mailbox how to go on, whether it is known or not. Raises TooMany."""
    now = now or datetime.now(UTC)
    mail_limits.count_sender(address, now)
    with transaction() as session:
        user = session.scalar(select(User).where(User.email == email))
        if user is None:
            told = letters.unknown(links.whole("sign-up"))
        else:
            token = links.seal("password", [user.id, mark_of(user)], now)
            told = letters.reset(links.whole(f"password/new/{token}"))
        mail_limits.write(session, "password", email, told, now)
    queue.start("send_letters")


def owner_of(token: str, now: datetime | None = None) -> User:
    """Whose link it is. Raises NotFound where it is over."""
    with reading() as session:
        return user_by(session, token, now or datetime.now(UTC))


def choose(token: str, password: str, now: datetime | None = None) -> int:
    """Put a new password in the place of the old one and end all sign-ins; gives the person's id.

    Raises NotFound where the link is over.
    """
    now = now or datetime.now(UTC)
    password_hash = hashed(password)
    with transaction() as session:
        user = user_by(session, token, now, changing=True)
        put_password(session, user, password_hash, now)
        user_id = user.id
    queue.start("send_letters")
    return user_id


def user_by(session: Session, token: str, now: datetime, changing: bool = False) -> User:
    user_id, mark = links.unseal("password", token, GOOD_FOR, now)
    query = select(User).where(User.id == user_id)
    user = session.scalar(query.with_for_update() if changing else query)
    if user is None or not hmac.compare_digest(mark, mark_of(user)):
        raise NotFound(links.OVER)
    return user


def mark_of(user: User) -> str:
    """Changes with the password, and so ends the link that it stands in."""
    return hashlib.sha256(f"{user.email} {user.password_hash}".encode()).hexdigest()[:32]
