from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from adoption.alerts.causes import CAUSES, Cause
from adoption.storage.database import Base

CAUSE_LONGEST = 60


def row_key(cause: str, about: str = "") -> str:
    return f"{cause}@{about}"[:CAUSE_LONGEST] if about else cause


class OperatorAlert(Base):
    """A problem of the installation, open or solved.

    All machines share one row per cause, so a cause is logged and emailed once, also after a restart. A cause
    that can concern several things has a row for each.
    """

    __tablename__ = "operator_alerts"

    cause: Mapped[str] = mapped_column(String(CAUSE_LONGEST), primary_key=True)
    """A key of ``causes.CAUSES``, followed by ``@`` and the thing that it concerns, if there are several."""
    detail: Mapped[str] = mapped_column(Text)
    """The last report, as sentences."""
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    """When it was reported last."""
    logged_at: Mapped[datetime | None]
    """When it was logged; None while it may be a short interruption."""
    emailed_at: Mapped[datetime | None]
    """When the operator was last emailed about this cause, possibly before it was last opened."""
    closed_at: Mapped[datetime | None]

    @property
    def kind(self) -> Cause:
        return CAUSES[self.cause.partition("@")[0]]
