"""Concurrent changes of one domain by two processes, neither of which uses outdated rows."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.certificates import edge_checks, email_digests, order_queue, order_steps
from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.edge_checks import EdgeCheck
from adoption.certificates.models import CertificateNotice
from adoption.domains.email_digests import queue_news
from adoption.domains.email_templates import MOVED
from adoption.domains.models import Domain, DomainNotice
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage.database import reading, transaction
from tests import certificates
from tests.adoption.certificates.conftest import Simulation, orders_of, verified_domain
from tests.domains import stored_domain
from tests.factories import NOW
from tests.locks import in_own_session, wait_until_blocked

pytestmark = pytest.mark.settings("scaled")  # SQLite has one writer at a time

HOST = "adopt.elm.example"


def meanwhile(work: Callable[[], object], change: Callable[[Session], None]) -> None:
    """Make a change in a transaction. Commit the transaction as soon as ``work`` waits for its lock."""
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            change(session)
            session.flush()
            doing = pool.submit(in_own_session(work))
            wait_until_blocked(doing)
        doing.result()


@pytest.mark.parametrize("chosen", [True, False])
def test_a_domain_that_goes_live_uses_a_concurrent_choice_of_primary(elm: Project, chosen: bool) -> None:
    first = verified_domain(elm, "first.elm.example", primary_of=elm.id)
    domain_id = verified_domain(elm, HOST, wants_primary=not chosen)
    certificates.add_certificate(domain_id, NOW, live_since=None, seen_at=None)

    def choose(session: Session) -> None:
        lock_project(session, elm.id)
        session.get_one(Domain, domain_id).wants_primary = chosen

    meanwhile(lambda: edge_checks.store_check(domain_id, "1a", EdgeCheck(""), NOW), choose)
    assert (stored_domain(domain_id).primary_of is not None) == chosen
    assert (stored_domain(first).primary_of is None) == chosen


def test_a_failure_is_stored_while_earlier_news_is_sent(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    with transaction() as session:
        email_digests.queue_live_email(session, domain_id, NOW)
    order_queue.begin_order(domain_id, simulation.vault, NOW)
    [order] = orders_of(domain_id)

    def send(session: Session) -> None:
        session.delete(session.get_one(CertificateNotice, domain_id, with_for_update=True))

    meanwhile(lambda: order_steps.fail_order(order.id, AuthorityRefused("caa", "Forbidden"), NOW), send)
    with reading() as session:
        assert session.scalars(select(CertificateNotice.code)).all() == ["caa"]
    assert [each.state for each in orders_of(domain_id)] == ["failed"]


def test_dns_news_is_stored_while_earlier_news_is_sent(elm: Project) -> None:
    domain_id = verified_domain(elm, HOST)
    news = DomainNotice(domain_id=domain_id, kind=MOVED, detail="Earlier", created_at=NOW)
    with transaction() as session:
        session.add(news)

    def note() -> None:
        with transaction() as session:
            queue_news(session, session.get_one(Domain, domain_id), MOVED, "Later", NOW)

    def send(session: Session) -> None:
        session.delete(session.get_one(DomainNotice, (domain_id, MOVED), with_for_update=True))

    meanwhile(note, send)
    with reading() as session:
        assert session.scalars(select(DomainNotice.detail)).all() == ["Later"]
