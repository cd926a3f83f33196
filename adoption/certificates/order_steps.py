"""Processing of certificate orders, step by step, until the certificate is issued or the order fails.

An order is a row. Each step begins with a request to the authority for the order's state. So any process can
continue an order, and a repeated step does no harm.
"""

from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from adoption.certificates import authority_interface, authority_outages, email_digests
from adoption.certificates.authority_and_edge_setup import CertificateConfig
from adoption.certificates.authority_interface import AuthorityRefused, AuthorityUnreached, TemporaryRejection
from adoption.certificates.authority_rate_limits import HOUR
from adoption.certificates.edge_outages import blame_edge
from adoption.certificates.key_encryption import KeyLost
from adoption.certificates.models import (
    FAILED,
    VALIDATING,
    AcmeOrder,
    AuthorityOutage,
    Certificate,
    CertificateNotice,
)
from adoption.certificates.order_challenges import host_answer, is_answered, method_for
from adoption.certificates.order_claims import SOON, AccountRotation, claim_step
from adoption.certificates.order_logs import log_failed, log_issued
from adoption.certificates.order_outcomes import (
    email_ready,
    lock_domain_of,
    recheck_dns,
    record_failed,
    record_issued,
)
from adoption.certificates.problem_advice import (
    KEY_LOST,
    UNFINISHED,
    UNREACHED,
    WRONG_HOST,
    advice,
)
from adoption.certificates.renewal_times import usual_renewal
from adoption.certificates.x509 import CertificateFacts, read_certificate, request_for
from adoption.domains.models import Domain
from adoption.operator_alerts.causes import AUTHORITY_UNREACHABLE
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from adoption.storage import queue
from adoption.storage.database import reading, transaction

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
PAUSES = (5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, DAY)
"""The pauses before the next order: after the first failure in a row, after the second failure, and so on."""
POLLED_EACH = timedelta(seconds=1)
WAIT_LONGEST = DAY
"""The maximum wait for the authority. Then the order fails."""
WORDS_LONGEST = 2_000


def take_next_step(config: CertificateConfig, turns: AccountRotation, now: datetime) -> bool:
    """Do the next step of one order. Return False if none is due."""
    order_id = claim_step(turns, now)
    if order_id is None:
        return False
    with reading() as session:
        query = select(AcmeOrder, Domain).join(Domain, Domain.id == AcmeOrder.domain_id)
        found = session.execute(query.where(AcmeOrder.id == order_id)).first()
    if found is None:
        return True  # the domain was removed
    try:
        advance_order(found[0], found[1], config, now)
    except AuthorityUnreached as why:
        postpone_order(order_id, why, now)
        if not why.was_answered:
            open_alert(AUTHORITY_UNREACHABLE, str(why), now)
            return True
    except AuthorityRefused as refusal:
        connect = partial(config.serial_shown, found[1].host) if config.serial_shown else None
        fail_order(order_id, blame_edge(refusal, connect, config.edge, now), now)
    except KeyLost:
        fail_order(
            order_id,
            AuthorityRefused(
                KEY_LOST, "The key that encrypts this server's private keys was changed during the order."
            ),
            now,
        )
    authority_outages.record_answering_authority(now)
    close_alert(AUTHORITY_UNREACHABLE, now)
    return True


def advance_order(order: AcmeOrder, domain: Domain, config: CertificateConfig, now: datetime) -> None:
    """Do the next step of an order.

    Raises AuthorityRefused if the authority refuses a request, AuthorityUnreached if it does not answer, and
    KeyLost if the private key cannot be decrypted.
    """
    ca, vault = config.authority, config.vault
    if not order.address:
        method = method_for(domain, config)
        store_step(order.id, now, address=ca.order(domain.host), method=method)
        return
    if is_order_overdue(order, now):
        raise AuthorityRefused(UNFINISHED, "The certificate authority did not finish the order within a day.")
    stage = ca.stage(order.address, order.method)
    later = max(now + poll_pause(now - order.began_at), stage.not_before or now)
    if stage.challenges:
        [challenge] = stage.challenges  # one, because the order is for one host
        store_step(order.id, later, state=VALIDATING, **host_answer(order, challenge))
        if is_answered(order, domain, challenge, config, now) and challenge.waits:
            ca.begin_validation(order.address, order.method)
    elif stage.status == authority_interface.READY:
        ca.finalize(order.address, request_for(domain.host, vault.open(order.private_key)))
        store_step(order.id, now)
    elif stage.status == authority_interface.VALID:
        store_issued(order, domain.host, ca.chain(order.address), now)
    else:
        store_step(order.id, later)


def is_order_overdue(order: AcmeOrder, now: datetime) -> bool:
    with reading() as session:
        return (
            now
            - authority_outages.waiting_since(
                order, session.get(AuthorityOutage, authority_outages.OUTAGE_ID)
            )
            > WAIT_LONGEST
        )


def poll_pause(age: timedelta) -> timedelta:
    """Return the pause before the next poll of an order of this age."""
    return min(SOON, max(POLLED_EACH, age / 10))


