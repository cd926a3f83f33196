"""Confirmation of an applicant's email address through the link in an email."""

import hmac
from datetime import UTC, datetime

from sqlalchemy import update

from adoption.errors import NotFound
from adoption.orders.models import Application
from adoption.orders.private_link_tokens import email_mark
from adoption.storage.database import transaction
from adoption.translations import gettext


def check_email_mark(application: Application, mark: str) -> None:
    """Raise NotFound if ``mark`` differs from the mark of the links in the applicant's emails."""
    if not hmac.compare_digest(mark.encode(), email_mark(application).encode()):
        raise NotFound(gettext("This link leads to no application."))


def confirm_applicant(application_id: int, now: datetime | None = None) -> None:
    """Store that the applicant's email address is confirmed. Keep the time of the first confirmation."""
    unconfirmed = update(Application).where(
        Application.id == application_id,
        Application.confirmed_at.is_(None),
        Application.forgotten_at.is_(None),
    )
    with transaction() as session:
        session.execute(unconfirmed.values(confirmed_at=now or datetime.now(UTC)))
