"""Emails to the owners about certificates. Each function returns a subject and a text."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from adoption.certificates.problem_advice import OPERATOR, OURS, advice
from adoption.domains.caa_checks import LETS_ENCRYPT, authority_name
from adoption.domains.hostnames import display_host
from adoption.mail.text_layout import Email, join_paragraphs
from adoption.time_zones import UTC_NAME, date_in, time_in
from adoption.translations import gettext, message, ngettext


def live_email(host: str, project: str) -> Email:
    name = display_host(host)
    return gettext("%(domain)s is live", domain=name), join_paragraphs(
        gettext("Visitors now see %(project)s at https://%(host)s/.", project=project, host=host),
        gettext(
            "You do not have to do anything else. The certificate, which browsers need for https, renews "
            "automatically. If the domain ever leads elsewhere, or a renewal fails, we email you."
        ),
    )


def ready_email(host: str, project: str) -> Email:
    """Return the email about a certificate that was issued before DNS was switched."""
    name = display_host(host)
    return gettext("The certificate for %(domain)s is ready", domain=name), join_paragraphs(
        gettext(
            "The certificate for %(domain)s is ready, and %(domain)s still shows your current website.",
            domain=name,
        ),
        gettext(
            "You can now change the DNS of %(domain)s as shown under Settings, Domains. Visitors then reach "
            "%(project)s by https:// at once.",
            domain=name,
            project=project,
        ),
    )


UNTIL_THEN = {
    True: message("Until there is a certificate, visitors reach your site by http:// only."),
    False: message("The domain still shows your current website. Do not change its DNS yet."),
}
"""The effect of a missing certificate. The key is whether DNS leads here already."""


class Failure(NamedTuple):
    """An order that failed."""

    host: str
    code: str
    words: str
    """The authority's description of the failure."""
    next_try: datetime
    not_after: datetime | None
    """The expiry of the current certificate, if there is one."""
    time_zone: str = UTC_NAME
    """The shelter's time zone."""
    leads_here: bool = True
    """Whether DNS leads here already."""
    issuer: str = LETS_ENCRYPT
    """The authority's domain, as in CAA records."""


def failed_email(failure: Failure) -> Email:
    name = display_host(failure.host)
    instructions = advice(failure.code, name, failure.issuer)
    next_day = date_in(failure.time_zone, failure.next_try)
    next_time = time_in(failure.time_zone, failure.next_try)
    rest = (
        failure_reason(failure),
        f"{instructions.fix} {instructions.why}",
        gettext(
            "We try again automatically, next on %(date)s at %(time)s. The details are under Settings, "
            "Domains.",
            date=next_day,
            time=next_time,
        ),
    )
    if failure.not_after is None:
        first = gettext("We could not get a certificate for %(domain)s.", domain=name)
        first = f"{first} {gettext(UNTIL_THEN[failure.leads_here])}"
        return gettext("No certificate for %(domain)s yet", domain=name), join_paragraphs(first, *rest)
    first = gettext(
        "We could not renew the certificate of %(domain)s. The current certificate is "
        "valid until %(date)s. Visitors notice nothing until then.",
        domain=name,
        date=date_in(failure.time_zone, failure.not_after),
    )
    subject = gettext("The certificate of %(domain)s could not be renewed", domain=name)
    return subject, join_paragraphs(first, *rest)


def failure_reason(failure: Failure) -> str:
    """Return the reason for the failure as a sentence; empty if the operator has to fix the problem."""
    if failure.code not in OURS:
        return gettext(
            "%(authority)s, which issues our certificates, says: %(description)s",
            authority=authority_name(failure.issuer),
            description=failure.words,
        )
    return "" if advice(failure.code, "").who == OPERATOR else failure.words


def summary_email(live_hosts: Sequence[str], failures: Sequence[Failure]) -> Email:
    """Return the email about several domains that went live or failed within a short time."""
    parts = []
    if live_hosts:
        parts += [
            gettext(
                "Visitors now see your site at these domains. You do not have to do anything else: the "
                "certificates, which browsers need for https, renew automatically."
            ),
            "\n".join(f"https://{host}/" for host in live_hosts),
        ]
    without = [each for each in failures if each.not_after is None]
    if without:
        parts.append(
            gettext("We could not get a certificate for these domains. The domains work by http:// only.")
        )
        parts += map(paragraph_of, without)
    if others := [each for each in failures if each.not_after is not None]:
        parts.append(
            gettext(
                "We could not renew these certificates. Visitors notice nothing while the current "
                "certificates are valid."
            )
        )
        parts += map(paragraph_of, others)
    if failures:
        parts.append(gettext("We try again automatically. The details are under Settings, Domains."))
    return summary_subject(len(live_hosts), len(without), len(others)), join_paragraphs(*parts)


def summary_subject(live_count: int, without: int, others: int) -> str:
    counts = [
        ngettext("%(num)s live", "%(num)s live", live_count) if live_count else "",
        ngettext("%(num)s without a certificate", "%(num)s without a certificate", without)
        if without
        else "",
        ngettext("%(num)s not renewed", "%(num)s not renewed", others) if others else "",
    ]
    return gettext("Your domains: %(counts)s", counts=", ".join(filter(None, counts)))


def paragraph_of(failure: Failure) -> str:
    name = display_host(failure.host)
    instructions = advice(failure.code, name, failure.issuer)
    until = ""
    if failure.not_after is not None:
        date = date_in(failure.time_zone, failure.not_after)
        until = gettext("Its certificate is valid until %(date)s.", date=date)
    return " ".join(
        filter(None, (f"{name}:", failure_reason(failure), instructions.fix, instructions.why, until))
    )
