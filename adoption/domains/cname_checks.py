"""Checks of a host's CNAME record, and of other records in place of the CNAME record."""

from adoption.domains.cloudflare_proxy import is_proxied, turn_proxy_off
from adoption.domains.dns_answers import printable_values
from adoption.domains.dns_lookups import Findings
from adoption.domains.dns_records import CheckedRecord, WantedRecords, target_record
from adoption.domains.hostnames import host_and_parents


def check_alias(wanted: WantedRecords, found: Findings) -> CheckedRecord:
    values, name, target = found.alias.values, wanted.name, wanted.target
    if values == (target,):
        return target_record(wanted, values, True, "cname_ok")
    if found.wildcard:
        return wildcard_record(wanted, found)
    if any(values[0] == f"{target}.{zone}" for zone in host_and_parents(wanted.host)):
        return appended_record(wanted, values)
    fix, shown = (
        f"Edit the CNAME record named {name}: replace its value with {target}",
        printable_values(values),
    )
    if found.loops:
        why = f"The records lead in a circle through {shown[0]}, so visitors reach no website."
        return target_record(wanted, values, False, "cname_loop", f"{fix}.", why)
    if target in found.chain:
        why = f"The record leads here through {shown[0]}, whose owner could send your visitors elsewhere."
        return target_record(wanted, values, False, "cname_chain", f"{fix}.", why)
    why = f"The record still leads to {', '.join(shown)}."
    return target_record(wanted, values, False, "cname_wrong", f"{fix}.", why)


def appended_record(wanted: WantedRecords, values: tuple[str, ...]) -> CheckedRecord:
    """Return the row of a CNAME value to which the provider appended the zone.

    In a zone file, a name without a last dot is relative to the zone (RFC 1035, 5.1).
    """
    target = f"{wanted.target}."
    fix = (
        f"Edit the CNAME record named {wanted.name}: replace its value with “{target}”, "
        "including the dot at the end."
    )
    why = f"Your provider added {wanted.zone} to the value, because the dot was missing."
    made = target_record(wanted, values, False, "cname_zone_appended", fix, why)
    return made._replace(expected=target)


def wildcard_record(wanted: WantedRecords, found: Findings) -> CheckedRecord:
    """Return the row of a wildcard record, which a CNAME of the host would override (RFC 4592, 2.2.1)."""
    fix = f"Add a CNAME record with the name {wanted.name} and the value {wanted.target}."
    values = ", ".join(printable_values(found.wildcard))
    why = (
        "Your record named * applies to every name without a record of its own, so "
        f"{wanted.name} leads to {values} now. Keep that record: for {wanted.name} only, "
        "the new record replaces it."
    )
    return target_record(wanted, found.wildcard, False, "wildcard", fix, why)


def find_conflicts(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return rows for A and AAAA records of the host. A CNAME must be the only record (RFC 1034, 3.6.2)."""
    if wanted.is_apex or found.wildcard:
        return []
    kinds = (("A", found.a.values), ("AAAA", found.aaaa.values))
    rows = [conflict_record(wanted, kind, values, found) for kind, values in kinds if values]
    # One click at Cloudflare turns the proxy off for both types of address.
    return rows[:1] if is_proxied(found.name_servers, found.addresses) else rows


def conflict_record(
    wanted: WantedRecords, kind: str, values: tuple[str, ...], found: Findings
) -> CheckedRecord:
    proxied, name = is_proxied(found.name_servers, values), wanted.name
    if proxied:
        fix, why = turn_proxy_off(name)
    else:
        fix = f"Delete the {kind} record named {name} with the value {', '.join(printable_values(values))}."
        blocks = (
            f"The {kind} record blocks the CNAME record. Only the CNAME record keeps working "
            "when our address changes."
        )
        if not set(values) <= {*found.target_a.at_end, *found.target_aaaa.at_end, *wanted.addresses}:
            blocks = (
                f"The {kind} record sends visitors to another website, and no CNAME record can be "
                "added beside it."
            )
        then = f"Then add a CNAME record with the name {name} and the value {wanted.target}."
        why = blocks if found.alias.values == (wanted.target,) else f"{blocks} {then}"
    code = "aaaa_conflict" if kind == "AAAA" else "a_conflict_proxied" if proxied else "a_conflict"
    return CheckedRecord(kind, name, printable_values(values), wanted.target, False, code, fix, why)
