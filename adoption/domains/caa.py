"""Whether CAA records let our certificate authority issue for a host: RFC 8659, and 8657 for its methods."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from adoption.domains.dns_answers import Answer, failure, legible
from adoption.domains.dns_transport import CHAIN_LONGEST
from adoption.domains.names import parents

NONE, OK, BLOCKS = "caa_none", "caa_ok", "caa_blocks"
CRITICAL, CAA_FAILED = "caa_critical_unknown", "caa_failed"

RECORD = re.compile(r'(?P<flags>[0-9]{1,3}) (?P<tag>[A-Za-z0-9]+) "(?P<value>.*)"', re.DOTALL)
"""A record as zone files have it."""
ISSUE = re.compile(
    r"[ \t]*(?P<issuer>[a-z0-9-]+(\.[a-z0-9-]+)*)?[ \t]*(;(?P<parameters>.*))?", re.IGNORECASE | re.DOTALL
)
PARAMETER = re.compile(r"[ \t]*([a-z0-9]+)[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]*)[ \t]*", re.IGNORECASE)
MUST_UNDERSTAND = 128 | 1
"""The bit that RFC 8659 names, and the one that many take for it: Let's Encrypt heeds both."""
KNOWN = {"issue", "issuewild", "issuemail", "iodef"}
METHOD = "http-01"

Ask = Callable[[str, str], Answer]


class Permission(NamedTuple):
    """What the records say; ``ok`` is None where they could not be read."""

    ok: bool | None
    code: str
    at: str = ""
    """The name where the records stand that decide."""
    found: tuple[str, ...] = ()
    fix: str = ""
    """What to do, as one sentence."""
    why: str = ""
    expected: str = ""
    """The value of the record to add, where one is missing."""

    @property
    def hint(self) -> str:
        return f"{self.fix} {self.why}".strip()


def check_caa(host: str, ask: Ask, issuers: Collection[str]) -> Permission:
    """Climb from the host through every parent: the first that has records decides.

    ``ask`` gives the records of a kind under a name. An alias's target counts as if it stood here.
    """
    for name in parents(host):
        at, answer = at_end_of(name, ask)
        if answer.failed:
            return Permission(
                None,
                CAA_FAILED,
                name,
                why=f"The CAA records of {name} could not be read. {answer.reason}. Where the certificate "
                "authority cannot read them either it refuses: if it stays so, ask your DNS provider.",
            )
        if answer.values:
            return judge(at, answer.values, issuers)
    return Permission(True, NONE)


def at_end_of(name: str, ask: Ask) -> tuple[str, Answer]:
    """Where an alias under this name ends, and what is there: each zone on the way tells its own part."""
    for _ in range(CHAIN_LONGEST):
        answer = ask(name, "CAA")
        if answer.values or answer.failed or not answer.chain:
            return name, answer
        name = answer.chain[-1]
        if answer.at_end:
            return name, answer._replace(values=answer.at_end)
    return name, failure("The records lead round in a circle")


def judge(at: str, records: Sequence[str], issuers: Collection[str]) -> Permission:
    """What a set of records says that is not empty."""
    found = legible(records)
    properties = [match for record in records if (match := RECORD.fullmatch(record))]
    for each in properties:
        if int(each["flags"]) & MUST_UNDERSTAND and each["tag"].lower() not in KNOWN:
            fix = f"Remove the CAA record “{legible([each[0]])[0]}” at {at}."
            why = (
                "It says that whoever does not know what it asks for must not issue, and certificate "
                "authorities do not know it."
            )
            return Permission(False, CRITICAL, at, found, fix, why)
    issue = [each["value"] for each in properties if each["tag"].lower() == "issue"]
    if not issue or any(allows(value, issuers) for value in issue):
        return Permission(True, OK, at, found)
    line = f'0 issue "{next(iter(issuers), "")}"'
    fix = f"Add a CAA record at {at} with the value {line}."
    why = (
        "The records there allow others alone to issue certificates. "
        "Keep those that another service of yours needs."
    )
    return Permission(False, BLOCKS, at, found, fix, why, line)


def allows(value: str, issuers: Collection[str]) -> bool:
    """Whether an ``issue`` property lets one of ours issue by our method; a broken one does not."""
    match = ISSUE.fullmatch(value)
    if not match or not match["issuer"] or match["issuer"].lower() not in issuers:
        return False
    given: dict[str, str] = {}
    for text in (match["parameters"] or "").split(";"):
        if not text.strip(" \t"):
            continue
        parameter = PARAMETER.fullmatch(text)
        if not parameter:
            return False
        given[parameter[1].lower()] = parameter[2]
    # An account that is named there is somebody else's: nobody has been told of one of ours.
    methods = given.get("validationmethods")
    return "accounturi" not in given and (methods is None or METHOD in methods.split(","))
