"""The order queue: fairness among accounts, and outages of the authority."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete

from adoption.certificates import authority_outages, order_claims, order_queue, order_steps
from adoption.certificates.authority_interface import AccountForgotten, AuthorityRefused, AuthorityUnreached
from adoption.certificates.models import AuthorityOutage
from adoption.certificates.order_claims import AccountRotation, claim_step
from adoption.certificates.order_queue import ORDERS_MOST, ORDERS_OF_ONE_ACCOUNT_MOST
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import certificates, factories
from tests.adoption.certificates.conftest import (
    Simulation,
    orders_of,
    press_verify,
    subjects,
    verified_domain,
)
from tests.authority import FakeAuthority
from tests.factories import NOW
from tests.locks import in_own_session, wait_until_blocked

pytestmark = pytest.mark.settings("embedded")

SECOND = timedelta(seconds=1)
DOWN = AuthorityUnreached("The certificate authority could not be reached.")


def new_shelter(name: str) -> Project:
    return factories.project(name, plan="pro")


def began(simulation: Simulation, number: int) -> bool:
    return bool(orders_of(number)) or simulation.status(number).state != "none"


def test_an_account_with_many_domains_gets_a_share_of_the_places(
    elm: Project, simulation: Simulation
) -> None:
    many = [
        verified_domain(elm, f"n{number}.elm.example") for number in range(3 * ORDERS_OF_ONE_ACCOUNT_MOST)
    ]
    others = [new_shelter(f"shelter{number}") for number in range(4)]
    late = [verified_domain(each, f"adopt.{each.slug}.example", verified_at=NOW + SECOND) for each in others]
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    assert sum(began(simulation, each) for each in many) == ORDERS_OF_ONE_ACCOUNT_MOST
    assert all(began(simulation, each) for each in late)


def test_at_most_twenty_orders_are_under_way_and_all_finish(elm: Project, simulation: Simulation) -> None:
    shelters = [
        elm,
        *(new_shelter(f"shelter{number}") for number in range(ORDERS_MOST // ORDERS_OF_ONE_ACCOUNT_MOST)),
    ]
    hosts = [
        (each, f"n{number}.{each.slug}.example")
        for each in shelters
        for number in range(ORDERS_OF_ONE_ACCOUNT_MOST)
    ]
    made = [verified_domain(*each) for each in hosts]
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    assert sum(began(simulation, each) for each in made) == ORDERS_MOST
    for _ in range(3):
        simulation.run(minutes=1)
    assert {simulation.status(each).state for each in made} == {"live"}


def test_first_certificates_and_urgent_renewals_come_first(elm: Project, simulation: Simulation) -> None:
    other = new_shelter("oak")
    renewals = [verified_domain(other, f"n{n}.oak.example") for n in range(2 * ORDERS_OF_ONE_ACCOUNT_MOST)]
    for each in renewals:
        certificates.add_certificate(each, NOW - timedelta(days=60), ask_renewal_at=NOW + timedelta(days=9))
    urgent = verified_domain(other, "late.oak.example", verified_at=NOW + SECOND)
    certificates.add_certificate(
        urgent, NOW - timedelta(days=85), renew_at=NOW, ask_renewal_at=NOW + timedelta(days=9)
    )
    first = verified_domain(elm, "adopt.elm.example", verified_at=NOW + SECOND)
    with reading() as session:
        assert {*order_queue.next_domains(session, simulation.now)[:2]} == {first, urgent}


def test_steps_alternate_between_accounts(elm: Project, simulation: Simulation) -> None:
    oak = new_shelter("oak")
    ours = [verified_domain(elm, f"n{number}.elm.example") for number in range(4)]
    for each in ours:
        certificates.add_acme_order(each, NOW, next_step_at=NOW)
    theirs = verified_domain(oak, "adopt.oak.example")
    certificates.add_acme_order(theirs, NOW, next_step_at=NOW + SECOND)
    turns, taken = AccountRotation(), []
    while (order_id := claim_step(turns, NOW + SECOND)) is not None:
        taken.append(order_id)
    assert taken.index(orders_of(theirs)[0].id) == 1


def work_of_next_domains(now: datetime) -> int:
    """Return how many steps SQLite takes to find the next domains for an order."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with transaction() as session:
        connection = session.connection().connection.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        connection.set_progress_handler(count, 10)
        assert order_queue.next_domains(session, now) == []
        connection.set_progress_handler(None, 0)
    return steps


