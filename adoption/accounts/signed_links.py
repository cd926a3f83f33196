"""Signed content of links in emails. Each link has one purpose and a limited lifetime."""

from datetime import UTC, datetime, timedelta
from typing import Any

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer

from adoption.errors import NotFound
from adoption.translations import gettext, message

LINK_EXPIRED = message("This link has expired or was already used.")


def sign_content(purpose: str, content: Any, now: datetime) -> str:
    """Return the signed content for a URL. The recipient can read the content, but cannot change it."""
    return str(signer(purpose).dumps([int(now.timestamp()), content]))


def read_signed(purpose: str, text: str, good_for: timedelta, now: datetime) -> Any:
    """Return the content. Raises NotFound if the signature is wrong, too old or for a different purpose."""
    return read_signed_with_time(purpose, text, good_for, now)[0]


def read_signed_with_time(
    purpose: str, text: str, good_for: timedelta, now: datetime
) -> tuple[Any, datetime]:
    """Return the content, and the time when the content was signed.

    Raises NotFound if the signature is wrong, too old or for a different purpose.
    """
    try:
        signed_at, content = signer(purpose).loads(text)
    except BadData as error:
        raise NotFound(gettext(LINK_EXPIRED)) from error
    if not 0 <= now.timestamp() - signed_at < good_for.total_seconds():
        raise NotFound(gettext(LINK_EXPIRED))
    return content, datetime.fromtimestamp(signed_at, UTC)


def signer(purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"link: {purpose}")
