"""Rate limits of the certificate authority, for one domain or for the whole service."""

from datetime import datetime, timedelta

import pytest

from adoption.certificates import order_queue
from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.authority_rate_limits import HOUR, limited_until
from adoption.certificates.order_steps import MINUTE
from adoption.projects.models import Project
from adoption.storage.database import reading
from tests import certificates, factories
from tests.adoption.certificates.conftest import Simulation, press_verify, subjects, verified_domain
from tests.factories import NOW

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.elm.example"
SECOND = timedelta(seconds=1)


def test_verify_does_not_override_a_rate_limit(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    until = simulation.now + timedelta(hours=2)
    simulation.ca.refusal = AuthorityRefused("rateLimited", "Too many certificates.", until)
    simulation.run()
    assert simulation.status(domain_id).next_try_at == until
    assert subjects() == []  # owners need not do anything
    press_verify(domain_id, simulation.now + timedelta(seconds=5))
    simulation.run(minutes=100)
    assert simulation.ca.count("order") == 1
    simulation.run(minutes=30)
    assert simulation.ca.count("order") == 2


def test_an_order_is_retried_when_its_rate_limit_ends(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    for _ in range(5):
        until = simulation.now + timedelta(hours=1)
        simulation.ca.error = AuthorityRefused("rateLimited", "Too many orders.", until)
        simulation.run()
        assert simulation.status(domain_id).next_try_at == until, "other orders would use up the limit first"
        simulation.wait(3_600)


def test_few_orders_begin_while_the_authority_limits_the_service(
    elm: Project, simulation: Simulation
) -> None:
    until = simulation.now + timedelta(hours=2)
    simulation.ca.error = AuthorityRefused(
        "rateLimited", "too many new orders (300) from this account", until
    )
    hosts = [f"adopt.shelter{number}.example" for number in range(30)]
    ids = [verified_domain(elm, host, verified_at=NOW + number * SECOND) for number, host in enumerate(hosts)]
    for _ in range(6):
        simulation.run(minutes=15)
    assert simulation.ca.requests == [
        ("order", host) for host in hosts[: order_queue.ORDERS_OF_ONE_ACCOUNT_MOST + 5]
    ]
    assert simulation.status(ids[-1]).state == "none"
    simulation.ca.error = None
    for _ in range(3):
        simulation.run(minutes=15)
    assert {simulation.status(each).state for each in ids} == {"live"}
    assert len(simulation.ca.requests) > 2 * order_queue.ORDERS_OF_ONE_ACCOUNT_MOST


def test_rate_limits_of_one_account_do_not_delay_other_accounts_for_long(
    elm: Project, simulation: Simulation
) -> None:
    until, limit = (
        simulation.now + timedelta(days=7),
        AuthorityRefused("rateLimited", "too many certificates", None),
    )
    for number in range(5):
        brought = verified_domain(elm, f"adopt.burnt{number}.example")
        certificates.add_failed_order(brought, simulation.now, limit.code, limit.detail, next_try_at=until)
    verified_domain(elm, "more.burnt1.example")
    verified_domain(elm, "adopt.own.example", verified_at=NOW - SECOND)
    other = verified_domain(factories.project("Oak Lane", plan="pro"), "adopt.oak.example")
    simulation.run(minutes=5)
    assert simulation.ca.requests == []
    simulation.run(minutes=15)
    assert (simulation.ca.requests[0], simulation.status(other).state) == (
        ("order", "adopt.oak.example"),
        "live",
    )
    assert simulation.ca.count("order") == 3


def test_rate_limits_of_two_zones_do_not_delay_other_zones(elm: Project, simulation: Simulation) -> None:
    until = simulation.now + timedelta(hours=2)
    limit = AuthorityRefused("rateLimited", "too many certificates already issued for this domain", until)
    for host in ("a.one.example", "b.one.example", "c.one.example", "two.example"):
        domain_id = verified_domain(elm, host)
        certificates.add_failed_order(domain_id, simulation.now, limit.code, limit.detail, next_try_at=until)
    first = verified_domain(elm, "adopt.three.example")
    simulation.run()
    assert simulation.status(first).state == "live", "two zones may each have a limit of their own"
    certificates.add_failed_order(
        verified_domain(elm, "four.example"), simulation.now, limit.code, limit.detail, next_try_at=until
    )
    second = verified_domain(elm, "adopt.five.example")
    simulation.run()
    assert simulation.status(second).state == "live", "one was issued after the first limit"


@pytest.mark.settings("embedded", "scaled")
def test_an_accepted_order_ends_the_rate_limit_of_the_whole_service(elm: Project) -> None:
    until = NOW + HOUR
    for number, host in enumerate(("one.example", "two.example", "three.example")):
        end = until + number * HOUR
        certificates.add_failed_order(
            verified_domain(elm, host), NOW, "rateLimited", "Too many.", next_try_at=end
        )
    with reading() as session:
        assert limited_until(session, NOW) == until
        assert limited_until(session, until) is None
    certificates.add_acme_order(verified_domain(elm, HOST), NOW + SECOND, address="https://ca.test/order/1")
    with reading() as session:
        assert limited_until(session, NOW) is None


def test_a_rate_limit_of_an_accepted_order_does_not_limit_the_whole_service(elm: Project) -> None:
    for host in ("one.example", "two.example", "three.example"):
        domain_id = verified_domain(elm, host)
        certificates.add_failed_order(
            domain_id,
            NOW,
            "rateLimited",
            "Too many.",
            address="https://ca.test/order/1",
            began_at=NOW - MINUTE,
        )
    with reading() as session:
        assert limited_until(session, NOW) is None


def test_rate_limits_of_one_zone_do_not_limit_the_whole_service(elm: Project) -> None:
    until = NOW + HOUR

    def limited(host: str, at: datetime) -> None:
        certificates.add_failed_order(
            verified_domain(elm, host), at, "rateLimited", "Too many.", next_try_at=until
        )

    for host in ("zero.example", "one.example", "two.example"):
        limited(host, NOW)
    certificates.add_acme_order(verified_domain(elm, HOST), NOW + SECOND, address="https://ca.test/order/1")
    for host in ("a.three.example", "b.three.example", "c.three.example"):
        limited(host, NOW + MINUTE)
    with reading() as session:
        assert limited_until(session, NOW + MINUTE) is None
    limited("a.one.example", NOW + MINUTE)
    limited("a.two.example", NOW + MINUTE)
    with reading() as session:
        assert limited_until(session, NOW + MINUTE) == until
