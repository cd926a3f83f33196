from datetime import datetime

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    exists,
    text,
)
from sqlalchemy.orm import Mapped, column_property, mapped_column

from adoption.storage.database import NEVER_AGAIN, Base, Identity

STATES = ("reading", "uploaded", "waiting", "running", "done", "cancelled", "failed", "undone")
UNDER_WAY = ("waiting", "running")
"""States of an import that is queued or running."""
NOT_READ = "{}"
"""The preview of a file that has not been read yet."""


class Import(Base):
    """An uploaded spreadsheet, with its import options and progress."""

    __tablename__ = "imports"
    __table_args__ = (
        Index("ix_imports_project_id_id", "project_id", "id"),
        # The unique index allows only one running import per project.
        Index(
            "uq_imports_project_id_running",
            "project_id",
            unique=True,
            sqlite_where=text("state = 'running'"),
            postgresql_where=text("state = 'running'"),
        ),
        NEVER_AGAIN,
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    file_name: Mapped[str] = mapped_column(String(300))
    file_key: Mapped[str] = mapped_column(String(200))
    """Name of the stored file; empty after the file is deleted."""
    state: Mapped[str] = mapped_column(String(20))
    """The import's state, one of ``STATES``."""
    dry_run: Mapped[bool] = mapped_column(default=True)
    options: Mapped[str] = mapped_column(Text, default="{}")
    """The user's choices as JSON (``ImportOptions``)."""
    run_next: Mapped[str] = mapped_column(String(10), default="", server_default="")
    """The run requested while the file was being read: ``try`` (a dry run), ``import`` or empty."""
    look: Mapped[str] = mapped_column(Text, default="{}")
    """The preview as JSON (``FilePreview``); ``{}`` before the file is read."""
    rows_done: Mapped[int] = mapped_column(default=0)
    rows_total: Mapped[int | None]
    photos_done: Mapped[int] = mapped_column(default=0)
    photos_total: Mapped[int | None]
    result: Mapped[str] = mapped_column(Text, default="")
    """The result as JSON (``import_job.import_outcome``); empty until all rows are done."""
    created: Mapped[int] = mapped_column(default=0)
    updated: Mapped[int] = mapped_column(default=0)
    """Number of animals that all jobs have updated so far.

    ``created`` is the number that they have created.
    """
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why the import failed, as a sentence."""
    cancelled_at: Mapped[datetime | None]
    """When a user cancelled the import. The job stops at its next step."""
    beat_at: Mapped[datetime | None]
    """When the job last recorded a heartbeat. A job without a heartbeat for ``STALE_AFTER`` is replaced."""
    claim: Mapped[str] = mapped_column(String(40), default="")
    """Token of the current job. Writes by other jobs are rejected."""
    attempts: Mapped[int] = mapped_column(default=0)
    """Number of jobs that have claimed the import since it was started."""
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    undo_asked_at: Mapped[datetime | None]
    """When a user requested the undo. A job then undoes the import."""
    undone: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Progress of the undo as JSON (``undo.UndoCounts``)."""


class ImportPhoto(Base):
    """A photo URL found by an import, and the result of downloading the photo."""

    __tablename__ = "import_photos"
    __table_args__ = (Index("ix_import_photos_import_id_id", "import_id", "id"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    import_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("imports.id", ondelete="CASCADE"))
    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), index=True
    )
    row: Mapped[int]
    header: Mapped[str] = mapped_column(String(300))
    address: Mapped[str] = mapped_column(Text)
    done_at: Mapped[datetime | None]
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why the download failed; empty if the download succeeded."""
    photo_id: Mapped[int | None] = mapped_column(BigInteger)
    """The photo that was added; None if the animal already had the photo."""
    upload_id: Mapped[int | None] = mapped_column(BigInteger)
    """The upload with the downloaded file. A job that takes over the import finds the result there."""


class ImportChange(Base):
    """The recorded changes of one chunk of an import."""

    __tablename__ = "import_changes"
    __table_args__ = (Index("ix_import_changes_import_id_id", "import_id", "id"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    import_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("imports.id", ondelete="CASCADE"))
    record: Mapped[bytes] = mapped_column(LargeBinary)
    """``undo_records.Changes``, compressed."""


class ImportMapping(Base):
    """Stored choices for a project's files that have the same header."""

    __tablename__ = "import_mappings"

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    header: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The hash of the header, from ``remembered_choices.header_key``."""
    options: Mapped[str] = mapped_column(Text)
    """The choices for columns, values, species and date order, as JSON (``ImportOptions``)."""
    used_at: Mapped[datetime]


Import.has_changes = column_property(
    exists().where(ImportChange.import_id == Import.id).correlate_except(ImportChange)
)
"""Whether some run of the import has stored changes that an undo can restore."""
