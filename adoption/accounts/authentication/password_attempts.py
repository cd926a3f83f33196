"""Password attempts: verification of passwords, with limits on failed attempts.

The limits prevent guessing. They also prevent attackers from locking users out. There are three limits: on
attempts for one account from one network address, on attempts for one account from all addresses, and on
attempts from one address for all accounts. The first limit is strict, because only someone who shares the
owner's network address can use it up. The second and the third limit do not apply to users who have signed in
from the address before. Unknown accounts have the same limits.
"""

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import invitations
from adoption.accounts.models import SignIn, User
from adoption.accounts.password_hashes import UNKNOWN_USER_HASH, verify_password
from adoption.accounts.quotas.throttles import Reservation, Throttle, reserve, wait_in_words
from adoption.errors import TooMany
from adoption.storage.database import reading
from adoption.translations import gettext

QUARTER = 900  # seconds
AT_ONE_ACCOUNT_FROM_ONE_ADDRESS = Throttle("sign-ins-pair", 8, QUARTER)
AT_ONE_ACCOUNT = Throttle("sign-ins-account", 40, QUARTER)
FROM_ONE_ADDRESS = Throttle("sign-ins-address", 80, QUARTER)


def reserve_attempt(email: str, address: str, has_been_here: bool, now: datetime) -> Reservation:
    """Count an attempt before the password is verified. The caller undoes the count if the password is right.

    Raises TooMany, with the time to wait, if a limit is reached.
    """
    loose = AT_ONE_ACCOUNT, FROM_ONE_ADDRESS
    of_account, of_address = (throttle.without_limit() for throttle in loose) if has_been_here else loose
    throttles = (
        (AT_ONE_ACCOUNT_FROM_ONE_ADDRESS, f"{email} {address}"),
        (of_account, email),
        (of_address, address),
    )
    try:
        return reserve(throttles, now.timestamp())
    except TooMany as refusal:
        wait = wait_in_words(refusal.seconds)
        raise TooMany(
            gettext(
                "Too many failed attempts. Try again in %(wait)s, or reset your password now.", wait=wait
            ),
            refusal.seconds,
        ) from refusal


def authenticate_password(
    email: str, password: str, address: str, now: datetime | None = None
) -> User | None:
    """Return the user with this email address and password; None if either is wrong.

    An attempt for an unknown email address is also counted, and takes as long. If an unknown address has a
    pending invitation, the invitation is emailed again. ``address`` is the network address. Raises TooMany if
    a limit is reached.
    """
    now, email = now or datetime.now(UTC), email.strip().lower()
    with reading() as session:
        user = session.scalar(select(User).where(User.email == email)) if email.isprintable() else None
        has_been_here = was_signed_in(session, user.id if user else 0, address)
    attempt = reserve_attempt(email, address, has_been_here, now)
    if user is None and email.isprintable():
        invitations.resend_to_address(email, now)
    password_hash = user.password_hash if user and user.password_hash else None
    if not verify_password(password, password_hash or UNKNOWN_USER_HASH) or password_hash is None:
        return None
    attempt.give_back()
    return user


def was_signed_in(session: Session, user_id: int, address: str) -> bool:
    """Return whether this user has previously signed in from this network address."""
    query = select(SignIn.id).where(SignIn.user_id == user_id, SignIn.address == address).limit(1)
    return session.scalar(query) is not None


def verify_own_password(user_id: int, password: str, address: str, now: datetime | None = None) -> bool:
    """Return whether the password is the signed-in user's. Raises TooMany if a limit is reached."""
    now = now or datetime.now(UTC)
    with reading() as session:
        user = session.get_one(User, user_id)
    attempt = reserve_attempt(user.email, address, True, now)
    if not user.password_hash or not verify_password(password, user.password_hash):
        return False
    attempt.give_back()
    return True
