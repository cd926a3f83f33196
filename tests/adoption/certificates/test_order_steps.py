"""Certificate orders from the verified domain to the live certificate, and their failures."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet
from sqlalchemy import select, text

from adoption.accounts.plan_changes import set_plan
from adoption.audit.models import AuditEntry
from adoption.certificates import edge_checks, order_claims, order_queue, order_steps, worker_loop
from adoption.certificates.authority_interface import AuthorityRefused, AuthorityUnreached
from adoption.certificates.authority_rate_limits import HOUR, MOST_AN_HOUR
from adoption.certificates.certificate_lookup import certificate_for, is_secured
from adoption.certificates.certificate_states import is_tried_again
from adoption.certificates.challenge_answers import challenge_answer
from adoption.certificates.key_encryption import Vault
from adoption.certificates.order_steps import MINUTE
from adoption.certificates.tls_probe import CertificateUnseen
from adoption.domains import removals
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.projects.publication import unpublish_site
from adoption.storage.database import db, reading, transaction
from tests import certificates, domains
from tests.adoption.certificates.conftest import (
    OWNER,
    Simulation,
    certificate_of,
    orders_of,
    press_verify,
    subjects,
    verified_domain,
)
from tests.authority import FakeAuthority
from tests.factories import NOW
from tests.mailbox import emails_to

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.elm.example"
SECOND = timedelta(seconds=1)
REFUSED = AuthorityRefused("rejectedIdentifier", "The authority does not issue for this name.")


def test_a_verified_domain_gets_a_certificate_and_goes_live(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    assert simulation.status(domain_id).state == "none"
    simulation.run()
    status = simulation.status(domain_id)
    assert (status.state, status.code) == ("live", None)
    assert status.not_after == certificate_of(domain_id).not_after > simulation.now + timedelta(days=89)
    assert subjects() == [f"{HOST} is live"]
    assert events() == ["domain.certificate-issued", "domain.live"]
    assert orders_of(domain_id) == []


def test_a_failed_validation_starts_a_dns_check(elm: Project, simulation: Simulation) -> None:
    later = NOW + timedelta(hours=6)
    domain_id = verified_domain(elm, HOST, next_check_at=later)
    simulation.ca.refusal = AuthorityRefused("dns", "SERVFAIL looking up A")
    simulation.run()
    assert simulation.status(domain_id).state == "failed"
    assert domains.stored_domain(domain_id).next_check_at == simulation.status(domain_id).failed_at


def events() -> list[str]:
    with reading() as session:
        about = select(AuditEntry.action).where(AuditEntry.action.startswith("domain."))
        return list(session.scalars(about.order_by(AuditEntry.id)))


def test_the_audit_log_records_each_problem_once_and_the_renewal(
    elm: Project, simulation: Simulation
) -> None:
    verified_domain(elm, HOST)
    simulation.ca.refusal = REFUSED
    simulation.run()
    simulation.run(minutes=6)
    assert simulation.ca.count("order") == 2
    assert events() == ["domain.certificate-failed"]
    with reading() as session:
        [entry] = session.scalars(select(AuditEntry).where(AuditEntry.thing == HOST))
        assert (entry.actor, entry.detail) == ("the service", REFUSED.detail)
    simulation.ca.refusal = None
    simulation.run(days=1)
    simulation.run(days=60, minutes=5)
    assert events() == [
        "domain.certificate-failed",
        "domain.certificate-issued",
        "domain.live",
        "domain.certificate-renewed",
    ]


def test_stored_private_keys_are_encrypted(elm: Project, simulation: Simulation) -> None:
    verified_domain(elm, HOST)
    simulation.run()
    kept = certificate_for(HOST)
    assert kept is not None
    assert "BEGIN CERTIFICATE" in kept.chain
    assert "BEGIN PRIVATE KEY" in simulation.vault.open(kept.private_key)
    with db.engine.connect() as connection:
        for table in ("certificates", "certificate_orders", "authority_accounts"):
            rows = connection.execute(text(f"SELECT * FROM {table}")).all()
            assert "PRIVATE KEY" not in repr(rows)


def test_encryption_keys_can_be_rotated(elm: Project, simulation: Simulation) -> None:
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
def test_no_certificate_is_ordered_while_dns_is_wrong(
    elm: Project, simulation: Simulation, rest: dict[str, object]
) -> None:
    domain_id = verified_domain(elm, HOST, **rest)
    simulation.run()
    assert simulation.ca.requests == []
    assert simulation.status(domain_id).state == "none"


def test_a_certificate_is_ordered_once_dnssec_is_repaired(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST, unresolved_since=NOW)
    simulation.run()
    assert simulation.ca.count("order") == 0
    with transaction() as session:
        session.get_one(Domain, domain_id).unresolved_since = None
    simulation.run(minutes=1)
    assert simulation.status(domain_id).state == "live"


def test_no_certificate_is_ordered_without_a_plan_or_deploy(elm: Project, simulation: Simulation) -> None:
    verified_domain(elm, HOST)
    set_plan(elm.slug, "free")
    simulation.run()
    set_plan(elm.slug, "pro")
    unpublish_site(elm.id)
    simulation.run(minutes=1)
    assert simulation.ca.requests == []


def test_a_refused_order_is_retried_after_growing_pauses(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.refusal = REFUSED
    simulation.run()
    status = simulation.status(domain_id)
    assert (status.state, status.code, status.detail) == ("failed", REFUSED.code, REFUSED.detail)
    assert status.next_try_at is not None
    assert simulation.now < status.next_try_at <= simulation.now + timedelta(minutes=5)
    simulation.run(minutes=4)
    assert simulation.ca.count("order") == 1
    simulation.run(minutes=2)
    assert simulation.ca.count("order") == 2
    again = simulation.status(domain_id).next_try_at
    assert again is not None
    assert again > simulation.now + timedelta(minutes=14)
    assert subjects() == [f"No certificate for {HOST} yet"]
    assert REFUSED.detail in " ".join(emails_to(OWNER)[0].text.split())
    simulation.ca.refusal = None
    simulation.run(minutes=16)
    assert simulation.status(domain_id).state == "live"
    assert simulation.status(domain_id).code is None
    assert orders_of(domain_id) == []


def test_verify_retries_a_failed_order_at_most_four_times_an_hour(
    elm: Project, simulation: Simulation
) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.refusal = REFUSED
    for number in range(5):  # failures of other domains do not count for this domain
        verified_domain(elm, f"n{number}.elm.example")
    for tries in (1, 2, 3, 4, 4, 4):
        simulation.run(seconds=20)
        assert simulation.ca.requests.count(("order", HOST)) == tries
        press_verify(domain_id, simulation.now + timedelta(seconds=5))
    simulation.run(minutes=61)
    assert simulation.ca.requests.count(("order", HOST)) == 5


def test_is_tried_again_agrees_with_the_domains_that_are_due(elm: Project, simulation: Simulation) -> None:
    simulation.now = NOW + 2 * MINUTE
    pressed: dict[int, datetime | None] = {}
    cases = product((1, MOST_AN_HOUR), ("connection", "rateLimited"), (None, -MINUTE, MINUTE), (MINUTE, HOUR))
    for number, (failures, code, after, wait) in enumerate(cases):
        at = None if after is None else NOW + after
        domain_id = verified_domain(elm, f"adopt{number}.elm.example", pressed_at=at)
        for _ in range(failures - 1):
            certificates.add_failed_order(domain_id, NOW, code, "", next_try_at=None)
        certificates.add_failed_order(domain_id, NOW, code, "", next_try_at=NOW + wait)
        pressed[domain_id] = at
    retried = {
        each for each, at in pressed.items() if is_tried_again(simulation.status(each), at, simulation.now)
    }
    with reading() as session:
        assert set(session.scalars(order_queue.domains_due(simulation.now))) == retried
    assert len(retried) == 13  # all domains that are due, and one domain whose owner pressed Verify


def test_an_unreachable_authority_fails_no_order(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.error = AuthorityUnreached("The certificate authority could not be reached.")
    for _ in range(3):
        simulation.run(minutes=1)
        status = simulation.status(domain_id)
        assert (status.state, status.code, status.failed_at) == ("ordering", None, None)
        assert status.unreached_why == "The certificate authority could not be reached."
    simulation.ca.error = None
    simulation.run(minutes=15)
    assert simulation.status(domain_id).state == "live"
    assert simulation.status(domain_id).unreached_why == ""


def postpone_orders(simulation: Simulation) -> None:
    """Let the authority be down for so long that it is asked only every 15 minutes."""
    simulation.ca.error = AuthorityUnreached("The certificate authority could not be reached.")
    for _ in range(4):
        simulation.run(minutes=15)


def test_verify_retries_an_unreachable_authority_for_its_domain(elm: Project, simulation: Simulation) -> None:
    domain_id, other = verified_domain(elm, HOST), verified_domain(elm, "n.elm.example")
    postpone_orders(simulation)
    asked = simulation.ca.count("order")
    simulation.run(seconds=2)
    assert simulation.ca.count("order") == asked, "it is asked only every 15 minutes"
    press_verify(domain_id, simulation.now + timedelta(seconds=1))
    simulation.run(seconds=2)
    assert simulation.ca.requests[asked:] == [("order", HOST)], "once for each request, and for no other host"
    simulation.ca.error = None
    press_verify(domain_id, simulation.now + timedelta(seconds=1))
    simulation.run(seconds=2)
    assert (simulation.status(domain_id).state, simulation.status(other).state) == ("live", "ordering")


def test_a_requested_step_is_claimed_by_one_worker(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    postpone_orders(simulation)
    press_verify(domain_id, simulation.now + SECOND)
    [order] = orders_of(domain_id)
    assert order_claims.claim_step(order_claims.AccountRotation(), simulation.now + 2 * SECOND) == order.id
    assert order_claims.claim_step(order_claims.AccountRotation(), simulation.now + 2 * SECOND) is None


def test_verify_requests_dated_in_the_future_are_ignored(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    postpone_orders(simulation)
    press_verify(domain_id, simulation.now + HOUR)
    [order] = orders_of(domain_id)
    assert order.next_step_at is not None
    assert simulation.now < order.next_step_at
    assert order_claims.claim_step(order_claims.AccountRotation(), simulation.now) is None, (
        "otherwise steps would repeat without end"
    )
    shown = verified_domain(elm, "n.elm.example", pressed_at=simulation.now + HOUR)
    certificates.add_certificate(
        shown, simulation.now, seen_at=None, looked_at=simulation.now, next_look_at=simulation.now + MINUTE
    )
    assert not edge_checks.check_next_certificate(simulation.config, simulation.now + SECOND)


def test_an_authority_that_is_unreachable_for_a_day_is_emailed(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.error = AuthorityUnreached("The certificate authority could not be reached.")
    for _ in range(26):
        simulation.run(hours=1)
    assert "unreached" in {order.code for order in orders_of(domain_id)}
    assert subjects() == [f"No certificate for {HOST} yet"]


class EndlessAuthority(FakeAuthority):
    """An authority that never finishes a validation."""

    def begin_validation(self, order: str, kind: str = "") -> None:
        self.record("validate", order)
        self.status[order] = "processing"


def test_an_order_that_does_not_end_within_a_day_fails_and_is_repeated(elm: Project) -> None:
    simulation = Simulation(ca=EndlessAuthority(now=NOW))
    domain_id = verified_domain(elm, HOST)
    simulation.run(hours=23)
    assert simulation.status(domain_id).state == "validating"
    simulation.run(hours=25)
    retried = simulation.status(domain_id)
    assert (retried.state, retried.code) == ("failed", "unfinished")
    simulation.ca.status.clear()
    simulation.run(minutes=6)
    assert simulation.ca.count("order") == 2


def test_the_domain_that_waited_longest_comes_first(elm: Project, simulation: Simulation) -> None:
    for number in range(order_queue.ORDERS_OF_ONE_ACCOUNT_MOST):
        verified_domain(elm, f"n{number}.elm.example")
    early = verified_domain(elm, HOST, verified_at=NOW - MINUTE)
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    assert len(orders_of(early)) == 1


def test_an_abandoned_order_is_continued(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    while simulation.ca.count("validate") == 0:
        assert order_steps.take_next_step(simulation.config, order_claims.AccountRotation(), simulation.now)
        simulation.wait(2)
    assert len(orders_of(domain_id)) == 1
    simulation.run(minutes=4)  # longer than the dead process's claim of the order
    assert simulation.status(domain_id).state == "live"
    assert simulation.ca.count("order") == 1
    assert simulation.ca.count("chain") == 1


@pytest.mark.settings("embedded", "scaled")
def test_a_domain_has_one_order_under_way(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    for _ in range(2):
        order_queue.begin_order(domain_id, simulation.vault, simulation.now)
    assert len(orders_of(domain_id)) == 1


@pytest.mark.parametrize("after", ["order", "validate", "finalize"])
def test_removing_a_domain_drops_its_order(elm: Project, simulation: Simulation, after: str) -> None:
    domain_id = verified_domain(elm, HOST)
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    while simulation.ca.count(after) == 0:
        order_steps.take_next_step(simulation.config, order_claims.AccountRotation(), simulation.now)
        simulation.wait(2)
    removals.remove_domain(elm.id, domain_id)
    asked = len(simulation.ca.requests)
    simulation.run(minutes=4)
    assert len(simulation.ca.requests) == asked
    assert (orders_of(domain_id), certificate_for(HOST)) == ([], None)


def test_a_certificate_issued_after_the_removal_is_not_stored(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)

    class SlowAuthority(FakeAuthority):
        def chain(self, order: str) -> str:
            issued = super().chain(order)
            removals.remove_domain(elm.id, domain_id)
            return issued

    simulation.ca = SlowAuthority(now=simulation.now)
    simulation.run()
    assert certificate_for(HOST) is None
    assert subjects() == []


def test_a_challenge_is_answered_only_at_its_host_and_during_validation(
    elm: Project, simulation: Simulation
) -> None:
    verified_domain(elm, HOST)
    verified_domain(elm, "www.elm.example")
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    while simulation.ca.count("validate") < 2:
        order_steps.take_next_step(simulation.config, order_claims.AccountRotation(), simulation.now)
        simulation.wait(0.1)
    assert challenge_answer(HOST, "token-of-1") == "answer-of-1"
    assert challenge_answer("www.elm.example", "token-of-2") == "answer-of-2"
    for host, token in ((HOST, "token-of-2"), (HOST, ""), ("elm.example", "token-of-1")):
        assert challenge_answer(host, token) is None
    simulation.run(minutes=4)
    assert challenge_answer(HOST, "token-of-1") is None


def test_a_certificate_for_another_host_is_not_stored(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.wrong_host = "evil.example"
    simulation.run()
    assert simulation.status(domain_id).code == "wrongHost"
    assert certificate_for(HOST) is None


def test_an_unreadable_certificate_is_requested_again(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)

    class GarbledAuthority(FakeAuthority):
        def chain(self, order: str) -> str:
            issued = super().chain(order)
            return issued if self.count("chain") > 2 else "-----BEGIN CERTIFICATE-----\nnothing\n"

    simulation.ca = GarbledAuthority(now=simulation.now)
    simulation.run()
    simulation.run(minutes=1)
    assert simulation.status(domain_id).state == "live"
    assert simulation.ca.count("order") == 1


def test_a_failed_order_stores_no_key_and_a_short_detail(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.refusal = AuthorityRefused("c" * 500, "word " * 5_000)
    simulation.run()
    [order] = orders_of(domain_id)
    assert (order.private_key, order.token, order.key_authorization) == ("", "", "")
    assert (len(order.code), len(order.detail)) == (60, 2_000)


def test_old_failed_orders_are_deleted(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.refusal = REFUSED
    for _ in range(30):
        simulation.run(days=1, minutes=1)
    assert len(orders_of(domain_id)) <= 8
    assert subjects() == [f"No certificate for {HOST} yet"]


def test_an_order_with_a_lost_key_fails_and_is_repeated(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    order_queue.begin_due_orders(simulation.vault, simulation.now)
    simulation.vault = Vault([Fernet.generate_key().decode()])
    simulation.run()
    assert simulation.status(domain_id).code == "keyLost"
    simulation.run(minutes=6)
    assert simulation.status(domain_id).state == "live"


@pytest.mark.parametrize(
    ("edge", "sentence"),
    [
        (CertificateUnseen("The server for HTTPS could not be reached."), "could not be reached"),
        ("abc", "another"),
    ],
)
def test_a_certificate_that_the_edge_does_not_show_is_not_live(
    elm: Project, simulation: Simulation, edge: Exception | str, sentence: str
) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.edge = edge
    simulation.run()
    status = simulation.status(domain_id)
    assert status.state == "issued"
    assert sentence in status.unseen_why
    assert not is_secured(HOST, simulation.now)
    assert subjects() == []
    simulation.edge = None
    simulation.run(minutes=10)
    assert simulation.status(domain_id).state == "live"
    assert simulation.status(domain_id).unseen_why == ""
    assert is_secured(HOST, simulation.now)


def test_verify_checks_the_edge_again(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.edge = CertificateUnseen("The server for HTTPS could not be reached.")
    for _ in range(5):
        simulation.run(minutes=30)
    simulation.edge = None
    press_verify(domain_id, simulation.now + timedelta(seconds=1))
    simulation.run(seconds=2)
    assert simulation.status(domain_id).state == "live"


def test_a_round_ends_at_its_time_limit_and_reports_remaining_work(
    elm: Project, simulation: Simulation
) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.edge = CertificateUnseen("The server for HTTPS could not be reached.")
    began, seconds = simulation.now, iter(range(100))
    assert worker_loop.run_rounds(
        simulation.config, lambda: simulation.now, lambda: float(next(seconds)), simulation.wait
    )
    assert simulation.now - began < timedelta(seconds=worker_loop.SECONDS)
    assert simulation.status(domain_id).state in ("validating", "issued")


def test_a_call_during_a_round_starts_another_round(elm: Project, simulation: Simulation) -> None:
    """A round asks for renewal times at its beginning, before it issues a certificate."""

    def run(wait: Callable[[float], None]) -> bool:
        return worker_loop.run_rounds(simulation.config, lambda: simulation.now, lambda: 0.0, wait)

    def wait_during_another_call(seconds: float) -> None:
        if not calls:
            calls.append(run(simulation.wait))
        simulation.wait(seconds)

    calls: list[bool] = []
    verified_domain(elm, "alone.elm.example")
    assert not run(simulation.wait)
    assert simulation.ca.count("renewal") == 0
    verified_domain(elm, HOST)
    assert not run(wait_during_another_call)
    assert calls == [False]
    assert simulation.ca.count("renewal") == 2


def test_without_an_edge_an_issued_certificate_is_live(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    config = simulation.config._replace(serial_shown=None)
    for _ in range(5):
        more = worker_loop.run_rounds(
            config, lambda: simulation.now, lambda: simulation.now.timestamp(), simulation.wait
        )
    assert not more
    assert simulation.status(domain_id).state == "live"
    assert is_secured(HOST, simulation.now)
    assert subjects() == [f"{HOST} is live"]


def test_no_certificate_is_ordered_without_an_authority(app: APIFlask, elm: Project) -> None:
    from adoption import jobs

    domain_id = verified_domain(elm, HOST)
    jobs.order_certificates()
    assert orders_of(domain_id) == []
    assert domains.stored_domain(domain_id).state == "verified"
