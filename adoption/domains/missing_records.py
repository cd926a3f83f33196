"""What to do where a host has no record that leads anywhere."""

from adoption.domains.dns_answers import legible
from adoption.domains.findings import Findings
from adoption.domains.names import registrable, shown
from adoption.domains.providers import find_provider
from adoption.domains.public_suffixes import registered_domain
from adoption.domains.records import Record, Wanted, target_record, unchecked_record

PATIENCE = "New records can take up to 48 hours to be seen everywhere. We check again automatically."


def missing_record(wanted: Wanted, found: Findings) -> Record:
    for each in (found.a, found.aaaa):
        if each.failed:
            return unchecked_record(wanted, each)
    if not found.registered:
        return unregistered_record(wanted)
    if found.doubled.values:
        return doubled_record(wanted, found)
    fix, note = record_to_add(wanted, found)
    none_yet = f"There is none yet. {PATIENCE}" if fix.startswith("Add") else ""
    why = " ".join(filter(None, (note, zone_note(wanted), none_yet)))
    made = target_record(wanted, (), False, "missing", fix, why)
    return made._replace(addresses=wanted.addresses if wanted.is_apex else ())


def unregistered_record(wanted: Wanted) -> Record:
    domain = shown(registered_domain(wanted.host) or wanted.host)
    fix = f"{domain} does not exist. Is it spelt right, and registered?"
    why = (
        "If it is spelt wrong, remove it here and add the right one. If it was registered a moment ago, wait "
        "some hours. If it worked before, ask your provider whether the registration has expired."
    )
    return target_record(wanted, (), False, "unregistered", fix, why)


def doubled_record(wanted: Wanted, found: Findings) -> Record:
    fix = f"Edit the CNAME record: as its name, enter only {wanted.name}."
    if wanted.is_apex:
        fix = "Delete that record, and add an ALIAS record: as its name, enter only @."
    whole = legible([f"{wanted.host}.{wanted.zone}"])[0]
    why = f"You made it for {whole}, because your provider adds {wanted.zone} to each name."
    return target_record(wanted, (), False, "name_doubled", fix, why)


def record_to_add(wanted: Wanted, found: Findings) -> tuple[str, str]:
    """Return which record to add, as a sentence, and what else to know: an apex depends on the provider."""
    provider = find_provider(found.name_servers)
    kind = "CNAME" if not wanted.is_apex else provider.apex if provider else "ALIAS"
    if kind:
        article = "an" if kind[0] in "A" else "a"
        kind = kind.removesuffix(" Record")
        fix = f"Add {article} {kind} record with the name {wanted.name} and the value {wanted.target}."
        return fix, "" if provider or not wanted.is_apex else other_kinds(wanted)
    lacks = f"{provider.name if provider else 'Your provider'} has no ALIAS record"
    if wanted.addresses:
        return f"Add {address_records(wanted)}.", f"{lacks}, so use our addresses."
    fix = f"Use www.{shown(wanted.host)} instead: add it above as your domain."
    return fix, f"{lacks}, which {shown(wanted.host)} would need."


def other_kinds(wanted: Wanted) -> str:
    """Return what takes the place of an ALIAS at providers that are not known."""
    note = "Some providers call it ANAME, or CNAME flattening."
    if not wanted.addresses:
        return note
    return f"{note} If yours has none of these, add instead {address_records(wanted)}."


def address_records(wanted: Wanted) -> str:
    return " and ".join(
        f"{'an AAAA' if ':' in each else 'an A'} record with the name {wanted.name} and the value {each}"
        for each in wanted.addresses
    )


def zone_note(wanted: Wanted) -> str:
    """Return in which zone to add a record; empty where that is the whole domain, as nearly always."""
    if wanted.zone == (registrable(wanted.host) or wanted.host):
        return ""
    own = f"{wanted.zone} has name servers of its own"
    return f"{own}: add the record in its settings, not in those of {registrable(wanted.host)}."
