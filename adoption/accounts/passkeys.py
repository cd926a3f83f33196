"""Passkeys beside passwords. Web Authentication Level 3, by way of the ``webauthn`` library.

A key is bound to the platform's host. Whoever holds it proves so by signing a challenge of ours, which is
good for one answer within some minutes. The library is loaded where a passkey is used: most workers never do.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from flask import current_app
from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption import queue
from adoption.accounts import email_templates, links
from adoption.accounts.counting import counter_of
from adoption.accounts.models import Passkey, User
from adoption.database import reading, transaction
from adoption.errors import Conflict, Invalid, NotFound
from adoption.mail import outbox

GOOD_FOR = timedelta(minutes=5)
"""As long as a browser waits for its owner."""
MOST = 20
"""Passkeys of one person."""
UNREADABLE = (ValueError, RecursionError)
"""What an answer raises that is no JSON, or JSON without end."""
NOT_TAKEN = "Your passkey could not be read. Try again, or sign in with your password."


class Party(NamedTuple):
    """Whom browsers give passkeys to."""

    id: str
    """The platform's host, without its port."""
    origin: str
    """Of the page that asked, such as ``https://homeward.example``."""


class Challenge(NamedTuple):
    """What is to be signed, as the session keeps it."""

    text: str
    asked_at: int
    """In Unix seconds."""


def passkeys_of(user_id: int) -> Sequence[Passkey]:
    """A person's passkeys, the oldest first."""
    with reading() as session:
        return session.scalars(select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id)).all()


def passkey_of(user_id: int, passkey_id: int) -> Passkey:
    """Raises NotFound."""
    with reading() as session:
        return row_of(session, user_id, passkey_id)


def row_of(session: Session, user_id: int, passkey_id: int) -> Passkey:
    found = session.scalar(select(Passkey).where(Passkey.user_id == user_id, Passkey.id == passkey_id))
    if found is None:
        raise NotFound("There is no such passkey any more.")
    return found


def wanted(user_id: int, party: Party, now: datetime | None = None) -> tuple[str, Challenge]:
    """What to hand to the browser of who adds a passkey, as JSON, and the challenge in it."""
    import webauthn
    from webauthn.helpers import structs

    with reading() as session:
        user = session.get_one(User, user_id)
    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Homeward",
        user_id=handle_of(user_id),
        user_name=user.email,
        user_display_name=user.name or user.email,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,  # so that it can sign in without a name
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=each.credential_id) for each in passkeys_of(user_id)
        ],
    )
    return webauthn.options_to_json(options), challenge_of(options.challenge, now)


def add(
    user_id: int, answer: str, challenge: Challenge, party: Party, name: str, now: datetime | None = None
) -> None:
    """Keep a passkey that a browser has made, and write to its owner: it may not have been them.

    Raises Invalid, and Conflict where there are too many.
    """
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    now = now or datetime.now(UTC)
    expected = signed(challenge, now)
    try:
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=expected,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    except (WebAuthnException, *UNREADABLE) as error:
        raise Invalid([("passkey", NOT_TAKEN)]) from error
    with transaction() as session:
        kept = session.scalars(
            select(Passkey.credential_id).join(User).where(User.id == user_id).with_for_update()
        ).all()
        taken = select(Passkey.id).where(Passkey.credential_id == made.credential_id)
        if len(kept) >= MOST or session.scalar(taken) is not None:
            raise Conflict("This passkey is there already, or you have too many. Remove one first.")
        session.add(
            Passkey(
                user_id=user_id,
                credential_id=made.credential_id,
                public_key=made.credential_public_key,
                sign_count=made.sign_count,
                name=name,
                created_at=now,
            )
        )
        told = email_templates.passkey_added(links.whole("account"))
        outbox.write(session, session.get_one(User, user_id).email, *told, now=now)
    queue.start("send_letters")


def asked(party: Party, now: datetime | None = None) -> tuple[str, Challenge]:
    """What to hand to the browser of who signs in, as JSON, and the challenge in it. It names nobody."""
    import webauthn

    options = webauthn.generate_authentication_options(rp_id=party.id)
    return webauthn.options_to_json(options), challenge_of(options.challenge, now)


def who_holds(answer: str, challenge: Challenge, party: Party, now: datetime | None = None) -> int:
    """The id of whoever has signed the challenge. Raises Invalid."""
    now = now or datetime.now(UTC)
    expected = signed(challenge, now)
    with transaction() as session:
        credential_id = credential_id_of(answer)
        found = session.scalar(
            select(Passkey).where(Passkey.credential_id == credential_id).with_for_update()
        )
        if found is None:
            raise Invalid([("passkey", "We do not know this passkey. Sign in with your password.")])
        found.sign_count = verified(answer, expected, party, found)
        found.used_at = now
        return found.user_id


def credential_id_of(answer: str) -> bytes:
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return parse_authentication_credential_json(answer).raw_id
    except (WebAuthnException, *UNREADABLE) as error:
        raise Invalid([("passkey", NOT_TAKEN)]) from error


def verified(answer: str, expected: bytes, party: Party, passkey: Passkey) -> int:
    """How often the key was used, as it says itself: it must have gone up. Raises Invalid."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        proof = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=expected,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
        )
    except (WebAuthnException, *UNREADABLE) as error:
        raise Invalid([("passkey", NOT_TAKEN)]) from error
    return int(proof.new_sign_count)


def rename(user_id: int, passkey_id: int, name: str) -> None:
    """Raises NotFound."""
    with transaction() as session:
        row_of(session, user_id, passkey_id).name = name


def remove(user_id: int, passkey_id: int) -> str:
    """From now on it signs nobody in; gives its name. Raises NotFound."""
    with transaction() as session:
        gone = row_of(session, user_id, passkey_id)
        session.delete(gone)
        return gone.name


def challenge_of(random: bytes, now: datetime | None) -> Challenge:
    return Challenge(random.hex(), int((now or datetime.now(UTC)).timestamp()))


def signed(challenge: Challenge, now: datetime) -> bytes:
    """The challenge, used up now. Raises Invalid where it is too old, or was answered before.

    The session is kept by the browser, which could bring an old one back.
    """
    age = now.timestamp() - challenge.asked_at
    used = counter_of("passkeys").too_many("challenge", challenge.text, 1, challenge.asked_at)
    if used or not 0 <= age <= GOOD_FOR.total_seconds():
        raise Invalid([("passkey", "That took too long. Try again.")])
    return bytes.fromhex(challenge.text)


def handle_of(user_id: int) -> bytes:
    """By which a device tells one person's keys from another's; it tells nothing of them (section 14.6.1)."""
    key = current_app.config["SECRET_KEY"].encode()
    return hmac.new(key, f"passkeys of {user_id}".encode(), hashlib.sha256).digest()
