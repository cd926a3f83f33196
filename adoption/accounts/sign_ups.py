"""Sign-ups: an email with a link, and a new account when the link is used.

Whether an address has an account is written only in the email to the address. Nothing is stored until the
link is used.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, email_throttles, invitations, signed_links
from adoption.accounts.account_creation import create_account
from adoption.accounts.models import User
from adoption.audit.actors import Actor
from adoption.errors import Conflict
from adoption.mail import outbox
from adoption.mail.text_layout import Email
from adoption.platform_addresses import platform_link
from adoption.projects.currencies import DEFAULT_CURRENCY
from adoption.storage.database import reading, transaction
from adoption.time_zones import UTC_NAME
from adoption.translations import gettext, message

GOOD_FOR = timedelta(days=1)
KNOWN = message("You already have an account with this address. Sign in to continue.")


class SignUp(NamedTuple):
    """The valid values of a sign-up form."""

    email: str
    shelter: str
    name: str
    currency: str = DEFAULT_CURRENCY
    time_zone: str = UTC_NAME
    in_directory: bool = True
    """Whether the shelter wants to be in the directory of all shelters."""


def request_sign_up(sign_up: SignUp, address: str, now: datetime | None = None) -> None:
    """Email a link for finishing the sign-up. Raises TooMany above the limit of emails."""
    now = now or datetime.now(UTC)
    email_throttles.FROM_ONE_ADDRESS.demand(address, now.timestamp())
    with transaction() as session:
        if email_throttles.SIGN_UPS.take(email_throttles.mailbox_of(sign_up.email), now.timestamp()):
            outbox.add_email(session, sign_up.email, *sign_up_email_for(session, sign_up, now), now=now)


def sign_up_email_for(session: Session, sign_up: SignUp, now: datetime) -> Email:
    """Return the email to send after a request to sign up.

    If the address already has an account, the email says so. If the address was invited, the email is the
    invitation. Otherwise, the email has a link for finishing the sign-up.
    """
    if session.scalar(select(User.id).where(User.email == sign_up.email)) is not None:
        return email_templates.already_registered(
            platform_link("sign-in"), platform_link("password/forgotten")
        )
    link = platform_link(f"sign-up/{signed_links.sign_content('sign-up', sign_up, now)}")
    invited = invitations.renewed_invitation_email(session, sign_up.email, now, link)
    return invited or email_templates.sign_up_confirmation(link, sign_up.shelter)


def read_sign_up_link(token: str, now: datetime | None = None) -> SignUp:
    """Return the form values in a link.

    Raises NotFound if the link has expired, and Conflict if the link was used.
    """
    sign_up = SignUp(*signed_links.read_signed("sign-up", token, GOOD_FOR, now or datetime.now(UTC)))
    with reading() as session:
        if session.scalar(select(User.id).where(User.email == sign_up.email)) is not None:
            raise Conflict(gettext(KNOWN))
    return sign_up


def finish_sign_up(token: str, password: str, address: str, now: datetime | None = None) -> tuple[int, str]:
    """Create the account, on the free plan, and its first project. Return the owner's id and the project's
    slug.

    Raises NotFound if the link has expired, and Conflict if the link was used.
    """
    sign_up = read_sign_up_link(token, now)
    by = Actor(None, sign_up.email, address)
    _, project = create_account(
        sign_up.shelter,
        sign_up.email,
        password=password,
        person=sign_up.name,
        by=by,
        now=now,
        currency=sign_up.currency,
        time_zone=sign_up.time_zone,
        in_directory=sign_up.in_directory,
    )
    with reading() as session:
        owner_id = session.scalars(select(User.id).where(User.email == sign_up.email)).one()
    return owner_id, project.slug
