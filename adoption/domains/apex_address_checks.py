"""Checks of an apex's A and AAAA records. An apex cannot have a CNAME record."""

from adoption.domains.cloudflare_proxy import is_proxied, turn_proxy_off
from adoption.domains.dns_answers import failed_answer, printable_values
from adoption.domains.dns_lookups import Findings
from adoption.domains.dns_records import CheckedRecord, WantedRecords, target_record, unchecked_record
from adoption.domains.missing_record_advice import can_lead_here, missing_record, record_to_add, zone_note


def check_apex(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return the rows of an apex.

    The apex is right if each of its addresses is an address of the CNAME target or of the edge.
    """
    if not found.addresses:
        return [missing_record(wanted, found)]
    for each in (found.a, found.aaaa):
        if each.failed:
            return [unchecked_record(wanted, each)]
    ours = our_addresses(wanted, found)
    kinds = (("A", found.a.values), ("AAAA", found.aaaa.values))
    strays = [(kind, values) for kind, values in kinds if not ours.issuperset(values)]
    if not strays:
        return [target_record(wanted, found.addresses, True, "alias_ok")]
    for each in (found.target_a, found.target_aaaa):
        if each.failed:
            return [unchecked_record(wanted, each)]
    if not ours:  # a fault in this service's zone, not in the shelter's domain
        return [unchecked_record(wanted, failed_answer(f"{wanted.target} has no address at the moment"))]
    only = len(strays) == 1
    return [stray_record(wanted, kind, values, found, only) for kind, values in strays]


def our_addresses(wanted: WantedRecords, found: Findings) -> set[str]:
    return {*found.target_a.at_end, *found.target_aaaa.at_end, *wanted.addresses}


def stray_record(
    wanted: WantedRecords, kind: str, values: tuple[str, ...], found: Findings, only: bool
) -> CheckedRecord:
    """Return the row of A or AAAA records if at least one of the records leads elsewhere."""
    ours = our_addresses(wanted, found)
    strays = sorted({*values} - ours)
    right = tuple(each for each in printable_values(values) if each in ours)
    partly = not ours.isdisjoint(found.addresses)
    proxied = is_proxied(found.name_servers, strays)
    if proxied:
        fix, why = turn_proxy_off(wanted.name)
    elif not partly and not can_lead_here(wanted, found):
        fix, why = record_to_add(wanted, found)
    else:
        wrong = ", ".join(printable_values(strays))
        fix = f"Delete the {kind} record named {wanted.name} with the value {wrong}."
        why = kept_note(values, strays, only) if partly else elsewhere_note(wanted, found)
    made = CheckedRecord(
        kind, wanted.name, printable_values(values), wanted.target, False, "a_elsewhere", fix, why, right
    )
    return made if partly or proxied else made._replace(addresses=wanted.addresses)


def kept_note(values: tuple[str, ...], strays: list[str], only: bool) -> str:
    share = "about half" if len(values) == 2 * len(strays) else "some"
    rest = "Your other records are right." if only else "Keep your other records."
    return f"The record sends {share} of your visitors to another website. {rest}"


def elsewhere_note(wanted: WantedRecords, found: Findings) -> str:
    fix, note = record_to_add(wanted, found)
    then = f"Then {fix[0].lower()}{fix[1:]}"
    return " ".join(filter(None, ("The record leads to another website.", then, note, zone_note(wanted))))
