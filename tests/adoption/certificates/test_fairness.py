"""Fairness among accounts, and outages of the certificate authority."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete

from adoption.certificates import order_claims, order_queue, order_steps, outages
from adoption.certificates.certificate_authority import Forgotten, Refused, Unreached
from adoption.certificates.models import AuthorityOutage
from adoption.certificates.order_claims import Turns, claim_step
from adoption.certificates.order_queue import PLACES, SHARE
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import certificates, factories
from tests.adoption.certificates.conftest import World, orders, press, subjects, verified
from tests.authority import Twin
from tests.factories import NOW
from tests.locks import wait_until_blocked

pytestmark = pytest.mark.settings("embedded")

SECOND = timedelta(seconds=1)
DOWN = Unreached("The certificate authority could not be reached.")


def new_shelter(name: str) -> Project:
    return factories.project(name, plan="pro")


def began(world: World, number: int) -> bool:
    return bool(orders(number)) or world.standing(number).state != "none"


def test_an_account_with_many_domains_has_a_share_of_the_places(elm: Project, world: World) -> None:
    many = [verified(elm, f"n{number}.elm.example") for number in range(3 * SHARE)]
    others = [new_shelter(f"shelter{number}") for number in range(4)]
    late = [verified(each, f"adopt.{each.slug}.example", verified_at=NOW + SECOND) for each in others]
    order_queue.begin_due_orders(world.vault, world.now)
    assert sum(began(world, each) for each in many) == SHARE
    assert all(began(world, each) for each in late)


def test_twenty_places_are_taken_at_most_and_all_come(elm: Project, world: World) -> None:
    shelters = [elm, *(new_shelter(f"shelter{number}") for number in range(PLACES // SHARE))]
    hosts = [(each, f"n{number}.{each.slug}.example") for each in shelters for number in range(SHARE)]
    made = [verified(*each) for each in hosts]
    order_queue.begin_due_orders(world.vault, world.now)
    order_queue.begin_due_orders(world.vault, world.now)
    assert sum(began(world, each) for each in made) == PLACES
    for _ in range(3):
        world.round(minutes=1)
    assert {world.standing(each).state for each in made} == {"live"}


def test_first_certificates_come_before_renewals_that_have_time(elm: Project, world: World) -> None:
    other = new_shelter("oak")
    renewals = [verified(other, f"n{n}.oak.example") for n in range(2 * SHARE)]
    for each in renewals:
        certificates.held(each, NOW - timedelta(days=60), ask_renewal_at=NOW + timedelta(days=9))
    urgent = verified(other, "late.oak.example", verified_at=NOW + SECOND)
    certificates.held(urgent, NOW - timedelta(days=85), renew_at=NOW, ask_renewal_at=NOW + timedelta(days=9))
    first = verified(elm, "adopt.elm.example", verified_at=NOW + SECOND)
    with reading() as session:
        assert {*order_queue.next_domains(session, world.now)[:2]} == {first, urgent}


def test_accounts_take_turns_step_by_step(elm: Project, world: World) -> None:
    oak = new_shelter("oak")
    ours = [verified(elm, f"n{number}.elm.example") for number in range(4)]
    for each in ours:
        certificates.order(each, NOW, next_step_at=NOW)
    theirs = verified(oak, "adopt.oak.example")
    certificates.order(theirs, NOW, next_step_at=NOW + SECOND)
    turns, taken = Turns(), []
    while (order_id := claim_step(turns, NOW + SECOND)) is not None:
        taken.append(order_id)
    assert taken.index(orders(theirs)[0].id) == 1


def work_of_next_domains(now: datetime) -> int:
    """Return how many steps SQLite takes to find the domains that an order begins for."""
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


def test_domains_that_need_nothing_cost_nothing(elm: Project, world: World) -> None:
    def fill(numbers: range) -> int:
        for number in numbers:
            certificates.held(verified(elm, f"n{number}.elm.example"), NOW)
        return work_of_next_domains(NOW)

    few = fill(range(50))
    assert fill(range(50, 150)) <= few * 1.1


class Unlucky(Twin):
    """Gives hosts of one zone no answer."""

    zone = ".elm.example"

    def order(self, host: str) -> str:
        if host.endswith(self.zone):
            self.note("lost", host)
            raise DOWN
        return super().order(host)


def test_orders_that_wait_hold_up_no_other_account(elm: Project) -> None:
    """One account alone does not make the authority count as down, as long as others get answers."""
    world = World(ca=Unlucky(now=NOW))
    oak = new_shelter("oak")
    unlucky = [verified(elm, f"n{number}.elm.example") for number in range(9)]
    for _ in range(3):
        world.round(minutes=1)
    late = verified(oak, "adopt.oak.example", verified_at=world.now)
    world.round(seconds=1)
    assert world.standing(late).state == "live"
    assert {world.standing(each).state for each in unlucky} == {"ordering"}


@pytest.fixture
def down(elm: Project, world: World) -> list[int]:
    """Domains of three accounts, each with an order, at an authority that answers nobody."""
    shelters = [elm, new_shelter("oak"), new_shelter("ash")]
    made = [verified(each, f"n{number}.{each.slug}.example") for each in shelters for number in range(4)]
    world.ca.trouble = DOWN
    world.round()
    assert outages.is_down()
    return made


def test_while_the_authority_is_down_one_order_probes_it_ever_less_often(
    elm: Project, world: World, down: list[int]
) -> None:
    for _ in range(30):
        world.round(minutes=1)
    late, asked = verified(elm, "late.elm.example"), len(world.ca.asked)
    for _ in range(60):
        world.round(minutes=1)
    assert 3 <= len(world.ca.asked) - asked <= 5, "one every 15 minutes"
    assert world.standing(late).state == "none", "no order begins"


def test_all_orders_go_on_with_the_first_answer(elm: Project, world: World, down: list[int]) -> None:
    late = verified(elm, "late.elm.example")
    for _ in range(3 * 24):
        world.round(hours=1)
    assert {world.standing(each).state for each in down} <= {"ordering", "none"}
    assert subjects() == [], "an outage of days is not the shelters' business"
    world.ca.trouble = None
    for _ in range(16):
        world.round(minutes=1)
    assert {world.standing(each).state for each in [*down, late]} == {"live"}
    assert not outages.is_down()


def test_a_press_probes_at_once_but_not_again_and_again(world: World, down: list[int]) -> None:
    world.round(hours=2)
    asked = len(world.ca.asked)
    for each in down:
        press(each, world.now + SECOND)
    world.round(seconds=2)
    assert len(world.ca.asked) - asked <= 50 // outages.PRESSED_PAUSE.total_seconds() + 1
    world.ca.trouble = None
    press(down[-1], world.now + SECOND)
    world.round(seconds=2)
    assert world.standing(down[0]).state == "live", "an answer to one is an answer to all"


@pytest.mark.parametrize(
    "answer",
    [Refused("rejectedIdentifier", "No."), Forgotten("The authority no longer knows our account.")],
)
def test_whatever_it_answers_it_is_not_down(world: World, down: list[int], answer: Exception) -> None:
    world.ca.trouble = answer
    world.round(minutes=20)
    assert not outages.is_down()


def test_an_outage_whose_orders_are_gone_holds_up_nobody(elm: Project, world: World, down: list[int]) -> None:
    with transaction() as session:
        session.execute(delete(Domain))
    world.ca.trouble = None
    late = verified(elm, "late.elm.example")
    for _ in range(2):
        world.round(minutes=1)
    assert world.standing(late).state == "live"


def test_an_authority_that_names_a_time_is_not_asked_before(elm: Project, world: World) -> None:
    domain_id = verified(elm, "adopt.elm.example")
    world.ca.trouble = Unreached("Busy.", NOW + timedelta(minutes=50))
    for _ in range(8):
        world.round(minutes=5)
    assert world.ca.count("order") == 1
    world.ca.trouble = None
    world.round(minutes=10)
    assert world.standing(domain_id).state == "live"


@pytest.mark.settings("scaled")
def test_two_workers_that_note_the_first_failure_ever_note_both(elm: Project, world: World) -> None:
    """The row of outages is created once, by either of them."""
    with ThreadPoolExecutor(1) as pool:
        with transaction() as first:
            outages.lock_row(first)
            second = pool.submit(copy_context().run, note_unreached)
            wait_until_blocked(second)
        second.result()
    with reading() as session:
        row = session.get(AuthorityOutage, outages.ROW)
    assert row is not None
    assert row.failing_since == NOW


def note_unreached() -> None:
    with transaction() as session:
        outages.note_unreached(session, outages.lock_row(session), NOW, NOW)


@pytest.mark.settings("embedded", "scaled")
def test_two_workers_probe_once(elm: Project, world: World) -> None:
    for number in range(outages.MANY_ORDERS):
        each = verified(elm, f"n{number}.elm.example")
        certificates.order(each, NOW, next_step_at=NOW, postponed_at=NOW, unreached=1)
    order_steps.postpone_order(orders(each)[0].id, DOWN, NOW)
    assert outages.is_down()
    later = NOW + timedelta(hours=1)
    assert claim_step(Turns(), later) is not None
    assert claim_step(Turns(), later) is None
    assert not order_claims.is_step_soon(later)


@pytest.mark.settings("embedded", "scaled")
def test_rows_without_a_time_are_last_on_each_database(elm: Project, world: World) -> None:
    early = {"verified_host": None, "verified_at": None, "state": "unverified", "challenge_ready": True}
    moving = verified(elm, "moving.elm.example", **early, next_check_at=NOW + timedelta(hours=1))
    late = verified(elm, "late.elm.example", verified_at=NOW + SECOND)
    first = verified(elm, "first.elm.example")
    with reading() as session:
        assert order_queue.next_domains(session, world.now) == [first, late, moving]
    new, tried = verified(elm, "new.elm.example"), verified(elm, "tried.elm.example")
    certificates.order(new, NOW, next_step_at=NOW)
    certificates.order(tried, NOW, next_step_at=NOW, postponed_at=NOW)
    with transaction() as session:
        session.add(AuthorityOutage(id=outages.ROW, failing_since=NOW, down_since=NOW, probes=1))
    assert claim_step(Turns(), NOW + timedelta(hours=1)) == orders(tried)[0].id
