import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from argon2 import PasswordHasher
from sqlalchemy import or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.accounts.keys import SCOPES, new_key, read_key
from adoption.accounts.models import Account, ApiKey, Member, User
from adoption.accounts.plans import PLANS
from adoption.database import transaction, write_if_free
from adoption.errors import Conflict, Invalid, NotFound
from adoption.projects.actions import free_slug
from adoption.projects.models import Project
from adoption.projects.queries import project_named

PASSWORDS = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
PASSWORD_SHORTEST = 10
TRIES = 10
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
USE_NOTED_EVERY = 60
"""Seconds within which a key's further uses are not written down again."""


def create_account(
    name: str,
    owner: str,
    plan: str = "free",
    password: str | None = None,
    now: datetime | None = None,
) -> tuple[Account, Project]:
    """An account with its owner and its first project.

    A person who is known already keeps their password. Raises Invalid, with everything that is wrong.
    """
    email = owner.strip().lower()
    name = name.strip()
    violations = []
    if not name or len(name) > 200:
        violations.append(("name", "must have 1 to 200 characters"))
    if len(email) > 254 or not EMAIL.fullmatch(email):
        violations.append(("owner", "must be an email address, such as sam@example.org"))
    if plan not in PLANS:
        violations.append(("plan", f"must be one of {', '.join(PLANS)}, not {plan!r}"))
    if password is not None and len(password) < PASSWORD_SHORTEST:
        violations.append(("password", f"must have {PASSWORD_SHORTEST} characters or more"))
    if violations:
        raise Invalid(violations)
    now = now or datetime.now(UTC)
    password_hash = PASSWORDS.hash(password) if password is not None else None
    for _ in range(TRIES - 1):
        # Another may take the slug or the address between our look and our insert: then it is seen next time.
        with suppress(IntegrityError):
            return open_account(name, email, plan, password_hash, now)
    return open_account(name, email, plan, password_hash, now)


def open_account(
    name: str, email: str, plan: str, password_hash: str | None, now: datetime
) -> tuple[Account, Project]:
    with transaction() as session:
        account = Account(name=name, plan=plan, created_at=now)
        user = session.scalar(select(User).where(User.email == email))
        if user is None:
            user = User(email=email, password_hash=password_hash, created_at=now)
        elif user.password_hash is None:
            user.password_hash = password_hash
        session.add_all([account, user])
        session.flush()
        project = Project(
            account_id=account.id,
            slug=free_slug(session, name),
            name=name,
            contact_email=email,
            created_at=now,
        )
        session.add_all(
            [project, Member(account_id=account.id, user_id=user.id, role="owner", created_at=now)]
        )
    return account, project


def set_plan(slug: str, plan: str, per_minute: int | None = None, per_day: int | None = None) -> Account:
    """Put the account of a project on another plan; it holds from the next request on.

    Raises NotFound, or Invalid: a plan with a custom quota needs both numbers, any other takes none.
    """
    if plan not in PLANS:
        raise Invalid([("plan", f"must be one of {', '.join(PLANS)}, not {plan!r}")])
    own = (per_minute, per_day)
    if PLANS[plan].custom_quota and None in own:
        raise Invalid([("plan", f"{plan} has a quota of its own: give per-minute and per-day")])
    if not PLANS[plan].custom_quota and own != (None, None):
        raise Invalid([("plan", f"{plan} has a fixed quota: leave out per-minute and per-day")])
    if any(number is not None and not 0 < number < 2**31 for number in own):
        raise Invalid([("plan", "per-minute and per-day must be 1 or more")])
    with transaction() as session:
        account = account_of(session, slug)
        account.plan, (account.per_minute, account.per_day) = plan, own
        return account


def account_of(session: Session, slug: str) -> Account:
    return session.get_one(Account, project_named(session, slug).account_id)


def create_key(
    slug: str, name: str = "", scopes: Sequence[str] = (), now: datetime | None = None
) -> tuple[ApiKey, str]:
    """A new key of a project, and its text, which is told this once. No scopes given means all of them.

    Raises NotFound or Invalid.
    """
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown:
        raise Invalid([("scope", f"must be one of {', '.join(SCOPES)}, not {unknown[0]!r}")])
    if len(name) > 100:
        raise Invalid([("name", "must have 100 characters at most")])
    text, parts = new_key()
    with transaction() as session:
        key = ApiKey(
            project_id=project_named(session, slug).id,
            public_id=parts.public_id,
            secret_hash=parts.secret_hash,
            name=name,
            scopes=" ".join(scope for scope in SCOPES if scope in scopes or not scopes),
            created_at=now or datetime.now(UTC),
        )
        session.add(key)
    return key, text


def revoke_key(public_id: str, now: datetime | None = None) -> ApiKey:
    """Revoke a key, by its public id or its text, from the next request on, in every process.

    Raises NotFound, or Conflict where it was revoked already.
    """
    whole = read_key(public_id)
    if whole is not None or "_" in public_id:
        # Somebody pasted the key itself, which must not be repeated anywhere.
        public_id = whole.public_id if whole else "in what was given"
    with transaction() as session:
        key = session.scalar(select(ApiKey).where(ApiKey.public_id == public_id))
        if key is None:
            raise NotFound(
                f"There is no key with the id {public_id}. homeward key list PROJECT shows the ids."
            )
        if key.revoked_at is not None:
            raise Conflict(f"The key {public_id} was revoked already.")
        key.revoked_at = now or datetime.now(UTC)
        return key


def keys_of(session: Session, slug: str) -> list[ApiKey]:
    """A project's keys, oldest first. Raises NotFound."""
    project = project_named(session, slug)
    return list(session.scalars(select(ApiKey).where(ApiKey.project_id == project.id).order_by(ApiKey.id)))


def note_use(key_id: int, now: float) -> None:
    """Write down that a key was used, at most once in ``USE_NOTED_EVERY`` seconds, by whoever is first.

    Raises DBAPIError, at once, where another is writing.
    """
    used = datetime.fromtimestamp(now, UTC)
    before = datetime.fromtimestamp(now - USE_NOTED_EVERY, UTC)
    unnoted = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < before)
    write_if_free(update(ApiKey).where(ApiKey.id == key_id, unnoted).values(last_used_at=used))
