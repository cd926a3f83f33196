from datetime import datetime

from sqlalchemy.orm import Session

from adoption.operator_alerts.models import OperatorAlert


def alert_opened_at(session: Session, cause: str) -> datetime | None:
    """Return the time when the alert was opened; None if the alert is closed or was never opened."""
    alert = session.get(OperatorAlert, cause)
    return None if alert is None or alert.closed_at else alert.opened_at
