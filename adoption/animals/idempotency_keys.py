"""Idempotency keys: a repeated createPet request returns the first response and adds nothing."""

from datetime import datetime, timedelta

from sqlalchemy import BigInteger, ForeignKey, Index, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from adoption.animals.api_reads import PetRow
from adoption.errors import IdempotencyConflict
from adoption.storage.database import Base

REMEMBERED = timedelta(hours=24)


class IdempotencyKey(Base):
    """The response to a createPet request with an ``Idempotency-Key``, kept for 24 hours."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (Index("ix_idempotency_keys_project_id_created_at", "project_id", "created_at"),)

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the parsed request body. The formatting of the JSON does not matter."""
    animal_id: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(200))
    category_id: Mapped[int] = mapped_column(BigInteger)
    status: Mapped[str] = mapped_column(String(20))
    created_at: Mapped[datetime]


def find_first_response(
    session: Session, project_id: int, key: str, fingerprint: str, now: datetime
) -> PetRow | None:
    """Return the response to the first request with this key; None if there was none in the last 24 hours.

    Deletes the project's older keys. Raises IdempotencyConflict if the first request had another body.
    """
    session.execute(
        delete(IdempotencyKey).where(
            IdempotencyKey.project_id == project_id, IdempotencyKey.created_at <= now - REMEMBERED
        )
    )
    first = session.scalar(
        select(IdempotencyKey).where(IdempotencyKey.project_id == project_id, IdempotencyKey.key == key)
    )
    if first is None:
        return None
    if first.fingerprint != fingerprint:
        raise IdempotencyConflict(
            "This Idempotency-Key was used with another body within the last 24 hours. "
            "To add another animal, send another key."
        )
    return first.animal_id, first.name, first.category_id, first.status


def store_first_response(
    session: Session, project_id: int, key: str, fingerprint: str, pet: PetRow, now: datetime
) -> None:
    stored = IdempotencyKey(project_id=project_id, key=key, fingerprint=fingerprint)
    stored.animal_id, stored.name, stored.category_id, stored.status = pet
    stored.created_at = now
    session.add(stored)
