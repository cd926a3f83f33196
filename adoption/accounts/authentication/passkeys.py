"""Passkeys of users. The protocol is in ``webauthn``."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, reauthentication
from adoption.accounts.authentication.webauthn import (
    PasskeyChallenge,
    RelyingParty,
    creation_options,
    credential_id_of,
    use_challenge,
    verify_registration,
    verify_signature,
)
from adoption.accounts.models import Passkey, User
from adoption.accounts.sessions import SignedInUser
from adoption.errors import Conflict, Invalid, NotFound
from adoption.mail import outbox
from adoption.platform_addresses import platform_link
from adoption.storage.database import reading, transaction
from adoption.translations import gettext

MOST = 20
"""The maximum of passkeys per user."""


def passkeys_of(user_id: int) -> Sequence[Passkey]:
    """Return the passkeys of a user, oldest first."""
    with reading() as session:
        return session.scalars(select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id)).all()


def passkey_of(user_id: int, passkey_id: int) -> Passkey:
    """Return a user's passkey. Raises NotFound if the user lacks the passkey."""
    with reading() as session:
        return find_passkey_row(session, user_id, passkey_id)


def find_passkey_row(session: Session, user_id: int, passkey_id: int) -> Passkey:
    found = session.scalar(select(Passkey).where(Passkey.user_id == user_id, Passkey.id == passkey_id))
    if found is None:
        raise NotFound(gettext("There is no such passkey any more."))
    return found


def registration_options(
    who: SignedInUser, party: RelyingParty, now: datetime | None = None
) -> tuple[str, PasskeyChallenge]:
    """Return the browser's options for creating a passkey, as JSON, and their challenge.

    Raises ProofRequired without a recent proof of identity.
    """
    reauthentication.require_recent_proof(who, now)
    with reading() as session:
        user = session.get_one(User, who.user_id)
    return creation_options(user, passkeys_of(who.user_id), party, now)


def add_passkey(
    who: SignedInUser,
    answer: str,
    challenge: PasskeyChallenge,
    party: RelyingParty,
    name: str,
    now: datetime | None = None,
) -> None:
    """Store a new passkey, and email its owner in case someone else created the passkey.

    Raises Invalid if the browser's answer is wrong, ProofRequired without a recent proof of identity, and
    Conflict if there are too many passkeys.
    """
    now = now or datetime.now(UTC)
    reauthentication.require_recent_proof(who, now)
    created = verify_registration(answer, use_challenge(challenge, now), party)
    with transaction() as session:
        # Locked, because two concurrent additions would not count each other.
        user = session.get_one(User, who.user_id, with_for_update=True)
        count = session.scalar(select(func.count()).where(Passkey.user_id == who.user_id)) or 0
        taken = select(Passkey.id).where(Passkey.credential_id == created.credential_id)
        if session.scalar(taken) is not None:
            raise Conflict(gettext("You have already added this passkey."))
        if count >= MOST:
            raise Conflict(
                gettext(
                    "The passkey was not added: you already have %(number)s passkeys. Remove one first.",
                    number=count,
                )
            )
        session.add(
            Passkey(
                user_id=who.user_id,
                credential_id=created.credential_id,
                public_key=created.credential_public_key,
                sign_count=created.sign_count,
                name=name,
                created_at=now,
            )
        )
        email = email_templates.passkey_added(platform_link("account"))
        outbox.add_email(session, user.email, *email, now=now)


def authenticate_passkey(
    answer: str, challenge: PasskeyChallenge, party: RelyingParty, now: datetime | None = None
) -> int:
    """Return the id of the user whose passkey signed the challenge.

    Raises Invalid if the signature is wrong.
    """
    now = now or datetime.now(UTC)
    expected = use_challenge(challenge, now)
    with transaction() as session:
        credential_id = credential_id_of(answer)
        found = session.scalar(
            select(Passkey).where(Passkey.credential_id == credential_id).with_for_update()
        )
        if found is None:
            raise Invalid([("passkey", gettext("We do not know this passkey. Use your password."))])
        found.sign_count = verify_signature(answer, expected, party, found)
        found.used_at = now
        return found.user_id


def rename_passkey(user_id: int, passkey_id: int, name: str) -> None:
    """Rename a passkey. Raises NotFound if the user lacks the passkey."""
    with transaction() as session:
        find_passkey_row(session, user_id, passkey_id).name = name


def remove_passkey(who: SignedInUser, passkey_id: int, now: datetime | None = None) -> str:
    """Remove a passkey, email its owner, and return its name.

    Raises NotFound if the user lacks the passkey, and ProofRequired without a recent proof of identity.
    """
    reauthentication.require_recent_proof(who, now)
    with transaction() as session:
        passkey = find_passkey_row(session, who.user_id, passkey_id)
        session.delete(passkey)
        report_removal(session, who, 1, now)
        return passkey.name


def remove_all_passkeys(who: SignedInUser, now: datetime | None = None) -> int:
    """Remove all passkeys of a user, email the user, and return the number of passkeys.

    Raises ProofRequired without a recent proof of identity.
    """
    reauthentication.require_recent_proof(who, now)
    with transaction() as session:
        removed = session.scalars(
            delete(Passkey).where(Passkey.user_id == who.user_id).returning(Passkey.id)
        ).all()
        if removed:
            report_removal(session, who, len(removed), now)
    return len(removed)


def report_removal(session: Session, who: SignedInUser, count: int, now: datetime | None) -> None:
    email = email_templates.passkeys_removed(count, platform_link("password/forgotten"))
    outbox.add_email(session, session.get_one(User, who.user_id).email, *email, now=now)
