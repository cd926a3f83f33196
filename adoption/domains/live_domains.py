"""The rule for live domains. Redirects, primary domains and canonical links use it."""

from datetime import datetime
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, and_

from adoption.domains.models import VERIFIED, Domain
from adoption.settings import Settings


def orders_certificates() -> bool:
    """Return whether the running application orders certificates.

    In an application that orders no certificates, every verified domain is live.
    """
    settings: Settings = current_app.config["HOMEWARD"]
    return settings.orders_certificates


def is_live(domain: Domain, now: datetime) -> bool:
    """Return whether DNS leads here and visitors get a valid certificate.

    Redirects from https go to https. If a redirect led to a domain without a certificate, visitors would get
    a browser error instead of the site.
    """
    if domain.state != VERIFIED or not orders_certificates():
        return domain.state == VERIFIED
    return domain.live_until is not None and domain.live_until > now


def live_clause(domain: type[Domain], orders: bool, now: Any) -> ColumnElement[bool]:
    """Return ``is_live`` as an SQL condition. ``orders`` is the result of ``orders_certificates``."""
    verified = domain.state == VERIFIED
    return and_(verified, domain.live_until > now) if orders else verified