def store_step(order_id: int, next_step_at: datetime, **values: object) -> None:
    """Store the result of a step, unless the domain was removed meanwhile."""
    reached = {"next_step_at": next_step_at, "unreached": 0, "unreached_why": ""}
    with transaction() as session:
        session.execute(update(AcmeOrder).where(AcmeOrder.id == order_id).values(**reached, **values))


def store_issued(order: AcmeOrder, host: str, chain: str, now: datetime) -> None:
    """Store the issued certificate in place of the domain's last certificate. Edges use it immediately."""
    issued = read_issued(chain, host)
    with transaction() as session:
        domain = lock_domain_of(session, order.id)
        if domain is None or session.get(AcmeOrder, order.id, with_for_update=True) is None:
            return
        held = session.get(Certificate, order.domain_id)
        record_issued(session, domain, issued.not_after, held is not None, now)
        store_certificate(session, order, chain, issued, held.live_since if held else None, now)
        session.execute(delete(AcmeOrder).where(AcmeOrder.domain_id == order.domain_id))
        session.execute(delete(CertificateNotice).where(CertificateNotice.domain_id == order.domain_id))
        if domain.verified_host is None and held is None:
            email_ready(session, domain)
    log_issued(host, issued.not_after)


def read_issued(chain: str, host: str) -> CertificateFacts:
    """Return the contents of an issued certificate.

    Raises TemporaryRejection if the certificate is not readable, and AuthorityRefused if it is for other
    hosts.
    """
    try:
        issued = read_certificate(chain)
    except ValueError as error:
        raise TemporaryRejection(
            "The certificate authority sent a certificate that cannot be read."
        ) from error
    if host not in issued.hosts:
        raise AuthorityRefused(
            WRONG_HOST,
            f"The authority issued a certificate for {', '.join(issued.hosts) or 'no host'}, not for {host}.",
        )
    return issued


def store_certificate(
    session: Session,
    order: AcmeOrder,
    chain: str,
    issued: CertificateFacts,
    live_since: datetime | None,
    now: datetime,
) -> None:
    session.merge(
        Certificate(
            domain_id=order.domain_id,
            chain=chain,
            private_key=order.private_key,
            serial=issued.serial,
            issued_at=now,
            not_after=issued.not_after,
            renew_at=usual_renewal(issued, now),
            ask_renewal_at=now,
            live_since=live_since,
            seen_at=None,
            looked_at=None,
            next_look_at=now,
            unseen_why="",
        )
    )


def postpone_order(order_id: int, why: AuthorityUnreached, now: datetime) -> None:
    """Schedule the step again. The order fails only if the wait is longer than ``WAIT_LONGEST``."""
    with transaction() as session:
        outage = authority_outages.lock_outage(session)
        order = session.get(AcmeOrder, order_id, with_for_update=True)
        if order is None:
            return
        order.unreached += 1
        order.unreached_why, order.postponed_at = str(why), now
        pause = min(15 * MINUTE, POLLED_EACH * 2 ** min(order.unreached, 10))
        not_before = retry_time(why, now)
        order.next_step_at = max(now + pause, not_before)
        session.flush()
        is_down = not why.was_answered and authority_outages.record_unreached_authority(
            session, outage, now, not_before
        )
        gives_up = not is_down and now - authority_outages.waiting_since(order, outage) > WAIT_LONGEST
    if gives_up:
        fail_order(order_id, AuthorityRefused(UNREACHED, str(why)), now)


def retry_time(why: AuthorityUnreached, now: datetime) -> datetime:
    """Return the authority's time for a retry, at most an hour from now in case the time is wrong."""
    return min(why.not_before or now, now + HOUR)


def fail_order(order_id: int, refusal: AuthorityRefused, now: datetime) -> None:
    with transaction() as session:
        # Lock the project and the domain before the order, as a removal does.
        lock_domain_of(session, order_id)
        order = session.get(AcmeOrder, order_id, with_for_update=True, populate_existing=True)
        if order is not None:
            become_failed(session, order, refusal, now)
    queue.start_job("check_domains")


def become_failed(session: Session, order: AcmeOrder, refusal: AuthorityRefused, now: datetime) -> None:
    before = select(AcmeOrder.code).where(AcmeOrder.domain_id == order.domain_id, AcmeOrder.state == FAILED)
    codes = session.scalars(before.order_by(AcmeOrder.id)).all()
    failures = len(codes)
    words = refusal.detail[:WORDS_LONGEST]
    next_try = now + PAUSES[min(failures, len(PAUSES) - 1)]
    if refusal.not_before:  # the authority sets the time
        next_try = max(now + PAUSES[0], refusal.not_before)
    domain = session.get_one(Domain, order.domain_id)
    if order.state == VALIDATING:
        recheck_dns(domain, now)
    order.state, order.failed_at, order.next_step_at = FAILED, now, None
    order.code, order.detail, order.next_try_at = refusal.code[:60], words, next_try
    order.token = order.key_authorization = order.private_key = ""
    held = session.get(Certificate, order.domain_id)
    who = advice(order.code, domain.host).who
    log_failed(domain.host, order.code, who, words)
    if order.code not in codes:
        record_failed(session, domain, words, now)
    if email_digests.is_worth_email([*codes, order.code], held is not None):
        email_digests.queue_failed_email(session, order, now)
