"""The DNS records that a domain needs, and the report of a check: each record as found and as expected."""

from collections.abc import Collection
from typing import NamedTuple

from adoption.domains.caa import Permission
from adoption.domains.dns_answers import Answer, legible
from adoption.domains.names import is_apex, record_name
from adoption.domains.ownership import USED

OWNERSHIP = "_homeward"
"""The label of the TXT record that proves ownership of a host."""


class Wanted(NamedTuple):
    """What there should be of a host."""

    host: str
    target: str
    """The name that an alias is to lead to."""
    token: str = ""
    """The text of the TXT record that proves ownership; empty where the host is verified already."""
    proof: str = USED
    """Why that record is needed; empty where only a wildcard makes it necessary."""
    issuers: Collection[str] = ("letsencrypt.org",)
    rivals: Collection[str] = ()
    """What that record says where the host is another account's by now."""

    @property
    def kind(self) -> str:
        """The kind of record to make: an apex cannot have a CNAME."""
        return "ALIAS" if is_apex(self.host) else "CNAME"


class Record(NamedTuple):
    """One record as it is and as it should be. ``ok`` is None where nobody could look."""

    type: str
    name: str
    """As a provider's form wants it."""
    found: tuple[str, ...]
    expected: str
    ok: bool | None
    code: str
    fix: str = ""
    """What to do, as one sentence."""
    why: str = ""
    right: tuple[str, ...] = ()
    """Of ``found``, what is to stay, where that is not the expected value itself."""

    @property
    def hint(self) -> str:
        return f"{self.fix} {self.why}".strip()


class Report(NamedTuple):
    records: tuple[Record, ...]
    caa: Permission
    proven: bool = False
    """Whether the TXT record that proves ownership was found."""

    @property
    def ok(self) -> bool | None:
        """Whether all is right; False where one record is known to be wrong, None where that is not known."""
        if any(record.ok is False for record in self.records):
            return False
        return None if any(record.ok is None for record in self.records) else True


def target_record(
    wanted: Wanted, found: tuple[str, ...], ok: bool | None, code: str, fix: str = "", why: str = ""
) -> Record:
    """The row of the record that is to lead to us."""
    found = legible(found)
    return Record(wanted.kind, record_name(wanted.host), found, wanted.target, ok, code, fix, why)


def unchecked_record(wanted: Wanted, answer: Answer) -> Record:
    why = f"{answer.reason}. Nothing has changed, and we check again automatically."
    return target_record(wanted, (), None, "dns_failed", "We could not look just now.", why)
