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

    There is one row per cause for all machines, so a cause is logged and emailed once, also after a restart.
    What machines may see differently has a row for each thing that it is about.
    """

    __tablename__ = "operator_alerts"

    cause: Mapped[str] = mapped_column(String(CAUSE_LONGEST), primary_key=True)
    """A key of ``causes.CAUSES``, followed by ``@`` and what it is about where there are several."""
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

    @property
    def kind(self) -> Cause:
        return CAUSES[self.cause.partition("@")[0]]
