"""Operator alerts about the TLS edge, and the failed orders that it causes."""

from collections.abc import Callable
from datetime import datetime

from adoption.alerts.actions import close_alert, open_alert
from adoption.alerts.causes import EDGE_UNREACHABLE
from adoption.certificates.certificate_authority import Refused
from adoption.certificates.problem_advice import EDGE_DOWN
from adoption.certificates.tls_probe import NotOffered, Unseen


def update_edge_alert(connect: Callable[[], object], edge: str, now: datetime) -> str:
    """Open or close the alert. Return why the edge cannot be reached; empty if it answers.

    ``connect`` may raise ``Unseen``. An edge that refuses a handshake answers. ``edge`` is its address:
    machines may have different ones, and one that answers says nothing about another.
    """
    try:
        connect()
    except NotOffered:
        pass
    except Unseen as unseen:
        open_alert(EDGE_UNREACHABLE, f"{unseen} Its address is {edge}.", now, edge)
        return str(unseen)
    close_alert(EDGE_UNREACHABLE, now, edge)
    return ""


def blame_edge(refusal: Refused, connect: Callable[[], object] | None, edge: str, now: datetime) -> Refused:
    """Return the refusal that the authority could not connect as ours, if our own edge is down.

    ``connect`` is None if no edge is known. Owners would look for a fault of their own otherwise.
    """
    if refusal.code != "connection" or connect is None or not (why := update_edge_alert(connect, edge, now)):
        return refusal
    return Refused(EDGE_DOWN, why, refusal.not_before)
