"""The stages of a domain's certificate.

A stage is a ``CertificateStatus.state``, or a reason why no certificate is ordered yet.
"""

from adoption.certificates.certificate_states import EXPIRED, ISSUED, LIVE, is_tried_again
from adoption.certificates.models import FAILED, ORDERING, VALIDATING
from adoption.certificates.operator_domain_list import LATE_AFTER
from adoption.domains.dns_records import Report
from adoption.domains.early_certificates import may_be_ordered
from adoption.domains.models import VERIFIED, Domain
from portal.staff.domains.card_classes import Surroundings

OFF, PENDING, BLOCKED, UNREAD, DUE, RETRYING = "off", "pending", "blocked", "unread", "due", "retrying"
LIMITED, OUTAGE, QUEUED, UNRESOLVED = "limited", "outage", "queued", "unresolved"
UNDER_WAY = {DUE, QUEUED, ORDERING, VALIDATING, ISSUED, RETRYING}
"""Stages that end within minutes without the user."""


def stage_of(domain: Domain, report: Report, around: Surroundings) -> str:
    """Return the stage of a domain's certificate."""
    status = around.statuses[domain.id]
    if not around.certificates:
        return OFF
    if status.state == ISSUED and status.live_since and not status.unseen_why:
        return LIVE  # A renewed certificate is issued, and visitors will get it soon.
    if status.state in (LIVE, ISSUED, EXPIRED):
        return status.state
    if not may_be_ordered(domain) or not around.shows:
        return PENDING
    if status.state in (ORDERING, VALIDATING):
        return status.state
    if domain.unresolved_since:
        return UNRESOLVED
    if not domain.caa_allows:
        return BLOCKED if report.caa.ok is False else UNREAD
    if status.state == FAILED and not is_tried_again(status, domain.pressed_at, around.now):
        return FAILED
    if around.limited_until:
        return LIMITED
    if around.queue.down_since:
        return OUTAGE
    if around.queue.is_full:
        return QUEUED
    return RETRYING if status.state == FAILED else DUE


def is_certificate_overdue(domain: Domain, stage: str, around: Surroundings) -> bool:
    """Return whether the certificate is so late that the page shows all checks instead of failed ones."""
    waits = around.certificates and around.shows and domain.state == VERIFIED and stage != LIVE
    return bool(waits and domain.verified_at and around.now - domain.verified_at >= LATE_AFTER)
