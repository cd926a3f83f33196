from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, Text, exists, text
from sqlalchemy.orm import Mapped, column_property, mapped_column

from adoption.storage.database import NEVER_AGAIN, Base, Identity

STATES = ("reading", "uploaded", "waiting", "running", "done", "cancelled", "failed", "undone")


class Import(Base):
    """A spreadsheet that was uploaded for a project, what is to be done with it, and how far that is."""

    __tablename__ = "imports"
    __table_args__ = (
        Index("ix_imports_project_id_id", "project_id", "id"),
        # One at a time: the database lets no second of a project run.
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
    """Where the file is in the store; empty once it was dropped."""
    state: Mapped[str] = mapped_column(String(20))
    """One of ``STATES``."""
    dry_run: Mapped[bool] = mapped_column(default=True)
    options: Mapped[str] = mapped_column(Text, default="{}")
    """The choices made on the page, as JSON (``ImportOptions``)."""
    run_next: Mapped[str] = mapped_column(String(10), default="", server_default="")
    """What the user asked for while the file was read: ``try`` or ``import``."""
    look: Mapped[str] = mapped_column(Text, default="{}")
    """What the page shows of the file, as JSON (``Preview``); ``{}`` before it was read."""
    rows_done: Mapped[int] = mapped_column(default=0)
    rows_total: Mapped[int | None]
    photos_done: Mapped[int] = mapped_column(default=0)
    photos_total: Mapped[int | None]
    result: Mapped[str] = mapped_column(Text, default="")
    """The result, as JSON (``running.Outcome``); empty before its rows are done."""
    created: Mapped[int] = mapped_column(default=0)
    updated: Mapped[int] = mapped_column(default=0)
    """Animals that it has made and changed so far, by whichever job."""
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why it could not be done, as a sentence."""
    cancelled_at: Mapped[datetime | None]
    """When somebody asked to stop; the job sees it at its next step."""
    beat_at: Mapped[datetime | None]
    """When a job last worked on it: one that is silent for long is taken up by another."""
    claim: Mapped[str] = mapped_column(String(40), default="")
    """Names the job that works on it: what another writes is not kept."""
    attempts: Mapped[int] = mapped_column(default=0)
    """How many jobs have taken it up since it was started."""
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    undo_asked_at: Mapped[datetime | None]
    """When somebody asked to undo it; the job then undoes it instead of importing."""
    undone: Mapped[str] = mapped_column(Text, default="", server_default="")
    """What the undo has done so far, as JSON (``undo.UndoCounts``)."""


class ImportPhoto(Base):
    """A picture's address that an import has found, and what came of it."""

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
    """Why it could not be had; empty where the animal got it."""
    photo_id: Mapped[int | None] = mapped_column(BigInteger)
    """The photo that the animal got; None if it had the same picture before."""
    upload_id: Mapped[int | None] = mapped_column(BigInteger)
    """The upload that it was fetched into: a job that takes this over finds there what became of it."""


class ImportChange(Base):
    """What one chunk of an import changed."""

    __tablename__ = "import_changes"
    __table_args__ = (Index("ix_import_changes_import_id_id", "import_id", "id"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    import_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("imports.id", ondelete="CASCADE"))
    record: Mapped[bytes] = mapped_column(LargeBinary)
    """``changes.Changes``, packed."""


class ImportMapping(Base):
    """The choices for files of a project with one header."""

    __tablename__ = "import_mappings"

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    header: Mapped[str] = mapped_column(String(64), primary_key=True)
    """``mappings.header_key`` of the file."""
    options: Mapped[str] = mapped_column(Text)
    """Columns, values, species and order of dates, as JSON (``ImportOptions``)."""
    used_at: Mapped[datetime]


Import.has_changes = column_property(
    exists().where(ImportChange.import_id == Import.id).correlate_except(ImportChange)
)
"""Whether changes are stored that an undo can take back, also those of an earlier start."""
