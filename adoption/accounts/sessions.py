"""Sessions of users. Each session is a ``SignIn`` row, for one browser."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from adoption.accounts.models import Member, SignIn, User
from adoption.errors import NotFound
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction, write_if_free
from adoption.token_hashes import hash_token

STAYS = timedelta(days=30)
"""If the user chose to stay signed in, the sign-in ends when it has not been used for this time."""
ENDS_AFTER = timedelta(hours=12)
"""If the user did not choose to stay signed in, the sign-in ends when it has not been used for this time. The
browser also deletes the cookie when the browser is closed."""
REMEMBERED = timedelta(days=90)
"""The time for which an ended sign-in is stored. ``password_attempts`` trusts the network addresses of
earlier sign-ins."""
SEEN_EVERY = timedelta(minutes=5)
"""The minimum time between two updates of a sign-in's last use and end."""


class SignedInUser(NamedTuple):
    """The user of a session."""

    user_id: int
    email: str
    name: str
    """The name that colleagues see."""
    sign_in_id: int
    was_renewed: bool = False
    """Whether this request extended the sign-in, so that the cookie needs a new expiry."""
    proved_at: datetime | None = None
    """The time when the user last proved their identity in this browser, with the password or a passkey."""


def sign_in(
    user_id: int,
    address: str,
    browser: str,
    stay: bool = False,
    now: datetime | None = None,
) -> str:
    """Sign a user in. Return the secret for the browser's cookie. Only the secret's hash is stored."""
    now, token = now or datetime.now(UTC), secrets.token_urlsafe()
    with transaction() as session:
        session.add(
            SignIn(
                user_id=user_id,
                token_hash=hash_token(token),
                address=address,
                browser=browser[:300],
                created_at=now,
                seen_at=now,
                expires_at=now + (STAYS if stay else ENDS_AFTER),
                proved_at=now,
            )
        )
    return token


def find_signed_in_user(token: str, address: str, now: datetime | None = None) -> SignedInUser | None:
    """Return the signed-in user for the secret in a cookie; None if the sign-in has ended."""
    now = now or datetime.now(UTC)
    with reading() as session:
        row = session.execute(
            select(SignIn, User)
            .join(User, User.id == SignIn.user_id)
            .where(SignIn.token_hash == hash_token(token), SignIn.expires_at > now)
        ).first()
    if row is None:
        return None
    found, user = row
    was_renewed = extend_sign_in(found, address, now)
    return SignedInUser(user.id, user.email, user.display_name, found.id, was_renewed, found.proved_at)


def extend_sign_in(found: SignIn, address: str, now: datetime) -> bool:
    """Extend a sign-in that is in use. Return whether the sign-in was extended.

    A sign-in is extended at most once in ``SEEN_EVERY``.
    """
    if now - found.seen_at < SEEN_EVERY:
        return False
    lasts = STAYS if found.expires_at - found.seen_at > ENDS_AFTER else ENDS_AFTER
    # If the user has signed out since the row was read, the stored end differs, and the sign-in is not
    # extended.
    unchanged = (SignIn.id == found.id, SignIn.expires_at == found.expires_at)
    extended = update(SignIn).where(*unchanged).values(seen_at=now, expires_at=now + lasts, address=address)
    try:
        write_if_free(extended)
    except DBAPIError:  # another writer has the lock; the next request tries again
        return False
    return True


def user_of_ended_sign_in(token: str) -> int | None:
    """Return the id of the user who signed in with this cookie; None if the cookie is unknown.

    A sign-in that has ended counts too.
    """
    with reading() as session:
        return session.scalar(select(SignIn.user_id).where(SignIn.token_hash == hash_token(token)))


def account_of_member(token: str, slug: str, now: datetime | None = None) -> int | None:
    """Return the id of a project's account if the secret in a cookie belongs to a member; otherwise None."""
    query = (
        select(Member.account_id)
        .join(SignIn, SignIn.user_id == Member.user_id)
        .join(Project, Project.account_id == Member.account_id)
        .where(SignIn.token_hash == hash_token(token), SignIn.expires_at > (now or datetime.now(UTC)))
        .where(Project.slug == slug)
    )
    with reading() as session:
        return session.scalar(query) if slug.isprintable() else None


def sign_ins_of(user_id: int, now: datetime | None = None) -> Sequence[SignIn]:
    """Return a user's current sign-ins, the most recently used first."""
    with reading() as session:
        return session.scalars(
            select(SignIn)
            .where(SignIn.user_id == user_id, SignIn.expires_at > (now or datetime.now(UTC)))
            .order_by(SignIn.seen_at.desc(), SignIn.id.desc())
        ).all()


def sign_out(user_id: int, sign_in_id: int, now: datetime | None = None) -> None:
    """End a sign-in of a user. Raises NotFound if the user has no such sign-in."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        found = session.scalar(
            select(SignIn).where(SignIn.user_id == user_id, SignIn.id == sign_in_id, SignIn.expires_at > now)
        )
        if found is None:
            raise NotFound("That browser is no longer signed in.")
        found.expires_at = now


def sign_out_everywhere(user_id: int, but: int | None = None, now: datetime | None = None) -> None:
    """End all sign-ins of a user, except the sign-in with the id ``but``."""
    with transaction() as session:
        end_sign_ins(session, user_id, now or datetime.now(UTC), but)


def end_sign_ins(session: Session, user_id: int, now: datetime, but: int | None = None) -> None:
    ended = update(SignIn).where(SignIn.user_id == user_id, SignIn.expires_at > now)
    session.execute((ended if but is None else ended.where(SignIn.id != but)).values(expires_at=now))


def delete_old_sign_ins(now: datetime | None = None) -> None:
    """Delete sign-ins that ended long ago, because they contain people's network addresses."""
    before = (now or datetime.now(UTC)) - REMEMBERED
    with transaction() as session:
        session.execute(delete(SignIn).where(SignIn.expires_at <= before))
