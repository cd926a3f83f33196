"""API keys of projects."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from sqlalchemy import or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.accounts import reauthentication
from adoption.accounts.api_access.key_format import (
    DEFAULT_SCOPES,
    DIRECTORY_READ,
    PREFIX,
    PUBLISHABLE_PREFIX,
    SCOPES,
    generate_key,
    read_key,
)
from adoption.accounts.api_access.page_origins import read_origins
from adoption.accounts.models import ApiKey
from adoption.accounts.quotas.limiter_storage import QuotaStorage
from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.errors import Conflict, Invalid, NotFound
from adoption.projects.models import Project
from adoption.projects.queries import find_project_by_slug
from adoption.storage.database import transaction, write_if_free
from adoption.translations import gettext

NAME_LONGEST = 100
USE_STORED_EVERY = 60
"""The minimum seconds between two updates of a key's last use."""


def create_key(
    slug: str,
    name: str = "",
    scopes: Sequence[str] = (),
    expires_at: datetime | None = None,
    public_id: str | None = None,
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> tuple[ApiKey, str]:
    """Create a project's key. Return the key and its text. The text is not stored.

    Without ``scopes``, the key has ``DEFAULT_SCOPES``. Raises NotFound if the project does not exist, Invalid
    if a scope or the name is wrong, ProofRequired without a recent proof of identity, and Conflict if the
    ``public_id`` is taken.
    """
    check_scopes_and_name(scopes, name)
    listed = " ".join(scope for scope in SCOPES if scope in (scopes or DEFAULT_SCOPES))
    text, parts = generate_key(public_id=public_id)
    key = ApiKey(**parts._asdict(), name=name, scopes=listed, expires_at=expires_at)
    return store_new_key(slug, key, listed, by, now), text


def create_publishable_key(
    slug: str,
    name: str,
    origins: Iterable[str],
    from_programs: bool = False,
    expires_at: datetime | None = None,
    public_id: str | None = None,
    by: Actor = OPERATOR,
    now: datetime | None = None,
    is_development: bool = False,
) -> tuple[ApiKey, str]:
    """Create a key for web pages of these origins. It only reads the directory. Return the key and its text.

    Raises Invalid if an origin is wrong, and otherwise the same as ``create_key``.
    """
    check_scopes_and_name((), name)
    allowed = " ".join(read_origins(origins, is_development))
    text, parts = generate_key(public_id=public_id, is_publishable=True)
    key = ApiKey(
        **parts._asdict(),
        name=name,
        scopes=DIRECTORY_READ,
        origins=allowed,
        from_programs=from_programs,
        expires_at=expires_at,
    )
    detail = f"{DIRECTORY_READ} {allowed}" + (" and programs" if from_programs else "")
    return store_new_key(slug, key, detail, by, now), text


def store_new_key(slug: str, key: ApiKey, detail: str, by: Actor, now: datetime | None) -> ApiKey:
    """Store a project's new key. ``detail`` is for the audit log."""
    reauthentication.require_recent_proof(by, now)
    with transaction() as session:
        project = find_project_by_slug(session, slug)
        key.project_id, key.created_at = project.id, now or datetime.now(UTC)
        session.add(key)
        try:
            session.flush()
        except IntegrityError as error:
            raise Conflict("This key was created already.") from error
        trail.record(session, by, "key.created", project.account_id, project.id, name_of_key(key), detail)
    return key


def check_scopes_and_name(scopes: Sequence[str], name: str) -> None:
    """Raise Invalid if a scope is unknown or the name is too long."""
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown:
        raise Invalid([("scope", f"must be one of {', '.join(SCOPES)}, not {unknown[0]!r}")])
    if len(name) > NAME_LONGEST:
        raise Invalid([("name", f"must have {NAME_LONGEST} characters at most")])


def name_of_key(key: ApiKey) -> str:
    return key.name or f"{prefix_of_key(key)}{key.public_id}"


def prefix_of_key(key: ApiKey) -> str:
    return PUBLISHABLE_PREFIX if key.is_publishable else PREFIX


def check_key_name(text: str) -> str:
    """Return a key's name without extra spaces. Raises ValueError if the name is invalid."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= NAME_LONGEST or not name.isprintable():
        raise ValueError(
            gettext(
                "Enter a name of up to %(number)s characters, such as Kennel software", number=NAME_LONGEST
            )
        )
    return name


def rename_key(project_id: int, key_id: int, name: str, by: Actor) -> ApiKey:
    """Rename a project's key.

    Raises NotFound if the project lacks the key, and Invalid if the name is invalid.
    """
    try:
        name = check_key_name(name)
    except ValueError as error:
        raise Invalid([("name", str(error))]) from error
    with transaction() as session:
        key = find_key(session, project_id, key_id)
        if name != key.name:
            was, key.name = name_of_key(key), name
            account_id = session.get_one(Project, project_id).account_id
            trail.record(session, by, "key.renamed", account_id, project_id, name, f"Before: {was}")
        return key


def revoke_key(public_id: str, by: Actor = OPERATOR, now: datetime | None = None) -> ApiKey:
    """Revoke a key from the next request on, in every process.

    ``public_id`` can also be the key's text. Raises NotFound if there is no such key, and Conflict if the key
    was already revoked.
    """
    parts = read_key(public_id)
    if parts is not None or "_" in public_id:
        # The user pasted the whole key. It must not appear in an error.
        public_id = parts.public_id if parts else "in what was given"
    with transaction() as session:
        key = session.scalar(select(ApiKey).where(ApiKey.public_id == public_id))
        if key is None:
            raise NotFound(
                f"There is no key with the id {public_id}. homeward key list PROJECT shows the ids."
            )
        return revoke_key_row(session, key, by, now or datetime.now(UTC))


def revoke_project_key(project_id: int, key_id: int, by: Actor, now: datetime | None = None) -> ApiKey:
    """Revoke a project's key from the next request on, in every process.

    Raises NotFound if the project lacks the key, and Conflict if the key was already revoked.
    """
    with transaction() as session:
        return revoke_key_row(session, find_key(session, project_id, key_id), by, now or datetime.now(UTC))


def revoke_key_row(session: Session, key: ApiKey, by: Actor, now: datetime) -> ApiKey:
    if key.revoked_at is not None:
        raise Conflict(f"The key {key.public_id} is already revoked.")
    key.revoked_at = now
    account_id = session.get_one(Project, key.project_id).account_id
    trail.record(session, by, "key.revoked", account_id, key.project_id, name_of_key(key))
    return key


def lift_ban(store: QuotaStorage, project_id: int, key_id: int, by: Actor, now: float) -> ApiKey:
    """Lift the ban of a key.

    Raises NotFound if the project lacks the key, Unavailable if the quota store is unreachable, and Conflict
    if the key is not banned or the first 5 minutes of the ban are not over.
    """
    with transaction() as session:
        key = find_key(session, project_id, key_id)
        ban = store.bans_of([key.id], now).get(key.id)
        if ban is None:
            raise Conflict(gettext("This key is no longer banned."))
        if now < ban.liftable_from:
            raise Conflict(gettext("The ban cannot be lifted yet. Wait until its first 5 minutes are over."))
        account_id = session.get_one(Project, project_id).account_id
        trail.record(session, by, "key.ban-lifted", account_id, project_id, name_of_key(key))
        session.flush()
        store.lift_ban(key.id, now)
        return key


def find_key(session: Session, project_id: int, key_id: int) -> ApiKey:
    """Return a project's key. Raises NotFound if the project lacks the key."""
    key = session.scalar(select(ApiKey).where(ApiKey.project_id == project_id, ApiKey.id == key_id))
    if key is None:
        raise NotFound("There is no such key.")
    return key


def keys_of_project(session: Session, slug: str) -> list[ApiKey]:
    """Return a project's keys, oldest first. Raises NotFound if the project does not exist."""
    project = find_project_by_slug(session, slug)
    return list(session.scalars(select(ApiKey).where(ApiKey.project_id == project.id).order_by(ApiKey.id)))


def store_last_use(key_id: int, now: float) -> None:
    """Store the time of a key's last use, at most once in ``USE_STORED_EVERY`` seconds.

    Raises DBAPIError immediately if another writer has the lock.
    """
    used = datetime.fromtimestamp(now, UTC)
    before = datetime.fromtimestamp(now - USE_STORED_EVERY, UTC)
    is_due = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < before)
    write_if_free(update(ApiKey).where(ApiKey.id == key_id, is_due).values(last_used_at=used))
