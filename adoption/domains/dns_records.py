"""The DNS records that a domain needs, and the report of a DNS check: the found and the expected records."""

from collections.abc import Collection
from typing import NamedTuple

from adoption.domains.caa_checks import HTTP_01, Permission
from adoption.domains.dns_answers import DnsAnswer, printable_values
from adoption.domains.hostnames import record_name, registrable
from adoption.domains.ownership_claims import USED

OWNERSHIP = "_homeward"
"""The label of the TXT record that proves ownership of a host."""


class WantedRecords(NamedTuple):
    """The records that a host needs."""

    host: str
    target: str
    """The value of the CNAME or ALIAS record."""
    token: str = ""
    """The value of the TXT record that proves ownership; empty if the host is verified."""
    proof: str = USED
    """The reason why the TXT record is needed. Empty if the record is needed only because of a possible
    wildcard record."""
    issuers: Collection[str] = ("letsencrypt.org",)
    methods: Collection[str] = (HTTP_01,)
    """The challenge types that a certificate order can use."""
    rivals: Collection[str] = ()
    """The TXT values that would prove that the host now belongs to another account."""
    addresses: tuple[str, ...] = ()
    """The edge's addresses, for an apex at a provider without ALIAS records."""
    cut: str = ""
    """The zone of the host's records, according to DNS; empty if DNS reports none."""

    @property
    def zone(self) -> str:
        return self.cut or registrable(self.host) or self.host

    @property
    def is_apex(self) -> bool:
        """Whether the host is its zone's name, which cannot have a CNAME record (RFC 1912, 2.4)."""
        return self.host == self.zone

    @property
    def kind(self) -> str:
        return "ALIAS" if self.is_apex else "CNAME"

    @property
    def name(self) -> str:
        """The name of the host's records in the provider's form."""
        return record_name(self.host, zone=self.zone)

    @property
    def token_name(self) -> str:
        return record_name(self.host, OWNERSHIP, self.zone)


class CheckedRecord(NamedTuple):
    """A record of the report, with the found and the expected values.

    ``ok`` is None if the record could not be checked.
    """

    type: str
    name: str
    """The record's name in the provider's form."""
    found: tuple[str, ...]
    expected: str
    ok: bool | None
    code: str
    fix: str = ""
    """The fix, as one sentence."""
    why: str = ""
    right: tuple[str, ...] = ()
    """The values in ``found`` that are right although they differ from the expected value."""
    addresses: tuple[str, ...] = ()
    """The addresses for A and AAAA records, as an alternative to the expected value."""

    @property
    def hint(self) -> str:
        return f"{self.fix} {self.why}".strip()


class Report(NamedTuple):
    records: tuple[CheckedRecord, ...]
    caa: Permission
    proven: bool = False
    """Whether the TXT record that proves ownership was found."""
    warnings: tuple[CheckedRecord, ...] = ()
    """The problems that do not prevent verification, as rows."""

    @property
    def ok(self) -> bool | None:
        """Whether all records are right. None if no record is wrong, but some record could not be checked."""
        if any(record.ok is False for record in self.records):
            return False
        return None if any(record.ok is None for record in self.records) else True


def target_record(
    wanted: WantedRecords, found: tuple[str, ...], ok: bool | None, code: str, fix: str = "", why: str = ""
) -> CheckedRecord:
    """Return the row of the record that leads to the CNAME target."""
    return CheckedRecord(wanted.kind, wanted.name, printable_values(found), wanted.target, ok, code, fix, why)


def unchecked_record(wanted: WantedRecords, answer: DnsAnswer) -> CheckedRecord:
    why = f"{answer.reason}. Nothing has changed, and we check again automatically."
    return target_record(wanted, (), None, "dns_failed", "We could not check just now.", why)
