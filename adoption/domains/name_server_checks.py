"""Check that all name servers of a domain's zone have the same record."""

from adoption.domains.apex_address_checks import our_addresses
from adoption.domains.dns_answers import printable_values
from adoption.domains.dns_lookups import Findings
from adoption.domains.dns_records import CheckedRecord, WantedRecords

DIFFER = "name_servers_differ"


def check_name_servers(wanted: WantedRecords, found: Findings) -> list[CheckedRecord]:
    """Return a row if only some of the zone's name servers have the right record.

    Otherwise, return no rows.
    """
    copies = [(name, answer.values) for name, answer in found.copies if not answer.failed]
    new = [name for name, values in copies if is_right(wanted, found, values)]
    old = [(name, values) for name, values in copies if not is_right(wanted, found, values)]
    if not new or not old:
        return []
    seen = printable_values([f"{name}: {', '.join(values) or 'no record'}" for name, values in old])
    stale, fresh = names_in([name for name, _ in old]), names_in(new)
    why = (
        f"Your provider has not copied your change to all its DNS servers yet: {stale} "
        f"still {'has' if len(old) == 1 else 'have'} the old record, {fresh} "
        f"{'has' if len(new) == 1 else 'have'} the new record. Some visitors get the old "
        "record until the change is copied, usually for a few minutes. If it takes more "
        "than a day, ask your DNS provider."
    )
    return [CheckedRecord("Name servers", wanted.zone, seen, "", None, DIFFER, why=why)]


def names_in(names: list[str]) -> str:
    return ", ".join(printable_values(names))


def is_right(wanted: WantedRecords, found: Findings, values: tuple[str, ...]) -> bool:
    if wanted.is_apex and not found.alias.values:
        return bool(values) and our_addresses(wanted, found).issuperset(values)
    return values == (wanted.target,)