def test_domains_that_need_no_order_do_not_slow_the_query(elm: Project, simulation: Simulation) -> None:
    def fill(numbers: range) -> int:
        for number in numbers:
            certificates.add_certificate(verified_domain(elm, f"n{number}.elm.example"), NOW)
        return work_of_next_domains(NOW)

    few = fill(range(50))
    assert fill(range(50, 150)) <= few * 1.1


class PartlyUnreachableAuthority(FakeAuthority):
    """An authority that does not answer for hosts of one zone."""

    zone = ".elm.example"

    def order(self, host: str) -> str:
        if host.endswith(self.zone):
            self.record("lost", host)
            raise DOWN
        return super().order(host)


def test_unreachable_orders_of_one_account_do_not_delay_other_accounts(elm: Project) -> None:
    """Failures of one account do not make the authority count as down while other accounts get answers."""
    simulation = Simulation(ca=PartlyUnreachableAuthority(now=NOW))
    oak = new_shelter("oak")
    unlucky = [verified_domain(elm, f"n{number}.elm.example") for number in range(9)]
    for _ in range(3):
        simulation.run(minutes=1)
    late = verified_domain(oak, "adopt.oak.example", verified_at=simulation.now)
    simulation.run(seconds=1)
    assert simulation.status(late).state == "live"
    assert {simulation.status(each).state for each in unlucky} == {"ordering"}


@pytest.fixture
def domains_in_outage(elm: Project, simulation: Simulation) -> list[int]:
    """Domains of three accounts, each with an order, at an authority that is down."""
    shelters = [elm, new_shelter("oak"), new_shelter("ash")]
    made = [
        verified_domain(each, f"n{number}.{each.slug}.example") for each in shelters for number in range(4)
    ]
    simulation.ca.error = DOWN
    simulation.run()
    assert authority_outages.is_down()
    return made


def test_an_outage_is_probed_by_one_order_every_15_minutes(
    elm: Project, simulation: Simulation, domains_in_outage: list[int]
) -> None:
    for _ in range(30):
        simulation.run(minutes=1)
    late, asked = verified_domain(elm, "late.elm.example"), len(simulation.ca.requests)
    for _ in range(60):
        simulation.run(minutes=1)
    assert 3 <= len(simulation.ca.requests) - asked <= 5, "one every 15 minutes"
    assert simulation.status(late).state == "none", "no order begins"


def test_all_orders_continue_after_the_first_answer(
    elm: Project, simulation: Simulation, domains_in_outage: list[int]
) -> None:
    late = verified_domain(elm, "late.elm.example")
    for _ in range(3 * 24):
        simulation.run(hours=1)
    assert {simulation.status(each).state for each in domains_in_outage} <= {"ordering", "none"}
    assert subjects() == [], "shelters can do nothing about an outage"
    simulation.ca.error = None
    for _ in range(16):
        simulation.run(minutes=1)
    assert {simulation.status(each).state for each in [*domains_in_outage, late]} == {"live"}
    assert not authority_outages.is_down()


def test_verify_probes_an_outage_at_once_within_a_limit(
    simulation: Simulation, domains_in_outage: list[int]
) -> None:
    simulation.run(hours=2)
    asked = len(simulation.ca.requests)
    for each in domains_in_outage:
        press_verify(each, simulation.now + SECOND)
    simulation.run(seconds=2)
    assert (
        len(simulation.ca.requests) - asked <= 50 // authority_outages.VERIFY_PROBE_PAUSE.total_seconds() + 1
    )
    simulation.ca.error = None
    press_verify(domains_in_outage[-1], simulation.now + SECOND)
    simulation.run(seconds=2)
    assert simulation.status(domains_in_outage[0]).state == "live", "one answer continues all orders"


