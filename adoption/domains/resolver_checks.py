"""Problems that hide right records from visitors or the authority:

DNSSEC, and old records at some servers.
"""

from adoption.domains.apex_checks import our_addresses
from adoption.domains.dns_answers import printable_values
from adoption.domains.findings import Findings
from adoption.domains.records import CheckedRecord, WantedRecords

DNSSEC_BROKEN, DIFFER = "dnssec_broken", "name_servers_differ"


def find_warnings(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    return [*dnssec_rows(wanted, found), *name_server_rows(wanted, found)]


def decisive_values(wanted: WantedRecords, found: Findings) -> tuple[str, ...]:
    """Return the values of the deciding record at the zone's own name servers."""
    return found.a.values if wanted.is_apex and not found.alias.values else found.alias.values


def dnssec_rows(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return a row if a validating resolver refuses the zone's answer (RFC 4035, 5.5); empty otherwise."""
    is_bogus = found.cached.is_bogus
    if not is_bogus and (found.cached.rcode != "SERVFAIL" or not decisive_values(wanted, found)):
        return []
    fix = f"Ask your DNS provider to repair DNSSEC for {wanted.zone}, or to turn it off."
    cause = (
        "Other DNS servers refuse your records (SERVFAIL), because their signature is wrong."
        if is_bogus
        else "Your record is there, but other DNS servers refuse it (SERVFAIL), so its signature is probably "
        "wrong."
    )
    why = (
        f"DNSSEC signs your records. {cause} Many visitors cannot reach you, and no certificate can be "
        "issued until this is fixed."
    )
    return [CheckedRecord("DNSSEC", wanted.zone, (), "", False, DNSSEC_BROKEN, fix, why)]


def name_server_rows(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return a row if only some of the zone's name servers have the right record; empty otherwise."""
    copies = [(name, answer.values) for name, answer in found.copies if not answer.failed]
    new = [name for name, values in copies if is_right(wanted, found, values)]
    old = [(name, values) for name, values in copies if not is_right(wanted, found, values)]
    if not new or not old:
        return []
    seen = printable_values([f"{name}: {', '.join(values) or 'no record'}" for name, values in old])
    stale, fresh = names_in([name for name, _ in old]), names_in(new)
    why = (
        f"Your provider has not copied your change to all its DNS servers yet: {stale} still "
        f"{'has' if len(old) == 1 else 'have'} the old record, {fresh} "
        f"{'has' if len(new) == 1 else 'have'} the new one. Until then some visitors get the old one: "
        "usually for a few minutes. If it takes more than a day, ask your DNS provider."
    )
    return [CheckedRecord("Name servers", wanted.zone, seen, "", None, DIFFER, why=why)]


def names_in(names: list[str]) -> str:
    return ", ".join(printable_values(names))


def is_right(wanted: WantedRecords, found: Findings, values: tuple[str, ...]) -> bool:
    if wanted.is_apex and not found.alias.values:
        return bool(values) and our_addresses(wanted, found).issuperset(values)
    return values == (wanted.target,)
