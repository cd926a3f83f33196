"""Migrations on the application's own engine, each in one transaction, also on SQLite."""

from typing import Any, Literal

from alembic import context
from flask import current_app
from sqlalchemy import Connection, text

import adoption.accounts.models
import adoption.animals.idempotency_keys
import adoption.animals.models
import adoption.audit.models
import adoption.certificates.dns_challenges.models
import adoption.certificates.models
import adoption.changes.models
import adoption.domains.models
import adoption.imports.models
import adoption.mail.models
import adoption.operator_alerts.models
import adoption.orders.models
import adoption.places.models
import adoption.projects.models  # noqa: F401 - imported so that the metadata knows every table
from adoption.migrations.comparison import is_modelled
from adoption.storage.database import Base, UTCDateTime, db


def as_plain_type(kind: str, column: Any, _context: object) -> str | Literal[False]:
    """Return the database's type for a migration, instead of a class that may change."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(column, UTCDateTime) else False


def run_migrations() -> None:
    with db.engine.execution_options(begin=False).connect() as connection:
        if connection.dialect.name == "sqlite":
            # A batch change drops the old table. With foreign keys on, that would delete what refers to it.
            connection.execute(text("PRAGMA foreign_keys = OFF"))
            connection.execute(text("BEGIN IMMEDIATE"))
        else:
            # The lock makes machines that start together wait for each other. A large table may take long.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(7203)"))
        try:
            migrate(connection)
        except BaseException:
            connection.invalidate()  # its foreign keys may still be off
            raise
        connection.commit()


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        transactional_ddl=True,
        render_item=as_plain_type,
        include_name=is_modelled,
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).all()
        if broken:
            raise RuntimeError(f"The migration would leave rows that refer to missing rows: {broken[:5]}")
        connection.execute(text("COMMIT"))
        connection.execute(text("PRAGMA foreign_keys = ON"))


run_migrations()
