"""How far the certificate of a domain is, in words: a step of its setup, a notice, and what was checked."""

from datetime import datetime, timedelta

from markupsafe import Markup

from adoption.certificates.models import FAILED, ORDERING, VALIDATING
from adoption.certificates.problems import OPERATOR, OURS, RATE_LIMITED, advice, needs_shelter, unpause_link
from adoption.certificates.states import EXPIRED, ISSUED, LIVE, Standing, is_tried_again
from adoption.domains.models import ATTENTION, UNVERIFIED, VERIFIED, Domain
from adoption.domains.names import shown
from adoption.domains.records import Report
from portal.instants import day_of, moment, month_of
from portal.staff.domain_cards import Check, Notice, Step, Surroundings

OFF, PENDING, BLOCKED, UNREAD, DUE, RETRYING = "off", "pending", "blocked", "unread", "due", "retrying"
LIMITED = "limited"
UNDER_WAY = {DUE, ORDERING, VALIDATING, ISSUED, RETRYING}
"""What changes by itself within minutes."""
PATIENCE = timedelta(minutes=30)
"""After which a certificate that is not there is looked into."""
BECOMES_PRIMARY = "Once visitors get its certificate. Until then your site stays where it is"
AGAIN = "Nothing is lost: we try again automatically."

VERDICTS = {
    "rateLimited": "Too many for now",
    "rejectedIdentifier": "Refused",
    "unsupportedIdentifier": "Refused",
    "paused": "Paused",
    "onionCAARequired": "Refused",
    "dnssec": "Could not look it up",
    "unknownHost": "Could not look it up",
    "caa": "CAA forbids it",
    "connection": "Could not connect",
    "dns": "Could not look it up",
    "unauthorized": "Got another answer",
    "incorrectResponse": "Got another answer",
    "tls": "Sent on to https",
    "unreached": "No answer",
    "unfinished": "Came to no end",
    "wrongHost": "Wrong certificate",
}


def stage_of(domain: Domain, report: Report, around: Surroundings) -> str:
    """How far its certificate is: a state of ``Standing``, or what keeps one from being ordered."""
    standing = around.standings[domain.id]
    if not around.certificates:
        return OFF
    if standing.state == ISSUED and standing.live_since and not standing.unseen_why:
        return LIVE  # a renewal, which visitors get any moment
    if standing.state in (LIVE, ISSUED, EXPIRED):
        return standing.state
    if domain.state != VERIFIED or not around.shows:
        return PENDING
    if standing.state in (ORDERING, VALIDATING):
        return standing.state
    if not domain.caa_allows:
        return BLOCKED if report.caa.ok is False else UNREAD
    if standing.state == FAILED and not is_tried_again(standing, domain.pressed_at, around.now):
        return FAILED
    if around.limited_until:
        return LIMITED
    return RETRYING if standing.state == FAILED else DUE


def is_overdue(domain: Domain, stage: str, around: Surroundings) -> bool:
    """Whether a certificate should have been there for long, so that everything about it is looked into."""
    waits = around.certificates and around.shows and domain.state == VERIFIED and stage != LIVE
    return bool(waits and domain.verified_at and around.now - domain.verified_at >= PATIENCE)


def certificate_step(stage: str, domain: Domain, report: Report, around: Surroundings) -> Step:
    standing, now = around.standings[domain.id], around.now
    if stage == PENDING:
        return Step("todo", "Certificate", why_pending(domain, report, around))
    if stage == BLOCKED:
        return Step("failed", "Certificate waits", "CAA forbids it, see below")
    if stage == UNREAD:
        return Step("current", "Certificate waits", "Until your CAA records can be read")
    if stage == LIMITED:
        return Step("current", "Certificate waits", Markup("For the authority, {}").format(until(around)))
    if stage in (DUE, RETRYING):
        label = "Ordering again" if stage == RETRYING else "Ordering a certificate"
        return Step("current", label, "Begins within a minute")
    if stage == ORDERING:
        more = "Waits for the authority" if standing.unreached_why else "Usually takes a couple of minutes"
        return Step("current", "Ordering a certificate", more)
    if stage == VALIDATING:
        return Step("current", "Authority is checking", "It asks your domain for a proof")
    if stage == FAILED:
        state = "failed" if needs_shelter(standing.code) else "current"
        return Step(state, "No certificate yet", next_try(standing, around))
    if stage == EXPIRED:
        expired = moment(standing.not_after, now, capitalised=True) if standing.not_after else ""
        return Step("failed", "Certificate expired", expired)
    allowed = report.caa.ok is not False and domain.state != ATTENTION and around.shows
    renews = standing.code is None and allowed
    rest = renewal(standing, now) if renews else Markup("Good until {}.").format(end_of(standing, now))
    issued = moment(standing.issued_at, now, capitalised=True) + ". " if standing.issued_at else Markup()
    return Step("done", "Certificate issued", issued + rest)


