from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.operator_alerts.causes import CAUSES, Cause
from adoption.storage.database import Base

CAUSE_LONGEST = 60


def row_key(cause: str, about: str = "") -> str:
    return f"{cause}@{about}"[:CAUSE_LONGEST] if about else cause


class OperatorAlert(Base):
    """A problem of the installation, open or solved.

    All machines share one row per cause. So a cause is logged and emailed once, even after a restart. A cause
    that can affect several things has a row for each affected thing.
    """

    __tablename__ = "operator_alerts"

    cause: Mapped[str] = mapped_column(String(CAUSE_LONGEST), primary_key=True)
    """The key in ``causes.CAUSES``. If the cause can affect several things, ``@`` and the thing's name
    follow."""
    detail: Mapped[str] = mapped_column(Text)
    """The detail of the last report, as sentences."""
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    """The time of the last report."""
    logged_at: Mapped[datetime | None]
    """The time when the problem was logged; None while it may be only a short interruption."""
    emailed_at: Mapped[datetime | None]
    """The time of the last email about this cause, possibly before the alert was last opened."""
    closed_at: Mapped[datetime | None]

    @property
    def kind(self) -> Cause:
        return CAUSES[self.cause.partition("@")[0]]
