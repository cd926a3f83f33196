"""Check that validating resolvers accept the DNSSEC signatures of a domain's zone."""

from adoption.domains.dns_lookups import Findings
from adoption.domains.dns_records import CheckedRecord, WantedRecords

DNSSEC_BROKEN = "dnssec_broken"


def check_dnssec(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return a row if a validating resolver refuses the zone's answer (RFC 4035, 5.5).

    Otherwise, return no rows.
    """
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


def decisive_values(wanted: WantedRecords, found: Findings) -> tuple[str, ...]:
    """Return the values that the zone's own name servers have for the CNAME record or an apex's A record."""
    return found.a.values if wanted.is_apex and not found.alias.values else found.alias.values
