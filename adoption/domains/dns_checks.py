"""The DNS check of a host. For each record it reports the found value, the expected value and the fix."""

import math
import secrets

from adoption.domains.apex_address_checks import check_apex
from adoption.domains.cname_checks import check_alias, find_conflicts, wildcard_record
from adoption.domains.dns_answers import DnsAnswer
from adoption.domains.dns_client import DnsClient
from adoption.domains.dns_lookups import Findings, gather_findings
from adoption.domains.dns_records import CheckedRecord, Report, WantedRecords, unchecked_record
from adoption.domains.dnssec_checks import check_dnssec
from adoption.domains.missing_record_advice import missing_record
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


def check_host(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return a row for each record of the host itself, with the fix."""
    rows = host_rows(wanted, found)
    if rows[0].ok:
        rows[0] = rows[0]._replace(why=cache_note(found, found.alias if found.alias.values else found.a))
    return rows


def host_rows(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    if found.alias.failed:
        return [unchecked_record(wanted, found.alias)]
    if found.alias.values:
        return [check_alias(wanted, found), *find_conflicts(wanted, found)]
    if wanted.is_apex:
        return check_apex(wanted, found)
    if found.wildcard:
        return [wildcard_record(wanted, found)]
    return find_conflicts(wanted, found) or [missing_record(wanted, found)]


def cache_note(found: Findings, now: DnsAnswer) -> str:
    """Return a note about how long visitors may still get the old record; empty if no visitor can get it."""
    before = found.cached
    if before.failed or before.values == now.values:
        return ""
    minutes = max(1, math.ceil(before.seconds / 60))
    unit = "minute" if minutes == 1 else "minutes"
    return (
        "Your provider has the new record. Some visitors may still get the old record for "
        f"{minutes} more {unit}."
    )
