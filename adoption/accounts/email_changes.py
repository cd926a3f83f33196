"""Changes of the email address that a person signs in with.

The new address is confirmed by a link, and the old one gets a notice. The link is signed with a mark of the
current address and password, so it works once and a password reset cancels it.
"""

import hmac
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, email_throttles, recent_proofs, signed_links
from adoption.accounts.models import Member, User
from adoption.accounts.password_resets import mark_of
from adoption.accounts.sessions import Person, end_all
from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.errors import Conflict, Invalid, NotFound
from adoption.mail import outbox
from adoption.mail.email_addresses import mailbox_of
from adoption.storage import queue
from adoption.storage.database import reading, transaction

GOOD_FOR = timedelta(days=1)
TAKEN = "Another account already uses this address, so nothing was changed."


def ask(who: Person, email: str, address: str, now: datetime | None = None) -> None:
    """Email a link to the new address and a notice to the old one.

    Raises Invalid, ProofRequired and TooMany.

    If another account has the address, only its mailbox learns that.
    """
    now = now or datetime.now(UTC)
    recent_proofs.demand(who, now)
    with reading() as session:
        if session.get_one(User, who.user_id).email == email:
            raise Invalid([("email", "You already use this address. Enter a new one")])
    email_throttles.FROM_ONE_ADDRESS.demand(address, now.timestamp())
    with transaction() as session:
        user = session.get_one(User, who.user_id)
        if email_throttles.EMAIL_CHANGES.take(mailbox_of(email), now.timestamp()):
            outbox.write(session, email, *letter_to_new(session, user, email, now), now=now)
        # Counted by itself: whoever asks to move other accounts to this address cannot use up its notices.
        if email_throttles.EMAIL_CHANGE_NOTICES.take(mailbox_of(user.email), now.timestamp()):
            notice = email_templates.email_changing(email, signed_links.whole("password/forgotten"))
            outbox.write(session, user.email, *notice, now=now)
    queue.start("send_letters")


def letter_to_new(session: Session, user: User, email: str, now: datetime) -> email_templates.Letter:
    if session.scalar(select(User.id).where(User.email == email)) is not None:
        return email_templates.email_taken(signed_links.whole("sign-in"))
    token = signed_links.seal("email", [user.id, email, mark_of(user)], now)
    return email_templates.email_confirmation(signed_links.whole(f"account/email/{token}"))


def requested(token: str, now: datetime | None = None) -> tuple[int, str, str]:
    """Return the user's id, the old and the new address of a link. Raises NotFound."""
    with reading() as session:
        user, email = user_by(session, token, now or datetime.now(UTC))
    return user.id, user.email, email


def confirm(token: str, address: str, but: int | None = None, now: datetime | None = None) -> str:
    """Change the address, end all sign-ins but one, and return the new address.

    Raises NotFound if the link no longer works, and Conflict if another account took the address.
    """
    now = now or datetime.now(UTC)
    try:
        with transaction() as session:
            user, email = user_by(session, token, now, changing=True)
            if session.scalar(select(User.id).where(User.email == email)) is not None:
                raise Conflict(TAKEN)
            old, user.email = user.email, email
            session.flush()
            end_all(session, user.id, now, but)
            record(session, user, old, address, now)
            outbox.write(
                session, old, *email_templates.email_changed(email, signed_links.operator_email()), now=now
            )
    except IntegrityError as error:
        raise Conflict(TAKEN) from error
    queue.start("send_letters")
    return email


def record(session: Session, user: User, old: str, address: str, now: datetime) -> None:
    """Note the change in the log of every account that the person is a member of."""
    by = Actor(user.id, old, address)
    for account_id in session.scalars(select(Member.account_id).where(Member.user_id == user.id)).all():
        trail.record(session, by, "member.email-changed", account_id, thing=user.email, now=now)


def user_by(session: Session, token: str, now: datetime, changing: bool = False) -> tuple[User, str]:
    user_id, email, mark = signed_links.unseal("email", token, GOOD_FOR, now)
    query = select(User).where(User.id == user_id)
    user = session.scalar(query.with_for_update() if changing else query)
    if user is None or not hmac.compare_digest(mark, mark_of(user)):
        raise NotFound(signed_links.OVER)
    return user, email
