"""Checks that CAA records allow our certificate authority (RFC 8659) and our methods (RFC 8657)."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from adoption.domains.dns_answers import DnsAnswer, failed_answer, printable_values
from adoption.domains.dns_transport import CHAIN_LONGEST
from adoption.domains.hostnames import host_and_parents, record_name, registrable
from adoption.text_joining import join_names

NONE, OK, BLOCKS, TARGET_BLOCKS = "caa_none", "caa_ok", "caa_blocks", "caa_target_blocks"
CRITICAL, CAA_FAILED = "caa_critical_unknown", "caa_failed"

RECORD = re.compile(r'(?P<flags>[0-9]{1,3}) (?P<tag>[A-Za-z0-9]+) "(?P<value>.*)"', re.DOTALL)
"""The format of a CAA record in a zone file."""
ISSUE = re.compile(
    r"[ \t]*(?P<issuer>[a-z0-9-]+(\.[a-z0-9-]+)*)?[ \t]*(;(?P<parameters>.*))?", re.IGNORECASE | re.DOTALL
)
PARAMETER = re.compile(r"[ \t]*([a-z0-9]+)[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]*)[ \t]*", re.IGNORECASE)
MUST_UNDERSTAND = 128 | 1
"""The critical bit (RFC 8659, 4.1), and the bit that people often set instead by mistake. Let's Encrypt
treats both as critical."""
KNOWN = {"issue", "issuewild", "issuemail", "iodef"}
HTTP_01, DNS_01 = "http-01", "dns-01"
"""Names of challenges in ``validationmethods`` (RFC 8657, 4)."""

LETS_ENCRYPT = "letsencrypt.org"
AUTHORITIES = {
    LETS_ENCRYPT: "Let's Encrypt",
    "digicert.com": "DigiCert",
    "sectigo.com": "Sectigo",
    "comodoca.com": "Sectigo",
    "globalsign.com": "GlobalSign",
    "godaddy.com": "GoDaddy",
    "starfieldtech.com": "GoDaddy",
    "pki.goog": "Google",
    "amazon.com": "Amazon",
    "amazontrust.com": "Amazon",
    "amazonaws.com": "Amazon",
    "entrust.net": "Entrust",
    "ssl.com": "SSL.com",
    "actalis.it": "Actalis",
    "buypass.com": "Buypass",
    "telesec.de": "Telekom Security",
}
"""The names of certificate authorities, by their domain in CAA records."""

Ask = Callable[[str, str], DnsAnswer]
Ours = tuple[Collection[str], Collection[str]]
"""The certificate authorities and the challenge types that this service uses."""


class Permission(NamedTuple):
    """The result of a CAA check. ``ok`` is None if the records could not be read."""

    ok: bool | None
    code: str
    at: str = ""
    """The name at which the deciding CAA records are."""
    found: tuple[str, ...] = ()
    fix: str = ""
    """What to do, as one sentence."""
    why: str = ""
    expected: str = ""
    """The value of the missing record; empty if no record is missing."""

    @property
    def hint(self) -> str:
        return f"{self.fix} {self.why}".strip()


def check_caa(
    host: str, ask: Ask, issuers: Collection[str], target: str = "", methods: Collection[str] = (HTTP_01,)
) -> Permission:
    """Check the CAA records of the host. If the host has none, check the nearest parent that has CAA records.

    ``ask`` returns the records of one type at a name. Records at the end of a CNAME count as the name's own
    records. ``target`` is our CNAME target: if its CAA records block certificates, this service's operator
    has to fix them. ``methods`` are the challenge types that an order can use.
    """
    for name in host_and_parents(host):
        path, answer = at_end_of(name, ask)
        if answer.failed:
            return Permission(
                None,
                CAA_FAILED,
                name,
                why=(
                    f"We could not read the CAA records of {name}, which say who may issue "
                    f"certificates. {answer.reason}. If {authority_name(next(iter(issuers), ''))} "
                    "cannot read them either, it issues no certificate. If this lasts for more than a "
                    "day, ask your DNS provider."
                ),
            )
        if answer.values:
            found = judge_records(
                path[-1], answer.values, (issuers, methods), record_name_below(path[-1], host)
            )
            return blame_target(found) if found.ok is False and target in path else found
    return Permission(True, NONE)


def at_end_of(name: str, ask: Ask) -> tuple[list[str], DnsAnswer]:
    """Follow CNAME records from a name. Return the names on the way, and the CAA records at the end.

    An answer can contain only the first part of the chain, because name servers only know their own zones.
    """
    path = [name]
    for _ in range(CHAIN_LONGEST):
        answer = ask(path[-1], "CAA")
        if answer.values or answer.failed or not answer.chain:
            return path, answer
        path += answer.chain
        if answer.at_end:
            return path, answer._replace(values=answer.at_end)
    return path, failed_answer("The records lead in a circle")


def blame_target(found: Permission) -> Permission:
    """Return the result for CAA records of our CNAME target, which only the operator can change."""
    why = (
        "A CAA record in the DNS of this service blocks your certificate. We have to fix "
        "that record. Then we order the certificate automatically."
    )
    return Permission(False, TARGET_BLOCKS, found.at, found.found, "You do not have to do anything.", why)


def record_name_below(at: str, host: str) -> str:
    """Return the name of a record, in the form that the host's DNS provider expects.

    If the record and the host have different registrable domains, return the full name.
    """
    return record_name(at) if registrable(at) == registrable(host) else at


def judge_records(at: str, records: Sequence[str], ours: Ours, name: str) -> Permission:
    """Check one or more CAA records. ``name`` is the record's name in the form of the DNS provider."""
    issuers, methods = ours
    found = printable_values(records)
    properties = [match for record in records if (match := RECORD.fullmatch(record))]
    for each in properties:
        if int(each["flags"]) & MUST_UNDERSTAND and each["tag"].lower() not in KNOWN:
            fix = f"Delete the CAA record named {name} with the value “{printable_values([each[0]])[0]}”."
            why = (
                "The record contains a rule that certificate authorities do not know, so no "
                "authority issues a certificate."
            )
            return Permission(False, CRITICAL, at, found, fix, why)
    issue = [each["value"] for each in properties if each["tag"].lower() == "issue"]
    if not issue or any(allows(value, issuers, methods) for value in issue):
        return Permission(True, OK, at, found)
    line = f'0 issue "{next(iter(issuers), "")}"'
    fix = f"Add a CAA record with the name {name} and the value {line}."
    why = (
        "CAA records say who may issue certificates, which browsers need for the padlock. "
        f"{whom_it_allows(issue, issuers)} Keep the CAA records that are there."
    )
    return Permission(False, BLOCKS, at, found, fix, why, line)