@pytest.mark.parametrize(
    "answer",
    [
        AuthorityRefused("rejectedIdentifier", "No."),
        AccountForgotten("The authority no longer knows our account."),
    ],
)
def test_any_answer_ends_an_outage(
    simulation: Simulation, domains_in_outage: list[int], answer: Exception
) -> None:
    simulation.ca.error = answer
    simulation.run(minutes=20)
    assert not authority_outages.is_down()


def test_an_outage_ends_after_its_orders_were_deleted(
    elm: Project, simulation: Simulation, domains_in_outage: list[int]
) -> None:
    with transaction() as session:
        session.execute(delete(Domain))
    simulation.ca.error = None
    late = verified_domain(elm, "late.elm.example")
    for _ in range(2):
        simulation.run(minutes=1)
    assert simulation.status(late).state == "live"


def test_retry_after_is_respected(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, "adopt.elm.example")
    simulation.ca.error = AuthorityUnreached("Busy.", NOW + timedelta(minutes=50))
    for _ in range(8):
        simulation.run(minutes=5)
    assert simulation.ca.count("order") == 1
    simulation.ca.error = None
    simulation.run(minutes=10)
    assert simulation.status(domain_id).state == "live"


@pytest.mark.settings("scaled")
def test_concurrent_first_failures_create_one_outage_row(elm: Project, simulation: Simulation) -> None:
    """Either worker creates the row of the outage, and it is created only once."""
    with ThreadPoolExecutor(1) as pool:
        with transaction() as first:
            authority_outages.lock_outage(first)
            second = pool.submit(in_own_session(note_unreached))
            wait_until_blocked(second)
        second.result()
    with reading() as session:
        row = session.get(AuthorityOutage, authority_outages.OUTAGE_ID)
    assert row is not None
    assert row.failing_since == NOW


def note_unreached() -> None:
    with transaction() as session:
        authority_outages.record_unreached_authority(
            session, authority_outages.lock_outage(session), NOW, NOW
        )


@pytest.mark.settings("embedded", "scaled")
def test_concurrent_workers_probe_once(elm: Project, simulation: Simulation) -> None:
    for number in range(authority_outages.ORDERS_OF_ONE_ACCOUNT):
        each = verified_domain(elm, f"n{number}.elm.example")
        certificates.add_acme_order(each, NOW, next_step_at=NOW, postponed_at=NOW, unreached=1)
    order_steps.postpone_order(orders_of(each)[0].id, DOWN, NOW)
    assert authority_outages.is_down()
    later = NOW + timedelta(hours=1)
    assert claim_step(AccountRotation(), later) is not None
    assert claim_step(AccountRotation(), later) is None
    assert not order_claims.is_step_soon(later)


@pytest.mark.settings("embedded", "scaled")
def test_null_times_sort_last_on_each_database(elm: Project, simulation: Simulation) -> None:
    early = {"verified_host": None, "verified_at": None, "state": "unverified", "challenge_ready": True}
    moving = verified_domain(elm, "moving.elm.example", **early, next_check_at=NOW + timedelta(hours=1))
    late = verified_domain(elm, "late.elm.example", verified_at=NOW + SECOND)
    first = verified_domain(elm, "first.elm.example")
    with reading() as session:
        assert order_queue.next_domains(session, simulation.now) == [first, late, moving]
    new, tried = verified_domain(elm, "new.elm.example"), verified_domain(elm, "tried.elm.example")
    certificates.add_acme_order(new, NOW, next_step_at=NOW)
    certificates.add_acme_order(tried, NOW, next_step_at=NOW, postponed_at=NOW)
    with transaction() as session:
        session.add(
            AuthorityOutage(id=authority_outages.OUTAGE_ID, failing_since=NOW, down_since=NOW, probes=1)
        )
    assert claim_step(AccountRotation(), NOW + timedelta(hours=1)) == orders_of(tried)[0].id
