"""Creation of accounts with their owner and first project."""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts import validation
from adoption.accounts.models import Account, Member, User
from adoption.accounts.password_hashes import hash_password
from adoption.accounts.permissions import OWNER
from adoption.accounts.plans import PLANS
from adoption.accounts.validation import NAME_LONGEST, PASSWORD_SHORTEST
from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.errors import Conflict, Invalid
from adoption.links_in_names import has_web_address
from adoption.projects.currencies import DEFAULT_CURRENCY
from adoption.projects.models import Project
from adoption.projects.slugs import free_slug, retry_while_taken
from adoption.storage.database import transaction
from adoption.time_zones import UTC_NAME, check_time_zone
from adoption.translations import gettext
from adoption.unicode_characters import VISIBLE


class NewAccount(NamedTuple):
    """The data of a new account and of its owner."""

    name: str
    email: str
    plan: str
    password: str | None
    person: str
    currency: str
    time_zone: str
    in_directory: bool


def create_account(
    name: str,
    owner: str,
    plan: str = "free",
    password: str | None = None,
    by: Actor = OPERATOR,
    now: datetime | None = None,
    person: str = "",
    currency: str = DEFAULT_CURRENCY,
    time_zone: str = UTC_NAME,
    in_directory: bool = True,
) -> tuple[Account, Project]:
    """Create an account with an owner and a first project.

    ``person`` is the name of a new owner. If ``person`` is given, the user must not exist yet. If ``person``
    is None, the owner can be an existing user, who keeps their password. Raises Conflict if the user or the
    slug exists, and Invalid, with all errors, if values are wrong.
    """
    new = check_new_account(
        NewAccount(name.strip(), owner, plan, password, person, currency, time_zone, in_directory)
    )
    now = now or datetime.now(UTC)
    password_hash = hash_password(password) if password is not None else None
    return retry_while_taken(lambda: insert_account(new, password_hash, by, now))


def check_new_account(new: NewAccount) -> NewAccount:
    """Return the values in their stored form. Raises Invalid, with all errors, if values are wrong."""
    violations = []
    try:
        new = new._replace(time_zone=check_time_zone(new.time_zone))
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
            "create the account on another plan, then run `account set-plan` with --per-minute and --per-day"
        )
        violations.append(("plan", f"must not be enterprise, which has no fixed quota: {advice}"))
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
            in_directory=new.in_directory,
            created_at=now,
        )
        owner = Member(account_id=account.id, user_id=user.id, role=OWNER, created_at=now)
        session.add_all([project, owner])
        session.flush()
        by = by._replace(user_id=user.id) if new.person else by  # a user who signs up gets an id only now
        trail.record(session, by, "account.opened", account.id, project.id, new.name)
    return account, project


def find_or_create_owner(session: Session, new: NewAccount, password_hash: str | None, now: datetime) -> User:
    """Return the user with the owner's address, or a new user.

    Raises Conflict if ``person`` is given but the user exists.
    """
    user = session.scalar(select(User).where(User.email == new.email))
    if user is None:
        return User(email=new.email, name=new.person, password_hash=password_hash, created_at=now)
    if new.person:
        raise Conflict(gettext("You already have an account with this address."))
    if user.password_hash is None:
        user.password_hash = password_hash
    return user
