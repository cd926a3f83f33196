"""Who belongs to an account, and as what. An account always has an owner."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from adoption.accounts.access import OWNER, ROLES, name_of
from adoption.accounts.models import Account, Member, User
from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.database import reading, transaction
from adoption.errors import Conflict, Invalid, NotFound


class Membership(NamedTuple):
    """A member as colleagues see them."""

    id: int
    user_id: int
    name: str
    email: str
    role: str
    since: datetime


def members_of(account_id: int) -> list[Membership]:
    """All members of an account: the owners first, then by name."""
    with reading() as session:
        rows = session.execute(joined().where(Member.account_id == account_id)).all()
    found = [shown(member, user) for member, user in rows]
    return sorted(found, key=lambda each: (each.role != OWNER, each.name.casefold(), each.id))


def member_of(account_id: int, member_id: int) -> Membership:
    """One of an account. Raises NotFound."""
    with reading() as session:
        return shown(*row_of(session, account_id, member_id))


def change_role(account_id: int, member_id: int, role: str, by: Actor) -> Membership:
    """Raises NotFound, Invalid, and Conflict where the last owner would be none any more."""
    if role not in ROLES:
        raise Invalid([("role", "Choose what they may do")])
    with transaction() as session:
        member, user = changing(session, account_id, member_id)
        if member.role != role:
            keep_an_owner(session, member)
            member.role = role
            trail.record(session, by, "member.role-changed", account_id, thing=user.email, detail=role)
        return shown(member, user)


def remove(account_id: int, member_id: int, by: Actor) -> Membership:
    """End a membership. The person stays who they are elsewhere. Raises NotFound and Conflict."""
    with transaction() as session:
        member, user = changing(session, account_id, member_id)
        keep_an_owner(session, member)
        gone = shown(member, user)
        session.delete(member)
        trail.record(session, by, "member.removed", account_id, thing=user.email, detail=gone.role)
        return gone


def changing(session: Session, account_id: int, member_id: int) -> tuple[Member, User]:
    # Two owners who remove each other at once take turns.
    session.get_one(Account, account_id, with_for_update=True)
    return row_of(session, account_id, member_id)


def keep_an_owner(session: Session, member: Member) -> None:
    others = select(func.count()).where(
        Member.account_id == member.account_id, Member.role == OWNER, Member.id != member.id
    )
    if member.role == OWNER and not session.scalar(others):
        raise Conflict("An account needs an owner. Make somebody else an owner first.")


def row_of(session: Session, account_id: int, member_id: int) -> tuple[Member, User]:
    row = session.execute(joined().where(Member.account_id == account_id, Member.id == member_id)).first()
    if row is None:
        raise NotFound("There is no such member any more.")
    return row[0], row[1]


def joined() -> Select[Member, User]:
    return select(Member, User).join(User, User.id == Member.user_id)


def shown(member: Member, user: User) -> Membership:
    return Membership(member.id, user.id, name_of(user), user.email, member.role, member.created_at)
