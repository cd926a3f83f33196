"""The results of a domain's DNS checks, as its card shows them."""

from adoption.certificates.certificate_states import EXPIRED, CertificateStatus
from adoption.certificates.models import FAILED
from adoption.domains.caa_checks import TARGET_BLOCKS, authority_name, record_name_below
from adoption.domains.cloudflare_proxy import is_proxied
from adoption.domains.dns_answers import SHOWN_MOST
from adoption.domains.dns_records import CheckedRecord, Report
from adoption.domains.models import UNVERIFIED, VERIFIED, Domain
from adoption.domains.name_server_checks import DIFFER
from adoption.translations import gettext, message
from portal.staff.domains.card_classes import Check, Surroundings
from portal.staff.domains.certificate_labels import checked_in_words
from portal.staff.domains.certificate_problems import certificate_check
from portal.staff.domains.expected_records import detour_of, provider_of

VERDICTS = {
    "cname_ok": message("Right"),
    "alias_ok": message("Right"),
    "txt_ok": message("Right"),
    "cname_wrong": message("Wrong value"),
    "cname_chain": message("Leads here indirectly"),
    "cname_zone_appended": message("Wrong value"),
    "cname_loop": message("Leads in a circle"),
    "wildcard": message("Not there yet"),
    "name_doubled": message("Wrong name"),
    "unregistered": message("No such domain"),
    "a_conflict": message("Conflict"),
    "a_conflict_proxied": message("Conflict"),
    "aaaa_conflict": message("Conflict"),
    "a_elsewhere": message("Leads elsewhere"),
    "missing": message("Not there yet"),
    "txt_missing": message("Not there yet"),
    "txt_wrong": message("Wrong value"),
    "txt_name_doubled": message("Wrong name"),
    "taken": message("Given to another account"),
    "dns_failed": message("Could not check"),
    "dnssec_broken": message("Refused by other servers"),
    "name_servers_differ": message("Not everywhere yet"),
    "caa_none": message("Does not block"),
    "caa_ok": message("Does not block"),
    "caa_failed": message("Could not read"),
    "caa_blocks": message("Blocks certificates"),
    "caa_target_blocks": message("Ours to fix"),
    "caa_critical_unknown": message("Blocks certificates"),
}
ABSENT = {"missing", "txt_missing"}
PROXY_CODES = {"a_conflict_proxied", "aaaa_conflict", "a_elsewhere"}
"""Result codes of records whose values may be the addresses of a proxy."""
NOT_RECORDS = {message("Site"), message("DNSSEC"), message("Name servers")}
"""Labels of checks that are not about one type of record."""
INSTEAD = {
    "a_conflict": message("Instead, a CNAME record with the value"),
    "a_conflict_proxied": message("A CNAME record with a grey cloud, and the value"),
    "aaaa_conflict": message("Instead, a CNAME record with the value"),
    "a_elsewhere": message("Only addresses that belong to"),
}
"""The text before the expected value, by result code. Only results that expect a record of another type have
a text."""


def caa_blocks(report: Report) -> bool:
    return report.caa.ok is False


def needs_own_caa_fix(report: Report) -> bool:
    """Return whether the shelter has to change CAA records, because they block the certificate.

    False if we have to change them.
    """
    return caa_blocks(report) and report.caa.code != TARGET_BLOCKS


def only_absent(report: Report) -> bool:
    return all(record.ok or record.code in ABSENT for record in report.records)


def is_hidden_by_proxy(domain: Domain, report: Report) -> bool:
    """Return whether Cloudflare's proxy answers for the host, so that we cannot see its record."""
    addresses = [record.found[:SHOWN_MOST] for record in report.records if record.code in PROXY_CODES]
    return any(is_proxied(domain.name_servers.split(), each) for each in addresses)


def is_refused_only(domain: Domain, report: Report) -> bool:
    """Return whether the only known problem is invalid DNSSEC, which hides the records."""
    return domain.unresolved_since is not None and only_absent(report)


