from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base, Identity


class ChallengeRecord(Base):
    """A TXT record that the hook sets for an order.

    An order is deleted with its domain, but this row stays until the record is removed from DNS.
    """

    __tablename__ = "challenge_records"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    order_address: Mapped[str] = mapped_column(Text)
    """The address of the order at the authority."""
    name: Mapped[str] = mapped_column(String(253))
    """The record's name, as passed to the hook."""
    value: Mapped[str] = mapped_column(String(100))
    set_at: Mapped[datetime | None]
    """The time when the hook set the record; None if the record is not set yet."""
    remove_at: Mapped[datetime]
    """The earliest time of the next removal. The removal also waits for the end of the order."""
    removals: Mapped[int] = mapped_column(default=0)
    """The number of failed removals so far."""
