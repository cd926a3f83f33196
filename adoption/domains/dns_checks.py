"""The DNS check of a host. For each record it reports the found value, the expected value and the fix."""

import secrets

from adoption.domains.cname_checks import check_host
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_findings import Findings, gather_findings
from adoption.domains.dns_records import CheckedRecord, Report, WantedRecords
from adoption.domains.dnssec_checks import check_dnssec
from adoption.domains.name_server_checks import check_name_servers
from adoption.domains.ownership_record_checks import check_proof, check_rivals, is_proven


def check_dns(wanted: WantedRecords, client: DnsClient) -> Report:
    """Query DNS about a host and check its records, within the client's time limit."""
    random_label = secrets.token_hex(10)
    wanted, found, caa = gather_findings(wanted, client, random_label)
    records = check_records(wanted, found)
    warnings = (*check_dnssec(wanted, found), *check_name_servers(wanted, found))
    return Report(records, caa, is_proven(wanted, found), warnings)


def check_records(wanted: WantedRecords, found: Findings) -> tuple[CheckedRecord, ...]:
    rows = check_host(wanted, found)
    if wanted.token:
        rows += check_proof(wanted, found)
    elif wanted.rivals:
        rows += check_rivals(wanted, found.token)
    return tuple(rows)
