"""What the certificate authority said last about a domain, and what visitors get."""

from markupsafe import Markup

from adoption.certificates.certificate_states import EXPIRED, ISSUED, LIVE, CertificateStatus
from adoption.certificates.models import FAILED, ORDERING, VALIDATING
from adoption.certificates.problem_advice import (
    OPERATOR,
    OURS,
    RATE_LIMITED,
    advice,
    needs_shelter,
    unpause_link,
)
from adoption.domains.caa import TARGET_BLOCKS, authority_name
from adoption.domains.hostnames import display_host
from adoption.domains.models import Domain
from adoption.domains.records import Report
from portal.dates import day_and_time
from portal.staff.domains.cards import CardNotice, Check, Surroundings
from portal.staff.domains.certificate_labels import end_of, looked, next_try, outage, until
from portal.staff.domains.certificate_stages import BLOCKED, LIMITED, OUTAGE, QUEUED, UNREAD, UNRESOLVED

AGAIN = "Nothing is lost: we try again automatically."

VERDICTS = {
    "rateLimited": "Too many for now",
    "rejectedIdentifier": "Refused",
    "unsupportedIdentifier": "Refused",
    "paused": "Paused",
    "onionCAARequired": "Refused",
    "dnssec": "Could not look it up",
    "unknownHost": "Could not look it up",
    "caa": "Blocked by CAA",
    "connection": "Could not connect",
    "dns": "Could not look it up",
    "unauthorized": "Found another website",
    "incorrectResponse": "Found another website",
    "tls": "Redirected to https",
    "unreached": "No answer",
    "unfinished": "Did not finish",
    "wrongHost": "Wrong certificate",
}


def notice_of(
    stage: str, domain: Domain, report: Report, overdue: bool, around: Surroundings
) -> CardNotice | None:
    """What is worth saying beside the steps; of what is overdue the checks say it."""
    standing, now = around.standings[domain.id], around.now
    authority = authority_name(around.issuer)
    valid = Markup("The current one is valid until {}.").format(end_of(standing, now))
    good = valid + " Visitors notice nothing until then."
    if stage == LIVE and domain.unresolved_since:
        rule = " DNSSEC has to be repaired first, see below."
        return CardNotice("The certificate cannot be renewed", valid + rule)
    if stage == LIVE and report.caa.code == TARGET_BLOCKS:
        return CardNotice(
            "The certificate waits for us", good + " You do not have to do anything, see below."
        )
    if stage == LIVE and not domain.caa_allows:
        rule = f" A CAA record in your DNS has to allow {authority} first, see below."
        return CardNotice("The certificate cannot be renewed", good + rule)
    if stage == LIVE and standing.code:
        told = advice(standing.code, display_host(domain.host), around.issuer)
        todo = Markup("{} {} {}.").format(told.why, told.fix, next_try(standing, around))
        title, quote = "The certificate could not be renewed", quote_of(standing)
        return CardNotice(title, good, quote, said_at(standing, around), todo, unpause_link(quote))
    if overdue:
        return None
    if stage == LIMITED:
        text = Markup(
            "{} issues the certificate, but takes no more orders from this service for now. You do not have "
            "to do anything: we order again {}."
        ).format(authority, until(around))
        return CardNotice(f"The certificate waits for {authority}", text)
    if stage == OUTAGE:
        return CardNotice(f"The certificate waits for {authority}", outage(around))
    if standing.unreached_why and stage in (LIVE, ORDERING, VALIDATING):
        return CardNotice(f"The certificate waits for {authority}", f"{standing.unreached_why} {AGAIN}")
    if stage == ISSUED and standing.unseen_why:
        return CardNotice("The certificate is issued, but not in use yet", unseen(standing))
    return None


def certificate_check(stage: str, domain: Domain, around: Surroundings) -> Check:
    """What the authority has said last, or what visitors get of what it has issued."""
    standing, now = around.standings[domain.id], around.now
    authority = authority_name(around.issuer)
    if stage == ISSUED:
        at = looked(standing.looked_at, now)
        return Check("What visitors get", "", "wait", "Not there yet", why=unseen(standing), at=at)
    if standing.code and stage in (FAILED, EXPIRED):
        return refusal_text(domain, standing, around)
    why = {
        UNRESOLVED: f"We order it once other DNS servers accept your record: {authority} refuses it now.",
        BLOCKED: "We order it once the CAA records allow it. An order before that would fail.",
        UNREAD: "We order it as soon as the CAA records can be read.",
        LIMITED: Markup("{} takes no more orders from this service for now. We order again {}.").format(
            authority, until(around)
        ),
        OUTAGE: outage(around),
        QUEUED: "The order begins after other orders, usually within minutes.",
        ORDERING: f"{authority} has not taken the order yet.",
        VALIDATING: f"{authority} has the order and checks that your domain leads here.",
        EXPIRED: "A new one is being ordered.",
    }.get(stage, "The order begins within a minute.")
    if standing.unreached_why:
        why = f"{standing.unreached_why} {AGAIN}"
    elif stage == EXPIRED and not domain.caa_allows:
        why = "We could not renew it while a CAA record blocks it."
    asked = stage in (ORDERING, VALIDATING, EXPIRED)
    verdict = "No answer yet" if asked else "Not ordered yet"
    return Check(f"Certificate from {authority}", "", "wait", verdict, why=why)


def refusal_text(domain: Domain, standing: CertificateStatus, around: Surroundings) -> Check:
    code = standing.code or ""
    told = advice(code, display_host(domain.host), around.issuer)
    again = Markup() if standing.next_try_at is None else Markup(" {}.").format(next_try(standing, around))
    if again and not standing.hurries and code != RATE_LIMITED:
        again += " Several tries have failed within an hour, so Re-verify does not bring it forward."
    return Check(
        f"Certificate from {authority_name(around.issuer)}",
        "",
        "fail" if needs_shelter(code) else "wait",
        VERDICTS.get(code, "Ours to fix" if told.who == OPERATOR else "Trying again"),
        told.fix,
        told.why + again,
        quote=quote_of(standing),
        at=said_at(standing, around),
        link=unpause_link(quote_of(standing)),
    )


def quote_of(standing: CertificateStatus) -> str:
    return "" if standing.code in OURS else standing.detail or ""


def said_at(standing: CertificateStatus, around: Surroundings) -> str:
    if standing.failed_at is None:
        return ""
    how = "Given up" if standing.code in OURS else f"{authority_name(around.issuer)} said"
    return Markup("{} {}").format(how, day_and_time(standing.failed_at, around.now))


def unseen(standing: CertificateStatus) -> str:
    return f"{standing.unseen_why or 'We have not checked yet.'} We check again automatically."
