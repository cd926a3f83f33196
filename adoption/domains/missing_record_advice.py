"""Advice for hosts without any DNS record: which record to add, and why the record may be missing."""

from adoption.domains.dns_answers import printable_values
from adoption.domains.dns_lookups import Findings
from adoption.domains.dns_providers import find_provider
from adoption.domains.dns_records import CheckedRecord, WantedRecords, target_record, unchecked_record
from adoption.domains.hostnames import display_host, registrable
from adoption.domains.public_suffixes import registered_domain
from adoption.translations import gettext, message

UNREGISTERED = "unregistered"
PATIENCE = (
    "We have not found the record yet. A new record is usually there within minutes, "
    "but it can take up to 48 hours. We check again automatically."
)


def missing_record(wanted: WantedRecords, found: Findings) -> CheckedRecord:
    for each in (found.a, found.aaaa):
        if each.failed:
            return unchecked_record(wanted, each)
    if not found.registered:
        return unregistered_record(wanted)
    if found.doubled.values:
        return doubled_record(wanted, found)
    fix, note = record_to_add(wanted, found)
    none_yet = PATIENCE if fix.startswith("Add") else ""
    why = " ".join(filter(None, (note, zone_note(wanted), none_yet)))
    made = target_record(wanted, (), False, "missing", fix, why)
    return made._replace(addresses=wanted.addresses if wanted.is_apex else ())


def unregistered_record(wanted: WantedRecords) -> CheckedRecord:
    domain = display_host(registered_domain(wanted.host) or wanted.host)
    fix = f"Check the spelling: {domain} does not exist."
    why = (
        "If the domain is misspelt, remove it here and add the right one. If you have "
        "just bought the domain, wait a few hours. If the domain worked before, it may "
        "have expired: check where you bought it."
    )
    return target_record(wanted, (), False, UNREGISTERED, fix, why)


def doubled_record(wanted: WantedRecords, found: Findings) -> CheckedRecord:
    full_name = printable_values([f"{wanted.host}.{wanted.zone}"])[0]
    fix = f"Edit the CNAME record: change its name to {wanted.name} alone."
    if wanted.is_apex:
        fix = f"Delete the record for {full_name}, and add an ALIAS record with the name @."
    why = f"The record is for {full_name} now, because your provider adds {wanted.zone} to every name."
    return target_record(wanted, (), False, "name_doubled", fix, why)


def record_to_add(wanted: WantedRecords, found: Findings) -> tuple[str, str]:
    """Return a sentence with the record to add, and a note. For an apex, both depend on the DNS provider."""
    provider = find_provider(found.name_servers)
    kind = "CNAME" if not wanted.is_apex else provider.apex if provider else "ALIAS"
    if kind:
        article = "an" if kind[0] in "A" else "a"
        kind = kind.removesuffix(" Record")
        fix = f"Add {article} {kind} record with the name {wanted.name} and the value {wanted.target}."
        return fix, "" if provider or not wanted.is_apex else other_kinds(wanted)
    if wanted.addresses:
        lacks = f"{provider.name if provider else 'Your provider'} has no ALIAS record"
        return f"Add {address_records(wanted)}.", f"{lacks}, so these records contain our addresses."
    return forward_instead(wanted.host, provider.name if provider else "your provider")


def forward_instead(host: str, provider: str) -> tuple[str, str]:
    """Return advice for an apex that cannot lead here: what to do, and why."""
    name = display_host(host)
    fix = message("Use www.%(domain)s, and forward %(domain)s to https://www.%(domain)s at %(provider)s.")
    why = message(
        "Only an ALIAS record could lead %(domain)s itself here, and %(provider)s has "
        "none. If www.%(domain)s is not in your list yet, add it above. Once %(domain)s "
        "is forwarded, remove %(domain)s here."
    )
    return gettext(fix, domain=name, provider=provider), gettext(why, domain=name, provider=provider)


def can_lead_here(wanted: WantedRecords, found: Findings) -> bool:
    """Return whether the host's DNS provider offers a record that leads here; True for unknown providers."""
    provider = find_provider(found.name_servers)
    return bool(not wanted.is_apex or not provider or provider.apex or wanted.addresses)


def other_kinds(wanted: WantedRecords) -> str:
    """Return the alternatives to an ALIAS record, for unknown providers."""
    name = display_host(wanted.host)
    note = (
        f"@ means {name} itself. At some providers, the ALIAS record is called “ANAME”. "
        "Others let you add a CNAME record with the name @ instead."
    )
    if not wanted.addresses:
        return f"{note} If your provider has none of these, use www.{name} and forward {name} to it."
    return f"{note} If your provider has none of these, add {address_records(wanted)} instead."


def address_records(wanted: WantedRecords) -> str:
    return " and ".join(
        f"{'an AAAA' if ':' in each else 'an A'} record with the name {wanted.name} and the value {each}"
        for each in wanted.addresses
    )


def zone_note(wanted: WantedRecords) -> str:
    """Return a note about the record's zone; empty if the zone is the registrable domain, as is usual."""
    if wanted.zone == (registrable(wanted.host) or wanted.host):
        return ""
    return (
        f"{wanted.zone} has its own name servers: add the record in the DNS settings of "
        f"{wanted.zone}, not in the settings of {registrable(wanted.host)}."
    )
