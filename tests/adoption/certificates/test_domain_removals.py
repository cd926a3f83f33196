"""Removal of a domain during work on its certificate, without a deadlock."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from adoption.certificates import edge_checks, order_queue, order_steps
from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.edge_checks import EdgeCheck
from adoption.certificates.models import AcmeOrder, Certificate
from adoption.certificates.x509 import request_for
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage.database import reading, transaction
from tests import certificates
from tests.adoption.certificates.conftest import Simulation, orders_of, verified_domain
from tests.authority import issue
from tests.factories import NOW
from tests.locks import in_own_session, wait_until_blocked

HOST = "adopt.elm.example"


def store_first(simulation: Simulation, domain_id: int) -> Callable[[], None]:
    order_queue.begin_order(domain_id, simulation.vault, NOW)
    [order] = orders_of(domain_id)
    chain = issue(request_for(HOST, simulation.vault.open(order.private_key)), NOW)
    return lambda: order_steps.store_issued(order, HOST, chain, NOW)


def store_renewal(simulation: Simulation, domain_id: int) -> Callable[[], None]:
    certificates.add_certificate(domain_id, NOW)
    return store_first(simulation, domain_id)


def begin_order_again(simulation: Simulation, domain_id: int) -> Callable[[], None]:
    certificates.add_failed_order(domain_id, NOW, "connection", "Timeout")
    return lambda: order_queue.begin_order(domain_id, simulation.vault, NOW)


def fail(simulation: Simulation, domain_id: int) -> Callable[[], None]:
    order_queue.begin_order(domain_id, simulation.vault, NOW)
    [order] = orders_of(domain_id)
    return lambda: order_steps.fail_order(order.id, AuthorityRefused("connection", "Timeout"), NOW)


def go_live(_world: Simulation, domain_id: int) -> Callable[[], None]:
    certificates.add_certificate(domain_id, NOW, live_since=None, seen_at=None)
    return lambda: edge_checks.store_check(domain_id, "1a", EdgeCheck(""), NOW)


@pytest.mark.settings("scaled")
@pytest.mark.parametrize("work", [store_first, store_renewal, begin_order_again, fail, go_live])
def test_a_removal_during_certificate_work_deletes_all_rows(
    elm: Project, simulation: Simulation, work: Callable[[Simulation, int], Callable[[], None]]
) -> None:
    domain_id = verified_domain(elm, HOST)
    do = work(simulation, domain_id)
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            lock_project(session, elm.id)
            domain = session.get_one(Domain, domain_id, with_for_update=True)
            doing = pool.submit(in_own_session(do))
            wait_until_blocked(doing)
            session.delete(domain)
        doing.result()
    with reading() as session:
        for kind in (Domain, Certificate, AcmeOrder):
            assert session.scalars(select(kind)).all() == []
