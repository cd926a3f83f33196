from datetime import datetime

from sqlalchemy import BigInteger, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base, Identity


class OutgoingEmail(Base):
    """An email to send. It is stored in the transaction of the change that causes it."""

    __tablename__ = "letters"
    __table_args__ = (Index("ix_letters_sent_at_next_try_at", "sent_at", "next_try_at"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    recipient: Mapped[str] = mapped_column(String(254))
    reply_to: Mapped[str] = mapped_column(String(254), default="")
    sender_name: Mapped[str] = mapped_column(String(200), default="", server_default="")
    """The shelter's name; empty for Homeward itself."""
    subject: Mapped[str] = mapped_column(String(300))
    application_id: Mapped[int | None] = mapped_column(BigInteger, index=True)
    """The application that the email is about. The email is deleted with the application."""
    text: Mapped[str] = mapped_column(Text)
    """The text, which is deleted once the email is sent, because it may contain the recipient's secrets."""
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime | None]
    """The earliest time of the next attempt; None once the email is sent or given up."""
    failure: Mapped[str] = mapped_column(Text, default="")
    """The reason why the last attempt failed."""
    sent_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
