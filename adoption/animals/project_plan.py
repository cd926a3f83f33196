"""The plan and limits of the account that owns a project."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from adoption.accounts.models import Account
from adoption.accounts.plans import Caps, caps_of_plan
from adoption.projects.models import Project
from adoption.storage.prepared_statements import Prepared


class ProjectPlan(NamedTuple):
    """The account that owns a project, with its plan and limits."""

    account_id: int
    plan: str
    caps: Caps


PLAN_OF_PROJECT = Prepared(
    select(
        Project.account_id, Account.plan, Account.animals_cap, Account.photo_bytes_cap, Account.imports_cap
    )
    .join(Account, Account.id == Project.account_id)
    .where(Project.id == bindparam("project_id"))
)


def plan_of_project(project_id: int) -> ProjectPlan:
    row = PLAN_OF_PROJECT.first(project_id=project_id)
    assert row is not None, "a project has an account"  # noqa: S101
    account_id, plan, *own = row
    return ProjectPlan(account_id, plan, caps_of_plan(plan, Caps(*own)))
