"""The tables of photos and of photo uploads."""

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    String,
    Text,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import NEVER_AGAIN, Base, Identity


class Photo(Base):
    """A photo of an animal. The names of the photo's files in the photo store contain ``digest``."""

    __tablename__ = "photos"
    __table_args__ = (
        Index("ix_photos_animal_id_position", "animal_id", "position"),
        Index(
            "ix_photos_id_wants_shared",
            "id",
            sqlite_where=text("wants_shared = 1"),
            postgresql_where=text("wants_shared"),
        ),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    animal_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("animals.id", ondelete="CASCADE"))
    position: Mapped[int]
    """The photo's position, from 0, without gaps. The photo at position 0 is the cover."""
    digest: Mapped[str] = mapped_column(String(64), index=True)
    width: Mapped[int]
    height: Mapped[int]
    """The height in pixels, after rotation."""
    alt: Mapped[str] = mapped_column(String(300), default="")
    blur: Mapped[str] = mapped_column(Text, default="")
    """A tiny image as a ``data:`` URL, shown while the photo loads."""
    bytes: Mapped[int | None] = mapped_column(BigInteger)
    """Total size of the photo's files; None for photos stored before sizes were recorded."""
    wants_shared: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the image for social media previews still has to be made."""
    created_at: Mapped[datetime]


class PhotoUpload(Base):
    """An uploaded photo that waits for processing.

    Uploads have their own table, so that no query for photos can return an unprocessed photo.
    """

    __tablename__ = "photo_uploads"
    __table_args__ = (
        Index("ix_photo_uploads_account_id_finished_at_id", "account_id", "finished_at", "id"),
        NEVER_AGAIN,
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"))
    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), index=True
    )
    user_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    """The user who sent the photo; None if an import downloaded it."""
    file_name: Mapped[str] = mapped_column(String(100), default="")
    file_key: Mapped[str] = mapped_column(String(100))
    """Name of the stored file until the upload is processed."""
    alt: Mapped[str] = mapped_column(String(300), default="")
    created_at: Mapped[datetime]
    claimed_at: Mapped[datetime | None]
    """When a worker started to process the upload."""
    attempts: Mapped[int] = mapped_column(default=0)
    finished_at: Mapped[datetime | None]
    photo_id: Mapped[int | None] = mapped_column(BigInteger)
    """The photo that was made from the upload."""
    is_repeat: Mapped[bool] = mapped_column(default=False)
    """Whether the animal already had this photo before the upload."""
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why the photo or its description could not be added, as a sentence."""

    @property
    def has_become_photo(self) -> bool:
        return self.photo_id is not None and not self.failure
