"""A certificate from the order to the edge, and every way in which it does not come."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet
from sqlalchemy import select, text

from adoption.accounts.actions import set_plan
from adoption.audit.models import AuditEntry
from adoption.certificates import edge_checks, order_claims, order_queue, order_steps, worker_loop
from adoption.certificates.authority_limits import HOUR, MOST_AN_HOUR, limited_until
from adoption.certificates.certificate_authority import Refused, Unreached
from adoption.certificates.certificate_states import is_tried_again
from adoption.certificates.key_encryption import Vault
from adoption.certificates.lookup import certificate_for, challenge_answer, is_secured
from adoption.certificates.order_steps import MINUTE
from adoption.certificates.tls_probe import Unseen
from adoption.domains import removals
from adoption.domains.models import Domain
from adoption.projects.actions import unpublish_site
from adoption.projects.models import Project
from adoption.storage.database import db, reading, transaction
from tests import certificates, domains, factories
from tests.adoption.certificates.conftest import OWNER, World, held, orders, press, subjects, verified
from tests.authority import Twin
from tests.factories import NOW
from tests.mailbox import letters_to

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.elm.example"
SECOND = timedelta(seconds=1)
REFUSED = Refused("rejectedIdentifier", "The authority does not issue for this name.")


def test_a_verified_domain_gets_a_certificate_and_goes_live(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    assert world.standing(domain_id).state == "none"
    world.round()
    standing = world.standing(domain_id)
    assert (standing.state, standing.code) == ("live", None)
    assert standing.not_after == held(domain_id).not_after > world.now + timedelta(days=89)
    assert subjects() == [f"{HOST} is live"]
    assert events() == ["domain.certificate-issued", "domain.live"]
    assert orders(domain_id) == []


def test_an_order_that_the_authority_could_not_validate_has_dns_checked_now(
    elm: Project, world: World
) -> None:
    later = NOW + timedelta(hours=6)
    domain_id = verified(elm, HOST, next_check_at=later)
    world.ca.refusal = Refused("dns", "SERVFAIL looking up A")
    world.round()
    assert world.standing(domain_id).state == "failed"
    assert domains.kept(domain_id).next_check_at == world.standing(domain_id).failed_at


def events() -> list[str]:
    with reading() as session:
        about = select(AuditEntry.action).where(AuditEntry.action.startswith("domain."))
        return list(session.scalars(about.order_by(AuditEntry.id)))


def test_the_audit_log_has_each_problem_once_and_the_renewal(elm: Project, world: World) -> None:
    verified(elm, HOST)
    world.ca.refusal = REFUSED
    world.round()
    world.round(minutes=6)
    assert world.ca.count("order") == 2
    assert events() == ["domain.certificate-failed"]
    with reading() as session:
        [entry] = session.scalars(select(AuditEntry).where(AuditEntry.thing == HOST))
        assert (entry.actor, entry.detail) == ("the service", REFUSED.detail)
    world.ca.refusal = None
    world.round(days=1)
    world.round(days=60, minutes=5)
    assert events() == [
        "domain.certificate-failed",
        "domain.certificate-issued",
        "domain.live",
        "domain.certificate-renewed",
    ]


def test_what_edges_get_is_a_chain_and_the_key_that_was_sealed(elm: Project, world: World) -> None:
    verified(elm, HOST)
    world.round()
    kept = certificate_for(HOST)
    assert kept is not None
    assert "BEGIN CERTIFICATE" in kept.chain
    assert "BEGIN PRIVATE KEY" in world.vault.open(kept.private_key)
    with db.engine.connect() as connection:
        for table in ("certificates", "certificate_orders", "authority_accounts"):
            rows = connection.execute(text(f"SELECT * FROM {table}")).all()
            assert "PRIVATE KEY" not in repr(rows)


def test_a_new_key_opens_what_the_old_one_sealed(elm: Project, world: World) -> None:
    old, new = (Fernet.generate_key().decode() for _ in range(2))
    sealed = Vault([old]).seal("secret")
    assert Vault([new, old]).open(sealed) == "secret"
    assert Vault([new]).open(Vault([new, old]).seal("secret")) == "secret"


@pytest.mark.parametrize(
    "rest",
    [
        {"state": "unverified", "verified_host": None},
        {"state": "attention"},
        {"caa_allows": False},
        {"unresolved_since": NOW},
    ],
    ids=["unverified", "moved away", "forbidden by CAA", "refused by resolvers"],
)
def test_nothing_is_ordered_for_what_dns_does_not_show_to_be_right(
    elm: Project, world: World, rest: dict[str, object]
) -> None:
    domain_id = verified(elm, HOST, **rest)
    world.round()
    assert world.ca.asked == []
    assert world.standing(domain_id).state == "none"


def test_a_domain_whose_dnssec_was_repaired_has_its_certificate_ordered(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST, unresolved_since=NOW)
    world.round()
    assert world.ca.count("order") == 0
    with transaction() as session:
        session.get_one(Domain, domain_id).unresolved_since = None
    world.round(minutes=1)
    assert world.standing(domain_id).state == "live"


def test_nothing_is_ordered_where_plan_or_deploy_show_nothing(elm: Project, world: World) -> None:
    verified(elm, HOST)
    set_plan(elm.slug, "free")
    world.round()
    set_plan(elm.slug, "pro")
    unpublish_site(elm.id)
    world.round(minutes=1)
    assert world.ca.asked == []


def test_a_refusal_is_kept_in_the_authoritys_own_words_and_tried_again_ever_later(
    elm: Project, world: World
) -> None:
    domain_id = verified(elm, HOST)
    world.ca.refusal = REFUSED
    world.round()
    standing = world.standing(domain_id)
    assert (standing.state, standing.code, standing.detail) == ("failed", REFUSED.code, REFUSED.detail)
    assert standing.next_try_at is not None
    assert world.now < standing.next_try_at <= world.now + timedelta(minutes=5)
    world.round(minutes=4)
    assert world.ca.count("order") == 1
    world.round(minutes=2)
    assert world.ca.count("order") == 2
    again = world.standing(domain_id).next_try_at
    assert again is not None
    assert again > world.now + timedelta(minutes=14)
    assert subjects() == [f"No certificate for {HOST} yet"]
    assert REFUSED.detail in " ".join(letters_to(OWNER)[0].text.split())
    world.ca.refusal = None
    world.round(minutes=16)
    assert world.standing(domain_id).state == "live"
    assert world.standing(domain_id).code is None
    assert orders(domain_id) == []


def test_a_press_brings_the_next_try_forward_but_not_more_than_four_times_an_hour(
    elm: Project, world: World
) -> None:
    domain_id = verified(elm, HOST)
    world.ca.refusal = REFUSED
    for number in range(5):  # others, whose failures do not count for this one
        verified(elm, f"n{number}.elm.example")
    for tries in (1, 2, 3, 4, 4, 4):
        world.round(seconds=20)
        assert world.ca.asked.count(("order", HOST)) == tries
        press(domain_id, world.now + timedelta(seconds=5))
    world.round(minutes=61)
    assert world.ca.asked.count(("order", HOST)) == 5


def test_people_are_told_of_the_next_try_what_is_then_done(elm: Project, world: World) -> None:
    world.now = NOW + 2 * MINUTE
    pressed: dict[int, datetime | None] = {}
    cases = product((1, MOST_AN_HOUR), ("connection", "rateLimited"), (None, -MINUTE, MINUTE), (MINUTE, HOUR))
    for number, (failures, code, after, wait) in enumerate(cases):
        at = None if after is None else NOW + after
        domain_id = verified(elm, f"adopt{number}.elm.example", pressed_at=at)
        for _ in range(failures - 1):
            certificates.failed(domain_id, NOW, code, "", next_try_at=None)
        certificates.failed(domain_id, NOW, code, "", next_try_at=NOW + wait)
        pressed[domain_id] = at
    told = {each for each, at in pressed.items() if is_tried_again(world.standing(each), at, world.now)}
    with reading() as session:
        assert set(session.scalars(order_queue.domains_due(world.now))) == told
    assert len(told) == 13  # all that are due, and one of those that are pressed for


def test_a_limit_of_the_authority_is_kept_whoever_presses(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    until = world.now + timedelta(hours=2)
    world.ca.refusal = Refused("rateLimited", "Too many certificates.", until)
    world.round()
    assert world.standing(domain_id).next_try_at == until
    assert subjects() == []  # there is nothing to do
    press(domain_id, world.now + timedelta(seconds=5))
    world.round(minutes=100)
    assert world.ca.count("order") == 1
    world.round(minutes=30)
    assert world.ca.count("order") == 2


def test_when_a_limit_ends_the_next_is_tried_however_often_it_has_refused(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    for _ in range(5):
        until = world.now + timedelta(hours=1)
        world.ca.trouble = Refused("rateLimited", "Too many orders.", until)
        world.round()
        assert world.standing(domain_id).next_try_at == until, "others would take what is free by then"
        world.wait(3_600)


def test_where_the_authority_limits_all_of_ours_the_others_do_not_press(elm: Project, world: World) -> None:
    until = world.now + timedelta(hours=2)
    world.ca.trouble = Refused("rateLimited", "too many new orders (300) from this account", until)
    hosts = [f"adopt.shelter{number}.example" for number in range(30)]
    ids = [verified(elm, host, verified_at=NOW + number * SECOND) for number, host in enumerate(hosts)]
    for _ in range(6):
        world.round(minutes=15)
    assert world.ca.asked == [("order", host) for host in hosts[: order_queue.SHARE + 5]]
    assert world.standing(ids[-1]).state == "none"
    world.ca.trouble = None
    for _ in range(3):
        world.round(minutes=15)
    assert {world.standing(each).state for each in ids} == {"live"}
    assert len(world.ca.asked) > 2 * order_queue.SHARE


def test_limits_that_one_account_has_brought_along_hold_no_other_up_for_long(
    elm: Project, world: World
) -> None:
    until, limit = world.now + timedelta(days=7), Refused("rateLimited", "too many certificates", None)
    for number in range(5):
        brought = verified(elm, f"adopt.burnt{number}.example")
        certificates.failed(brought, world.now, limit.code, limit.detail, next_try_at=until)
    verified(elm, "more.burnt1.example")
    verified(elm, "adopt.own.example", verified_at=NOW - SECOND)
    other = verified(factories.project("Oak Lane", plan="pro"), "adopt.oak.example")
    world.round(minutes=5)
    assert world.ca.asked == []
    world.round(minutes=15)
    assert (world.ca.asked[0], world.standing(other).state) == (("order", "adopt.oak.example"), "live")
    assert world.ca.count("order") == 3


def test_limits_of_one_zone_and_what_is_taken_meanwhile_hold_nobody_else_up(
    elm: Project, world: World
) -> None:
    until = world.now + timedelta(hours=2)
    limit = Refused("rateLimited", "too many certificates already issued for this domain", until)
    for host in ("a.one.example", "b.one.example", "c.one.example", "two.example"):
        domain_id = verified(elm, host)
        certificates.failed(domain_id, world.now, limit.code, limit.detail, next_try_at=until)
    first = verified(elm, "adopt.three.example")
    world.round()
    assert world.standing(first).state == "live", "two zones may have limits of their own"
    certificates.failed(verified(elm, "four.example"), world.now, limit.code, limit.detail, next_try_at=until)
    second = verified(elm, "adopt.five.example")
    world.round()
    assert world.standing(second).state == "live", "since the first of them one was issued"


@pytest.mark.settings("embedded", "scaled")
def test_an_order_that_was_taken_meanwhile_shows_that_not_all_are_limited(elm: Project) -> None:
    until = NOW + HOUR
    for number, host in enumerate(("one.example", "two.example", "three.example")):
        end = until + number * HOUR
        certificates.failed(verified(elm, host), NOW, "rateLimited", "Too many.", next_try_at=end)
    with reading() as session:
        assert limited_until(session, NOW) == until
        assert limited_until(session, until) is None
    certificates.order(verified(elm, HOST), NOW + SECOND, address="https://ca.test/order/1")
    with reading() as session:
        assert limited_until(session, NOW) is None


def test_a_limit_that_an_order_meets_once_it_was_taken_is_its_own(elm: Project) -> None:
    for host in ("one.example", "two.example", "three.example"):
        domain_id = verified(elm, host)
        certificates.failed(
            domain_id,
            NOW,
            "rateLimited",
            "Too many.",
            address="https://ca.test/order/1",
            began_at=NOW - MINUTE,
        )
    with reading() as session:
        assert limited_until(session, NOW) is None


def test_limits_of_one_zone_after_an_order_was_taken_are_no_limit_of_all(elm: Project) -> None:
    until = NOW + HOUR

    def limited(host: str, at: datetime) -> None:
        certificates.failed(verified(elm, host), at, "rateLimited", "Too many.", next_try_at=until)

    for host in ("zero.example", "one.example", "two.example"):
        limited(host, NOW)
    certificates.order(verified(elm, HOST), NOW + SECOND, address="https://ca.test/order/1")
    for host in ("a.three.example", "b.three.example", "c.three.example"):
        limited(host, NOW + MINUTE)
    with reading() as session:
        assert limited_until(session, NOW + MINUTE) is None
    limited("a.one.example", NOW + MINUTE)
    limited("a.two.example", NOW + MINUTE)
    with reading() as session:
        assert limited_until(session, NOW + MINUTE) == until


def test_an_authority_that_is_down_changes_no_state(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.ca.trouble = Unreached("The certificate authority could not be reached.")
    for _ in range(3):
        world.round(minutes=1)
        standing = world.standing(domain_id)
        assert (standing.state, standing.code, standing.failed_at) == ("ordering", None, None)
        assert standing.unreached_why == "The certificate authority could not be reached."
    world.ca.trouble = None
    world.round(minutes=15)
    assert world.standing(domain_id).state == "live"
    assert world.standing(domain_id).unreached_why == ""


def put_off(world: World) -> None:
    """Have the authority be down until it is asked every 15 minutes."""
    world.ca.trouble = Unreached("The certificate authority could not be reached.")
    for _ in range(4):
        world.round(minutes=15)


def test_a_press_has_an_authority_asked_again_that_was_down(elm: Project, world: World) -> None:
    domain_id, other = verified(elm, HOST), verified(elm, "n.elm.example")
    put_off(world)
    asked = world.ca.count("order")
    world.round(seconds=2)
    assert world.ca.count("order") == asked, "it is asked every 15 minutes by now"
    press(domain_id, world.now + timedelta(seconds=1))
    world.round(seconds=2)
    assert world.ca.asked[asked:] == [("order", HOST)], "once for each press, and for no other host"
    world.ca.trouble = None
    press(domain_id, world.now + timedelta(seconds=1))
    world.round(seconds=2)
    assert (world.standing(domain_id).state, world.standing(other).state) == ("live", "ordering")


def test_what_somebody_has_pressed_for_is_taken_up_by_one_alone(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    put_off(world)
    press(domain_id, world.now + SECOND)
    [order] = orders(domain_id)
    assert order_claims.claim_step(order_claims.Turns(), world.now + 2 * SECOND) == order.id
    assert order_claims.claim_step(order_claims.Turns(), world.now + 2 * SECOND) is None


def test_a_press_that_a_clock_ahead_has_noted_hurries_nothing(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    put_off(world)
    press(domain_id, world.now + HOUR)
    [order] = orders(domain_id)
    assert order.next_step_at is not None
    assert world.now < order.next_step_at
    assert order_claims.claim_step(order_claims.Turns(), world.now) is None, "steps would follow at once"
    shown = verified(elm, "n.elm.example", pressed_at=world.now + HOUR)
    certificates.held(shown, world.now, seen_at=None, looked_at=world.now, next_look_at=world.now + MINUTE)
    assert not edge_checks.check_next(world.terms, world.now + SECOND)


def test_one_that_is_down_for_a_day_is_a_failure_that_is_told(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.ca.trouble = Unreached("The certificate authority could not be reached.")
    for _ in range(26):
        world.round(hours=1)
    assert "unreached" in {order.code for order in orders(domain_id)}
    assert subjects() == [f"No certificate for {HOST} yet"]


class Endless(Twin):
    """Goes on looking for ever."""

    def begin_validation(self, order: str, kind: str = "") -> None:
        self.note("validate", order)
        self.status[order] = "processing"


def test_an_authority_that_comes_to_no_end_within_a_day_has_failed_and_is_asked_anew(elm: Project) -> None:
    world = World(ca=Endless(now=NOW))
    domain_id = verified(elm, HOST)
    world.round(hours=23)
    assert world.standing(domain_id).state == "validating"
    world.round(hours=25)
    told = world.standing(domain_id)
    assert (told.state, told.code) == ("failed", "unfinished")
    world.ca.status.clear()
    world.round(minutes=6)
    assert world.ca.count("order") == 2


def test_whoever_has_waited_for_the_longest_comes_first(elm: Project, world: World) -> None:
    for number in range(order_queue.SHARE):
        verified(elm, f"n{number}.elm.example")
    early = verified(elm, HOST, verified_at=NOW - MINUTE)
    order_queue.begin_due_orders(world.vault, world.now)
    assert len(orders(early)) == 1


def test_an_order_that_another_left_is_gone_on_with(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    order_queue.begin_due_orders(world.vault, world.now)
    while world.ca.count("validate") == 0:
        assert order_steps.take_next_step(world.terms, order_claims.Turns(), world.now)
        world.wait(2)
    assert len(orders(domain_id)) == 1
    world.round(minutes=4)  # longer than the claim of whoever died
    assert world.standing(domain_id).state == "live"
    assert world.ca.count("order") == 1
    assert world.ca.count("chain") == 1


@pytest.mark.settings("embedded", "scaled")
def test_two_that_begin_at_once_begin_one_order(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    for _ in range(2):
        order_queue.begin_order(domain_id, world.vault, world.now)
    assert len(orders(domain_id)) == 1


@pytest.mark.parametrize("after", ["order", "validate", "finalize"])
def test_removing_a_domain_drops_its_order(elm: Project, world: World, after: str) -> None:
    domain_id = verified(elm, HOST)
    order_queue.begin_due_orders(world.vault, world.now)
    while world.ca.count(after) == 0:
        order_steps.take_next_step(world.terms, order_claims.Turns(), world.now)
        world.wait(2)
    removals.remove_domain(elm.id, domain_id)
    asked = len(world.ca.asked)
    world.round(minutes=4)
    assert len(world.ca.asked) == asked
    assert (orders(domain_id), certificate_for(HOST)) == ([], None)


def test_a_domain_that_goes_while_its_certificate_comes_keeps_nothing(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)

    class Slow(Twin):
        def chain(self, order: str) -> str:
            issued = super().chain(order)
            removals.remove_domain(elm.id, domain_id)
            return issued

    world.ca = Slow(now=world.now)
    world.round()
    assert certificate_for(HOST) is None
    assert subjects() == []


def test_the_challenge_is_answered_by_its_own_host_while_it_is_asked(elm: Project, world: World) -> None:
    verified(elm, HOST)
    verified(elm, "www.elm.example")
    order_queue.begin_due_orders(world.vault, world.now)
    while world.ca.count("validate") < 2:
        order_steps.take_next_step(world.terms, order_claims.Turns(), world.now)
        world.wait(0.1)
    assert challenge_answer(HOST, "token-of-1") == "answer-of-1"
    assert challenge_answer("www.elm.example", "token-of-2") == "answer-of-2"
    for host, token in ((HOST, "token-of-2"), (HOST, ""), ("elm.example", "token-of-1")):
        assert challenge_answer(host, token) is None
    world.round(minutes=4)
    assert challenge_answer(HOST, "token-of-1") is None


def test_a_certificate_for_somebody_else_is_not_kept(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.ca.wrong_host = "evil.example"
    world.round()
    assert world.standing(domain_id).code == "wrongHost"
    assert certificate_for(HOST) is None


def test_a_certificate_that_cannot_be_read_is_asked_for_again(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)

    class Mumbling(Twin):
        def chain(self, order: str) -> str:
            issued = super().chain(order)
            return issued if self.count("chain") > 2 else "-----BEGIN CERTIFICATE-----\nnothing\n"

    world.ca = Mumbling(now=world.now)
    world.round()
    world.round(minutes=1)
    assert world.standing(domain_id).state == "live"
    assert world.ca.count("order") == 1


def test_what_failed_keeps_no_secret_and_no_endless_words(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.ca.refusal = Refused("c" * 500, "word " * 5_000)
    world.round()
    [order] = orders(domain_id)
    assert (order.private_key, order.token, order.key_authorization) == ("", "", "")
    assert (len(order.code), len(order.detail)) == (60, 2_000)


def test_failures_of_long_ago_are_forgotten(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.ca.refusal = REFUSED
    for _ in range(30):
        world.round(days=1, minutes=1)
    assert len(orders(domain_id)) <= 8
    assert subjects() == [f"No certificate for {HOST} yet"]


def test_an_order_whose_key_cannot_be_opened_fails_and_a_new_one_is_begun(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    order_queue.begin_due_orders(world.vault, world.now)
    world.vault = Vault([Fernet.generate_key().decode()])
    world.round()
    assert world.standing(domain_id).code == "keyLost"
    world.round(minutes=6)
    assert world.standing(domain_id).state == "live"


@pytest.mark.parametrize(
    ("edge", "sentence"),
    [(Unseen("The server for HTTPS could not be reached."), "could not be reached"), ("abc", "another")],
)
def test_what_the_edge_does_not_show_is_not_live(
    elm: Project, world: World, edge: Exception | str, sentence: str
) -> None:
    domain_id = verified(elm, HOST)
    world.edge = edge
    world.round()
    standing = world.standing(domain_id)
    assert standing.state == "issued"
    assert sentence in standing.unseen_why
    assert not is_secured(HOST, world.now)
    assert subjects() == []
    world.edge = None
    world.round(minutes=10)
    assert world.standing(domain_id).state == "live"
    assert world.standing(domain_id).unseen_why == ""
    assert is_secured(HOST, world.now)


def test_a_press_has_the_edge_looked_at_again(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.edge = Unseen("The server for HTTPS could not be reached.")
    for _ in range(5):
        world.round(minutes=30)
    world.edge = None
    press(domain_id, world.now + timedelta(seconds=1))
    world.round(seconds=2)
    assert world.standing(domain_id).state == "live"


def test_a_round_is_short_and_says_that_there_is_more(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.edge = Unseen("The server for HTTPS could not be reached.")
    began, seconds = world.now, iter(range(100))
    assert worker_loop.run_rounds(world.terms, lambda: world.now, lambda: float(next(seconds)), world.wait)
    assert world.now - began < timedelta(seconds=worker_loop.SECONDS)
    assert world.standing(domain_id).state in ("validating", "issued")


def test_who_comes_during_a_round_does_not_wait_and_has_another_begin(elm: Project, world: World) -> None:
    """A round asks as it begins when renewals are wanted: too early for what it brings itself."""

    def run(wait: Callable[[float], None]) -> bool:
        return worker_loop.run_rounds(world.terms, lambda: world.now, lambda: 0.0, wait)

    def wait_while_another_comes(seconds: float) -> None:
        if not came:
            came.append(run(world.wait))
        world.wait(seconds)

    came: list[bool] = []
    verified(elm, "alone.elm.example")
    assert not run(world.wait)
    assert world.ca.count("renewal") == 0
    verified(elm, HOST)
    assert not run(wait_while_another_comes)
    assert came == [False]
    assert world.ca.count("renewal") == 2


def test_without_an_edge_what_was_issued_counts_as_live(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    terms = world.terms._replace(serial_shown=None)
    for _ in range(5):
        more = worker_loop.run_rounds(terms, lambda: world.now, lambda: world.now.timestamp(), world.wait)
    assert not more
    assert world.standing(domain_id).state == "live"
    assert is_secured(HOST, world.now)
    assert subjects() == [f"{HOST} is live"]


def test_a_server_without_an_authority_orders_nothing(app: APIFlask, elm: Project) -> None:
    from adoption import jobs

    domain_id = verified(elm, HOST)
    jobs.order_certificates()
    assert orders(domain_id) == []
    assert domains.kept(domain_id).state == "verified"
