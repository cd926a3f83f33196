"""TXT records of challenges: setting them for an order, and removing them afterwards."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select, union_all, update

from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.dns_challenges.hook import DnsHook, HookFailed
from adoption.certificates.dns_challenges.models import ChallengeRecord
from adoption.certificates.models import UNDER_WAY, AcmeOrder, PlatformCertificate
from adoption.certificates.problem_advice import HOOK_FAILED, RECORD_UNSEEN
from adoption.domains.dns_client import DnsClient
from adoption.domains.early_certificates import LABEL
from adoption.operator_alerts import causes
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from adoption.storage.database import reading, transaction

PATIENCE = timedelta(minutes=10)
"""The longest wait until all of a zone's name servers answer with a new record."""
CLAIMED_FOR = timedelta(minutes=2)
"""The duration of a claim. Each run of the hook ends earlier."""


class DnsChallenges(NamedTuple):
    """The DNS-01 configuration of this installation."""

    hook: DnsHook
    zone: str
    """The zone that contains the TXT records for shelters' domains."""
    new_client: Callable[[], DnsClient]


def publish_records(order: str, name: str, values: Sequence[str], dns: DnsChallenges, now: datetime) -> bool:
    """Set the records of an order. Return whether all name servers answer with the records.

    ``order`` is the order's address. Raises AuthorityRefused if the hook fails, or if a name server lacks a
    record for too long.
    """
    records = order_records(order, name, values, now)
    for record in records:
        if record.set_at is None:
            set_record(record, dns.hook, now)
            return False  # one run of the hook per step, because the hook has to end before the step's claim
    if is_at_every_server(name, values, dns.new_client()):
        close_alert(causes.CHALLENGE_RECORD_UNSEEN, now)
        return True
    if all(record.set_at and now - record.set_at > PATIENCE for record in records):
        minutes = PATIENCE // timedelta(minutes=1)
        detail = f"{minutes} minutes after the hook set {name}, some DNS servers did not show it."
        open_alert(causes.CHALLENGE_RECORD_UNSEEN, detail, now)
        raise AuthorityRefused(
            RECORD_UNSEEN, "The DNS servers of this service did not show the record in time."
        )
    return False


def order_records(order: str, name: str, values: Sequence[str], now: datetime) -> Sequence[ChallengeRecord]:
    """Return the rows of an order's records, and store missing rows.

    The rows are stored before the hook runs. So after a crash, the records can still be removed.
    """
    query = select(ChallengeRecord).where(ChallengeRecord.order_address == order)
    with transaction() as session:
        records = {each.value: each for each in session.scalars(query)}
        for value in values:
            if value not in records:
                made = ChallengeRecord(order_address=order, name=name, value=value, remove_at=now)
                session.add(made)
                records[value] = made
        session.flush()
    return [records[value] for value in values]


def set_record(record: ChallengeRecord, hook: DnsHook, now: datetime) -> None:
    try:
        hook.set(record.name, record.value)
    except HookFailed as error:
        report_failure(hook, error, now)
        # Shelters must not see the output of the operator's command.
        raise AuthorityRefused(
            HOOK_FAILED, "This service could not set the DNS record for the certificate."
        ) from error
    close_alert(causes.HOOK_FAILED, now, hook.machine)
    with transaction() as session:
        session.execute(update(ChallengeRecord).where(ChallengeRecord.id == record.id).values(set_at=now))


def report_failure(hook: DnsHook, error: HookFailed, now: datetime) -> None:
    """Alert the operator. Each machine has its own alert, because the hook may fail on only one machine."""
    open_alert(causes.HOOK_FAILED, f"At {hook.machine}: {error}", now, hook.machine)


def is_at_every_server(name: str, values: Sequence[str], client: DnsClient) -> bool:
    """Return whether every name server that answers has the records. The authority may ask any of them."""
    answers = [each for each in client.ask_each_server(name, "TXT") if not each.failed]
    return bool(answers) and all({*values} <= {*each.at_end} for each in answers)


def remove_next_record(dns: DnsChallenges, now: datetime) -> bool:
    """Remove a record whose order has ended. Return False if there is none."""
    record = claim_stale_record(now)
    if record is None:
        return False
    try:
        dns.hook.remove(record.name, record.value)
    except HookFailed as error:
        report_failure(dns.hook, error, now)
        later = now + min(timedelta(days=1), timedelta(minutes=2) * 2 ** min(record.removals, 10))
        failed = {"remove_at": later, "removals": record.removals + 1}
        with transaction() as session:
            session.execute(update(ChallengeRecord).where(ChallengeRecord.id == record.id).values(**failed))
        return True
    close_alert(causes.HOOK_FAILED, now, dns.hook.machine)
    with transaction() as session:
        session.execute(delete(ChallengeRecord).where(ChallengeRecord.id == record.id))
    return True


def claim_stale_record(now: datetime) -> ChallengeRecord | None:
    """Claim a record that has to be removed. Other processes then skip the record for ``CLAIMED_FOR``."""
    under_way = union_all(
        select(AcmeOrder.address).where(UNDER_WAY), select(PlatformCertificate.order_address)
    )
    stale = (
        select(ChallengeRecord)
        .where(ChallengeRecord.remove_at <= now, ChallengeRecord.order_address.not_in(under_way))
        .order_by(ChallengeRecord.remove_at, ChallengeRecord.id)
        .limit(1)
    )
    with reading() as session:
        if session.scalar(stale) is None:
            return None
    with transaction() as session:
        record = session.scalar(stale.with_for_update(skip_locked=True))
        if record is not None:
            record.remove_at = now + CLAIMED_FOR
        return record


def delegated_name(host: str, client: DnsClient) -> str:
    """Return the name for a host's TXT record: the target of a CNAME at the usual name, or the usual name."""
    usual = f"{LABEL}.{host}"
    alias = client.ask_zone(usual, "CNAME").values
    return alias[0] if alias else usual
