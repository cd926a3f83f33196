"""The daily import limit of an account's plan."""

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.accounts.account_row_lock import lock_account
from adoption.accounts.plans import larger_plan
from adoption.animals.project_plan import plan_of_project
from adoption.errors import PlanLimit
from adoption.imports.models import Import
from adoption.projects.models import Project
from adoption.storage.database import reading
from adoption.translations import gettext, ngettext


def imports_today(account_id: int, now: datetime | None = None) -> int:
    """Return the number of files that the account has uploaded or imported since midnight UTC."""
    with reading() as session:
        return count_today(session, account_id, now or datetime.now(UTC))


def count_today(session: Session, account_id: int, now: datetime) -> int:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    theirs = select(Project.id).where(Project.account_id == account_id)
    rows = select(func.count()).where(Import.project_id.in_(theirs), Import.created_at >= midnight)
    return session.scalar(rows) or 0


def refuse_extra_import(session: Session, project_id: int, now: datetime) -> None:
    """Raise PlanLimit if the account has reached its daily limit.

    Call this function in the transaction that adds the import. Otherwise concurrent uploads could exceed the
    limit.
    """
    holder = plan_of_project(project_id)
    cap = holder.caps.imports_a_day
    if cap is None:
        return
    lock_account(session, holder.account_id)
    if count_today(session, holder.account_id, now) >= cap:
        raise PlanLimit(limit_sentences(holder.plan, cap))


def limit_sentences(plan: str, cap: int) -> str:
    """Return the limit, and what the user can do now, as sentences."""
    limit = ngettext(
        "The %(plan)s plan includes %(num)s import a day.",
        "The %(plan)s plan includes %(num)s imports a day.",
        cap,
        plan=plan.capitalize(),
    )
    if larger := larger_plan(plan):
        advice = gettext(
            "Continue with a file that you uploaded today, upload this one after midnight UTC, "
            "or ask for %(plan)s on Usage & plan.",
            plan=larger.capitalize(),
        )
    else:
        advice = gettext(
            "Continue with a file that you uploaded today, upload this one after midnight UTC, "
            "or ask the operator of this service for a higher limit."
        )
    return f"{limit} {advice}"
