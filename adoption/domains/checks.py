"""The DNS check of a host: each record with what was found, what is expected and what to do."""

import secrets
from collections.abc import Callable

from adoption.domains.dns_client import DnsClient
from adoption.domains.findings import Findings, gather_findings, texts_in
from adoption.domains.host_checks import check_host
from adoption.domains.proof_checks import check_proof, check_rivals
from adoption.domains.records import Record, Report, Wanted


def random_label() -> str:
    return secrets.token_hex(10)


def check_dns(wanted: Wanted, client: DnsClient, new_label: Callable[[], str] = random_label) -> Report:
    """Ask DNS about a host and check its records, within the time that the client has."""
    seen, caa = gather_findings(wanted, client, new_label())
    proven = bool(wanted.token) and wanted.token in texts_in(seen.token)
    return Report(check_records(wanted, seen), caa, proven)


def check_records(wanted: Wanted, seen: Findings) -> tuple[Record, ...]:
    """Every record, each with its own sentence."""
    rows = check_host(wanted, seen)
    if wanted.token:
        rows += check_proof(wanted, seen)
    elif wanted.rivals:
        rows += check_rivals(wanted, seen.token)
    return tuple(rows)
