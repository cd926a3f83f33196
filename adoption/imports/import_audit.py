"""Audit trail entries about imports."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import User
from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.imports.models import Import
from adoption.projects.models import Project


def audit_import(
    session: Session, by: Actor, action: str, each: Import, detail: str = "", now: datetime | None = None
) -> None:
    account_id = session.scalars(select(Project.account_id).where(Project.id == each.project_id)).one()
    trail.record(session, by, action, account_id, each.project_id, each.file_name, detail, now)


def as_staff(session: Session, each: Import) -> Actor:
    """Return the user who started an import, for the audit entries that the import's job makes."""
    user = session.get(User, each.user_id) if each.user_id else None
    return Actor(each.user_id, user.email) if user else OPERATOR
