"""Web Authentication Level 3, with the ``webauthn`` library.

A passkey is bound to the platform's host. A device signs a challenge to prove that it has the passkey. A
challenge accepts one answer, within 5 minutes. The passkey is the only factor, so the device has to verify
its user with a PIN, a fingerprint or a face.

The library is imported when a passkey is first used, because most workers never need it.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from flask import current_app

from adoption.accounts.models import Passkey, User
from adoption.accounts.quotas.throttles import HOUR, Throttle
from adoption.errors import Invalid
from adoption.translations import gettext, message

if TYPE_CHECKING:
    from webauthn.registration.verify_registration_response import VerifiedRegistration

GOOD_FOR = timedelta(minutes=5)
"""The lifetime of a challenge. Browsers wait equally long for the user."""
ANSWERS = Throttle("passkey-answers", 1, HOUR)
"""The limit of one answer per challenge."""
NOT_READ = message("Your passkey could not be read. Try again, or use your password.")
NOT_VERIFIED = message(
    "Your device did not ask for your PIN or fingerprint. Set up a PIN or a "
    "fingerprint on the device, then try again, or use your password."
)


class RelyingParty(NamedTuple):
    """The relying party of Web Authentication: this service."""

    id: str
    """The platform's host without the port."""
    origin: str
    """The origin of the page, such as ``https://homeward.example``."""


class PasskeyChallenge(NamedTuple):
    """Random bytes for a passkey to sign, stored in the browser's session."""

    text: str
    asked_at: int
    """The Unix time when the challenge was created."""


def creation_options(
    user: User, passkeys: Iterable[Passkey], party: RelyingParty, now: datetime | None
) -> tuple[str, PasskeyChallenge]:
    """Return the browser's options for creating a passkey, as JSON, and their challenge."""
    import webauthn
    from webauthn.helpers import structs

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Homeward",
        user_id=user_handle(user.id),
        user_name=user.email,
        user_display_name=user.display_name,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,  # sign in without a user name
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=passkey.credential_id) for passkey in passkeys
        ],
    )
    return webauthn.options_to_json(options), new_challenge(options.challenge, now)


def sign_in_options(party: RelyingParty, now: datetime | None = None) -> tuple[str, PasskeyChallenge]:
    """Return the browser's options for using any passkey, as JSON, and their challenge."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=party.id, user_verification=UserVerificationRequirement.REQUIRED
    )
    return webauthn.options_to_json(options), new_challenge(options.challenge, now)


def verify_registration(answer: str, expected: bytes, party: RelyingParty) -> "VerifiedRegistration":
    """Return the passkey that a browser created. Raises Invalid if the browser's answer is wrong."""
    import webauthn

    with reject_unreadable():
        created = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=expected,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    if not created.user_verified:
        raise Invalid([("passkey", gettext(NOT_VERIFIED))])
    return created


def credential_id_of(answer: str) -> bytes:
    from webauthn.helpers import parse_authentication_credential_json

    with reject_unreadable():
        return parse_authentication_credential_json(answer).raw_id


def verify_signature(answer: str, expected: bytes, party: RelyingParty, passkey: Passkey) -> int:
    """Return the passkey's new sign count.

    Raises Invalid if the signature is wrong or the count did not increase.
    """
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
        raise Invalid([("passkey", gettext(NOT_VERIFIED))])
    return int(proof.new_sign_count)


@contextmanager
def reject_unreadable() -> Iterator[None]:
    """Raise Invalid if the block fails because an answer is wrong, is not JSON, or is nested too deeply."""
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        yield
    except (WebAuthnException, ValueError, RecursionError) as error:
        raise Invalid([("passkey", gettext(NOT_READ))]) from error


def new_challenge(random: bytes, now: datetime | None) -> PasskeyChallenge:
    return PasskeyChallenge(random.hex(), int((now or datetime.now(UTC)).timestamp()))


def use_challenge(challenge: PasskeyChallenge, now: datetime) -> bytes:
    """Mark a challenge as used, and return its bytes.

    Raises Invalid if the challenge is too old or was already used. The browser stores the session and can
    send an old session again, so the session alone does not show whether the challenge was used.
    """
    age = now.timestamp() - challenge.asked_at
    is_first = ANSWERS.take(challenge.text, challenge.asked_at)
    if not is_first or not 0 <= age <= GOOD_FOR.total_seconds():
        raise Invalid([("passkey", gettext("That took too long. Try again."))])
    return bytes.fromhex(challenge.text)


def user_handle(user_id: int) -> bytes:
    """Return the user's id for devices. The id contains no personal data (section 14.6.1)."""
    key = current_app.config["SECRET_KEY"].encode()
    return hmac.new(key, f"passkeys of {user_id}".encode(), hashlib.sha256).digest()
