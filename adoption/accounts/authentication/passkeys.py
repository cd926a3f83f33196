"""Passkeys: signing in without a password (Web Authentication Level 3, by the ``webauthn`` library).

A passkey is bound to the platform's host. A device proves that it has one by signing a challenge, which is
valid for one answer within 5 minutes. A passkey is the only factor, so the device has to verify its user by a
PIN, a fingerprint or a face. The library is imported only when a passkey is used: most workers never do so.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from flask import current_app
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, recent_proofs, signed_links
from adoption.accounts.models import Passkey, User
from adoption.accounts.quotas.throttles import HOUR, Throttle
from adoption.accounts.sessions import SignedInUser
from adoption.errors import Conflict, Invalid, NotFound
from adoption.mail import outbox
from adoption.storage.database import reading, transaction

if TYPE_CHECKING:
    from webauthn.registration.verify_registration_response import VerifiedRegistration

GOOD_FOR = timedelta(minutes=5)
"""As long as browsers wait for the user."""
ANSWERS = Throttle("passkey-answers", 1, HOUR)
"""Answers to one challenge, counted in the hour in which it was sent."""
MOST = 20
"""Passkeys of one user."""
NOT_READ = "Your passkey could not be read. Try again, or use your password."
NOT_VERIFIED = (
    "Your passkey did not check that it is you. Set a PIN or fingerprint for it on your device, then try "
    "again, or use your password."
)


class RelyingParty(NamedTuple):
    """The relying party of Web Authentication: this service."""

    id: str
    """The platform's host, without its port."""
    origin: str
    """Of the page that asked, such as ``https://homeward.example``."""


class PasskeyChallenge(NamedTuple):
    """Random bytes that a passkey signs, stored in the browser's session."""

    text: str
    asked_at: int
    """Unix seconds."""


def passkeys_of(user_id: int) -> Sequence[Passkey]:
    """Return the passkeys of a user, oldest first."""
    with reading() as session:
        return session.scalars(select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id)).all()


def passkey_of(user_id: int, passkey_id: int) -> Passkey:
    """Return a passkey of a user. Raises NotFound."""
    with reading() as session:
        return find_passkey_row(session, user_id, passkey_id)


def find_passkey_row(session: Session, user_id: int, passkey_id: int) -> Passkey:
    found = session.scalar(select(Passkey).where(Passkey.user_id == user_id, Passkey.id == passkey_id))
    if found is None:
        raise NotFound("There is no such passkey any more.")
    return found


def registration_options(
    who: SignedInUser, party: RelyingParty, now: datetime | None = None
) -> tuple[str, PasskeyChallenge]:
    """Return the browser's options for creating a passkey, as JSON, and their challenge.

    Raises ProofRequired.
    """
    import webauthn
    from webauthn.helpers import structs

    recent_proofs.require_recent_proof(who, now)
    with reading() as session:
        user = session.get_one(User, who.user_id)
    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Homeward",
        user_id=user_handle(who.user_id),
        user_name=user.email,
        user_display_name=user.display_name,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,  # so that it can sign in without a name
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=each.credential_id) for each in passkeys_of(who.user_id)
        ],
    )
    return webauthn.options_to_json(options), new_challenge(options.challenge, now)


def add_passkey(
    who: SignedInUser,
    answer: str,
    challenge: PasskeyChallenge,
    party: RelyingParty,
    name: str,
    now: datetime | None = None,
) -> None:
    """Store a new passkey, and email its owner, who may not have asked for it.

    Raises Invalid, ProofRequired, and Conflict if there are too many.
    """
    now = now or datetime.now(UTC)
    recent_proofs.require_recent_proof(who, now)
    made = verify_registration(answer, use_challenge(challenge, now), party)
    with transaction() as session:
        # Locked, because two additions at the same time would not count each other.
        user = session.get_one(User, who.user_id, with_for_update=True)
        count = session.scalar(select(func.count()).where(Passkey.user_id == who.user_id)) or 0
        taken = select(Passkey.id).where(Passkey.credential_id == made.credential_id)
        if count >= MOST or session.scalar(taken) is not None:
            raise Conflict("You have already added this passkey, or you have too many. Remove one first.")
        session.add(
            Passkey(
                user_id=who.user_id,
                credential_id=made.credential_id,
                public_key=made.credential_public_key,
                sign_count=made.sign_count,
                name=name,
                created_at=now,
            )
        )
        email = email_templates.passkey_added(signed_links.platform_link("account"))
        outbox.add_email(session, user.email, *email, now=now)


