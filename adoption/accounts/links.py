"""What a link in a mail bears: signed by us, for one purpose, and good for some time."""

from datetime import datetime, timedelta
from typing import Any

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer

from adoption.errors import NotFound

OVER = "This link is used up, or too old, or not whole."


def seal(purpose: str, content: Any, now: datetime) -> str:
    """The content as part of an address. Whoever has the link can read it, and change nothing."""
    return str(signer(purpose).dumps([int(now.timestamp()), content]))


def unseal(purpose: str, text: str, good_for: timedelta, now: datetime) -> Any:
    """What was sealed for this purpose. Raises NotFound where it was not, or too long ago."""
    try:
        sealed_at, content = signer(purpose).loads(text)
    except BadData as error:
        raise NotFound(OVER) from error
    if not 0 <= now.timestamp() - sealed_at < good_for.total_seconds():
        raise NotFound(OVER)
    return content


def signer(purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"link: {purpose}")


def whole(path: str) -> str:
    """The address of a page on the platform's own host, whatever host was asked: it goes into a mail."""
    root: str = current_app.config["HOMEWARD"].platform_url
    return root + path
