"""Assignment of applications to members of the account."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from adoption.accounts.models import Member, User
from adoption.errors import Invalid
from adoption.orders.application_audit import StaffMember, record_decision
from adoption.orders.applications_with_orders import Case, Ref, check_case_count, lock_case
from adoption.orders.history import record_step
from adoption.orders.models import Assignment
from adoption.storage.database import transaction
from adoption.translations import gettext


def assign_applications(
    staff: StaffMember, refs: Sequence[Ref], member_id: int | None, now: datetime | None = None
) -> int:
    """Assign applications to a member, or to no one. Return the number of changed applications.

    Held applications have no orders yet, so they are not assigned. Raises NotFound if an application does not
    exist. Raises Invalid if the person is not a member of the account, or there are too many applications.
    """
    check_case_count(refs)
    now, changed = now or datetime.now(UTC), 0
    with transaction() as session:
        email = email_of_member(session, staff.account_id, member_id) if member_id else ""
        for ref in refs:
            case = lock_case(session, staff.project_id, ref)
            if not case.orders or not set_assignee(session, [order.id for order in case.orders], member_id):
                continue
            record_step(session, case.orders, "assigned", staff.by.name, now, email)
            record_decision(session, staff, "application.assigned", case.names, ref, now)
            changed += 1
    return changed


def set_assignee(session: Session, order_ids: Sequence[int], member_id: int | None) -> bool:
    """Assign all orders of a case. Return whether the assignee changed."""
    own = Assignment.order_id.in_(order_ids)
    before = set(session.scalars(select(Assignment.member_id).where(own)))
    if before == ({member_id} if member_id else set()):
        return False
    session.execute(delete(Assignment).where(own))
    if member_id:
        session.add_all(Assignment(order_id=each, member_id=member_id) for each in order_ids)
    return True


def assignee_of(session: Session, case: Case) -> int | None:
    """Return the id of the member who handles a case."""
    own = Assignment.order_id.in_([order.id for order in case.orders])
    return session.scalar(select(Assignment.member_id).where(own).limit(1))


def email_of_member(session: Session, account_id: int, member_id: int) -> str:
    of_member = select(User.email).join(Member, Member.user_id == User.id)
    email = session.scalar(of_member.where(Member.id == member_id, Member.account_id == account_id))
    if email is None:
        raise Invalid([("assignee", gettext("Choose a member of your team"))])
    return email
