from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.database import NEVER_AGAIN, Base, Identity

STATES = ("uploaded", "waiting", "running", "done", "cancelled", "failed")


class Import(Base):
    """A spreadsheet that was uploaded for a project, what is to be done with it, and how far that is."""

    __tablename__ = "imports"
    __table_args__ = (Index("ix_imports_project_id_id", "project_id", "id"), NEVER_AGAIN)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    file_name: Mapped[str] = mapped_column(String(300))
    file_key: Mapped[str] = mapped_column(String(200))
    """Where the file is in the store; empty once it was dropped."""
    state: Mapped[str] = mapped_column(String(20))
    """One of ``STATES``."""
    dry_run: Mapped[bool] = mapped_column(default=True)
    options: Mapped[str] = mapped_column(Text, default="{}")
    """The choices made on the page, as JSON: columns, category, day or month first, photos."""
    rows_done: Mapped[int] = mapped_column(default=0)
    rows_total: Mapped[int | None]
    photos_done: Mapped[int] = mapped_column(default=0)
    photos_total: Mapped[int | None]
    result: Mapped[str] = mapped_column(Text, default="")
    """What came of it, as ``animals import --json`` tells it; empty before the end."""
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why it could not be done, as a sentence."""
    cancelled_at: Mapped[datetime | None]
    """When somebody asked to stop; the job sees it at its next step."""
    beat_at: Mapped[datetime | None]
    """When a job last worked on it: one that is silent for long is taken up by another."""
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
