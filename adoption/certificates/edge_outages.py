"""Operator alerts about the TLS edge, and about the failed orders that the edge causes."""

from collections.abc import Callable
from datetime import datetime

from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.problem_advice import EDGE_DOWN
from adoption.certificates.tls_probe import CertificateNotOffered, CertificateUnseen
from adoption.operator_alerts.causes import EDGE_UNREACHABLE
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert


def update_edge_alert(connect: Callable[[], object], edge: str, now: datetime) -> str:
    """Open or close the alert. Return the reason why the edge is unreachable; empty if the edge answers.

    ``connect`` raises ``CertificateUnseen`` if it gets no certificate. An edge that rejects a handshake
    counts as reachable. ``edge`` is the edge's address. Each edge has an alert of its own, because machines
    can have different edges.
    """
    try:
        connect()
    except CertificateNotOffered:
        pass
    except CertificateUnseen as unseen:
        open_alert(EDGE_UNREACHABLE, f"{unseen} Its address is {edge}.", now, edge)
        return str(unseen)
    close_alert(EDGE_UNREACHABLE, now, edge)
    return ""


def blame_edge(
    refusal: AuthorityRefused, connect: Callable[[], object] | None, edge: str, now: datetime
) -> AuthorityRefused:
    """Return the refusal. If the authority could not connect because our edge is down, replace its code.

    With the authority's code, owners would look for a fault in their DNS. ``connect`` is None if the edge is
    unknown.
    """
    if refusal.code != "connection" or connect is None or not (why := update_edge_alert(connect, edge, now)):
        return refusal
    return AuthorityRefused(EDGE_DOWN, why, refusal.not_before)