def why_pending(domain: Domain, report: Report, around: Surroundings) -> str:
    if not around.shows:
        return "Not ordered now"
    if domain.state == ATTENTION:
        return "Ordered when DNS is right again"
    return "Needs CAA put right too" if report.caa.ok is False else "Ordered once DNS is right"


def site_step(stage: str, domain: Domain, sends_on: bool, around: Surroundings) -> Step:
    """The last step: what visitors get."""
    standing = around.standings[domain.id]
    label = "Sends visitors on" if sends_on else "Shows your site"
    if not around.shows:
        return Step("todo", "Not shown now", "See the note above")
    if domain.state == UNVERIFIED:
        return Step("todo", label, "As soon as DNS is right")
    if domain.state == ATTENTION:
        return Step("current", f"Still {label[:1].lower()}{label[1:]}", "For visitors who still reach us")
    if stage == OFF:
        return Step("done", label, "Path and query are kept" if sends_on else "From the first request on")
    if stage == LIVE:
        since = ""
        if standing.live_since:
            since = Markup("Over https since {}").format(moment(standing.live_since, around.now))
        return Step("done", label, "Over https, with path and query" if sends_on else since)
    if domain.wants_primary and domain.primary_of is None and stage != LIVE:
        return Step("todo", "Becomes primary", BECOMES_PRIMARY)
    if stage == ISSUED:
        return Step("current", "Going live", "We check until visitors get the certificate")
    if stage == EXPIRED:
        return Step("failed", "Browsers warn visitors", "Until there is a new certificate")
    return Step("todo", label, "Over http for now, then https")


def certificate_tag(stage: str, standing: Standing) -> tuple[str, str, str]:
    """Tone, symbol and words of a domain whose DNS is right and whose site is shown."""
    if stage in (OFF, LIVE):
        return "good", "circle-check", "Working"
    if stage == BLOCKED:
        return "bad", "triangle-alert", "CAA needs a fix"
    if stage == FAILED:
        tone = ("bad", "triangle-alert") if needs_shelter(standing.code) else ("warn", "clock")
        return *tone, "No certificate yet"
    if stage == EXPIRED:
        return "bad", "triangle-alert", "Certificate expired"
    return "warn", "clock", "Going live" if stage == ISSUED else "Getting a certificate"


def notice_of(stage: str, domain: Domain, overdue: bool, around: Surroundings) -> Notice | None:
    """What is worth saying beside the steps; of what is overdue the checks say it."""
    standing, now = around.standings[domain.id], around.now
    good = Markup("It is good until {}, and visitors notice nothing before.").format(end_of(standing, now))
    if stage == LIVE and not domain.caa_allows:
        return Notice("The certificate cannot be renewed", good + f" CAA has to let {around.issuer} issue.")
    if stage == LIVE and standing.code:
        told = advice(standing.code, shown(domain.host), around.issuer)
        todo = Markup("{} {} {}.").format(told.why, told.fix, next_try(standing, around))
        title, quote = "The certificate could not be renewed", quote_of(standing)
        return Notice(title, good, quote, said_at(standing, now), todo, unpause_link(quote))
    if overdue:
        return None
    if stage == LIMITED:
        text = Markup(
            "It takes no more orders from this service for now, whichever domain they are for. There is "
            "nothing for you to do: we order again {}."
        ).format(until(around))
        return Notice("The certificate waits for the authority", text)
    if standing.unreached_why and stage in (LIVE, ORDERING, VALIDATING):
        return Notice("The order waits for the authority", f"{standing.unreached_why} {AGAIN}")
    if stage == ISSUED and standing.unseen_why:
        return Notice("Issued, but not seen at your domain yet", unseen(standing))
    return None


