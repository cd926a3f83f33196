"""Changes of the email address with which a user signs in.

A link confirms the new address, and the old address gets a notice. The link contains a fingerprint of the
current address and password. So the link works only once, and a password reset cancels it.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, email_throttles, reauthentication, signed_links
from adoption.accounts.authentication.emailed_link_fingerprint import (
    credentials_fingerprint,
    find_user_by_fingerprint,
)
from adoption.accounts.models import Member, User
from adoption.accounts.sessions import SignedInUser, end_sign_ins
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import Conflict, Invalid
from adoption.mail import outbox
from adoption.mail.text_layout import Email
from adoption.platform_addresses import operator_email, platform_link
from adoption.storage.database import reading, transaction
from adoption.translations import gettext, message

GOOD_FOR = timedelta(days=1)
TAKEN = message("Another account already uses this address, so nothing was changed.")


def request_email_change(who: SignedInUser, email: str, address: str, now: datetime | None = None) -> None:
    """Email a link to the new address, and a notice to the old address.

    If a different user has the new address, the email to it says so, but the page does not. Raises Invalid if
    the user already has the address, ProofRequired without a recent proof of identity, and TooMany above the
    limit of emails.
    """
    now = now or datetime.now(UTC)
    reauthentication.require_recent_proof(who, now)
    with reading() as session:
        if session.get_one(User, who.user_id).email == email:
            raise Invalid([("email", gettext("You already use this address. Enter another address"))])
    email_throttles.FROM_ONE_ADDRESS.demand(address, now.timestamp())
    with transaction() as session:
        user = session.get_one(User, who.user_id)
        if email_throttles.EMAIL_CHANGES.take(email_throttles.mailbox_of(email), now.timestamp()):
            outbox.add_email(session, email, *email_to_new_address(session, user, email, now), now=now)
        # Counted separately, so that other users' requests for this address cannot use up its notices.
        if email_throttles.EMAIL_CHANGE_NOTICES.take(email_throttles.mailbox_of(user.email), now.timestamp()):
            notice = email_templates.email_changing(email, platform_link("password/forgotten"))
            outbox.add_email(session, user.email, *notice, now=now)


def email_to_new_address(session: Session, user: User, email: str, now: datetime) -> Email:
    if session.scalar(select(User.id).where(User.email == email)) is not None:
        return email_templates.email_taken(platform_link("sign-in"))
    token = signed_links.sign_content("email", [user.id, email, credentials_fingerprint(user)], now)
    return email_templates.email_confirmation(platform_link(f"account/email/{token}"))


def read_change_link(token: str, now: datetime | None = None) -> tuple[int, str, str]:
    """Return the user's id, the user's current address and the new address in the link.

    Raises NotFound if the link no longer works.
    """
    with reading() as session:
        user, email = find_user_and_email(session, token, now or datetime.now(UTC))
    return user.id, user.email, email


def confirm_email_change(
    token: str, address: str, but: int | None = None, now: datetime | None = None
) -> str:
    """Change the address, and return the new one. End all sign-ins except the sign-in with the id ``but``.

    Raises NotFound if the link no longer works, and Conflict if another account took the address.
    """
    now = now or datetime.now(UTC)
    try:
        with transaction() as session:
            user, email = find_user_and_email(session, token, now, changing=True)
            if session.scalar(select(User.id).where(User.email == email)) is not None:
                raise Conflict(gettext(TAKEN))
            old, user.email = user.email, email
            session.flush()
            end_sign_ins(session, user.id, now, but)
            record_email_change(session, user, old, address, now)
            outbox.add_email(session, old, *email_templates.email_changed(email, operator_email()), now=now)
    except IntegrityError as error:
        raise Conflict(gettext(TAKEN)) from error
    return email


def record_email_change(session: Session, user: User, old: str, address: str, now: datetime) -> None:
    """Record the change in the audit log of each of the user's accounts."""
    by = Actor(user.id, old, address)
    for account_id in session.scalars(select(Member.account_id).where(Member.user_id == user.id)).all():
        trail.record(session, by, "member.email-changed", account_id, thing=user.email, now=now)


def find_user_and_email(
    session: Session, token: str, now: datetime, changing: bool = False
) -> tuple[User, str]:
    user_id, email, fingerprint = signed_links.read_signed("email", token, GOOD_FOR, now)
    return find_user_by_fingerprint(session, user_id, fingerprint, changing), email
