"""A domain that is removed while something is done about its certificate: neither waits for ever."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from sqlalchemy import select

from adoption.certificates import edge_checks, order_queue, order_steps
from adoption.certificates.certificate_authority import Refused
from adoption.certificates.edge_checks import EdgeCheck
from adoption.certificates.models import AcmeOrder, Certificate
from adoption.certificates.x509 import request_for
from adoption.domains.models import Domain
from adoption.projects.actions import lock_project
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import certificates
from tests.adoption.certificates.conftest import World, orders, verified
from tests.authority import issue
from tests.factories import NOW
from tests.locks import wait_until_blocked

HOST = "adopt.elm.example"


def keep_the_first(world: World, domain_id: int) -> Callable[[], None]:
    order_queue.begin_order(domain_id, world.vault, NOW)
    [order] = orders(domain_id)
    chain = issue(request_for(HOST, world.vault.open(order.private_key)), NOW)
    return lambda: order_steps.store_issued(order, HOST, chain, NOW)


def keep_a_renewal(world: World, domain_id: int) -> Callable[[], None]:
    certificates.held(domain_id, NOW)
    return keep_the_first(world, domain_id)


def begin_again(world: World, domain_id: int) -> Callable[[], None]:
    certificates.failed(domain_id, NOW, "connection", "Timeout")
    return lambda: order_queue.begin_order(domain_id, world.vault, NOW)


def fail(world: World, domain_id: int) -> Callable[[], None]:
    order_queue.begin_order(domain_id, world.vault, NOW)
    [order] = orders(domain_id)
    return lambda: order_steps.fail_order(order.id, Refused("connection", "Timeout"), NOW)


def go_live(_world: World, domain_id: int) -> Callable[[], None]:
    certificates.held(domain_id, NOW, live_since=None, seen_at=None)
    return lambda: edge_checks.store_check(domain_id, "1a", EdgeCheck(""), NOW)


@pytest.mark.settings("scaled")
@pytest.mark.parametrize("work", [keep_the_first, keep_a_renewal, begin_again, fail, go_live])
def test_a_removal_takes_all_with_it_whatever_is_under_way(
    elm: Project, world: World, work: Callable[[World, int], Callable[[], None]]
) -> None:
    domain_id = verified(elm, HOST)
    do = work(world, domain_id)
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            lock_project(session, elm.id)
            domain = session.get_one(Domain, domain_id, with_for_update=True)
            doing = pool.submit(copy_context().run, do)
            wait_until_blocked(doing)
            session.delete(domain)
        doing.result()
    with reading() as session:
        for kind in (Domain, Certificate, AcmeOrder):
            assert session.scalars(select(kind)).all() == []
