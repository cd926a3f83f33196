"""How a domain reads on the page: what it does, how far it is, and what each record needs."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from adoption.domains import reports
from adoption.domains.checks import OWNERSHIP, Record, Report
from adoption.domains.models import ATTENTION, VERIFIED, Domain
from adoption.domains.names import partner, record_name, shown
from adoption.domains.queries import target_of
from portal.instants import day_in_words
from portal.words import counted

VERDICTS = {
    "cname_ok": "Right",
    "alias_ok": "Right",
    "txt_ok": "Right",
    "cname_wrong": "Wrong value",
    "cname_chain": "Goes a long way round",
    "cname_zone_appended": "Wrong value",
    "a_conflict": "Conflict",
    "a_conflict_proxied": "Conflict",
    "aaaa_conflict": "Conflict",
    "a_elsewhere": "Leads elsewhere",
    "missing": "Not there yet",
    "txt_missing": "Not there yet",
    "txt_wrong": "Wrong value",
    "taken": "In use elsewhere",
    "dns_failed": "Could not look",
    "caa_blocks": "Blocks certificates",
    "caa_critical_unknown": "Blocks certificates",
}
ABSENT = {"missing", "txt_missing"}


class Step(NamedTuple):
    state: str
    """``done``, ``failed``, ``current`` or ``todo``."""
    label: str
    more: str


class Check(NamedTuple):
    """A record as it is beside what it should be."""

    type: str
    name: str
    result: str
    """``pass``, ``wait`` or ``fail``."""
    verdict: str
    expected: str
    found: tuple[tuple[str, bool], ...]
    """Each value, and whether it is right."""
    fix: str
    why: str


class Value(NamedTuple):
    """A record to make."""

    type: str
    name: str
    value: str


class Card(NamedTuple):
    id: int
    name: str
    ascii: str
    """The same as DNS has it, where that differs."""
    address: str
    primary: bool
    verified: bool
    route: str
    """Where it sends its visitors; empty where it shows the site."""
    status: int
    tag: tuple[str, str, str]
    """Tone, symbol and words for how it stands."""
    steps: tuple[Step, ...]
    checks: tuple[Check, ...]
    values: tuple[Value, ...]
    unanswered: str
    """Why and when nobody could look, as a sentence; empty where the last look found something out."""
    waiting: bool
    """Whether something may change by itself."""
    focus: str = ""
    """``button`` or ``name``, whichever takes the focus now."""


class Surroundings(NamedTuple):
    """What all cards of a page have in common."""

    domains: Sequence[Domain]
    target: str
    tokens: dict[int, str]
    """By the domain's id: what its TXT record has to say, where one is asked for."""
    shows: bool
    """Whether plan and deploy let domains show the site."""
    scheme: str
    port: str
    now: datetime


def card_of(domain: Domain, around: Surroundings, focus_on: int | None = None) -> Card:
    report, to = reports.read(domain.report), target_of(domain, around.domains)
    name, verified = shown(domain.host), domain.verified_host is not None
    needs = domain.state != VERIFIED
    return Card(
        domain.id,
        name,
        domain.host if domain.host != name else "",
        f"{around.scheme}://{domain.host}{around.port}/",
        domain.primary_of is not None,
        verified,
        shown(to.host) if to else "",
        domain.redirect_status or 0,
        tag_of(domain, report, around.shows),
        steps_of(domain, report, around),
        checks_of(report) if needs or caa_blocks(report) else (),
        values_of(domain, around),
        unanswered_of(domain, around.now),
        needs and domain.next_check_at is not None,
        ("button" if needs else "name") if focus_on == domain.id else "",
    )


def caa_blocks(report: Report) -> bool:
    return report.caa.ok is False


def only_absent(report: Report) -> bool:
    return all(record.ok or record.code in ABSENT for record in report.records)


def tag_of(domain: Domain, report: Report, shows: bool) -> tuple[str, str, str]:
    if domain.state == ATTENTION:
        return "bad", "triangle-alert", "Leads elsewhere now"
    if domain.state == VERIFIED:
        if not shows:
            return "warn", "clock", "Ready, not shown"
        return "good", "circle-check", "Working"
    if only_absent(report):
        return "warn", "clock", "Waiting for your DNS"
    return "bad", "triangle-alert", "DNS needs a fix"


