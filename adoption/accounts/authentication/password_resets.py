"""Password resets with an emailed link."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, email_throttles, invitations, signed_links
from adoption.accounts.authentication.emailed_link_fingerprint import (
    credentials_fingerprint,
    find_user_by_fingerprint,
)
from adoption.accounts.authentication.password_changes import store_password
from adoption.accounts.display_names import name_of_actor
from adoption.accounts.members import Membership, member_of
from adoption.accounts.models import User
from adoption.accounts.password_hashes import hash_password
from adoption.accounts.quotas.throttles import wait_in_words
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import TooMany
from adoption.mail import outbox
from adoption.mail.text_layout import Email
from adoption.platform_addresses import platform_link
from adoption.storage.database import reading, transaction
from adoption.translations import gettext

GOOD_FOR = timedelta(hours=1)


def request_reset(email: str, address: str, now: datetime | None = None) -> None:
    """Send a message to ``email``, even if no account uses that email address.

    ``address`` is the network address of the client. Raises TooMany above the limit of emails.
    """
    now = now or datetime.now(UTC)
    email_throttles.FROM_ONE_ADDRESS.demand(address, now.timestamp())
    with transaction() as session:
        if email_throttles.PASSWORD_RESETS.take(email_throttles.mailbox_of(email), now.timestamp()):
            outbox.add_email(session, email, *reset_email_for(session, email, now), now=now)


def send_reset_to_member(
    account_id: int, shelter: str, member_id: int, by: Actor, now: datetime | None = None
) -> Membership:
    """Email a reset link to a colleague who cannot sign in.

    Raises NotFound if the account has no such member, and TooMany above the limit of emails.
    """
    now, member = now or datetime.now(UTC), member_of(account_id, member_id)
    if not email_throttles.PASSWORD_RESETS.take(email_throttles.mailbox_of(member.email), now.timestamp()):
        seconds = email_throttles.PASSWORD_RESETS.ends_in(now.timestamp())
        wait = wait_in_words(seconds)
        raise TooMany(
            gettext(
                "%(name)s has already been sent several links. Wait %(wait)s, then try again.",
                name=member.name,
                wait=wait,
            ),
            seconds,
        )
    with transaction() as session:
        link = reset_link(session.get_one(User, member.user_id), now)
        owner = name_of_actor(session, account_id, by.name)
        outbox.add_email(
            session, member.email, *email_templates.password_reset_by_owner(shelter, owner, link), now=now
        )
        trail.record(session, by, "member.reset-sent", account_id, thing=member.email, now=now)
    return member


def reset_email_for(session: Session, email: str, now: datetime) -> Email:
    """Return the email for an address.

    The email contains a reset link or an invitation, or says that no account has the address.
    """
    user = session.scalar(select(User).where(User.email == email))
    if user is not None:
        return email_templates.password_reset(reset_link(user, now))
    invited = invitations.renewed_invitation_email(session, email, now)
    return invited or email_templates.unknown_address(platform_link("sign-up"))


def reset_link(user: User, now: datetime) -> str:
    return platform_link(
        f"password/new/{signed_links.sign_content('password', [user.id, credentials_fingerprint(user)], now)}"
    )


def user_of_link(token: str, now: datetime | None = None) -> User:
    """Return the user of a link. Raises NotFound if the link no longer works."""
    with reading() as session:
        return find_user_by_token(session, token, now or datetime.now(UTC))


def reset_password(token: str, password: str, now: datetime | None = None) -> int:
    """Set a new password, end all sign-ins, and return the user's id.

    Raises NotFound if the link no longer works.
    """
    now = now or datetime.now(UTC)
    password_hash = hash_password(password)
    with transaction() as session:
        user = find_user_by_token(session, token, now, changing=True)
        store_password(session, user, password_hash, now)
        return user.id


def find_user_by_token(session: Session, token: str, now: datetime, changing: bool = False) -> User:
    user_id, fingerprint = signed_links.read_signed("password", token, GOOD_FOR, now)
    return find_user_by_fingerprint(session, user_id, fingerprint, changing)
