"""Emails to the owners about certificates. Each function returns a subject and a text."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from adoption.certificates.problem_advice import OPERATOR, OURS, advice
from adoption.domains.caa import LETS_ENCRYPT, authority_name
from adoption.domains.hostnames import display_host
from adoption.mail.text_layout import Email, join_paragraphs
from adoption.time_zones import UTC_NAME, date_in, time_in


def live_email(host: str, project: str) -> Email:
    name = display_host(host)
    return f"{name} is live", join_paragraphs(
        f"Visitors now see {project} at https://{host}/.",
        "You do not have to do anything else. The certificate, which browsers need for https, renews "
        "automatically. If the domain ever leads elsewhere, or a renewal fails, we email you.",
    )


def ready_email(host: str, project: str) -> Email:
    """Return the email about a certificate that was issued before the switch."""
    name = display_host(host)
    return f"The certificate for {name} is ready", join_paragraphs(
        f"The certificate for {name} is ready, and {name} still shows your current website.",
        f"You can now change the DNS of {name} as shown under Settings, Domains. Visitors then reach "
        f"{project} by https:// at once.",
    )


UNTIL_THEN = {
    True: "Until it is there, visitors reach your site by http:// only.",
    False: "The domain still shows your current website. Do not change its DNS yet.",
}
"""What a missing certificate means, by whether DNS leads here already."""


class Failure(NamedTuple):
    """An order that failed."""

    host: str
    code: str
    words: str
    """The authority's description."""
    next_try: datetime
    not_after: datetime | None
    """When the current certificate expires, if there is one."""
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
        f"We try again automatically, next on {next_day} at {next_time}. The details are under Settings, "
        "Domains.",
    )
    if failure.not_after is None:
        first = f"We could not get a certificate for {name}. {UNTIL_THEN[failure.leads_here]}"
        return f"No certificate for {name} yet", join_paragraphs(first, *rest)
    first = (
        f"We could not renew the certificate of {name}. The current one is valid until "
        f"{date_in(failure.time_zone, failure.not_after)}. Visitors notice nothing until then."
    )
    return f"The certificate of {name} could not be renewed", join_paragraphs(first, *rest)


def failure_reason(failure: Failure) -> str:
    """Return the reason as a sentence; empty if it is about this service's settings."""
    if failure.code not in OURS:
        return f"{authority_name(failure.issuer)}, which issues our certificates, says: {failure.words}"
    return "" if advice(failure.code, "").who == OPERATOR else failure.words


def summary_email(live_hosts: Sequence[str], failures: Sequence[Failure]) -> Email:
    """Return the email about several domains that went live or failed within a short time."""
    parts = []
    if live_hosts:
        parts += [
            "Visitors now see your site at these domains. You do not have to do anything else: the "
            "certificates, which browsers need for https, renew automatically.",
            "\n".join(f"https://{host}/" for host in live_hosts),
        ]
    without = [each for each in failures if each.not_after is None]
    if without:
        parts.append("We could not get a certificate for these domains. They work by http:// only.")
        parts += map(paragraph_of, without)
    if others := [each for each in failures if each.not_after is not None]:
        parts.append(
            "We could not renew these certificates. Visitors notice nothing while the current ones are valid."
        )
        parts += map(paragraph_of, others)
    if failures:
        parts.append("We try again automatically. The details are under Settings, Domains.")
    return summary_subject(len(live_hosts), len(without), len(others)), join_paragraphs(*parts)


def summary_subject(live_count: int, without: int, others: int) -> str:
    counts = ((live_count, "live"), (without, "without a certificate"), (others, "not renewed"))
    return "Your domains: " + ", ".join(f"{count} {words}" for count, words in counts if count)


def paragraph_of(failure: Failure) -> str:
    name = display_host(failure.host)
    instructions = advice(failure.code, name, failure.issuer)
    until = ""
    if failure.not_after is not None:
        until = f"Its certificate is valid until {date_in(failure.time_zone, failure.not_after)}."
    return " ".join(
        filter(None, (f"{name}:", failure_reason(failure), instructions.fix, instructions.why, until))
    )
