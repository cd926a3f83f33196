"""The operator alert before the platform's certificate expires, even if the edge loads it from files."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from adoption.certificates.tls_probe import CertificateUnseen
from adoption.certificates.x509 import CertificateFacts
from adoption.operator_alerts.causes import PLATFORM_CERTIFICATE
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert

log = logging.getLogger("homeward.certificates")

DAY = timedelta(days=1)
WARNED_BEFORE = 21 * DAY


def check_expiry(host: str, certificate_shown: Callable[[str], CertificateFacts], now: datetime) -> None:
    """Connect to the edge as a visitor. Alert the operator if the platform's certificate expires soon."""
    try:
        not_after = certificate_shown(host).not_after
    except CertificateUnseen as why:
        log.warning("certificate of %s not seen at the edge: %s", host, why)
        return
    if not_after - now > WARNED_BEFORE:
        close_alert(PLATFORM_CERTIFICATE, now)
        return
    end = f"{not_after.day} {not_after:%B %Y} at {not_after:%H:%M} UTC"
    verb = "is valid until" if not_after > now else "ended on"
    open_alert(PLATFORM_CERTIFICATE, f"The certificate that the edge shows for {host} {verb} {end}.", now)
