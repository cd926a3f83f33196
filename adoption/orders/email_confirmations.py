"""Applicants who have opened the link in an email, which proves that the address is theirs."""

import hmac
from datetime import UTC, datetime

from sqlalchemy import update

from adoption.errors import NotFound
from adoption.orders.link_secrets import email_mark
from adoption.orders.models import Application
from adoption.orders.queries import select_application_by_token
from adoption.storage.database import reading, transaction


def confirm_applicant(token: str, mark: str, now: datetime | None = None) -> None:
    """Note that the link in an email was opened. Raises NotFound if the link is not one of ours."""
    with reading() as session:
        found = session.scalar(select_application_by_token(token))
    if found is None or not hmac.compare_digest(mark.encode(), email_mark(found).encode()):
        raise NotFound("This link leads to no application.")
    if found.confirmed_at or found.forgotten_at:
        return
    unconfirmed = update(Application).where(Application.id == found.id, Application.confirmed_at.is_(None))
    with transaction() as session:
        session.execute(unconfirmed.values(confirmed_at=now or datetime.now(UTC)))
