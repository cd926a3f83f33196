"""The offer of a certificate before the owner moves a website here: one more DNS record, and its status."""

from markupsafe import Markup

from adoption.certificates.certificate_states import ISSUED, LIVE
from adoption.certificates.models import FAILED
from adoption.certificates.problem_advice import advice
from adoption.domains.caa_checks import TARGET_BLOCKS
from adoption.domains.dns_records import Report
from adoption.domains.early_certificates import LABEL, challenge_target
from adoption.domains.hostnames import display_host, record_name
from adoption.domains.missing_record_advice import UNREGISTERED
from adoption.domains.models import VERIFIED, Domain
from adoption.translations import gettext
from portal.staff.domains.card_classes import EarlyCertificateOffer, Surroundings, Value
from portal.staff.domains.certificate_labels import next_try
from portal.staff.domains.certificate_stages import BLOCKED
from portal.staff.domains.dns_check_results import is_hidden_by_proxy
from portal.staff.domains.expected_records import provider_of


def offer_of(
    domain: Domain, report: Report, stage: str, around: Surroundings
) -> EarlyCertificateOffer | None:
    """Return the offer; None if there is nothing to offer.

    There is no offer if this server offers no early certificates. There is also no offer if the owner has not
    added the record, and the domain leads here already, has a certificate or is not registered.
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
    """Return the tone of the record's status, and the status in sentences."""
    name, found = display_host(domain.host), domain.challenge_found
    if not found:
        return ("", gettext("This record is not there yet.")) if domain.checked_at else ("", "")
    if found != challenge_target(domain, around.challenge_zone):
        wrong = gettext(
            "This record leads to %(target)s. Replace its value with the value above.", target=found
        )
        return "warn", wrong
    if domain.state == VERIFIED:
        return "good", gettext("Keep this record: renewals of the certificate use it too.")
    if not domain.challenge_ready:
        return (
            "warn",
            gettext(
                "This record is right. Add the TXT record too. The TXT record shows that the domain is yours."
            ),
        )
    if stage == ISSUED and is_hidden_by_proxy(domain, report):
        return (
            "warn",
            gettext(
                "The certificate is ready. Now change the record and switch Cloudflare's proxy off, as "
                "shown above. While the proxy is on, we cannot see that %(domain)s leads here, and do not "
                "show your site there.",
                domain=name,
            ),
        )
    if stage == ISSUED:
        return "good", gettext(
            "The certificate is ready. Now change the other records of %(domain)s as shown above.",
            domain=name,
        )
    if stage == BLOCKED and report.caa.code == TARGET_BLOCKS:
        return "warn", gettext("This record is right. We have to fix a CAA record of our own first.")
    if stage == BLOCKED:
        return "warn", gettext(
            "This record is right, but a CAA record of your domain blocks the certificate."
        )
    status = around.statuses[domain.id]
    if stage == FAILED and status.code:
        advised = advice(status.code, name, around.issuer)
        none, again = gettext("There is no certificate yet."), next_try(status, around)
        return "warn", Markup("{} {} {} {}.").format(none, advised.fix, advised.why, again)
    return "good", gettext(
        "This record is right. We are getting the certificate, which usually takes some minutes."
    )
