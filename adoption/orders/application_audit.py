"""Audit entries about applications and applicants."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.orders.applications_with_orders import Ref
from adoption.orders.models import Application
from adoption.text_joining import join_names


class StaffMember(NamedTuple):
    """A member of staff who processes applications, with the account and the project."""

    account_id: int
    project_id: int
    by: Actor


def record_decision(
    session: Session, staff: StaffMember, action: str, names: list[str], ref: Ref | int, now: datetime
) -> None:
    """Add an audit entry about an application.

    The entry is kept for longer than the applicant's data, so the entry names only the animals.
    """
    thing = f"{join_names(names)} (application {ref})"
    trail.record(session, staff.by, action, staff.account_id, staff.project_id, thing, now=now)


def record_applicant_audit(
    session: Session, staff: StaffMember, action: str, applications: Sequence[Application], now: datetime
) -> None:
    """Add an audit entry about an applicant, without the applicant's name."""
    thing = f"Applications {', '.join(str(each.id) for each in applications)}"
    trail.record(session, staff.by, action, staff.account_id, staff.project_id, thing, now=now)
