"""The offer of a certificate before the switch: one more record, and how far it is."""

from markupsafe import Markup

from adoption.certificates.certificate_states import ISSUED, LIVE
from adoption.certificates.models import FAILED
from adoption.certificates.problem_advice import advice
from adoption.domains.caa import TARGET_BLOCKS
from adoption.domains.early_certificates import LABEL, challenge_target
from adoption.domains.hostnames import display_host, record_name
from adoption.domains.missing_records import UNREGISTERED
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.records import Report
from portal.staff.domains.cards import EarlyCertificateOffer, Surroundings, Value
from portal.staff.domains.certificate_labels import next_try
from portal.staff.domains.certificate_stages import BLOCKED
from portal.staff.domains.checks import is_hidden_by_proxy, provider_of


def offer_of(
    domain: Domain, report: Report, stage: str, around: Surroundings
) -> EarlyCertificateOffer | None:
    """Return the offer; None if the server makes none, or it is not begun and of no use.

    It is of no use to a domain that leads here, has a certificate, or is not registered.
    """
    is_useless = domain.state == VERIFIED or stage == LIVE or is_unregistered(report)
    if not around.challenge_zone or (is_useless and not domain.challenge_found):
        return None
    target, provider = challenge_target(domain, around.challenge_zone), provider_of(domain)
    if provider and provider.ends_in_dot:
        target = f"{target}."
    record = Value("CNAME", record_name(domain.host, LABEL), target)
    tone, status = offer_status(domain, report, stage, around)
    return EarlyCertificateOffer((record,), status, tone, bool(domain.challenge_found))


def is_unregistered(report: Report) -> bool:
    return any(record.code == UNREGISTERED for record in report.records)


def offer_status(domain: Domain, report: Report, stage: str, around: Surroundings) -> tuple[str, str]:
    """Return a tone and sentences."""
    name, found = display_host(domain.host), domain.challenge_found
    if not found:
        return ("", "This record is not there yet.") if domain.checked_at else ("", "")
    if found != challenge_target(domain, around.challenge_zone):
        return "warn", f"This record leads to {found}. Replace its value with the one above."
    if domain.state == VERIFIED:
        return "good", "Keep this record: renewals of the certificate use it too."
    if not domain.challenge_ready:
        return (
            "warn",
            "This record is right. Add the TXT record too: it shows that the domain is yours.",
        )
    if stage == ISSUED and is_hidden_by_proxy(domain, report):
        return (
            "warn",
            "The certificate is ready. Now change the record and switch Cloudflare's proxy off, as shown "
            f"above. While the proxy is on, we cannot see that {name} leads here, and do not show your site "
            "there.",
        )
    if stage == ISSUED:
        return "good", f"The certificate is ready. Now change the other records of {name} as shown above."
    if stage == BLOCKED and report.caa.code == TARGET_BLOCKS:
        return "warn", "This record is right. We have to fix a CAA record of our own first."
    if stage == BLOCKED:
        return "warn", "This record is right, but a CAA record of your domain blocks the certificate."
    standing = around.standings[domain.id]
    if stage == FAILED and standing.code:
        known = advice(standing.code, name, around.issuer)
        again = next_try(standing, around)
        return "warn", Markup("There is no certificate yet. {} {} {}.").format(known.fix, known.why, again)
    return "good", "This record is right. We are getting the certificate, which usually takes some minutes."
