"""Creation of accounts, and changes of their plans."""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import email_templates, signed_links, validation
from adoption.accounts.access import OWNER
from adoption.accounts.members import email_owners
from adoption.accounts.models import Account, Member, User
from adoption.accounts.passwords import hash_password
from adoption.accounts.plans import GB, NO_CAPS, PLANS, QUOTA_MOST, Caps, limits_in_words, quota_of_plan
from adoption.accounts.validation import NAME_LONGEST, PASSWORD_SHORTEST
from adoption.audit import trail
from adoption.audit.trail import OPERATOR, Actor
from adoption.errors import Conflict, Invalid
from adoption.projects.models import Project
from adoption.projects.queries import find_project_by_slug
from adoption.projects.slugs import free_slug, retry_while_taken
from adoption.projects.validation import CURRENCY_AT_FIRST
from adoption.storage.database import transaction
from adoption.time_zones import UTC_NAME
from adoption.time_zones import time_zone as checked_time_zone
from adoption.translations import gettext
from adoption.unicode_checks import VISIBLE
from adoption.web_addresses import has_web_address

CAP_OPTIONS = "animals, photos-gb and imports-a-day"


class NewAccount(NamedTuple):
    """The values of a new account and its owner."""

    name: str
    email: str
    plan: str
    password: str | None
    person: str
    currency: str
    time_zone: str


def create_account(
    name: str,
    owner: str,
    plan: str = "free",
    password: str | None = None,
    by: Actor = OPERATOR,
    now: datetime | None = None,
    person: str = "",
    currency: str = CURRENCY_AT_FIRST,
    time_zone: str = UTC_NAME,
) -> tuple[Account, Project]:
    """Create an account with its owner and its first project.

    An existing user keeps their password. If the name of a new ``person`` is given, the owner must not exist
    yet. Raises Conflict, and Invalid with every error.
    """
    new = check_new_account(NewAccount(name.strip(), owner, plan, password, person, currency, time_zone))
    now = now or datetime.now(UTC)
    password_hash = hash_password(password) if password is not None else None
    return retry_while_taken(lambda: insert_account(new, password_hash, by, now))


def check_new_account(new: NewAccount) -> NewAccount:
    """Return the values as they are stored. Raises Invalid with every error."""
    violations = []
    try:
        new = new._replace(time_zone=checked_time_zone(new.time_zone))
    except ValueError:
        violations.append(("time-zone", "must be an IANA name, such as Europe/London"))
    if len(new.name) > NAME_LONGEST or not VISIBLE.search(new.name):
        violations.append(("name", f"must have 1 to {NAME_LONGEST} characters"))
    elif has_web_address(new.name):
        violations.append(("name", "must not contain a web address"))
    try:
        new = new._replace(email=validation.check_email(new.email))
    except ValueError:
        violations.append(("owner", "must be an email address, such as sam@example.org"))
    if new.plan not in PLANS:
        violations.append(("plan", f"must be one of {', '.join(PLANS)}, not {new.plan!r}"))
    elif PLANS[new.plan].custom_quota:
        advice = (
            "create the account on another plan, then use `account set-plan` with --per-minute and --per-day"
        )
        violations.append(("plan", f"enterprise has a quota of its own: {advice}"))
    if new.password is not None and len(new.password) < PASSWORD_SHORTEST:
        violations.append(("password", f"must have {PASSWORD_SHORTEST} characters or more"))
    if violations:
        raise Invalid(violations)
    return new


def insert_account(
    new: NewAccount, password_hash: str | None, by: Actor, now: datetime
) -> tuple[Account, Project]:
    with transaction() as session:
        account = Account(name=new.name, plan=new.plan, created_at=now)
        user = find_or_create_owner(session, new, password_hash, now)
        session.add_all([account, user])
        session.flush()
        project = Project(
            account_id=account.id,
            slug=free_slug(session, new.name),
            name=new.name,
            contact_email=new.email,
            currency=new.currency,
            time_zone=new.time_zone,
            created_at=now,
        )
        owner = Member(account_id=account.id, user_id=user.id, role=OWNER, created_at=now)
        session.add_all([project, owner])
        session.flush()
        by = by._replace(user_id=user.id) if new.person else by  # a user who signs up had no id before
        trail.record(session, by, "account.opened", account.id, project.id, new.name)
    return account, project


def find_or_create_owner(session: Session, new: NewAccount, password_hash: str | None, now: datetime) -> User:
    """Return the user with the owner's address, or a new one. Raises Conflict."""
    user = session.scalar(select(User).where(User.email == new.email))
    if user is None:
        return User(email=new.email, name=new.person, password_hash=password_hash, created_at=now)
    if new.person:
        raise Conflict(gettext("You already have an account with this address."))
    if user.password_hash is None:
        user.password_hash = password_hash
    return user


def set_plan(
    slug: str,
    plan: str,
    per_minute: int | None = None,
    per_day: int | None = None,
    by: Actor = OPERATOR,
    caps: Caps = NO_CAPS,
) -> Account:
    """Put the account of a project on another plan, from its next request on, and email its owners.

    This answers an owner's request. A plan with a custom quota needs both numbers and accepts caps; any other
    plan accepts neither. Raises NotFound and Invalid.
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
    """Raise Invalid for an unknown plan, or a quota or caps that do not fit it."""
    if plan not in PLANS:
        raise Invalid([("plan", f"must be one of {', '.join(PLANS)}, not {plan!r}")])
    is_custom = PLANS[plan].custom_quota
    if is_custom and None in quota:
        raise Invalid([("plan", f"{plan} has a quota of its own: give per-minute and per-day")])
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
    link = signed_links.platform_link(f"projects/{slug}/usage")
    email = email_templates.plan_set(account.name, account.plan.capitalize(), quota, limits, link)
    email_owners(session, account.id, email)
