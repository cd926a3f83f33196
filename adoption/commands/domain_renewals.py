"""``homeward domain renew``: begin a renewal and report its progress."""

import json
import sys
import time
from typing import Any

import click

from adoption.certificates.certificate_states import ISSUED, LIVE
from adoption.certificates.manual_renewals import (
    WAITING,
    Renewal,
    RenewalProgress,
    follow_renewal,
    request_renewal,
    utc_minute,
)
from adoption.certificates.models import FAILED
from adoption.clocks import utc_now
from adoption.commands.domain_lists import format_instant
from adoption.domains.live_domains import orders_certificates
from adoption.domains.models import Domain


def renew(domain: Domain, timeout: int, as_json: bool) -> None:
    if not orders_certificates():
        raise click.ClickException("This service orders no certificates: HOMEWARD_ACME_DIRECTORY is not set.")
    renewal = request_renewal(domain.id, utc_now())
    for progress in follow_renewal(renewal, utc_now, time.sleep, timeout):
        click.echo(f"{domain.host}: {renewal_line(progress)}", err=True)
    if as_json:
        click.echo(json.dumps(as_object(renewal, progress)))
    if not renewal.is_over(progress):
        is_waiting = progress.state == WAITING and not progress.detail
        is_idle = 'Is "homeward serve" or "homeward worker" running? ' if is_waiting else ""
        later = f'Later, "homeward domain list --all" shows the state of {domain.host}.'
        click.echo(f"Not finished after {timeout} seconds. {is_idle}{later}", err=True)
    if not renewal.has_succeeded(progress):
        sys.exit(1)


def renewal_line(progress: RenewalProgress) -> str:
    """Return the state of a renewal as a line for people."""
    words = [progress.state]
    if progress.state == FAILED:
        words = [f"failed ({progress.code}), {progress.who} acts"]
    if progress.state in (ISSUED, LIVE) and progress.not_after:
        words.append(f"valid until {utc_minute(progress.not_after)}")
    words += [progress.detail] if progress.detail else []
    words += [f"next try {utc_minute(progress.next_try)}"] if progress.next_try else []
    return ", ".join(words)


def as_object(renewal: Renewal, progress: RenewalProgress) -> dict[str, Any]:
    times = {"not_after": format_instant(progress.not_after), "next_try": format_instant(progress.next_try)}
    head = {"host": renewal.host, "renewed": renewal.has_succeeded(progress)}
    return {**head, **progress._asdict(), **times}
