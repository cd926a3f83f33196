from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.database import Base


class OperatorAlert(Base):
    """A problem of the installation, open or solved.

    There is one row per cause for all machines, so a cause is logged and emailed once, also after a restart.
    """

    __tablename__ = "operator_alerts"

    cause: Mapped[str] = mapped_column(String(60), primary_key=True)
    """A key of ``causes.CAUSES``."""
    detail: Mapped[str] = mapped_column(Text)
    """What was seen last, as sentences."""
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    """When it was reported last."""
    logged_at: Mapped[datetime | None]
    """When its beginning was logged; None as long as it may be a short interruption."""
    emailed_at: Mapped[datetime | None]
    """When the operator was last emailed about this cause, also about an earlier time that it was open."""
    closed_at: Mapped[datetime | None]
