"""Members of an account, and their roles. An account always has an owner."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, reauthentication
from adoption.accounts.display_names import name_of_actor
from adoption.accounts.models import Account, Member, SignIn, User
from adoption.accounts.permissions import OWNER, ROLES
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import Conflict, Invalid, NotFound
from adoption.mail import outbox
from adoption.mail.text_layout import Email
from adoption.platform_addresses import platform_link
from adoption.storage.database import reading, transaction
from adoption.translations import gettext, message

LAST_OWNER = message("An account needs an owner. Make someone else an owner first.")
LAST_OWNER_LEAVES = message("You are the only owner. Make someone else an owner first, then you can leave.")


class Membership(NamedTuple):
    """A member of an account, as colleagues see the member."""

    id: int
    user_id: int
    name: str
    email: str
    role: str
    since: datetime
    seen: datetime | None
    """The time when the member last used Homeward. None if the member has never used it, or if the time is no
    longer stored."""


def members_of(account_id: int) -> list[Membership]:
    """Return all members of an account: owners first, then sorted by name."""
    with reading() as session:
        rows = session.execute(select_members().where(Member.account_id == account_id)).all()
    members = [membership_of(*row) for row in rows]
    return sorted(members, key=lambda member: (member.role != OWNER, member.name.casefold(), member.id))


def member_of(account_id: int, member_id: int) -> Membership:
    """Return a member of an account. Raises NotFound if the account has no such member."""
    with reading() as session:
        return membership_of(*find_member_row(session, account_id, member_id))


def is_members_address(session: Session, account_id: int, email: str) -> bool:
    """Return whether a member of the account signs in with this address. Members' addresses are confirmed."""
    members = select(Member.id).join(User, User.id == Member.user_id)
    found = members.where(Member.account_id == account_id, User.email == email.lower())
    return session.scalar(found) is not None


def is_last_owner(account_id: int, user_id: int) -> bool:
    return [member.user_id for member in members_of(account_id) if member.role == OWNER] == [user_id]


def change_role(account_id: int, member_id: int, role: str, by: Actor) -> Membership:
    """Change a member's role and email the member.

    Raises NotFound if the account has no such member, Invalid if the role is unknown, Conflict if the member
    is the last owner, and ProofRequired if the member is or becomes an owner and there is no recent proof of
    identity.
    """
    if role not in ROLES:
        raise Invalid([("role", gettext("Choose a role"))])
    with transaction() as session:
        account, member, user, seen = lock_member(session, account_id, member_id)
        if member.role != role:
            reauthentication.require_proof_for_roles(by, member.role, role)
            require_other_owner(session, member, LAST_OWNER)
            member.role = role
            trail.record(session, by, "member.role-changed", account_id, thing=user.email, detail=role)
            if by.user_id != user.id:
                who = name_of_actor(session, account_id, by.name)
                link = platform_link("projects")
                email = email_templates.role_changed(account.name, who, role, link)
                outbox.add_email(session, user.email, *email)
        return membership_of(member, user, seen)


def remove_member(account_id: int, member_id: int, by: Actor) -> Membership:
    """End a membership and email the former member.

    Raises NotFound if the account has no such member, Conflict if the member is the last owner, and
    ProofRequired without a recent proof of identity if the member is an owner.
    """
    with transaction() as session:
        account, member, user, seen = lock_member(session, account_id, member_id)
        reauthentication.require_proof_for_roles(by, member.role)
        require_other_owner(session, member, LAST_OWNER)
        removed = membership_of(member, user, seen)
        session.delete(member)
        trail.record(session, by, "member.removed", account_id, thing=user.email, detail=removed.role)
        if by.user_id != user.id:
            email = email_templates.member_removed(account.name, name_of_actor(session, account_id, by.name))
            outbox.add_email(session, user.email, *email)
    return removed


def leave(account_id: int, by: Actor) -> None:
    """End the signed-in user's membership and email the owners.

    Raises NotFound if the user is not a member, and Conflict if the user is the last owner.
    """
    with transaction() as session:
        own = select(Member.id).where(Member.account_id == account_id, Member.user_id == by.user_id)
        account, member, user, _ = lock_member(session, account_id, session.scalar(own) or 0)
        require_other_owner(session, member, LAST_OWNER_LEAVES)
        role = member.role
        session.delete(member)
        trail.record(session, by, "member.left", account_id, thing=user.email, detail=role)
        session.flush()  # an owner who leaves gets no email
        email = email_templates.member_left(account.name, user.name, user.email, role)
        email_owners(session, account_id, email)


def email_owners(session: Session, account_id: int, email: Email) -> None:
    owners = select(User.email).join(Member, Member.user_id == User.id)
    owners = owners.where(Member.account_id == account_id, Member.role == OWNER)
    for address in session.scalars(owners.order_by(Member.id)).all():
        outbox.add_email(session, address, *email)


def lock_member(
    session: Session, account_id: int, member_id: int
) -> tuple[Account, Member, User, datetime | None]:
    # Locked, so that two owners cannot remove each other concurrently.
    account = session.get_one(Account, account_id, with_for_update=True)
    return account, *find_member_row(session, account_id, member_id)


def require_other_owner(session: Session, member: Member, refusal: str) -> None:
    others = select(func.count()).where(
        Member.account_id == member.account_id, Member.role == OWNER, Member.id != member.id
    )
    if member.role == OWNER and not session.scalar(others):
        raise Conflict(gettext(refusal))


def find_member_row(
    session: Session, account_id: int, member_id: int
) -> tuple[Member, User, datetime | None]:
    row = session.execute(
        select_members().where(Member.account_id == account_id, Member.id == member_id)
    ).first()
    if row is None:
        raise NotFound(gettext("This person is no longer a member."))
    return row[0], row[1], row[2]


def select_members() -> Select[Member, User, datetime]:
    seen = select(func.max(SignIn.seen_at)).where(SignIn.user_id == User.id).scalar_subquery()
    return select(Member, User, seen).join(User, User.id == Member.user_id)


def membership_of(member: Member, user: User, seen: datetime | None) -> Membership:
    return Membership(member.id, user.id, user.display_name, user.email, member.role, member.created_at, seen)
