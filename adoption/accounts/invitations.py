"""Invitations: emailed links for joining an account. Each link works once."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, reauthentication
from adoption.accounts.display_names import name_of_actor
from adoption.accounts.email_throttles import (
    INVITATION_REMINDERS,
    daily_throttle,
    mailbox_of,
    use_address_allowance,
)
from adoption.accounts.members import is_members_address
from adoption.accounts.models import Account, Invitation, Member, User
from adoption.accounts.password_hashes import hash_password
from adoption.accounts.permissions import ROLES
from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.quotas.throttles import HOUR, Throttle
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import Conflict, Invalid, NotFound
from adoption.mail import outbox
from adoption.mail.text_layout import Email
from adoption.platform_addresses import platform_link
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.time_zones import UTC_NAME, date_in
from adoption.token_hashes import hash_token
from adoption.translations import gettext, message

GOOD_FOR = timedelta(days=7)
OF_ONE_ACCOUNT = Throttle(
    "invitations", 20, HOUR, message("You have sent many invitations. Wait {wait}, then send more.")
)
"""The limit on an account's invitations. Each invitation is an email to an address that a member typed."""
EXPIRED = message(
    "This invitation has expired, or was already used or replaced. Ask the shelter for a new invitation."
)


class Invited(NamedTuple):
    """An invitation as its recipient sees it."""

    account: str
    email: str
    role: str
    invited_by: str
    """The name of the inviter."""
    is_known: bool
    """Whether a user has the invitation's address."""


def invite(
    access: ProjectAccess,
    email: str,
    role: str,
    by: Actor,
    now: datetime | None = None,
    make_token: Callable[[], str] = secrets.token_urlsafe,
    action: str = "member.invited",
) -> None:
    """Email an invitation, which replaces the account's earlier invitation of the same address.

    Raises Invalid if the role is unknown or a member has the address, TooMany above a limit, and
    ProofRequired if the role has more permissions than staff and there is no recent proof of identity.
    """
    now, token, account = now or datetime.now(UTC), make_token(), access.account
    reauthentication.require_proof_for_roles(by, role, now=now)
    check_invitation(account, email, role, now)
    with transaction() as session:
        invitation = Invitation(
            account_id=account.id,
            email=email,
            role=role,
            token_hash=hash_token(token),
            invited_by=by.name,
            created_at=now,
            expires_at=now + GOOD_FOR,
        )
        replace_invitation(session, invitation)
        inviter = name_of_actor(session, account.id, by.name)
        message = email_templates.invitation(account.name, inviter, link_to_invitation(token))
        outbox.add_email(session, email, *message, reply_to=by.name, now=now)
        trail.record(session, by, action, account.id, thing=email, detail=role, now=now)


def check_invitation(account: Account, email: str, role: str, now: datetime) -> None:
    """Check that an invitation is allowed.

    Raises Invalid if the role is unknown or a member has the address, and TooMany above a limit. One limit is
    on invitations per hour, and one is on emails to new addresses per day.
    """
    if role not in ROLES:
        raise Invalid([("role", gettext("Choose a role"))])
    with reading() as session:
        if is_members_address(session, account.id, email):
            raise Invalid([("email", gettext("%(email)s is already a member", email=email))])
    OF_ONE_ACCOUNT.demand(str(account.id), now.timestamp())
    counted = use_address_allowance(account, email, now)
    if not counted.may_be_emailed:
        OF_ONE_ACCOUNT.give_back(str(account.id), now.timestamp())
        raise daily_throttle(counted.most).too_many(now.timestamp())


def replace_invitation(session: Session, new: Invitation) -> None:
    """Store an invitation, and delete the account's earlier invitation of the same address."""
    # Locked, so that only one of two concurrent invitations stays.
    session.get_one(Account, new.account_id, with_for_update=True)
    session.execute(
        delete(Invitation).where(Invitation.account_id == new.account_id, Invitation.email == new.email)
    )
    session.add(new)


def resend_invitation(access: ProjectAccess, invitation_id: int, by: Actor) -> str:
    """Send an invitation again, with a new link that works for 7 days. Return the invitation's address.

    Raises NotFound if there is no such invitation, TooMany above a limit, and ProofRequired if the role has
    more permissions than staff and there is no recent proof of identity.
    """
    found = invitation_of(access.account.id, invitation_id)
    invite(access, found.email, found.role, by, action="invitation.sent-again")
    return found.email


def renewed_invitation_email(
    session: Session,
    email: str,
    now: datetime,
    sign_up: str = "",
) -> Email | None:
    """Renew the link of an address's newest invitation. Return the email; None without an invitation.

    ``sign_up`` is another link in the email: with it, the recipient can open a separate account.
    """
    found = session.execute(
        select(Invitation, Account.name)
        .join(Account, Account.id == Invitation.account_id)
        .where(Invitation.email == email, Invitation.expires_at > now)
        .order_by(Invitation.id.desc())
        .limit(1)
    ).first()
    if found is None:
        return None
    invitation, shelter = found
    token = secrets.token_urlsafe()
    invitation.token_hash = hash_token(token)
    inviter = name_of_actor(session, invitation.account_id, invitation.invited_by)
    zone = select(Project.time_zone).where(Project.account_id == invitation.account_id).order_by(Project.id)
    until = date_in(session.scalar(zone.limit(1)) or UTC_NAME, invitation.expires_at)
    return email_templates.invitation_again(shelter, inviter, until, link_to_invitation(token), sign_up)


