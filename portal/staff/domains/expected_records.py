"""The DNS records that the owner of a domain has to add."""

from adoption.domains.dns_providers import Provider, find_provider
from adoption.domains.dns_records import OWNERSHIP, Report
from adoption.domains.hostnames import record_name
from adoption.domains.missing_record_advice import forward_instead
from adoption.domains.models import Domain
from adoption.domains.ownership_claims import WILDCARD
from portal.staff.domains.card_classes import Surroundings, Value

TXT_CODES = {"txt_missing", "txt_wrong", "txt_name_doubled"}


def proof_of(domain: Domain, report: Report, around: Surroundings) -> str:
    """Return why the owner has to prove ownership with a TXT record, or an empty string if they do not."""
    asked = any(record.code in TXT_CODES for record in report.records)
    return around.proofs.get(domain.id, "") or (WILDCARD if asked and not domain.verified_host else "")


def provider_of(domain: Domain) -> Provider | None:
    return find_provider(domain.name_servers.split())


def leading_record_name(domain: Domain, report: Report) -> str:
    """Return the name of the record that leads here, relative to the zone that a check found."""
    checked = (record.name for record in report.records if record.type in ("ALIAS", "CNAME"))
    return next(checked, record_name(domain.host))


def detour_of(domain: Domain, report: Report, around: Surroundings) -> tuple[str, ...]:
    """Return what to do, and why, if the provider of an apex has no record that can lead it here.

    Otherwise empty.
    """
    provider = provider_of(domain)
    if not provider or provider.apex or around.addresses or leading_record_name(domain, report) != "@":
        return ()
    return forward_instead(domain.host, provider.name)


def expected_values(domain: Domain, report: Report, around: Surroundings) -> tuple[Value, ...]:
    name, provider = leading_record_name(domain, report), provider_of(domain)
    apex = (provider.apex if provider else "") or "ALIAS"
    target = f"{around.target}." if provider and provider.ends_in_dot else around.target
    values = [Value(apex if name == "@" else "CNAME", name, target)]
    if values[0].type == "ALIAS":
        addresses = [Value("AAAA" if ":" in each else "A", name, each) for each in around.addresses]
        values = addresses if provider and addresses else values + addresses
    if proof_of(domain, report, around):
        proof = next((each.name for each in report.records if each.type == "TXT"), "")
        values.append(Value("TXT", proof or record_name(domain.host, OWNERSHIP), domain.token))
    return tuple(values)
