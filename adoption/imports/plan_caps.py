"""The daily import limit of an account's plan."""

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.account_turns import lock_account
from adoption.accounts.plans import advice_for_more
from adoption.animals.plan_caps import holder_of
from adoption.errors import PlanLimit
from adoption.imports.models import Import
from adoption.projects.models import Project
from adoption.storage.database import reading
from adoption.text_joining import counted


def imports_today(account_id: int, now: datetime | None = None) -> int:
    """Return how many files the account has uploaded or imported since midnight UTC."""
    with reading() as session:
        return count_today(session, account_id, now or datetime.now(UTC))


def count_today(session: Session, account_id: int, now: datetime) -> int:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    theirs = select(Project.id).where(Project.account_id == account_id)
    rows = select(func.count()).where(Import.project_id.in_(theirs), Import.created_at >= midnight)
    return session.scalar(rows) or 0


def refuse_extra_import(session: Session, project_id: int, now: datetime) -> None:
    """Raise PlanLimit if the account has reached its daily limit.

    Called in the transaction that adds the import, so that concurrent uploads cannot exceed the limit.
    """
    holder = holder_of(project_id)
    cap = holder.caps.imports_a_day
    if cap is None:
        return
    lock_account(session, holder.account_id)
    if count_today(session, holder.account_id, now) >= cap:
        limit = f"The {holder.plan.capitalize()} plan includes {counted(cap, 'import')} a day."
        raise PlanLimit(
            f"{limit} Continue with a file that you uploaded today, upload this one after midnight UTC, or "
            f"{advice_for_more(holder.plan)}."
        )
