"""Display names of users, and of actors in the audit log."""

from collections.abc import Iterable

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from adoption.accounts.models import Member, User
from adoption.audit.actors import FORGOTTEN, OPERATOR, SERVICE
from adoption.audit.models import AuditEntry
from adoption.storage.database import transaction
from adoption.translations import gettext, message

NOT_PEOPLE = {OPERATOR.name: OPERATOR.name, SERVICE.name: message("System"), FORGOTTEN: FORGOTTEN}
"""The labels of actors without an email address."""


class ActorNames(dict[str, str]):
    """Display names of actors. An actor without a name is displayed as stored."""

    def __missing__(self, actor: str) -> str:
        return actor


def names_of_actors(session: Session, account_id: int, actors: Iterable[str]) -> ActorNames:
    """Map each actor, as the audit log stores it, to a display name.

    A current member is found by email address. If a person has left or has changed their address, the audit
    log still names the user who acted under the old address.
    """
    actors = set(actors) - {""}
    names = ActorNames({actor: gettext(label) for actor, label in NOT_PEOPLE.items() if actor in actors})
    people = {actor for actor in actors if "@" in actor}
    if people:
        of_members = select(User.email, User.name).join(Member, Member.user_id == User.id)
        rows = session.execute(of_members.where(Member.account_id == account_id, User.email.in_(people)))
        names.update({email: name or email for email, name in rows})
    if unknown := people - set(names):
        names.update(names_in_audit_log(session, account_id, unknown))
    return names


def names_in_audit_log(session: Session, account_id: int, actors: set[str]) -> dict[str, str]:
    """Map each actor, as the audit log stores it, to a name.

    Actors whose entries have several different names, or none, are left out.
    """
    rows = session.execute(
        select(AuditEntry.actor, User.name)
        .join(User, User.id == AuditEntry.user_id)
        .where(AuditEntry.account_id == account_id, AuditEntry.actor.in_(actors))
        .distinct()
    ).all()
    found: dict[str, set[str]] = {}
    for actor, name in rows:
        found.setdefault(actor, set()).add(name)
    return {actor: names.pop() for actor, names in found.items() if len(names) == 1 and any(names)}


def names_of_users(session: Session, user_ids: Iterable[int | None]) -> dict[int, str]:
    """Return the display names of users by id. Users who no longer exist are left out."""
    users = session.scalars(select(User).where(User.id.in_({user_id for user_id in user_ids if user_id})))
    return {user.id: user.display_name for user in users}


def name_of_actor(session: Session, account_id: int, actor: str) -> str:
    """Return the display name of a stored actor."""
    return names_of_actors(session, account_id, [actor])[actor]


def rename_user(user_id: int, name: str) -> None:
    with transaction() as session:
        session.execute(update(User).where(User.id == user_id).values(name=name))
