"""The DNS check of a host. For each record it reports the found value, the expected value and the fix."""

import secrets

from adoption.domains.dns_client import DnsClient
from adoption.domains.findings import Findings, gather_findings
from adoption.domains.host_checks import check_host
from adoption.domains.proof_checks import check_proof, check_rivals, is_proven
from adoption.domains.records import CheckedRecord, Report, WantedRecords
from adoption.domains.resolver_checks import find_warnings


def check_dns(wanted: WantedRecords, client: DnsClient) -> Report:
    """Query DNS about a host and check its records, within the client's time limit."""
    random_label = secrets.token_hex(10)
    wanted, found, caa = gather_findings(wanted, client, random_label)
    records = check_records(wanted, found)
    return Report(records, caa, is_proven(wanted, found), tuple(find_warnings(wanted, found)))


def check_records(wanted: WantedRecords, found: Findings) -> tuple[CheckedRecord, ...]:
    rows = check_host(wanted, found)
    if wanted.token:
        rows += check_proof(wanted, found)
    elif wanted.rivals:
        rows += check_rivals(wanted, found.token)
    return tuple(rows)
