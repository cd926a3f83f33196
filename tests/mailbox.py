"""Emails to an address, and their links."""

import re
from urllib.parse import urlsplit

from sqlalchemy import select

from adoption.mail.models import OutgoingEmail
from adoption.storage.database import reading


def emails_to(email: str) -> list[OutgoingEmail]:
    """Return all emails to an address, oldest first."""
    with reading() as session:
        return list(
            session.scalars(
                select(OutgoingEmail).where(OutgoingEmail.recipient == email).order_by(OutgoingEmail.id)
            )
        )


def link_in_email(email: str, part: str = "") -> str:
    """Return the path of a link in the last email to an address.

    It is the first link whose path starts with ``part``.
    """
    text = emails_to(email)[-1].text
    paths = [urlsplit(address).path for address in re.findall(r"https?://\S+", text)]
    return next(path for path in paths if path.startswith(part))


def stored_emails() -> list[OutgoingEmail]:
    """Return all emails, oldest first."""
    with reading() as session:
        return list(session.scalars(select(OutgoingEmail).order_by(OutgoingEmail.id)))
