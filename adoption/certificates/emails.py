"""What is written to the owners about certificates. Each gives a subject and a text."""

from datetime import datetime

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


def failed(
    host: str,
    code: str,
    words: str,
    next_try: datetime,
    not_after: datetime | None,
    time_zone: str = UTC_NAME,
) -> Email:
    """Return the email about an order that failed.

    ``words`` are the authority's; ``not_after`` is the end of the certificate that is still good;
    ``time_zone`` is the shelter's.
    """
    name = shown(host)
    known = advice(code, name)
    reason = words if code in OURS else f"The certificate authority says: {words}"
    if code in OURS and known.who == OPERATOR:
        reason = ""  # it names settings of this service
    what_to_do = f"{known.fix} {known.why}"
    again = (
        f"We try again automatically, next on {date_in(time_zone, next_try)} at "
        f"{time_in(time_zone, next_try)}. "
        "What we found is under Settings, Domains."
    )
    if not_after is None:
        return f"No certificate for {name} yet", letter(
            f"We could not get a certificate for {name}. Until there is one, visitors reach it by http:// "
            "alone.",
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
