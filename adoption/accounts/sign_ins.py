"""Who is signed in, and where: a row for each browser, which can be seen and revoked."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError

from adoption.accounts.access import name_of
from adoption.accounts.actions import PASSWORDS
from adoption.accounts.models import SignIn, User
from adoption.database import reading, transaction, write_if_free
from adoption.errors import NotFound

STAYS = timedelta(days=30)
"""How long somebody stays signed in who asked for it."""
ENDS_AFTER = timedelta(hours=12)
"""How long a sign-in lasts otherwise, which the browser forgets when it is closed."""
SEEN_EVERY = timedelta(minutes=5)
"""Within which a further visit is not written down."""

NOBODY = PASSWORDS.hash("nobody has this password")
"""Tried where there is no such person, so that the time tells nothing."""


class Person(NamedTuple):
    """Who is signed in."""

    user_id: int
    email: str
    name: str
    """How colleagues see them."""
    sign_in_id: int


def who_has(email: str, password: str) -> User | None:
    """The person with this address and password. It takes as long where there is none."""
    with reading() as session:
        user = session.scalar(select(User).where(User.email == email.strip().lower()))
    known = user.password_hash if user and user.password_hash else None
    try:
        PASSWORDS.verify(known or NOBODY, password)
    except (Argon2Error, InvalidHashError):
        return None
    return user if known else None


def sign_in(
    user_id: int,
    address: str,
    browser: str,
    stay: bool = False,
    now: datetime | None = None,
    make_token: Callable[[], str] = secrets.token_urlsafe,
) -> str:
    """Sign a person in; gives the secret for the browser's cookie, which is stored nowhere."""
    now, token = now or datetime.now(UTC), make_token()
    with transaction() as session:
        session.execute(delete(SignIn).where(SignIn.user_id == user_id, SignIn.expires_at <= now))
        session.add(
            SignIn(
                user_id=user_id,
                token_hash=hash_of(token),
                address=address,
                browser=browser[:300],
                created_at=now,
                seen_at=now,
                expires_at=now + (STAYS if stay else ENDS_AFTER),
            )
        )
    return token


def signed_in(token: str, address: str, now: datetime | None = None) -> Person | None:
    """Whom this cookie's secret speaks for; None where the sign-in is over or was revoked."""
    now = now or datetime.now(UTC)
    with reading() as session:
        row = session.execute(
            select(SignIn, User)
            .join(User, User.id == SignIn.user_id)
            .where(SignIn.token_hash == hash_of(token), SignIn.expires_at > now)
        ).first()
    if row is None:
        return None
    found, user = row
    if now - found.seen_at >= SEEN_EVERY:
        with suppress(DBAPIError):  # not worth waiting for
            write_if_free(update(SignIn).where(SignIn.id == found.id).values(seen_at=now, address=address))
    return Person(user.id, user.email, name_of(user), found.id)


def sign_ins_of(user_id: int, now: datetime | None = None) -> Sequence[SignIn]:
    """Where a person is signed in, the last seen first."""
    with reading() as session:
        return session.scalars(
            select(SignIn)
            .where(SignIn.user_id == user_id, SignIn.expires_at > (now or datetime.now(UTC)))
            .order_by(SignIn.seen_at.desc(), SignIn.id.desc())
        ).all()


def sign_out(user_id: int, sign_in_id: int) -> None:
    """End one sign-in of a person. Raises NotFound."""
    with transaction() as session:
        found = session.scalar(select(SignIn).where(SignIn.user_id == user_id, SignIn.id == sign_in_id))
        if found is None:
            raise NotFound("You are not signed in there any more.")
        session.delete(found)


def sign_out_everywhere(user_id: int, but: int | None = None) -> None:
    """End all sign-ins of a person, or all but one."""
    ended = delete(SignIn).where(SignIn.user_id == user_id)
    with transaction() as session:
        session.execute(ended if but is None else ended.where(SignIn.id != but))


def hash_of(token: str) -> str:
    # 256 random bits cannot be guessed, so a slow hash would only slow each request.
    return hashlib.sha256(token.encode()).hexdigest()
