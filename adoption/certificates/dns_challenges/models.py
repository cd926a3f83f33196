from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.storage.database import Base, Identity


class ChallengeRecord(Base):
    """A TXT record that the hook sets for an order.

    It outlives its order, which is deleted with the domain, so that the record in DNS is removed too.
    """

    __tablename__ = "challenge_records"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    order_address: Mapped[str] = mapped_column(Text)
    """The address of the order at the authority."""
    name: Mapped[str] = mapped_column(String(253))
    """The name of the record, as the hook gets it."""
    value: Mapped[str] = mapped_column(String(100))
    set_at: Mapped[datetime | None]
    """When the hook set it; None before."""
    remove_at: Mapped[datetime]
    """The earliest time of the next removal, which waits for the end of the order."""
    removals: Mapped[int] = mapped_column(default=0)
    """Failed removals so far."""
