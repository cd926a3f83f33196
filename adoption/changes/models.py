"""The table of the animals' newest changes."""

from datetime import datetime

from sqlalchemy import BigInteger, Index
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base, Identity


class AnimalChange(Base):
    """The newest change of an animal. The row remains after the animal or its project was deleted.

    The row records only that something changed. Whether the animal is visible is checked when a program reads
    the change.
    """

    __tablename__ = "changes"
    __table_args__ = (
        Index("ix_changes_xid_seq", "xid", "seq"),
        Index("ix_changes_project_id_xid_seq", "project_id", "xid", "seq"),
    )

    animal_id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=False)
    project_id: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime]
    xid: Mapped[int] = mapped_column(BigInteger)
    """The id of the change's transaction on PostgreSQL. On SQLite it equals ``seq``."""
    seq: Mapped[int] = mapped_column(BigInteger)
    """A number that grows with each change. On PostgreSQL it orders the changes of one transaction."""
