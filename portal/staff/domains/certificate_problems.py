"""Problems with a domain's certificate: delays, failed orders, and failed renewals."""

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
from adoption.domains.caa_checks import TARGET_BLOCKS, authority_name
from adoption.domains.dns_records import Report
from adoption.domains.hostnames import display_host
from adoption.domains.models import Domain
from adoption.translations import gettext, message
from portal.dates import day_and_time
from portal.staff.domains.card_classes import CardNotice, Check, Surroundings
from portal.staff.domains.certificate_labels import (
    checked_in_words,
    end_of,
    next_order_time,
    next_try,
    outage_sentence,
)
from portal.staff.domains.certificate_stages import BLOCKED, LIMITED, OUTAGE, QUEUED, UNREAD, UNRESOLVED

AGAIN = message("Nothing is lost: we try again automatically.")

VERDICTS = {
    "rateLimited": message("Too many for now"),
    "rejectedIdentifier": message("Refused"),
    "unsupportedIdentifier": message("Refused"),
    "paused": message("Paused"),
    "onionCAARequired": message("Refused"),
    "dnssec": message("Could not look it up"),
    "unknownHost": message("Could not look it up"),
    "caa": message("Blocked by CAA"),
    "connection": message("Could not connect"),
    "dns": message("Could not look it up"),
    "unauthorized": message("Found another website"),
    "incorrectResponse": message("Found another website"),
    "tls": message("Redirected to https"),
    "unreached": message("No answer"),
    "unfinished": message("Did not finish"),
    "wrongHost": message("Wrong certificate"),
}


def notice_of(
    stage: str, domain: Domain, report: Report, overdue: bool, around: Surroundings
) -> CardNotice | None:
    """Return the notice about the certificate; None if there is nothing to report.

    There is no notice about an overdue certificate, because the checks contain the same text.
    """
    status = around.statuses[domain.id]
    if stage == LIVE and (found := renewal_problem(domain, report, around)):
        return found
    if overdue:
        return None
    authority = authority_name(around.issuer)
    waits = gettext("The certificate waits for %(authority)s", authority=authority)
    if stage == LIMITED:
        text = gettext(
            "%(authority)s issues the certificate, but takes no more orders from this service for now. You "
            "do not have to do anything: we order again %(time)s.",
            authority=authority,
            time=next_order_time(around),
        )
        return CardNotice(waits, text)
    if stage == OUTAGE:
        return CardNotice(waits, outage_sentence(around))
    if status.unreached_why and stage in (LIVE, ORDERING, VALIDATING):
        return CardNotice(waits, f"{status.unreached_why} {gettext(AGAIN)}")
    if stage == ISSUED and status.unseen_why:
        return CardNotice(
            gettext("The certificate is issued, but not in use yet"), not_in_use_sentence(status)
        )
    return None


def renewal_problem(domain: Domain, report: Report, around: Surroundings) -> CardNotice | None:
    """Return a notice about why the certificate cannot be renewed; None if nothing prevents a renewal."""
    status = around.statuses[domain.id]
    valid = gettext("The current certificate is valid until %(day)s.", day=end_of(status, around.now))
    good = join_sentences(valid, gettext("Visitors notice nothing until then."))
    if domain.unresolved_since:
        rule = gettext("DNSSEC has to be repaired first, see below.")
        return CardNotice(gettext("The certificate cannot be renewed"), join_sentences(valid, rule))
    if report.caa.code == TARGET_BLOCKS:
        nothing = gettext("You do not have to do anything, see below.")
        return CardNotice(
            gettext("A problem on our side delays the certificate"), join_sentences(good, nothing)
        )
    if not domain.caa_allows:
        rule = gettext(
            "A CAA record in your DNS has to allow %(authority)s first, see below.",
            authority=authority_name(around.issuer),
        )
        return CardNotice(gettext("The certificate cannot be renewed"), join_sentences(good, rule))
    if not status.code:
        return None
    advised = advice(status.code, display_host(domain.host), around.issuer)
    todo = Markup("{} {} {}.").format(advised.why, advised.fix, next_try(status, around))
    title, quote = gettext("The certificate could not be renewed"), quote_of(status)
    return CardNotice(title, good, quote, failure_time(status, around), todo, unpause_link(quote))