def link_to_invitation(token: str) -> str:
    return platform_link(f"invitations/{token}")


def resend_to_address(email: str, now: datetime) -> None:
    """Email the pending invitation of an address that has no account. Without an invitation, send nothing."""
    pending = select(Invitation.id).where(Invitation.email == email, Invitation.expires_at > now)
    with reading() as session:
        if session.scalar(pending.limit(1)) is None:
            return
    if not INVITATION_REMINDERS.take(mailbox_of(email), now.timestamp()):
        return
    with transaction() as session:
        if message := renewed_invitation_email(session, email, now):
            outbox.add_email(session, email, *message, now=now)


def pending_invitations(account_id: int, now: datetime | None = None) -> Sequence[Invitation]:
    """Return an account's invitations that can still be accepted, newest first."""
    is_open = Invitation.expires_at > (now or datetime.now(UTC))
    query = select(Invitation).where(Invitation.account_id == account_id, is_open)
    with reading() as session:
        return session.scalars(query.order_by(Invitation.id.desc())).all()


def invitation_of(account_id: int, invitation_id: int) -> Invitation:
    """Return an account's invitation. Raises NotFound if there is no such invitation."""
    with reading() as session:
        return find_invitation_row(session, account_id, invitation_id)


def find_invitation_row(session: Session, account_id: int, invitation_id: int) -> Invitation:
    found = session.scalar(
        select(Invitation).where(Invitation.account_id == account_id, Invitation.id == invitation_id)
    )
    if found is None:
        raise NotFound(gettext("This invitation was already used or cancelled."))
    return found


def cancel_invitation(account_id: int, invitation_id: int, by: Actor) -> str:
    """Cancel an invitation and return its address. Raises NotFound if there is no such invitation."""
    with transaction() as session:
        found = find_invitation_row(session, account_id, invitation_id)
        session.delete(found)
        trail.record(session, by, "invitation.revoked", account_id, thing=found.email)
        return found.email


def read_invitation(token: str, now: datetime | None = None) -> Invited:
    """Return the invitation to which a link leads. Raises NotFound if the link no longer works."""
    with reading() as session:
        found, account = find_invitation_by_token(session, token, now or datetime.now(UTC))
        is_known = session.scalar(select(User.id).where(User.email == found.email)) is not None
        inviter = name_of_actor(session, account.id, found.invited_by)
    return Invited(account.name, found.email, found.role, inviter, is_known)


def join_as_new(token: str, name: str, password: str, address: str, now: datetime | None = None) -> int:
    """Join the account as a new user, and return the user's id.

    Raises NotFound if the link no longer works, and Conflict if the user already exists.
    """
    now = now or datetime.now(UTC)
    password_hash = hash_password(password)
    with transaction() as session:
        found, _ = find_invitation_by_token(session, token, now, changing=True)
        if session.scalar(select(User.id).where(User.email == found.email)) is not None:
            raise Conflict(gettext("You already have an account with this address. Sign in to accept."))
        user = User(email=found.email, name=name, password_hash=password_hash, created_at=now)
        session.add(user)
        session.flush()
        add_invited_member(session, found, user, address, now)
        return user.id


def join(token: str, user_id: int, address: str, now: datetime | None = None) -> None:
    """Join the account as the signed-in user.

    Raises NotFound if the link no longer works, or the invitation is for a different address.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        found, _ = find_invitation_by_token(session, token, now, changing=True)
        user = session.get_one(User, user_id)
        if user.email != found.email:
            raise NotFound(gettext(EXPIRED))
        add_invited_member(session, found, user, address, now)


def find_invitation_by_token(
    session: Session, token: str, now: datetime, changing: bool = False
) -> tuple[Invitation, Account]:
    query = (
        select(Invitation, Account)
        .join(Account, Account.id == Invitation.account_id)
        .where(Invitation.token_hash == hash_token(token), Invitation.expires_at > now)
    )
    row = session.execute(query.with_for_update() if changing else query).first()
    if row is None:
        raise NotFound(gettext(EXPIRED))
    return row[0], row[1]


def add_invited_member(
    session: Session, invitation: Invitation, user: User, address: str, now: datetime
) -> None:
    """Delete the invitation. Make the user a member of the account, unless the user is a member already."""
    account_id = invitation.account_id
    if not is_members_address(session, account_id, user.email):
        session.add(Member(account_id=account_id, user_id=user.id, role=invitation.role, created_at=now))
        by = Actor(user.id, user.email, address)
        trail.record(session, by, "member.joined", account_id, thing=user.email, detail=invitation.role)
    session.delete(invitation)


def delete_expired_invitations(now: datetime | None = None) -> None:
    with transaction() as session:
        session.execute(delete(Invitation).where(Invitation.expires_at <= (now or datetime.now(UTC))))
