"""Orders for the certificate of the platform's own host, processed in steps like the orders of domains.

Without a DNS hook, HTTP-01 is used, for the host only. With a DNS hook, DNS-01 is used, for the host and a
wildcard.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.exc import IntegrityError

from adoption.certificates import authority_interface
from adoption.certificates.authority_and_edge_setup import CertificateConfig
from adoption.certificates.authority_interface import (
    DNS_01,
    HTTP_01,
    AcmeChallenge,
    AuthorityRefused,
    AuthorityUnreached,
)
from adoption.certificates.dns_challenges.txt_records import delegated_name, publish_records
from adoption.certificates.key_encryption import KeyLost
from adoption.certificates.models import PlatformCertificate
from adoption.certificates.order_claims import CLAIMED_FOR, SOON
from adoption.certificates.order_logs import log_failed, log_issued
from adoption.certificates.order_steps import (
    DAY,
    MINUTE,
    PAUSES,
    POLLED_EACH,
    WAIT_LONGEST,
    WORDS_LONGEST,
    poll_pause,
    read_issued,
    retry_time,
)
from adoption.certificates.problem_advice import (
    HOOK_FAILED,
    KEY_LOST,
    OPERATOR,
    OURS,
    RATE_LIMITED,
    UNFINISHED,
    UNREACHED,
)
from adoption.certificates.renewal_times import usual_renewal
from adoption.certificates.x509 import new_private_key, read_certificate, request_for
from adoption.operator_alerts.causes import AUTHORITY_UNREACHABLE, PLATFORM_ORDERS_FAIL
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from adoption.storage.database import reading, transaction

FIRST_PAUSES = (MINUTE, *PAUSES)
"""The pauses before the next order. The first pause is short, because the edge may start after the
service."""


def take_platform_step(config: CertificateConfig, now: datetime) -> bool:
    """Do the next step of the order. Return whether a step was due.

    No step is due if the edge loads the certificate from files.
    """
    if not config.platform_host:
        return False
    row = claim_platform_order(config.platform_host, platform_hosts(config), now)
    if row is None:
        return False
    try:
        advance_platform_order(row, config, now)
    except AuthorityUnreached as why:
        if row.began_at and now - row.began_at > WAIT_LONGEST:
            fail_platform_order(row, AuthorityRefused(UNREACHED, str(why)), now)
        else:
            postpone_platform_order(row, why, now)
        if not why.was_answered:
            open_alert(AUTHORITY_UNREACHABLE, str(why), now)
    except AuthorityRefused as refusal:
        fail_platform_order(row, refusal, now)
    except KeyLost:
        fail_platform_order(
            row,
            AuthorityRefused(
                KEY_LOST, "The key that encrypts this server's private keys was changed during the order."
            ),
            now,
        )
    return True


def platform_hosts(config: CertificateConfig) -> tuple[str, ...]:
    """Return the names for the certificate: the host and, if DNS-01 is possible, the wildcard."""
    host = config.platform_host
    return (host, f"*.{host}") if config.dns else (host,)


def claim_platform_order(host: str, hosts: Sequence[str], now: datetime) -> PlatformCertificate | None:
    """Claim the certificate's row if a step is due. Other processes then skip the row for ``CLAIMED_FOR``."""
    with reading() as session:
        row = session.get(PlatformCertificate, host)
    if row is None:
        try:
            with transaction() as session:
                session.add(PlatformCertificate(host=host, next_step_at=now))
        except IntegrityError:
            return None  # another process has just added the row
    elif not is_platform_order_due(row, hosts, now):
        return None
    with transaction() as session:
        row = session.get_one(PlatformCertificate, host, with_for_update=True)
        if not is_platform_order_due(row, hosts, now):
            return None
        row.next_step_at = now + CLAIMED_FOR
        return row


def is_platform_order_due(row: PlatformCertificate, hosts: Sequence[str], now: datetime) -> bool:
    """Return whether a step is due. If a hook was added to the settings, an order for the wildcard is due."""
    lacks = bool(row.chain) and not {*hosts} <= {*row.hosts.split()}
    return row.next_step_at <= now or (lacks and not row.order_key and not row.failures)


def is_platform_step_soon(config: CertificateConfig, now: datetime) -> bool:
    """Return whether a step is due within seconds."""
    if not config.platform_host:
        return False
    with reading() as session:
        row = session.get(PlatformCertificate, config.platform_host)
    return row is not None and row.next_step_at <= now + SOON


