"""Changes of an account's plan by an operator."""

from sqlalchemy.orm import Session

from adoption.accounts import email_templates
from adoption.accounts.members import email_owners
from adoption.accounts.models import Account
from adoption.accounts.plans import GB, NO_CAPS, PLANS, QUOTA_MOST, Caps, limits_in_words, quota_of_plan
from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.errors import Invalid
from adoption.platform_addresses import platform_link
from adoption.projects.queries import find_project_by_slug
from adoption.storage.database import transaction

CAP_OPTIONS = "animals, photos-gb and imports-a-day"


def set_plan(
    slug: str,
    plan: str,
    per_minute: int | None = None,
    per_day: int | None = None,
    by: Actor = OPERATOR,
    caps: Caps = NO_CAPS,
) -> Account:
    """Put the account of a project on another plan, and email the owners.

    The next request uses the new plan.

    If an owner has requested a plan, the request is closed. A plan with a custom quota needs both numbers,
    and accepts caps. Any other plan accepts neither numbers nor caps. Raises NotFound if the project does not
    exist, and Invalid if the plan, the quota or a cap is wrong.
    """
    own = (per_minute, per_day)
    check_plan_numbers(plan, own, caps)
    with transaction() as session:
        account = session.get_one(Account, find_project_by_slug(session, slug).account_id)
        before = (account.plan, account.per_minute, account.per_day, account.caps)
        account.plan, (account.per_minute, account.per_day) = plan, own
        account.animals_cap, account.photo_bytes_cap, account.imports_cap = caps
        account.requested_plan = account.requested_at = None
        numbers = [f"{per_minute:,} requests a minute, {per_day:,} a day"] if per_minute and per_day else []
        detail = ", ".join([*numbers, *caps.in_words])
        trail.record(session, by, "plan.set", account.id, thing=plan.capitalize(), detail=detail)
        if before != (plan, *own, account.caps):
            email_plan(session, account, slug)
    return account


def check_plan_numbers(plan: str, quota: tuple[int | None, int | None], caps: Caps) -> None:
    """Raise Invalid if the plan is unknown, or if it does not allow this quota or these caps."""
    if plan not in PLANS:
        raise Invalid([("plan", f"must be one of {', '.join(PLANS)}, not {plan!r}")])
    is_custom = PLANS[plan].custom_quota
    if is_custom and None in quota:
        raise Invalid([("plan", f"{plan} has no fixed quota: set per-minute and per-day")])
    if not is_custom and quota != (None, None):
        raise Invalid([("plan", f"{plan} has a fixed quota: leave out per-minute and per-day")])
    if not is_custom and caps != NO_CAPS:
        raise Invalid([("plan", f"{plan} has fixed limits: leave out {CAP_OPTIONS}")])
    if any(number is not None and not 0 < number <= QUOTA_MOST for number in quota):
        raise Invalid([("plan", f"per-minute and per-day must be from 1 to {QUOTA_MOST:,}")])
    largest = (QUOTA_MOST, QUOTA_MOST * GB, QUOTA_MOST)
    if any(cap is not None and not 0 < cap <= most for cap, most in zip(caps, largest, strict=True)):
        raise Invalid([("plan", f"{CAP_OPTIONS} must be from 1 to {QUOTA_MOST:,}")])


def email_plan(session: Session, account: Account, slug: str) -> None:
    quota = quota_of_plan(account.plan, account.per_minute, account.per_day)
    limits = limits_in_words(account.caps)
    link = platform_link(f"projects/{slug}/usage")
    email = email_templates.plan_set(account.name, account.plan.capitalize(), quota, limits, link)
    email_owners(session, account.id, email)
