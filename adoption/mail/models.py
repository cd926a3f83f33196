from datetime import datetime

from sqlalchemy import BigInteger, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base, Identity


class OutgoingEmail(Base):
    """A mail to be sent. It is written down together with what it tells of, so neither is there alone."""

    __tablename__ = "letters"
    __table_args__ = (Index("ix_letters_sent_at_next_try_at", "sent_at", "next_try_at"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    recipient: Mapped[str] = mapped_column(String(254))
    reply_to: Mapped[str] = mapped_column(String(254), default="")
    sender_name: Mapped[str] = mapped_column(String(200), default="", server_default="")
    """The shelter that it comes from; empty for Homeward itself."""
    subject: Mapped[str] = mapped_column(String(300))
    application_id: Mapped[int | None] = mapped_column(BigInteger, index=True)
    """The application that it tells of, and is erased with; None for any other letter."""
    text: Mapped[str] = mapped_column(Text)
    """Emptied once it was sent: it may hold what only its recipient is to know."""
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime | None]
    """Not before; it moves away with each failure. None where nothing is to be tried any more."""
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why the last attempt failed."""
    sent_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