def advance_platform_order(row: PlatformCertificate, config: CertificateConfig, now: datetime) -> None:
    """Do the next step of the order.

    Raises AuthorityRefused if the authority refuses a request, AuthorityUnreached if the authority does not
    answer, and KeyLost if the private key cannot be decrypted.
    """
    ca, vault = config.authority, config.vault
    if not row.order_key:
        store_platform_step(
            row.host, now, order_key=vault.seal(new_private_key()), order_address="", began_at=now
        )
        return
    if not row.order_address:
        method = DNS_01 if config.dns else HTTP_01
        store_platform_step(row.host, now, order_address=ca.order(*platform_hosts(config)), method=method)
        return
    age = now - (row.began_at or now)
    if age > WAIT_LONGEST:
        raise AuthorityRefused(UNFINISHED, "The certificate authority did not finish the order within a day.")
    stage = ca.stage(row.order_address, row.method)
    later = max(now + poll_pause(age), stage.not_before or now)
    if stage.challenges:
        if answer_platform_challenges(row, stage.challenges, config, now) and any(
            each.waits for each in stage.challenges
        ):
            ca.begin_validation(row.order_address, row.method)
        store_platform_step(row.host, later)
    elif stage.status == authority_interface.READY:
        ca.finalize(row.order_address, request_of(row, config))
        store_platform_step(row.host, now)
    elif stage.status == authority_interface.VALID:
        store_platform_certificate(row, ca.chain(row.order_address), now)
    else:
        store_platform_step(row.host, later)


def request_of(row: PlatformCertificate, config: CertificateConfig) -> bytes:
    """Return the signing request for the order's names, even if the settings have changed since then."""
    more = [f"*.{row.host}"] if row.method == DNS_01 else []
    return request_for(row.host, config.vault.open(row.order_key), *more)


def answer_platform_challenges(
    row: PlatformCertificate, challenges: Sequence[AcmeChallenge], config: CertificateConfig, now: datetime
) -> bool:
    """Answer the challenges. Return whether the authority can validate them now.

    Raises AuthorityRefused if an answer cannot be set.
    """
    if row.method == HTTP_01:
        [challenge] = challenges
        store_platform_step(
            row.host, now + CLAIMED_FOR, token=challenge.token, key_authorization=challenge.answer
        )
        return True
    if config.dns is None:
        raise AuthorityRefused(HOOK_FAILED, "The DNS hook was removed from the settings during the order.")
    name = delegated_name(row.host, config.dns.new_client())
    return publish_records(row.order_address, name, [each.answer for each in challenges], config.dns, now)


def store_platform_step(host: str, next_step_at: datetime, **values: object) -> None:
    """Store the result of a step."""
    with transaction() as session:
        row = session.get_one(PlatformCertificate, host, with_for_update=True)
        row.next_step_at = next_step_at
        for name, value in values.items():
            setattr(row, name, value)


NO_ORDER = {"order_key": "", "order_address": "", "token": "", "key_authorization": "", "began_at": None}


def store_platform_certificate(row: PlatformCertificate, chain: str, now: datetime) -> None:
    """Store the new certificate. Edges use it from the next handshake on."""
    issued = read_issued(chain, row.host)
    certificate = {"chain": chain, "private_key": row.order_key, "hosts": " ".join(issued.hosts)}
    success = {"not_after": issued.not_after, "failures": 0, "code": "", "detail": ""}
    store_platform_step(row.host, usual_renewal(issued, now), **certificate, **success, **NO_ORDER)
    close_alert(PLATFORM_ORDERS_FAIL, now)
    close_alert(AUTHORITY_UNREACHABLE, now)
    log_issued(row.host, issued.not_after)


def postpone_platform_order(row: PlatformCertificate, why: AuthorityUnreached, now: datetime) -> None:
    """Schedule the step again after the authority could not be reached."""
    pause = min(15 * MINUTE, max(POLLED_EACH, (now - (row.began_at or now)) / 2))
    store_platform_step(row.host, max(now + pause, retry_time(why, now)))


def fail_platform_order(row: PlatformCertificate, refusal: AuthorityRefused, now: datetime) -> None:
    """Delete the failed order. Alert the operator from the second failure in a row on.

    If the authority was unreachable for a day, alert the operator after the first failure.
    """
    next_try = now + FIRST_PAUSES[min(row.failures, len(FIRST_PAUSES) - 1)]
    if refusal.not_before:
        next_try = max(now + PAUSES[0], refusal.not_before)
    words = refusal.detail[:WORDS_LONGEST]
    log_failed(row.host, refusal.code, OPERATOR, words)
    if refusal.code not in OURS:
        close_alert(AUTHORITY_UNREACHABLE, now)
    failures = row.failures + 1
    store_platform_step(
        row.host, next_try, failures=failures, code=refusal.code[:60], detail=words, **NO_ORDER
    )
    if refusal.code == UNREACHED or (failures > 1 and refusal.code not in (RATE_LIMITED, KEY_LOST)):
        open_alert(PLATFORM_ORDERS_FAIL, f"The error code for {row.host} is {refusal.code}: {words}", now)


def reorder_platform_certificate(host: str, now: datetime) -> None:
    """Order a new certificate because the private key is lost.

    The order begins when the current certificate is at least a day old.
    """
    with transaction() as session:
        row = session.get(PlatformCertificate, host, with_for_update=True)
        if row is None or not row.chain or row.order_key:
            return
        row.next_step_at = min(row.next_step_at, max(now, read_certificate(row.chain).not_before + DAY))