def steps_of(domain: Domain, report: Report, around: Surroundings) -> tuple[Step, ...]:
    now = around.now
    checked = f" Checked {when(domain.checked_at, now)}." if domain.checked_at else ""
    added = Step("done", "Added", when(domain.created_at, now, capital=True))
    if domain.state == VERIFIED:
        at = when(domain.verified_at, now, capital=True) if domain.verified_at else ""
        shown_now = Step("done", "Shows your site", "From the first request on")
        if target_of(domain, around.domains):
            shown_now = Step("done", "Sends visitors on", "Path and query are kept")
        off = Step("todo", "Not shown now", "See the note above")
        return added, Step("done", "DNS verified", f"{at}.{checked}"), shown_now if around.shows else off
    wrong = sum(record.ok is False for record in report.records) + caa_blocks(report)
    if domain.state == ATTENTION:
        third = Step("current", "Still shown", "To whoever still reaches us")
        return added, Step("failed", "DNS leads elsewhere", checked.strip()), third
    third = Step("todo", "Shows your site", "As soon as DNS is right")
    if only_absent(report):
        return added, Step("current", "Waiting for DNS", f"{watch(domain)}{checked}"), third
    fix = f"{counted(wrong, 'record')} to fix.{checked}"
    return added, Step("failed", "DNS check failed", fix), third


def watch(domain: Domain) -> str:
    if domain.next_check_at is None:
        return "We have stopped looking by ourselves: press Verify."
    return "We look by ourselves, for 7 days."


def checks_of(report: Report) -> tuple[Check, ...]:
    checks = [check_of(record) for record in report.records]
    caa = report.caa
    if caa.ok is False:
        line = caa.hint.partition("with the value ")[2].partition(". ")[0]
        fix, _, why = caa.hint.partition(". ")
        found = tuple((value, False) for value in caa.found)
        checks.append(Check("CAA", caa.at, "fail", VERDICTS[caa.code], line, found, f"{fix}.", why))
    return tuple(checks)


def check_of(record: Record) -> Check:
    result = "pass" if record.ok else "wait" if record.code in ABSENT else "fail"
    found = tuple((value, bool(record.ok) or value == record.expected) for value in record.found)
    return Check(
        record.type,
        record.name,
        result,
        VERDICTS[record.code],
        record.expected,
        found,
        record.fix,
        record.why,
    )


def values_of(domain: Domain, around: Surroundings) -> tuple[Value, ...]:
    name = record_name(domain.host)
    values = [Value("ALIAS" if name == "@" else "CNAME", name, around.target)]
    if token := around.tokens.get(domain.id):
        values.append(Value("TXT", record_name(domain.host, OWNERSHIP), token))
    return tuple(values)


def unanswered_of(domain: Domain, now: datetime) -> str:
    if domain.unanswered_at is None:
        return ""
    return f"{when(domain.unanswered_at, now, capital=True)}: {domain.unanswered_why}"


def when(instant: datetime, now: datetime, capital: bool = False) -> str:
    """A day and time such as "today, 09:40"."""
    utc, today = instant.astimezone(UTC), now.astimezone(UTC).date()
    day = "today" if utc.date() == today else day_in_words(utc.date(), today)
    return f"{day[:1].upper() + day[1:] if capital else day}, {utc:%H:%M} UTC"


def pair_to_offer(domains: Sequence[Domain]) -> str:
    """The other of an apex and its ``www`` that the project has not added; empty where there is none."""
    own = {domain.host for domain in domains}
    others = (partner(domain.host) for domain in domains)
    return next((other for other in others if other and other not in own), "")


def outcome_in_words(card: Card) -> str:
    """What a look has found, in one sentence for whoever listens."""
    if card.unanswered:
        return f"We could not look at {card.name}. Nothing has changed"
    if card.tag[0] == "good" or card.steps[1].state == "done":
        return f"{card.name}: DNS verified"
    wrong = sum(check.result != "pass" for check in card.checks)
    return f"{card.name}: DNS check failed, {counted(wrong, 'record')} to fix"


def fingerprint(cards: Sequence[Card]) -> str:
    """Differs where a reader would see something new; times do not count."""
    seen = [
        (card.id, card.tag, card.primary, card.route, card.checks, card.waiting, bool(card.unanswered))
        for card in cards
    ]
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]
