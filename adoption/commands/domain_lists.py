"""Output of ``homeward domain list``: tables for people, JSON for programs."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import click
from flask import current_app
from sqlalchemy import func, select

from adoption.certificates import certificate_states
from adoption.certificates.operator_domain_list import (
    ListedDomain,
    every_domain,
    expiring_domains,
    failing_domains,
    read_domain_list,
)
from adoption.certificates.order_obstacles import current_obstacle, with_obstacle
from adoption.certificates.platform.status import PlatformStatus, platform_status
from adoption.domains.live_domains import orders_certificates
from adoption.domains.models import Domain
from adoption.domains.queries import domains_of, redirect_target, redirects_of
from adoption.projects.models import Project
from adoption.projects.queries import find_project_by_slug
from adoption.settings import Settings
from adoption.storage.database import reading

HEADINGS = ("HOST", "PROJECT", "ACCOUNT", "DNS", "CERTIFICATE", "ENDS", "CODE", "WHO ACTS", "NEXT TRY")


def print_project(slug: str, as_json: bool) -> None:
    """Print the domains of one project. JSON also contains the redirects."""
    now = datetime.now(UTC)
    with reading() as session:
        found = domains_of(session, find_project_by_slug(session, slug).id)
        held = certificate_states.certificate_statuses(session, [each.id for each in found], now)
        obstacle = current_obstacle(session, now)
    if as_json:
        rows = [
            {
                "host": each.host,
                "dns": each.state,
                "primary": each.primary_of is not None,
                "certificate": certificate_states.as_json(with_obstacle(held[each.id], each, obstacle)),
            }
            for each in found
        ]
        click.echo(json.dumps({"domains": rows, "redirects": redirects_of(found, now)}))
        return
    for each in found:
        to = redirect_target(each, found, now)
        role = f"{each.redirect_status} to {to.host}" if to else "shows the site"
        role = "primary" if each.primary_of else role
        role = role if each.verified_host else "nothing yet"
        click.echo(f"{each.host}\t{each.state}\t{role}\t{held[each.id].state}")


def print_all(failing: bool, expiring: int | None, as_json: bool) -> None:
    """Print the domains of all projects, row by row, because there may be ten thousand domains."""
    now, orders = datetime.now(UTC), orders_certificates()
    which = failing_domains(now, orders) if failing else every_domain()
    if expiring is not None:
        which = expiring_domains(now, expiring)
    found = read_domain_list(which, now, orders)
    platform = own_certificate(failing, expiring, now)
    if as_json:
        print_json(found, platform)
    else:
        print_table(found, platform)


def own_certificate(failing: bool, expiring: int | None, now: datetime) -> PlatformStatus | None:
    """Return the status of the platform's own certificate; None if the service does not order it or the
    filter leaves it out."""
    settings: Settings = current_app.config["HOMEWARD"]
    if not settings.orders_platform_certificate:
        return None
    found = platform_status(settings.platform_host.partition(":")[0], now)
    ends = found.not_after and found.not_after <= now + timedelta(days=expiring or 0)
    is_left_out = (failing and not found.is_failing) or (expiring is not None and not ends)
    return None if is_left_out else found


def print_json(found: Iterable[ListedDomain], platform: PlatformStatus | None) -> None:
    """Print one JSON object, with each domain on a line of its own."""
    own = None
    if platform is not None:
        own = platform._asdict() | {
            "not_after": format_instant(platform.not_after),
            "next_try": format_instant(platform.next_try),
        }
    click.echo(f'{{"platform": {json.dumps(own)},\n"domains": [', nl=False)
    separator = "\n"
    for each in found:
        row = each._asdict() | {
            "not_after": format_instant(each.not_after),
            "next_try": format_instant(each.next_try),
        }
        click.echo(separator + json.dumps(row), nl=False)
        separator = ",\n"
    click.echo("\n]}")


def print_table(found: Iterable[ListedDomain], platform: PlatformStatus | None) -> None:
    with reading() as session:
        host = session.scalar(select(func.max(func.length(Domain.host)))) or 0
        slug = session.scalar(select(func.max(func.length(Project.slug)))) or 0
    own_host = len(platform.host) if platform else 0
    widths = (max(host, own_host, 4), max(slug, 7), 7, 10, 11, 16, 20, 8, 16)
    count = 0
    if platform is not None:
        print_row(HEADINGS, widths)
        ends, next_try = format_minute(platform.not_after), format_minute(platform.next_try)
        of_platform = (platform.host, "-", "-", "-", platform.certificate, ends)
        print_row((*of_platform, platform.code or "-", platform.who or "-", next_try), widths)
    for count, each in enumerate(found, 1):
        if count == 1 and platform is None:
            print_row(HEADINGS, widths)
        ends, next_try = format_minute(each.not_after), format_minute(each.next_try)
        of = (each.host, each.project, str(each.account), each.dns, each.certificate)
        print_row((*of, ends, each.code or "-", each.who or "-", next_try), widths)
    click.echo(f"{count:,} {'domain' if count == 1 else 'domains'}. Times are UTC.", err=True)


def print_row(cells: Iterable[str], widths: tuple[int, ...]) -> None:
    click.echo("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())


def format_minute(when: datetime | None) -> str:
    return f"{when:%Y-%m-%d %H:%M}" if when else "-"


def format_instant(when: datetime | None) -> str | None:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}" if when else None