def heading_of(overdue: bool, status: CertificateStatus) -> str:
    """Return the heading of the checks."""
    late = overdue and status.live_since is None
    return gettext("Not live after 30 minutes: what we have checked") if late else gettext("What we found")


def checks_of(
    domain: Domain, report: Report, stage: str, overdue: bool, around: Surroundings
) -> tuple[Check, ...]:
    """Return the failed checks, or all checks with their times if the certificate is overdue."""
    if is_still_new(domain, report):
        return ()
    at = checked_in_words(domain.checked_at, around.now) if overdue else ""
    checks = []
    if overdue or domain.state != VERIFIED:
        records = [pasted_as(record, domain) for record in report.records]
        if detour_of(domain, report, around):  # There is no record to add, so none is expected.
            records = [record if record.ok else record._replace(expected="") for record in records]
        checks += [check_of(record, at) for record in records]
    checks += [check_of(record, at) for record in report.warnings]
    if overdue or caa_blocks(report):
        checks.append(caa_check(report, domain.host, around.issuer, at))
    if overdue or (stage in (FAILED, EXPIRED) and domain.state == VERIFIED and around.shows):
        checks.append(certificate_check(stage, domain, around))
    return tuple(checks)


def is_still_new(domain: Domain, report: Report) -> bool:
    """Return whether DNS has no records of the domain yet, and no one has pressed Verify."""
    is_new = domain.state == UNVERIFIED and domain.pressed_at is None and not report.warnings
    return is_new and only_absent(report)


def pasted_as(record: CheckedRecord, domain: Domain) -> CheckedRecord:
    """Return the record in the form that its owner pastes: some providers need a dot at the end of a name."""
    provider, expected = provider_of(domain), record.expected
    if record.type == "CNAME" and provider and provider.ends_in_dot and not expected.endswith("."):
        return record._replace(expected=f"{expected}.", right=(*record.right, expected))
    return record


def check_of(record: CheckedRecord, at: str) -> Check:
    result = "pass" if record.ok else "wait" if record.code in ABSENT | {DIFFER} else "fail"
    right = {record.expected, *record.right}
    found = tuple((value, bool(record.ok) or value in right) for value in record.found)
    why = record.why or (gettext("It leads here.") if at and record.ok else "")
    return Check(
        gettext(record.type) if record.type in NOT_RECORDS else record_label(record.type),
        record.name,
        result,
        gettext(VERDICTS[record.code]),
        record.fix,
        why,
        record.expected,
        found,
        gettext(INSTEAD[record.code]) if record.code in INSTEAD else "",
        at=at,
        addresses=record.addresses,
        needs_shelter=record.code != DIFFER,
    )


def record_label(record_type: str) -> str:
    return gettext("%(type)s record", type=record_type)


def caa_check(report: Report, host: str, issuer: str, at: str) -> Check:
    caa = report.caa
    name = record_name_below(caa.at, host) if caa.at else ""
    if caa.ok is False:
        found = tuple((value, False) for value in caa.found)
        is_ours = caa.code == TARGET_BLOCKS
        return Check(
            record_label("CAA"),
            name,
            "wait" if is_ours else "fail",
            gettext(VERDICTS[caa.code]),
            caa.fix,
            f"{caa.why} {caa_in_fields(caa.expected)}".strip(),
            caa.expected,
            found,
            at=at,
            needs_shelter=not is_ours,
        )
    why = caa.hint
    if caa.ok:
        allowed = message("It allows %(authority)s to issue certificates.")
        none = message("There is no CAA record, so nothing blocks the certificate.")
        why = gettext(allowed if caa.found else none, authority=authority_name(issuer))
    result = "pass" if caa.ok else "wait"
    return Check(record_label("CAA"), name, result, gettext(VERDICTS[caa.code]), why=why, at=at)


def caa_in_fields(line: str) -> str:
    """Return how to enter a CAA record into a form with separate fields for flag, tag and value."""
    if not line:
        return ""
    flag, tag, value = line.split(" ", 2)
    return gettext(
        "If the form has three fields, enter flag %(flag)s, tag %(tag)s, value %(value)s.",
        flag=flag,
        tag=tag,
        value=value.strip('"'),
    )
