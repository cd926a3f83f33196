"""How a domain reads on the page: what it does, how far it is, and what each record needs."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from markupsafe import Markup

from adoption.certificates.models import FAILED
from adoption.certificates.states import EXPIRED, ISSUED, LIVE, Standing
from adoption.domains import reports
from adoption.domains.live import is_live
from adoption.domains.models import ATTENTION, VERIFIED, Domain
from adoption.domains.names import partner, record_name, shown
from adoption.domains.ownership import WILDCARD
from adoption.domains.proof_checks import why_proof
from adoption.domains.queries import target_of
from adoption.domains.records import OWNERSHIP, Record, Report
from portal.instants import moment
from portal.staff.certificate_words import (
    BLOCKED,
    LIMITED,
    OFF,
    PATIENCE,
    UNDER_WAY,
    UNREAD,
    certificate_check,
    certificate_step,
    certificate_tag,
    is_overdue,
    looked,
    next_try,
    notice_of,
    site_step,
    stage_of,
)
from portal.staff.domain_cards import Card, Check, Step, Surroundings, Value
from portal.words import counted

VERDICTS = {
    "cname_ok": "Right",
    "alias_ok": "Right",
    "txt_ok": "Right",
    "cname_wrong": "Wrong value",
    "cname_chain": "Indirect",
    "cname_zone_appended": "Wrong value",
    "a_conflict": "Conflict",
    "a_conflict_proxied": "Conflict",
    "aaaa_conflict": "Conflict",
    "a_elsewhere": "Leads elsewhere",
    "missing": "Not there yet",
    "txt_missing": "Not there yet",
    "txt_wrong": "Wrong value",
    "taken": "In use elsewhere",
    "dns_failed": "Could not check",
    "caa_none": "Does not block",
    "caa_ok": "Does not block",
    "caa_failed": "Could not read",
    "caa_blocks": "Blocks certificates",
    "caa_critical_unknown": "Blocks certificates",
}
ABSENT = {"missing", "txt_missing"}
TXT_CODES = {"txt_missing", "txt_wrong"}
FRESH = timedelta(hours=1)
SOON, LATER = 3, 30
"""Seconds between looks of the page: while a certificate is on its way, and otherwise."""


def card_of(domain: Domain, around: Surroundings, focus_on: int | None = None) -> Card:
    report, to = reports.read(domain.report), target_of(domain, around.domains, around.now)
    name, right = shown(domain.host), domain.state == VERIFIED
    stage = stage_of(domain, report, around)
    overdue = is_overdue(domain, stage, around)
    checks = checks_of(domain, report, stage, overdue, around)
    secured = stage == LIVE
    scheme = "https" if secured else "http" if around.certificates else around.scheme
    return Card(
        id=domain.id,
        name=name,
        ascii=domain.host if domain.host != name else "",
        address=f"{scheme}://{domain.host}{around.secured_port if secured else around.port}/",
        primary=domain.primary_of is not None,
        awaited=domain.wants_primary and domain.primary_of is None,
        live=is_live(domain, around.now) and around.shows,
        verified=domain.verified_host is not None,
        right=right,
        route=shown(to.host) if to else "",
        status=domain.redirect_status or 0,
        tag=tag_of(domain, report, stage, around),
        steps=steps_of(domain, report, stage, around),
        notice=notice_of(stage, domain, overdue, around),
        heading=heading_of(overdue, around.standings[domain.id]),
        checks=checks,
        values=values_of(domain, report, around),
        proof=why_proof(reason, domain.host) if (reason := proof_of(domain, report, around)) else "",
        unanswered=unanswered_of(domain, around.now),
        remembered=remembered(domain, report, around.now),
        next_try=held_up(domain, stage, around),
        word=word_of(domain, report, stage, around),
        pace=pace_of(domain, stage, around),
        focus=("button" if checks or not right else "name") if focus_on == domain.id else "",
    )


def caa_blocks(report: Report) -> bool:
    return report.caa.ok is False


def only_absent(report: Report) -> bool:
    return all(record.ok or record.code in ABSENT for record in report.records)


def tag_of(domain: Domain, report: Report, stage: str, around: Surroundings) -> tuple[str, str, str]:
    if domain.state == ATTENTION:
        return "bad", "triangle-alert", "No longer leads here"
    if domain.state == VERIFIED:
        if not around.shows:
            return "warn", "clock", "Ready, not shown"
        return certificate_tag(stage, around.standings[domain.id])
    if only_absent(report):
        return "warn", "clock", "Waiting for your DNS"
    return "bad", "triangle-alert", "DNS needs a fix"


def steps_of(domain: Domain, report: Report, stage: str, around: Surroundings) -> tuple[Step, ...]:
    added = Step("done", "Added", moment(domain.created_at, around.now, capitalised=True))
    certificate = () if stage == OFF else (certificate_step(stage, domain, report, around),)
    site = site_step(stage, domain, target_of(domain, around.domains, around.now) is not None, around)
    return added, dns_step(domain, report, around), *certificate, site


def dns_step(domain: Domain, report: Report, around: Surroundings) -> Step:
    now = around.now
    checked = Markup("Checked {}.").format(moment(domain.checked_at, now)) if domain.checked_at else Markup()
    if domain.state == VERIFIED:
        at = moment(domain.verified_at, now, capitalised=True) + "." if domain.verified_at else Markup()
        return Step("done", "DNS verified", (at + " " + checked).strip())
    if domain.state == ATTENTION:
        return Step("failed", "DNS no longer leads here", checked)
    if only_absent(report):
        return Step("current", "Waiting for DNS", (watch(domain, around) + " " + checked).strip())
    wrong = sum(record.ok is False for record in report.records) + caa_blocks(report)
    return Step("failed", "DNS check failed", f"{counted(wrong, 'record')} to fix. " + checked)


def watch(domain: Domain, around: Surroundings) -> str:
    if not around.shows:
        return "We are not checking now, see the note above."
    if domain.next_check_at is None:
        return "Our automatic checks have ended. An owner can press Verify."
    return (
        "We check every minute at first, then less often, for 7 days. You can close this page; we email you."
    )


def heading_of(overdue: bool, standing: Standing) -> str:
    """Above what was found."""
    late = overdue and standing.live_since is None
    return "Not live after 30 minutes: what we have checked" if late else "What we found"


def checks_of(
    domain: Domain, report: Report, stage: str, overdue: bool, around: Surroundings
) -> tuple[Check, ...]:
    """What needs a mend; of what is overdue also what needs none, and when each was looked at."""
    at = looked(domain.checked_at, around.now) if overdue else ""
    checks = []
    if overdue or domain.state != VERIFIED:
        checks += [check_of(record, at) for record in report.records]
    if overdue or caa_blocks(report):
        checks.append(caa_check(report, around.issuer, at))
    if overdue or (stage in (FAILED, EXPIRED) and domain.state == VERIFIED and around.shows):
        checks.append(certificate_check(stage, domain, around))
    return tuple(checks)


def check_of(record: Record, at: str) -> Check:
    result = "pass" if record.ok else "wait" if record.code in ABSENT else "fail"
    right = {record.expected, *record.right}
    found = tuple((value, bool(record.ok) or value in right) for value in record.found)
    kind = record.type if record.type == "Site" else f"{record.type} record"
    why = record.why or ("It leads here." if at and record.ok else "")
    verdict = VERDICTS[record.code]
    return Check(kind, record.name, result, verdict, record.fix, why, record.expected, found, at=at)


def caa_check(report: Report, issuer: str, at: str) -> Check:
    caa = report.caa
    if caa.ok is False:
        found = tuple((value, False) for value in caa.found)
        verdict = VERDICTS[caa.code]
        return Check("CAA record", caa.at, "fail", verdict, caa.fix, caa.why, caa.expected, found, at=at)
    why = caa.hint
    if caa.ok:
        why = f"It lets {issuer} issue." if caa.found else "There is none, so any authority may issue."
    result = "pass" if caa.ok else "wait"
    return Check("CAA record", caa.at, result, VERDICTS[caa.code], why=why, at=at)


def proof_of(domain: Domain, report: Report, around: Surroundings) -> str:
    """Return why a TXT record has to show whose the domain is; empty where it does not."""
    asked = any(record.code in TXT_CODES for record in report.records)
    return around.proofs.get(domain.id, "") or (WILDCARD if asked and not domain.verified_host else "")


def values_of(domain: Domain, report: Report, around: Surroundings) -> tuple[Value, ...]:
    name = record_name(domain.host)
    values = [Value("ALIAS" if name == "@" else "CNAME", name, around.target)]
    if proof_of(domain, report, around):
        values.append(Value("TXT", record_name(domain.host, OWNERSHIP), domain.token))
    return tuple(values)


def unanswered_of(domain: Domain, now: datetime) -> str:
    if domain.unanswered_at is None:
        return ""
    return Markup("{}: {}").format(moment(domain.unanswered_at, now, capitalised=True), domain.unanswered_why)


def remembered(domain: Domain, report: Report, now: datetime) -> str:
    """As the last look told it, while that is fresh."""
    told = next((record.why for record in report.records if record.ok and record.why), "")
    if domain.state != VERIFIED or not told or not domain.checked_at or now - domain.checked_at > FRESH:
        return ""
    return Markup("{}: {}").format(moment(domain.checked_at, now, capitalised=True), told)


def held_up(domain: Domain, stage: str, around: Surroundings) -> str:
    standing = around.standings[domain.id]
    return "" if stage != FAILED or standing.hurries else next_try(standing, around)


def word_of(domain: Domain, report: Report, stage: str, around: Surroundings) -> str:
    if domain.state == ATTENTION:
        return "moved"
    if domain.state != VERIFIED:
        return "absent" if only_absent(report) else "wrong"
    if stage == LIVE and around.standings[domain.id].code:
        return "unrenewed"
    return stage if stage in (LIVE, ISSUED, FAILED, EXPIRED, BLOCKED) else "verified"


def pace_of(domain: Domain, stage: str, around: Surroundings) -> int:
    """Soon while a certificate is on its way and somebody may sit and wait for it."""
    if not around.shows:
        return 0
    if stage in UNDER_WAY:
        since = max(filter(None, (domain.verified_at, domain.pressed_at)), default=domain.created_at)
        return SOON if around.now - since < PATIENCE else LATER
    if stage in (FAILED, EXPIRED, LIMITED):
        return LATER
    needs = domain.state != VERIFIED or stage in (BLOCKED, UNREAD)
    return LATER if needs and domain.next_check_at is not None else 0


def pair_to_offer(domains: Sequence[Domain]) -> str:
    """The other of an apex and its ``www`` that the project has not added; empty where there is none."""
    own = {domain.host for domain in domains}
    others = (partner(domain.host) for domain in domains)
    return next((other for other in others if other and other not in own), "")
