"""Access of members to the projects of their accounts, and the check of a member's permission."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account, Member, User
from adoption.accounts.permissions import PERMISSIONS
from adoption.audit.models import AuditEntry
from adoption.errors import AccessEnded, NotAllowed, NotFound
from adoption.projects.models import Project
from adoption.translations import gettext


class ProjectAccess(NamedTuple):
    """A project, its account, and the role of the member who uses it."""

    project: Project
    account: Account
    role: str

    def may(self, permission: str) -> bool:
        return self.role in PERMISSIONS[permission]


SELECT_ACCESS = (
    select(Project, Account, Member.role)
    .join(Account, Account.id == Project.account_id)
    .join(Member, Member.account_id == Account.id)
)


def find_project_access(session: Session, user_id: int, slug: str) -> ProjectAccess:
    """Return the project with this slug for a member of its account.

    Raises AccessEnded if the user is a former member, and NotFound if the user was never a member.
    """
    found = SELECT_ACCESS.where(Project.slug == slug, Member.user_id == user_id)
    # PostgreSQL rejects NUL, even in a query.
    row = session.execute(found).first() if slug.isprintable() else None
    if row is None:
        if slug.isprintable() and (name := former_project_name(session, user_id, slug)):
            raise AccessEnded(
                gettext(
                    "You no longer have access to %(shelter)s. Ask one of its owners to invite you again.",
                    shelter=name,
                )
            )
        raise NotFound(gettext("There is no such project."))
    return ProjectAccess(*row)


def former_project_name(session: Session, user_id: int, slug: str) -> str | None:
    """Return the name of a project if the user is a former member of its account; otherwise None.

    Former members are found in the audit log.
    """
    was_removed = (AuditEntry.action.in_(("member.removed", "member.left"))) & (
        AuditEntry.thing == User.email
    )
    found = (
        select(Project.name)
        .join(AuditEntry, AuditEntry.account_id == Project.account_id)
        .join(User, User.id == user_id)
        .where(Project.slug == slug, was_removed | (AuditEntry.user_id == user_id))
    )
    return session.scalar(found.limit(1))


def list_project_access(session: Session, user_id: int) -> list[ProjectAccess]:
    """Return all projects of the user's accounts, sorted by name."""
    own = SELECT_ACCESS.where(Member.user_id == user_id).order_by(Project.name, Project.id)
    rows = session.execute(own)
    return [ProjectAccess(*row) for row in rows]


def require_permission(access: ProjectAccess, permission: str) -> None:
    """Raise NotAllowed if the member's role lacks this permission."""
    if not access.may(permission):
        raise NotAllowed(
            gettext("Only owners of the account can do this. Ask an owner to do it, or to make you an owner.")
        )
