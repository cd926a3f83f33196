"""Signing up: a link to the mailbox first, and the account when it comes back.

Only the mailbox learns whether its address was known. Nothing is kept of who did not come back.
"""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select

from adoption import queue
from adoption.accounts import letters, links, mail_limits
from adoption.accounts.actions import create_account
from adoption.accounts.models import User
from adoption.audit.trail import Actor
from adoption.database import reading, transaction
from adoption.errors import Conflict

GOOD_FOR = timedelta(days=1)
KNOWN = "There is an account with this address already. Sign in, and go on from there."


class Wish(NamedTuple):
    """What somebody would like to have; its values have passed ``fields``."""

    email: str
    shelter: str
    name: str


def ask(wish: Wish, address: str, now: datetime | None = None) -> None:
    """Write to the mailbox how to go on. Raises TooMany."""
    now = now or datetime.now(UTC)
    mail_limits.count_sender(address, now)
    with transaction() as session:
        known = session.scalar(select(User.id).where(User.email == wish.email))
        if known is None:
            told = letters.confirmation(links.whole(f"sign-up/{links.seal('sign-up', wish, now)}"))
        else:
            told = letters.known_already(links.whole("sign-in"), links.whole("password/forgotten"))
        mail_limits.write(session, "sign-up", wish.email, told, now)
    queue.start("send_letters")


def wished(token: str, now: datetime | None = None) -> Wish:
    """What the link was asked for with. Raises NotFound, and Conflict where it has been used."""
    wish = Wish(*links.unseal("sign-up", token, GOOD_FOR, now or datetime.now(UTC)))
    with reading() as session:
        if session.scalar(select(User.id).where(User.email == wish.email)) is not None:
            raise Conflict(KNOWN)
    return wish


def finish(token: str, password: str, address: str, now: datetime | None = None) -> tuple[int, str]:
    """Make the account and its first project, on the free plan; gives the owner's id and the project's slug.

    Raises NotFound, and Conflict where the link has been used.
    """
    wish = wished(token, now)
    by = Actor(None, wish.email, address)
    _, project = create_account(wish.shelter, wish.email, password=password, person=wish.name, by=by, now=now)
    with reading() as session:
        owner_id = session.scalars(select(User.id).where(User.email == wish.email)).one()
    return owner_id, project.slug