def join_sentences(*sentences: str) -> Markup:
    """Return the sentences that are not empty, joined as HTML."""
    return Markup(" ").join(filter(None, sentences))


def certificate_check(stage: str, domain: Domain, around: Surroundings) -> Check:
    """Return the check of the certificate: the authority's last answer, or whether visitors get it."""
    status, now = around.statuses[domain.id], around.now
    if stage == ISSUED:
        at = checked_in_words(status.looked_at, now)
        label, verdict = gettext("What visitors get"), gettext("Not there yet")
        return Check(label, "", "wait", verdict, why=not_in_use_sentence(status), at=at)
    if status.code and stage in (FAILED, EXPIRED):
        return refusal_text(domain, status, around)
    if status.unreached_why:
        why = f"{status.unreached_why} {gettext(AGAIN)}"
    elif stage == EXPIRED and not domain.caa_allows:
        why = gettext("We could not renew the certificate, because a CAA record blocks it.")
    else:
        why = why_waiting(stage, around)
    asked = stage in (ORDERING, VALIDATING, EXPIRED)
    verdict = gettext("No answer yet") if asked else gettext("Not ordered yet")
    return Check(certificate_label(around), "", "wait", verdict, why=why)


def certificate_label(around: Surroundings) -> str:
    return gettext("Certificate from %(authority)s", authority=authority_name(around.issuer))


WAITING = {
    UNRESOLVED: message(
        "We order the certificate once other DNS servers accept your record. At the "
        "moment, %(authority)s refuses the record."
    ),
    BLOCKED: message("We order the certificate once the CAA records allow it. An earlier order would fail."),
    UNREAD: message("We order the certificate as soon as the CAA records can be read."),
    LIMITED: message(
        "%(authority)s takes no more orders from this service for now. We order again %(time)s."
    ),
    QUEUED: message("The order begins after other orders, usually within minutes."),
    ORDERING: message("%(authority)s has not taken the order yet."),
    VALIDATING: message("%(authority)s has the order and checks that your domain leads here."),
    EXPIRED: message("A new certificate is being ordered."),
}
SOON = message("The order begins within a minute.")


def why_waiting(stage: str, around: Surroundings) -> str:
    if stage == OUTAGE:
        return outage_sentence(around)
    authority = authority_name(around.issuer)
    return gettext(WAITING.get(stage, SOON), authority=authority, time=next_order_time(around))


def refusal_text(domain: Domain, status: CertificateStatus, around: Surroundings) -> Check:
    code = status.code or ""
    advised = advice(code, display_host(domain.host), around.issuer)
    why = [advised.why]
    if status.next_try_at is not None:
        why.append(Markup("{}.").format(next_try(status, around)))
        if not status.hurries and code != RATE_LIMITED:
            why.append(
                gettext(
                    "Several orders have failed within an hour, so pressing Re-verify does not start "
                    "the next order any earlier."
                )
            )
    is_ours = code not in VERDICTS and advised.who == OPERATOR
    other = message("Ours to fix") if is_ours else message("Trying again")
    return Check(
        certificate_label(around),
        "",
        "fail" if needs_shelter(code) else "wait",
        gettext(VERDICTS.get(code, other)),
        advised.fix,
        join_sentences(*why),
        quote=quote_of(status),
        at=failure_time(status, around),
        link=unpause_link(quote_of(status)),
        needs_shelter=not is_ours,
    )


def quote_of(status: CertificateStatus) -> str:
    return "" if status.code in OURS else status.detail or ""


def failure_time(status: CertificateStatus, around: Surroundings) -> str:
    """Return who reported the failure and when, in words."""
    if status.failed_at is None:
        return ""
    time = day_and_time(status.failed_at, around.now)
    if status.code in OURS:
        return gettext("Given up %(time)s", time=time)
    return gettext("%(authority)s said %(time)s", authority=authority_name(around.issuer), time=time)


def not_in_use_sentence(status: CertificateStatus) -> str:
    why = status.unseen_why or gettext("We have not checked yet.")
    return f"{why} " + gettext("We check again automatically.")
