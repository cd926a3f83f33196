"""Log lines about finished certificate orders, with fields for filters."""

import logging
from datetime import datetime

log = logging.getLogger("homeward.certificates")


def log_issued(host: str, not_after: datetime) -> None:
    about = {"event": "order_issued", "host": host, "not_after": f"{not_after:%Y-%m-%dT%H:%M:%SZ}"}
    log.info("certificate of %s issued, valid until %s", host, about["not_after"], extra=about)


def log_failed(host: str, code: str, who: str, words: str) -> None:
    """Log that an order failed.

    ``who`` is the person who has to fix the problem. ``words`` describe the problem. They come from the
    authority, or from this service if it found the problem.
    """
    about = {"event": "order_failed", "host": host, "code": code, "who": who}
    log.warning("certificate order of %s failed: %s, %s acts: %r", host, code, who, words, extra=about)