def whom_it_allows(issue: Sequence[str], issuers: Collection[str]) -> str:
    """Return sentences about the authorities that these ``issue`` properties allow."""
    named = [
        match["issuer"].lower() for each in issue if (match := ISSUE.fullmatch(each)) and match["issuer"]
    ]
    ours = authority_name(next(iter(issuers), ""))
    if any(each in issuers for each in named):
        return f"Your domain allows {ours}, but only by a method that we do not use."
    allowed = f"only {join_names(sorted(set(map(authority_name, named))))}" if named else "nobody"
    return f"Your domain allows {allowed}. Our certificates come from {ours}."


def authority_name(domain: str) -> str:
    """Return the name of a certificate authority, given its domain in CAA records."""
    return AUTHORITIES.get(domain, domain)


def allows(value: str, issuers: Collection[str], usable: Collection[str]) -> bool:
    """Return whether an ``issue`` property allows our authority and method.

    A malformed property allows nothing.
    """
    match = ISSUE.fullmatch(value)
    if not match or not match["issuer"] or match["issuer"].lower() not in issuers:
        return False
    parameters: dict[str, str] = {}
    for text in (match["parameters"] or "").split(";"):
        if not text.strip(" \t"):
            continue
        parameter = PARAMETER.fullmatch(text)
        if not parameter:
            return False
        parameters[parameter[1].lower()] = parameter[2]
    # ``accounturi`` (RFC 8657, 3) allows only one account. We publish no account, so it cannot be ours.
    methods = parameters.get("validationmethods")
    return "accounturi" not in parameters and (
        methods is None or not {*usable}.isdisjoint(methods.split(","))
    )
