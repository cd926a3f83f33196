"""Sign-ups: first an email with a link, then the account once the link is used.

Only the mailbox learns whether its address was known. Nothing is stored until the link is used.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, email_throttles, invitations, signed_links
from adoption.accounts.actions import create_account
from adoption.accounts.models import User
from adoption.audit.trail import Actor
from adoption.errors import Conflict
from adoption.mail import outbox
from adoption.mail.email_addresses import mailbox_of
from adoption.projects.validation import CURRENCY_AT_FIRST
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.time_zones import UTC_NAME

GOOD_FOR = timedelta(days=1)
KNOWN = "You already have an account with this address. Sign in to continue."


class Wish(NamedTuple):
    """What a sign-up asks for. Its values have passed ``fields``."""

    email: str
    shelter: str
    name: str
    currency: str = CURRENCY_AT_FIRST
    time_zone: str = UTC_NAME


def ask(wish: Wish, address: str, now: datetime | None = None) -> None:
    """Email how to go on. Raises TooMany."""
    now = now or datetime.now(UTC)
    email_throttles.FROM_ONE_ADDRESS.demand(address, now.timestamp())
    with transaction() as session:
        if email_throttles.SIGN_UPS.take(mailbox_of(wish.email), now.timestamp()):
            outbox.write(session, wish.email, *letter_to(session, wish, now), now=now)
    queue.start("send_letters")


def letter_to(session: Session, wish: Wish, now: datetime) -> email_templates.Letter:
    """Return the email for an address: that it has an account, its invitation, or a link to finish."""
    if session.scalar(select(User.id).where(User.email == wish.email)) is not None:
        return email_templates.known_already(
            signed_links.whole("sign-in"), signed_links.whole("password/forgotten")
        )
    link = signed_links.whole(f"sign-up/{signed_links.seal('sign-up', wish, now)}")
    invited = invitations.letter_again(session, wish.email, now, link)
    return invited or email_templates.confirmation(link, wish.shelter)


def wished(token: str, now: datetime | None = None) -> Wish:
    """Return what a link was requested with. Raises NotFound, and Conflict if it was used."""
    wish = Wish(*signed_links.unseal("sign-up", token, GOOD_FOR, now or datetime.now(UTC)))
    with reading() as session:
        if session.scalar(select(User.id).where(User.email == wish.email)) is not None:
            raise Conflict(KNOWN)
    return wish


def finish(token: str, password: str, address: str, now: datetime | None = None) -> tuple[int, str]:
    """Create the account and its first project on the free plan. Return the owner's id and the slug.

    Raises NotFound, and Conflict if the link was used.
    """
    wish = wished(token, now)
    by = Actor(None, wish.email, address)
    _, project = create_account(
        wish.shelter,
        wish.email,
        password=password,
        person=wish.name,
        by=by,
        now=now,
        currency=wish.currency,
        time_zone=wish.time_zone,
    )
    with reading() as session:
        owner_id = session.scalars(select(User.id).where(User.email == wish.email)).one()
    return owner_id, project.slug
