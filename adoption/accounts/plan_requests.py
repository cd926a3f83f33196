"""Owners' requests for another plan, which an operator answers with ``plan_changes.set_plan``."""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from adoption.accounts import email_templates
from adoption.accounts.display_names import name_of_actor
from adoption.accounts.models import Account
from adoption.accounts.plans import PLANS
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import Invalid
from adoption.mail import outbox
from adoption.platform_addresses import operator_email
from adoption.projects.models import Project
from adoption.storage.database import transaction


class PlanRequest(NamedTuple):
    project: str
    """The slug of the account's first project, for ``homeward account set-plan``."""
    name: str
    plan: str
    requested: str
    since: datetime


def list_plan_requests(session: Session) -> list[PlanRequest]:
    """Return the open requests, oldest first."""
    sibling = aliased(Project)
    first = select(func.min(sibling.id)).where(sibling.account_id == Account.id).scalar_subquery()
    rows = session.execute(
        select(Project.slug, Account.name, Account.plan, Account.requested_plan, Account.requested_at)
        .join(Account, Project.id == first)
        .where(Account.requested_plan.is_not(None))
        .order_by(Account.requested_at, Account.id)
    )
    return [
        PlanRequest(slug, name, plan, requested, since)
        for slug, name, plan, requested, since in rows
        if requested and since
    ]


def request_plan(account_id: int, plan: str, by: Actor, now: datetime | None = None) -> None:
    """Request a different plan, and email the operator.

    Raises Invalid if the plan is unknown or is already the current plan.
    """
    if plan not in PLANS:
        raise Invalid([("plan", f"must be one of {', '.join(PLANS)}, not {plan!r}")])
    with transaction() as session:
        account = session.get_one(Account, account_id)
        if plan == account.plan:
            raise Invalid([("plan", f"is {plan} already")])
        if plan != account.requested_plan:
            account.requested_plan, account.requested_at = plan, now or datetime.now(UTC)
            trail.record(session, by, "plan.requested", account_id, thing=plan.capitalize())
            email_operator(session, account, by)


def email_operator(session: Session, account: Account, by: Actor) -> None:
    """Email an account's request to the operator, if the settings contain the operator's address."""
    if not (operator := operator_email()) or not account.requested_plan:
        return
    first = select(Project.slug).where(Project.account_id == account.id).order_by(Project.id).limit(1)
    slug, who = session.scalar(first) or "", name_of_actor(session, account.id, by.name)
    email = email_templates.plan_requested(account.name, slug, account.requested_plan.capitalize(), who)
    outbox.add_email(session, operator, *email, reply_to=by.name)


def withdraw_request(account_id: int, by: Actor) -> None:
    """Cancel an account's request, unless the operator has already answered it."""
    with transaction() as session:
        account = session.get_one(Account, account_id)
        if account.requested_plan is not None:
            thing = account.requested_plan.capitalize()
            account.requested_plan = account.requested_at = None
            trail.record(session, by, "plan.withdrawn", account_id, thing=thing)
