"""The demo of a first start: made-up shelters, a user and an API key."""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from flask import current_app
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.accounts.api_access.key_format import DEFAULT_SCOPES, generate_key
from adoption.accounts.models import Account, ApiKey, Member, User
from adoption.accounts.password_hashes import hash_password
from adoption.audit.actors import Actor
from adoption.audit.trail import record
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from demo.loader import DemoLoader

EMAIL = "demo@homeward.example"
PLAN = "business"


@dataclass(frozen=True)
class DemoSignIn:
    """The sign-in and the API key of the demo."""

    email: str
    password: str
    key: str
    project: str
    """The project's slug."""


def load_on_first_run(now: datetime | None = None) -> DemoSignIn | None:
    """Load the demo into an empty database. Return its sign-in, at this start and at every later start.

    The sign-in is stored in ``demo.json`` in the instance folder, and only the owner of the file can read it.
    Return None if the database has accounts without the demo.
    """
    kept = current_app.config["HOMEWARD"].instance / "demo.json"
    now = now or datetime.now(UTC)
    with reading() as session:
        if session.scalar(select(User.id).where(User.email == EMAIL)) is not None:
            return read_sign_in(kept)
    with transaction() as session:
        if session.get_bind().dialect.name == "postgresql":
            # If several machines start at once on an empty database, only one fills it.
            session.execute(select(func.pg_advisory_xact_lock(7204)))
        if session.scalar(select(Account.id).limit(1)) is not None:
            return None
        sign_in = fill_database(session, now)
        # Written before the commit: if writing fails, the next start finds an empty database again.
        write_sign_in(kept, sign_in)
    return sign_in


def fill_database(session: Session, now: datetime) -> DemoSignIn:
    loading = DemoLoader(animals=240, projects=6, seed=1, today=now.date())
    loading.add_shelters(session)
    loading.add_next_animals(session)
    project = session.scalars(
        select(Project).join(Account, Account.id == Project.account_id).where(Account.plan == PLAN)
    ).first()
    assert project is not None, "the demo has an account on each plan"  # noqa: S101
    password = secrets.token_hex(8)
    owner = User(email=EMAIL, name="Robin Hale", password_hash=hash_password(password), created_at=now)
    session.add(owner)
    session.flush()
    text, parts = generate_key()
    key = ApiKey(
        project_id=project.id,
        public_id=parts.public_id,
        secret_hash=parts.secret_hash,
        name="Demo",
        scopes=" ".join(DEFAULT_SCOPES),
        created_at=now,
    )
    session.add_all(
        [key, Member(account_id=project.account_id, user_id=owner.id, role="owner", created_at=now)]
    )
    by = Actor(owner.id, EMAIL, "")
    record(session, by, "member.joined", project.account_id, project.id, EMAIL, now=now)
    record(session, by, "key.created", project.account_id, project.id, key.name, now=now)
    return DemoSignIn(EMAIL, password, text, project.slug)


def read_sign_in(kept: Path) -> DemoSignIn | None:
    try:
        return DemoSignIn(**json.loads(kept.read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None  # the password cannot be recovered; the service still starts


def write_sign_in(kept: Path, sign_in: DemoSignIn) -> None:
    fresh = kept.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(sign_in), file, indent=2)
        file.write("\n")
    fresh.replace(kept)
