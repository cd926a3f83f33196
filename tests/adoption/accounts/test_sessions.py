"""The retention of sessions and invitations, and the cost of password hashes."""

from datetime import UTC, datetime, timedelta

from apiflask import APIFlask
from argon2 import Type
from sqlalchemy import select

from adoption import jobs
from adoption.accounts import sessions
from adoption.accounts.models import Invitation, SignIn
from adoption.accounts.password_hashes import PASSWORDS, UNKNOWN_USER_HASH
from adoption.storage.database import reading, transaction
from tests.cast import Colleague
from tests.portal import access_matrix

NOW = datetime.now(UTC)


def expired_session(owner: Colleague, ago: timedelta) -> int:
    """Add a session of the owner that expired ``ago``; return its id."""
    made = access_matrix.sign_in(owner)
    with transaction() as session:
        session.get_one(SignIn, made).expires_at = NOW - ago
    return made


def test_an_expired_session_is_kept_for_a_while_and_then_deleted(app: APIFlask, owner: Colleague) -> None:
    day = timedelta(days=1)
    kept, gone = (
        expired_session(owner, sessions.REMEMBERED - day),
        expired_session(owner, sessions.REMEMBERED + day),
    )
    jobs.JOBS["forget_sign_ins"].do()
    with reading() as session:
        left = set(session.scalars(select(SignIn.id)))
    assert kept in left
    assert gone not in left
    assert len(left) == 2


def test_an_expired_invitation_is_deleted(app: APIFlask, owner: Colleague) -> None:
    made = access_matrix.invitation(owner)
    jobs.JOBS["forget_sign_ins"].do()
    with transaction() as session:
        session.get_one(Invitation, made).expires_at = NOW
    jobs.JOBS["forget_sign_ins"].do()
    with reading() as session:
        assert session.get(Invitation, made) is None


def test_the_session_token_is_not_stored(app: APIFlask, owner: Colleague) -> None:
    token = sessions.sign_in(access_matrix.id_of(owner), "192.0.2.1", "Firefox")
    with reading() as session:
        rows = session.execute(select(SignIn.__table__)).all()
    assert not any(token in str(row) for row in rows)
    assert sessions.find_signed_in_user(token, "192.0.2.1") is not None
    assert sessions.find_signed_in_user(token[:-1], "192.0.2.1") is None


def test_password_hashes_cost_what_owasp_recommends() -> None:
    assert (PASSWORDS.type, PASSWORDS.memory_cost, PASSWORDS.time_cost) == (Type.ID, 19 * 1024, 2)


def test_a_sign_in_with_an_unknown_email_costs_the_same_hash() -> None:
    assert not PASSWORDS.check_needs_rehash(UNKNOWN_USER_HASH)
    assert (
        UNKNOWN_USER_HASH.partition(",p=1$")[0]
        == PASSWORDS.hash("correct horse battery").partition(",p=1$")[0]
    )