def certificate_check(stage: str, domain: Domain, around: Surroundings) -> Check:
    """What the authority has said last, or what visitors get of what it has issued."""
    standing, now = around.standings[domain.id], around.now
    if stage == ISSUED:
        at = looked(standing.looked_at, now)
        return Check("What visitors get", "", "wait", "Not there yet", why=unseen(standing), at=at)
    if standing.code and stage in (FAILED, EXPIRED):
        return refusal(domain, standing, around)
    why = {
        BLOCKED: "We order nothing while CAA forbids it: each refusal would count against your domain.",
        UNREAD: "We order as soon as the CAA records can be read.",
        LIMITED: Markup("It takes no more orders from this service for now. We order again {}.").format(
            until(around)
        ),
        ORDERING: "It has not taken the order yet.",
        VALIDATING: "It has the order, and asks your domain for the proof that it leads here.",
        EXPIRED: "A new one is being ordered.",
    }.get(stage, "The order begins within a minute.")
    if standing.unreached_why:
        why = f"{standing.unreached_why} {AGAIN}"
    elif stage == EXPIRED and not domain.caa_allows:
        why = "We could not renew it while CAA forbids it."
    asked = stage in (ORDERING, VALIDATING, EXPIRED)
    return Check("Certificate authority", "", "wait", "No answer yet" if asked else "Not asked yet", why=why)


def refusal(domain: Domain, standing: Standing, around: Surroundings) -> Check:
    code = standing.code or ""
    told = advice(code, shown(domain.host), around.issuer)
    again = Markup() if standing.next_try_at is None else Markup(" {}.").format(next_try(standing, around))
    if again and not standing.hurries and code != RATE_LIMITED:
        again += " Several tries have failed within an hour, so Re-verify does not bring it forward."
    return Check(
        "Certificate authority",
        "",
        "fail" if needs_shelter(code) else "wait",
        VERDICTS.get(code, "Ours to fix" if told.who == OPERATOR else "Trying again"),
        told.fix,
        told.why + again,
        quote=quote_of(standing),
        at=said_at(standing, around.now),
        link=unpause_link(quote_of(standing)),
    )


def quote_of(standing: Standing) -> str:
    return "" if standing.code in OURS else standing.detail or ""


def said_at(standing: Standing, now: datetime) -> str:
    if standing.failed_at is None:
        return ""
    how = "Given up" if standing.code in OURS else "The authority said"
    return Markup("{} {}").format(how, moment(standing.failed_at, now))


def unseen(standing: Standing) -> str:
    return f"{standing.unseen_why or 'We have not checked yet.'} We check again automatically."


def next_try(standing: Standing, around: Surroundings) -> str:
    at = max(filter(None, (standing.next_try_at, around.limited_until)), default=around.now)
    if at <= around.now:
        return "We try again within a minute"
    return Markup("Next try {}").format(moment(at, around.now))


def end_of(standing: Standing, now: datetime) -> str:
    return day_of(standing.not_after, now) if standing.not_after else ""


def renewal(standing: Standing, now: datetime) -> str:
    """Return when a certificate renews: the day, or the month while that is weeks away."""
    at = standing.renew_at
    if at is None or at <= now:
        return "It is being renewed."
    near = at - now < timedelta(days=28)
    if near:
        return Markup("Renews by itself on {}.").format(day_of(at, now))
    return Markup("Renews by itself in {}.").format(month_of(at))


def until(around: Surroundings) -> str:
    """When orders are begun again, which the authority takes from nobody of us now."""
    return moment(around.limited_until, around.now) if around.limited_until else "soon"


def looked(at: datetime | None, now: datetime) -> str:
    return Markup("Looked {}").format(moment(at, now)) if at else ""
