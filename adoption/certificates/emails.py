"""What is written to the owners about certificates. Each gives a subject and a text."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from adoption.certificates.problems import OPERATOR, OURS, advice
from adoption.domains.emails import Email
from adoption.domains.names import shown
from adoption.mail.wording import letter
from adoption.time_zones import UTC_NAME, date_in, time_in


def live(host: str, project: str) -> Email:
    name = shown(host)
    return f"{name} is live", letter(
        f"Visitors of https://{host}/ reach {project} now, with a certificate of its own.",
        "There is nothing more to do: the certificate renews by itself. If the domain ever leads elsewhere, "
        "or a renewal fails, we write to you.",
    )


def ready(host: str, project: str) -> Email:
    """Return the email about a certificate that was issued before the switch."""
    name = shown(host)
    return f"The certificate for {name} is ready", letter(
        f"The certificate for {name} is ready, and {name} still shows your current website.",
        f"You can now change DNS of {name} as described under Settings, Domains. Visitors then reach "
        f"{project} by https:// without a gap.",
    )


UNTIL_THEN = {
    True: "Until there is one, visitors reach it by http:// alone.",
    False: "It still shows your current website, which is not affected. Wait with the change of DNS.",
}
"""What a missing certificate means, by whether DNS was switched."""


class Failure(NamedTuple):
    """An order that failed."""

    host: str
    code: str
    words: str
    """The authority's."""
    next_try: datetime
    not_after: datetime | None
    """The end of the certificate that is still good."""
    time_zone: str = UTC_NAME
    """The shelter's."""
    leads_here: bool = True
    """Whether DNS was switched already."""


def failed(
    host: str,
    code: str,
    words: str,
    next_try: datetime,
    not_after: datetime | None,
    time_zone: str = UTC_NAME,
    leads_here: bool = True,
) -> Email:
    """Return the email about an order that failed. The arguments are those of ``Failure``."""
    name = shown(host)
    known = advice(code, name)
    reason = reason_of(code, words)
    what_to_do = f"{known.fix} {known.why}"
    again = (
        f"We try again automatically, next on {date_in(time_zone, next_try)} at "
        f"{time_in(time_zone, next_try)}. "
        "What we found is under Settings, Domains."
    )
    if not_after is None:
        return f"No certificate for {name} yet", letter(
            f"We could not get a certificate for {name}. {UNTIL_THEN[leads_here]}",
            reason,
            what_to_do,
            again,
        )
    return f"The certificate of {name} could not be renewed", letter(
        f"We could not renew the certificate of {name}. The one it has goes on being used: it is good until "
        f"{date_in(time_zone, not_after)}, and visitors notice nothing before.",
        reason,
        what_to_do,
        again,
    )


def reason_of(code: str, words: str) -> str:
    """Return the reason as a sentence; empty where it names settings of this service."""
    if code not in OURS:
        return f"The certificate authority says: {words}"
    return "" if advice(code, "").who == OPERATOR else words


def several(live_hosts: Sequence[str], failures: Sequence[Failure]) -> Email:
    """Return the email about several domains that went live or failed within a short time."""
    parts = []
    if live_hosts:
        parts += [
            "Visitors reach your site at these domains now, each with a certificate of its own. There is "
            "nothing more to do: certificates renew automatically.",
            "\n".join(f"https://{host}/" for host in live_hosts),
        ]
    without = [each for each in failures if each.not_after is None]
    if without:
        parts.append("We could not get a certificate for these domains. They work by http:// alone.")
        parts += map(paragraph_of, without)
    if others := [each for each in failures if each.not_after is not None]:
        parts.append("We could not renew these certificates. Visitors notice nothing while they are good.")
        parts += map(paragraph_of, others)
    if failures:
        parts.append("We try again automatically. What we found is under Settings, Domains.")
    return subject_of(len(live_hosts), len(without), len(others)), letter(*parts)


def subject_of(live_count: int, without: int, others: int) -> str:
    counts = ((live_count, "live"), (without, "without a certificate"), (others, "not renewed"))
    return "Your domains: " + ", ".join(f"{count} {words}" for count, words in counts if count)


def paragraph_of(failure: Failure) -> str:
    name = shown(failure.host)
    known = advice(failure.code, name)
    until = ""
    if failure.not_after is not None:
        until = f"Its certificate is good until {date_in(failure.time_zone, failure.not_after)}."
    return " ".join(
        filter(None, (f"{name}:", reason_of(failure.code, failure.words), known.fix, known.why, until))
    )