@contextmanager
def reject_unreadable() -> Iterator[None]:
    """Raise Invalid for an answer that proves nothing, is not JSON, or is nested too deeply."""
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        yield
    except (WebAuthnException, ValueError, RecursionError) as error:
        raise Invalid([("passkey", NOT_READ)]) from error


def verify_registration(answer: str, expected: bytes, party: RelyingParty) -> "VerifiedRegistration":
    """Return the passkey that a browser has created. Raises Invalid."""
    import webauthn

    with reject_unreadable():
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=expected,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    if not made.user_verified:
        raise Invalid([("passkey", NOT_VERIFIED)])
    return made


def sign_in_options(party: RelyingParty, now: datetime | None = None) -> tuple[str, PasskeyChallenge]:
    """Return the browser's options for using any passkey, as JSON, and their challenge."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=party.id, user_verification=UserVerificationRequirement.REQUIRED
    )
    return webauthn.options_to_json(options), new_challenge(options.challenge, now)


def authenticate_passkey(
    answer: str, challenge: PasskeyChallenge, party: RelyingParty, now: datetime | None = None
) -> int:
    """Return the id of the user whose passkey signed the challenge. Raises Invalid."""
    now = now or datetime.now(UTC)
    expected = use_challenge(challenge, now)
    with transaction() as session:
        credential_id = credential_id_of(answer)
        found = session.scalar(
            select(Passkey).where(Passkey.credential_id == credential_id).with_for_update()
        )
        if found is None:
            raise Invalid([("passkey", "We do not know this passkey. Use your password.")])
        found.sign_count = verify_signature(answer, expected, party, found)
        found.used_at = now
        return found.user_id


def credential_id_of(answer: str) -> bytes:
    from webauthn.helpers import parse_authentication_credential_json

    with reject_unreadable():
        return parse_authentication_credential_json(answer).raw_id


def verify_signature(answer: str, expected: bytes, party: RelyingParty, passkey: Passkey) -> int:
    """Return the passkey's new sign count, which must have increased. Raises Invalid."""
    import webauthn

    with reject_unreadable():
        proof = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=expected,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
        )
    if not proof.user_verified:
        raise Invalid([("passkey", NOT_VERIFIED)])
    return int(proof.new_sign_count)


def rename_passkey(user_id: int, passkey_id: int, name: str) -> None:
    """Rename a passkey. Raises NotFound."""
    with transaction() as session:
        find_passkey_row(session, user_id, passkey_id).name = name


def remove_passkey(who: SignedInUser, passkey_id: int, now: datetime | None = None) -> str:
    """Remove a passkey, email its owner, and return its name. Raises NotFound and ProofRequired."""
    recent_proofs.require_recent_proof(who, now)
    with transaction() as session:
        gone = find_passkey_row(session, who.user_id, passkey_id)
        session.delete(gone)
        report_removal(session, who, 1, now)
        return gone.name


def remove_all_passkeys(who: SignedInUser, now: datetime | None = None) -> int:
    """Remove all passkeys of a user, email them, and return how many there were. Raises ProofRequired."""
    recent_proofs.require_recent_proof(who, now)
    with transaction() as session:
        removed = session.scalars(
            delete(Passkey).where(Passkey.user_id == who.user_id).returning(Passkey.id)
        ).all()
        if removed:
            report_removal(session, who, len(removed), now)
    return len(removed)


def report_removal(session: Session, who: SignedInUser, count: int, now: datetime | None) -> None:
    email = email_templates.passkeys_removed(count, signed_links.platform_link("password/forgotten"))
    outbox.add_email(session, session.get_one(User, who.user_id).email, *email, now=now)


def new_challenge(random: bytes, now: datetime | None) -> PasskeyChallenge:
    return PasskeyChallenge(random.hex(), int((now or datetime.now(UTC)).timestamp()))


def use_challenge(challenge: PasskeyChallenge, now: datetime) -> bytes:
    """Use up a challenge, and return its bytes. Raise Invalid if it is too old, or was answered before.

    The browser stores the session, so it could send an old one again.
    """
    age = now.timestamp() - challenge.asked_at
    is_first = ANSWERS.take(challenge.text, challenge.asked_at)
    if not is_first or not 0 <= age <= GOOD_FOR.total_seconds():
        raise Invalid([("passkey", "That took too long. Try again.")])
    return bytes.fromhex(challenge.text)


def user_handle(user_id: int) -> bytes:
    """Return an id by which a device distinguishes users, without personal data (section 14.6.1)."""
    key = current_app.config["SECRET_KEY"].encode()
    return hmac.new(key, f"passkeys of {user_id}".encode(), hashlib.sha256).digest()
