import json
import sys
from datetime import UTC, datetime
from typing import Any

import click

from adoption.certificates import certificate_states
from adoption.certificates.order_obstacles import current_obstacle, with_obstacle
from adoption.commands import Noun, domain_lists
from adoption.domains import additions, dns_report_json, hsts, removals, verification
from adoption.domains.cname_target_and_dns_servers import current_domain_config
from adoption.domains.dns_records import OWNERSHIP
from adoption.domains.hostname_parser import NameRefused, host_in
from adoption.domains.hostnames import display_host, record_name
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.ownership_claims import token_wanted
from adoption.domains.queries import domains_of, find_claim
from adoption.errors import NotFound
from adoption.projects.queries import find_project_by_slug
from adoption.storage.database import reading

NOT_LOOKED = 3
"""The exit code if DNS could not be looked up. The domain is then unchanged."""

domain = Noun("domain", help="Shelters' own domains.")
of_project = click.option("--project", help="The project, if several claim the host.")


@domain.command("add")
@click.argument("project")
@click.argument("host")
@click.option("--primary", is_flag=True, help="Make HOST the primary domain once it is live.")
@click.option("--with-www", is_flag=True, help="Also add its www address, or the domain without www.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def add(project: str, host: str, primary: bool, with_www: bool, as_json: bool) -> None:
    """Add HOST to PROJECT and print the DNS records that the owner has to add."""
    config = current_domain_config()
    with reading() as session:
        named = find_project_by_slug(session, project)
    made = additions.add_domains(named.id, host, config, primary, with_www)
    now = datetime.now(UTC)
    with reading() as session:
        tokens = [token_wanted(session, each, named.account_id, now) for each in made]
    records = [records_of(each, config.target, token) for each, token in zip(made, tokens, strict=True)]
    if as_json:
        rows = [
            {"host": each.host, "dns": each.state, "records": its_records}
            for each, its_records in zip(made, records, strict=True)
        ]
        click.echo(json.dumps(rows[0] | ({"with_www": rows[1:]} if with_www else {})))
        return
    for each, its_records in zip(made, records, strict=True):
        for record in its_records:
            click.echo(f"{record['type']}\t{record['name']}\t{record['value']}")
        click.echo(
            f"Add these records at the DNS provider, then run: homeward domain verify {each.host}", err=True
        )


def records_of(made: Domain, target: str, token: str) -> list[dict[str, Any]]:
    """Return the records that the owner has to add. Without a token, there is no TXT record."""
    name = record_name(made.host)
    records = [{"type": "ALIAS" if name == "@" else "CNAME", "name": name, "value": target}]
    if token:
        records.append({"type": "TXT", "name": record_name(made.host, OWNERSHIP), "value": token})
    return [{**record, "ttl": 3600} for record in records]


@domain.command("verify")
@click.argument("host")
@of_project
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(host: str, project: str | None, as_json: bool) -> None:
    """Check the DNS of HOST. Exits 0 if it is verified, 1 if not, 3 if DNS could not be looked up."""
    found = find_domain(host, project)
    outcome = verification.verify_domain(found.project_id, found.id, current_domain_config())
    if as_json:
        values: dict[str, Any] = {
            "host": outcome.domain.host,
            "dns": outcome.domain.state,
            "changed": outcome.changed,
            "looked_up": outcome.looked_up,
            **dns_report_json.report_as_json(outcome.report),
            "certificate": certificate_of(outcome.domain),
        }
        click.echo(json.dumps(values))
    else:
        click.echo(f"{outcome.domain.host}\t{outcome.domain.state}")
    for record in (*outcome.report.records, *outcome.report.warnings):
        if record.hint:
            wanted = f" Expected: {record.expected}" if record.ok is False and record.expected else ""
            click.echo(f"{record.type} {record.name}: {record.hint}{wanted}", err=True)
    if caa_hint := outcome.report.caa.hint:
        click.echo(f"CAA {outcome.report.caa.at}: {caa_hint}", err=True)
    if not outcome.looked_up:
        sys.exit(NOT_LOOKED)
    if outcome.domain.state != VERIFIED:
        sys.exit(1)


def certificate_of(found: Domain) -> dict[str, str | None]:
    with reading() as session:
        now = datetime.now(UTC)
        status = certificate_states.certificate_statuses(session, [found.id], now)[found.id]
        return certificate_states.as_json(with_obstacle(status, found, current_obstacle(session, now)))


@domain.command("list")
@click.argument("project", required=False)
@click.option("--all", "of_all", is_flag=True, help="List the domains of all projects.")
@click.option(
    "--failing",
    is_flag=True,
    help="With --all: only domains that have stopped working, or should work by now.",
)
@click.option(
    "--expiring",
    type=click.IntRange(0, 3_650),
    metavar="DAYS",
    help="With --all: only domains whose certificate expires within DAYS, the earliest first.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_domains(
    project: str | None, of_all: bool, failing: bool, expiring: int | None, as_json: bool
) -> None:
    """List the domains of PROJECT with their redirects. With --all, list all domains with their problems."""
    if of_all == (project is not None):
        raise click.UsageError("Give a PROJECT, or --all for the domains of all projects.")
    if (failing or expiring is not None) and not of_all:
        raise click.UsageError("--failing and --expiring need --all.")
    if failing and expiring is not None:
        raise click.UsageError("Give either --failing or --expiring.")
    if project is None:
        domain_lists.print_all(failing, expiring, as_json)
    else:
        domain_lists.print_project(project, as_json)


@domain.command("renew")
@click.argument("host")
@of_project
@click.option("--timeout", type=click.IntRange(1, 86_400), default=180, show_default=True, metavar="SECONDS")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def renew(host: str, project: str | None, timeout: int, as_json: bool) -> None:
    """Order a new certificate for HOST now, and wait for it.

    The limits of the certificate authority apply. Exits 0 when visitors get the certificate, 1 if the order
    was refused, failed, or takes longer than --timeout.
    """
    # Imported here, because it imports acme, which processes that serve pages do not need.
    from adoption.commands import domain_renewals

    domain_renewals.renew(find_domain(host, project), timeout, as_json)


@domain.command("remove")
@click.argument("host")
@of_project
@click.option("--new-primary", help="The domain that becomes primary instead of HOST.")
def remove(host: str, project: str | None, new_primary: str | None) -> None:
    """Remove HOST from the next request on."""
    found = find_domain(host, project)
    new_id = None
    if new_primary is not None:
        with reading() as session:
            own = domains_of(session, found.project_id)
        new_id = next((each.id for each in own if each.host == parse_host(new_primary)), None)
        if new_id is None:
            raise NotFound(f"The project has no domain {new_primary}.")
    removals.remove_domain(found.project_id, found.id, new_id)
    click.echo(f"{display_host(found.host)} is removed.", err=True)


@domain.command("https")
@click.argument("host")
@click.argument("duration", type=click.Choice(["day", "year"]))
@of_project
def keep_on_https(host: str, duration: str, project: str | None) -> None:
    """Make browsers that visited HOST open it only by https for a day or a year (HSTS).

    After a change back to a day, a browser keeps the year until it visits HOST again.
    """
    found = find_domain(host, project)
    hsts.set_https_period(found.project_id, found.id, duration == "year")
    click.echo(
        f"Browsers use only https at {display_host(found.host)}, for a {duration} after each visit.", err=True
    )


def find_domain(host: str, project: str | None) -> Domain:
    with reading() as session:
        return find_claim(session, parse_host(host), project)


def parse_host(host: str) -> str:
    """Return the host in its stored form. Raises ClickException if it is invalid."""
    try:
        return host_in(host)
    except NameRefused as refused:
        raise click.ClickException(str(refused)) from refused
