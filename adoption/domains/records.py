"""The DNS records that a domain needs, and the report of a check: each record as found and as expected."""

from collections.abc import Collection
from typing import NamedTuple

from adoption.domains.caa import HTTP_01, Permission
from adoption.domains.dns_answers import DnsAnswer, printable_values
from adoption.domains.hostname_parser import record_name, registrable
from adoption.domains.ownership import USED

OWNERSHIP = "_homeward"
"""The label of the TXT record that proves ownership of a host."""


class WantedRecords(NamedTuple):
    """The records that a host needs."""

    host: str
    target: str
    """The value of the CNAME or ALIAS record."""
    token: str = ""
    """The value of the TXT record that proves ownership; empty if the host is verified already."""
    proof: str = USED
    """Why that record is needed; empty if only a wildcard record makes it necessary."""
    issuers: Collection[str] = ("letsencrypt.org",)
    methods: Collection[str] = (HTTP_01,)
    """The challenges that an order may use."""
    rivals: Collection[str] = ()
    """The TXT values that prove that the host belongs to another account now."""
    addresses: tuple[str, ...] = ()
    """The addresses of the edge, for an apex whose provider has no ALIAS."""
    cut: str = ""
    """The zone of the host's records, if DNS shows one."""

    @property
    def zone(self) -> str:
        return self.cut or registrable(self.host) or self.host

    @property
    def is_apex(self) -> bool:
        """Whether the host is the zone's own name, which cannot have a CNAME record (RFC 1912, 2.4)."""
        return self.host == self.zone

    @property
    def kind(self) -> str:
        return "ALIAS" if self.is_apex else "CNAME"

    @property
    def name(self) -> str:
        """The name of the host's records, as the provider's form expects it."""
        return record_name(self.host, zone=self.zone)

    @property
    def token_name(self) -> str:
        return record_name(self.host, OWNERSHIP, self.zone)


class CheckedRecord(NamedTuple):
    """One record as found and as expected. ``ok`` is None if it could not be checked."""

    type: str
    name: str
    """As a provider's form expects it."""
    found: tuple[str, ...]
    expected: str
    ok: bool | None
    code: str
    fix: str = ""
    """What to do, as one sentence."""
    why: str = ""
    right: tuple[str, ...] = ()
    """The values among ``found`` that may stay, other than the expected value itself."""
    addresses: tuple[str, ...] = ()
    """Addresses that may be entered in A and AAAA records instead of the expected value."""

    @property
    def hint(self) -> str:
        return f"{self.fix} {self.why}".strip()


class Report(NamedTuple):
    records: tuple[CheckedRecord, ...]
    caa: Permission
    proven: bool = False
    """Whether the TXT record that proves ownership was found."""
    warnings: tuple[CheckedRecord, ...] = ()
    """Problems that do not prevent verification."""

    @property
    def ok(self) -> bool | None:
        """Whether all records are right; None if some could not be checked and none is known to be wrong."""
        if any(record.ok is False for record in self.records):
            return False
        return None if any(record.ok is None for record in self.records) else True


def target_record(
    wanted: WantedRecords, found: tuple[str, ...], ok: bool | None, code: str, fix: str = "", why: str = ""
) -> CheckedRecord:
    """Return the row of the record that leads to the target."""
    return CheckedRecord(wanted.kind, wanted.name, printable_values(found), wanted.target, ok, code, fix, why)


def unchecked_record(wanted: WantedRecords, answer: DnsAnswer) -> CheckedRecord:
    why = f"{answer.reason}. Nothing has changed, and we check again automatically."
    return target_record(wanted, (), None, "dns_failed", "We could not check just now.", why)
