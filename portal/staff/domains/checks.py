"""What a check of a domain's DNS found, and which records its owner adds."""

from adoption.certificates.certificate_states import EXPIRED, CertificateStatus
from adoption.certificates.models import FAILED
from adoption.domains.caa_checks import TARGET_BLOCKS, authority_name, record_name_below
from adoption.domains.cloudflare_proxy import is_proxied
from adoption.domains.dns_answers import SHOWN_MOST
from adoption.domains.dns_providers import Provider, find_provider
from adoption.domains.dns_records import OWNERSHIP, CheckedRecord, Report
from adoption.domains.hostnames import record_name
from adoption.domains.missing_record_advice import forward_instead
from adoption.domains.models import UNVERIFIED, VERIFIED, Domain
from adoption.domains.name_server_checks import DIFFER
from adoption.domains.ownership_claims import WILDCARD
from adoption.translations import gettext, message
from portal.staff.domains.cards import Check, Surroundings, Value
from portal.staff.domains.certificate_checks import certificate_check
from portal.staff.domains.certificate_labels import looked

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
TXT_CODES = {"txt_missing", "txt_wrong", "txt_name_doubled"}
PROXY_CODES = {"a_conflict_proxied", "aaaa_conflict", "a_elsewhere"}
"""Codes of records whose values may be addresses of a proxy."""
NOT_RECORDS = {message("Site"), message("DNSSEC"), message("Name servers")}
"""What a check may concern, other than one type of record."""
INSTEAD = {
    "a_conflict": message("Instead, a CNAME record with the value"),
    "a_conflict_proxied": message("A CNAME record with a grey cloud, and the value"),
    "aaaa_conflict": message("Instead, a CNAME record with the value"),
    "a_elsewhere": message("Only addresses that belong to"),
}
"""What is expected if the value belongs to a record of another type. The target's name follows."""


def caa_blocks(report: Report) -> bool:
    return report.caa.ok is False


def needs_own_caa_fix(report: Report) -> bool:
    """Return whether CAA records block the certificate and are for the shelter to fix, not for us."""
    return caa_blocks(report) and report.caa.code != TARGET_BLOCKS


def only_absent(report: Report) -> bool:
    return all(record.ok or record.code in ABSENT for record in report.records)


def is_hidden_by_proxy(domain: Domain, report: Report) -> bool:
    """Return whether Cloudflare's proxy answers for the host, so that nobody can see its record."""
    addresses = [record.found[:SHOWN_MOST] for record in report.records if record.code in PROXY_CODES]
    return any(is_proxied(domain.name_servers.split(), each) for each in addresses)


def is_refused_only(domain: Domain, report: Report) -> bool:
    """Return whether DNSSEC, which hides the records, is the only known problem."""
    return domain.unresolved_since is not None and only_absent(report)


def heading_of(overdue: bool, status: CertificateStatus) -> str:
    """Return the heading of the checks."""
    late = overdue and status.live_since is None
    return gettext("Not live after 30 minutes: what we have checked") if late else gettext("What we found")


def checks_of(
    domain: Domain, report: Report, stage: str, overdue: bool, around: Surroundings
) -> tuple[Check, ...]:
    """Return the failed checks; if the certificate is overdue, all of them with their times."""
    if is_still_new(domain, report):
        return ()
    at = looked(domain.checked_at, around.now) if overdue else ""
    checks = []
    if overdue or domain.state != VERIFIED:
        records = [pasted_as(record, domain) for record in report.records]
        if detour_of(domain, report, around):  # no record to add, so nothing to compare
            records = [record if record.ok else record._replace(expected="") for record in records]
        checks += [check_of(record, at) for record in records]
    checks += [check_of(record, at) for record in report.warnings]
    if overdue or caa_blocks(report):
        checks.append(caa_check(report, domain.host, around.issuer, at))
    if overdue or (stage in (FAILED, EXPIRED) and domain.state == VERIFIED and around.shows):
        checks.append(certificate_check(stage, domain, around))
    return tuple(checks)


def is_still_new(domain: Domain, report: Report) -> bool:
    """Return whether its records are not there yet, and nobody has pressed Verify."""
    is_new = domain.state == UNVERIFIED and domain.pressed_at is None and not report.warnings
    return is_new and only_absent(report)


def pasted_as(record: CheckedRecord, domain: Domain) -> CheckedRecord:
    """Return the record with the dot that its provider's form needs at the end of a name."""
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
        none = message("There is none, so nothing blocks the certificate.")
        why = gettext(allowed if caa.found else none, authority=authority_name(issuer))
    result = "pass" if caa.ok else "wait"
    return Check(record_label("CAA"), name, result, gettext(VERDICTS[caa.code]), why=why, at=at)


def caa_in_fields(line: str) -> str:
    """Return how to enter a CAA record into a form that has three fields for its value."""
    if not line:
        return ""
    flag, tag, value = line.split(" ", 2)
    return gettext(
        "If the form has three fields, enter flag %(flag)s, tag %(tag)s, value %(value)s.",
        flag=flag,
        tag=tag,
        value=value.strip('"'),
    )


def proof_of(domain: Domain, report: Report, around: Surroundings) -> str:
    """Return why a TXT record has to prove the ownership of the domain; empty if it does not."""
    asked = any(record.code in TXT_CODES for record in report.records)
    return around.proofs.get(domain.id, "") or (WILDCARD if asked and not domain.verified_host else "")


def provider_of(domain: Domain) -> Provider | None:
    return find_provider(domain.name_servers.split())


def leading_record_name(domain: Domain, report: Report) -> str:
    """Return the name of the record that leads here, in the zone that a check found."""
    checked = (record.name for record in report.records if record.type in ("ALIAS", "CNAME"))
    return next(checked, record_name(domain.host))


def detour_of(domain: Domain, report: Report, around: Surroundings) -> tuple[str, ...]:
    """Return what to do with an apex if its provider has no record that can lead it here, and why."""
    provider = provider_of(domain)
    if not provider or provider.apex or around.addresses or leading_record_name(domain, report) != "@":
        return ()
    return forward_instead(domain.host, provider.name)


def expected_values(domain: Domain, report: Report, around: Surroundings) -> tuple[Value, ...]:
    name, provider = leading_record_name(domain, report), provider_of(domain)
    apex = (provider.apex if provider else "") or "ALIAS"
    target = f"{around.target}." if provider and provider.ends_in_dot else around.target
    values = [Value(apex if name == "@" else "CNAME", name, target)]
    if values[0].type == "ALIAS":
        addresses = [Value("AAAA" if ":" in each else "A", name, each) for each in around.addresses]
        values = addresses if provider and addresses else values + addresses
    if proof_of(domain, report, around):
        proof = next((each.name for each in report.records if each.type == "TXT"), "")
        values.append(Value("TXT", proof or record_name(domain.host, OWNERSHIP), domain.token))
    return tuple(values)
