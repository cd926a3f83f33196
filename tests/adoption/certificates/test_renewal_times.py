"""Renewals of certificates: their times, the times that the authority suggests (ARI), and failures."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from adoption.certificates import worker_loop
from adoption.certificates.authority_interface import AuthorityRefused, AuthorityUnreached
from adoption.certificates.certificate_lookup import certificate_for, is_secured
from adoption.projects.models import Project
from tests import certificates
from tests.adoption.certificates.conftest import OWNER, Simulation, certificate_of, subjects, verified_domain
from tests.authority import FakeAuthority
from tests.factories import NOW
from tests.mailbox import emails_to

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.elm.example"


def test_a_certificate_is_renewed_after_two_thirds_of_its_lifetime(
    elm: Project, simulation: Simulation
) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    first = certificate_of(domain_id)
    simulation.run(days=59)
    assert certificate_of(domain_id).serial == first.serial
    simulation.run(days=1, minutes=5)
    second = certificate_of(domain_id)
    assert second.serial != first.serial
    assert second.live_since == first.live_since
    assert simulation.status(domain_id).state == "live"
    assert subjects() == [f"{HOST} is live"]


def test_ari_makes_a_renewal_earlier(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    first = certificate_of(domain_id).serial
    simulation.ca.wants_renewal = simulation.now + timedelta(days=3)
    simulation.run(days=2)
    assert certificate_of(domain_id).serial == first
    simulation.run(days=1, minutes=5)
    assert certificate_of(domain_id).serial != first


def test_ari_cannot_delay_a_renewal_until_expiry(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.ca.wants_renewal = simulation.now + timedelta(days=400)
    simulation.run()
    simulation.run(minutes=1)
    assert certificate_of(domain_id).renew_at < certificate_of(domain_id).not_after - timedelta(days=8)


def test_a_failed_ari_request_keeps_the_renewal_time(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    first = certificate_of(domain_id)
    simulation.ca.error = AuthorityUnreached("The certificate authority could not be reached.")
    simulation.run(days=30)
    assert certificate_of(domain_id).renew_at == first.renew_at


def test_a_failed_renewal_keeps_the_certificate_and_is_emailed_once(
    elm: Project, simulation: Simulation
) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    first = certificate_of(domain_id)
    simulation.ca.refusal = AuthorityRefused("connection", "Fetching http://adopt.elm.example/: Timeout")
    simulation.run(days=61)
    simulation.run(hours=1)
    status = simulation.status(domain_id)
    assert (status.state, status.code) == ("live", "connection")
    assert status.not_after == first.not_after
    kept = certificate_for(HOST)
    assert kept is not None
    assert kept.chain == first.chain
    assert is_secured(HOST, simulation.now)
    assert subjects() == [f"{HOST} is live", f"The certificate of {HOST} could not be renewed"]
    assert "Timeout" in emails_to(OWNER)[-1].text
    simulation.ca.refusal = None
    simulation.run(days=2)
    assert simulation.status(domain_id).code is None
    assert certificate_of(domain_id).serial != first.serial


def test_an_expired_certificate_is_shown_as_expired_and_not_redirected_to(
    elm: Project, simulation: Simulation
) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    simulation.ca.refusal = AuthorityRefused("connection", "Timeout")
    simulation.run(days=91)
    assert simulation.status(domain_id).state == "expired"
    assert not is_secured(HOST, simulation.now)


def test_a_renewed_certificate_is_live_once_the_edge_shows_it(elm: Project, simulation: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    simulation.edge = certificate_of(domain_id).serial  # the old certificate
    simulation.run(days=61)
    assert simulation.status(domain_id).state == "issued"
    assert is_secured(HOST, simulation.now)
    simulation.edge = None
    simulation.run(hours=1)
    assert simulation.status(domain_id).state == "live"


@dataclass
class SlowAuthority(FakeAuthority):
    """An authority that takes three seconds to answer an ARI request."""

    wait: Callable[[float], None] = lambda _: None

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        self.wait(3)
        return super().renewal(chain)


def test_slow_ari_requests_do_not_prolong_a_round(elm: Project, simulation: Simulation) -> None:
    for number in range(20):
        certificates.add_certificate(
            verified_domain(elm, f"adopt{number}.elm.example"), NOW, ask_renewal_at=NOW
        )
    simulation.ca = SlowAuthority(now=NOW, wait=simulation.wait)
    worker_loop.run_rounds(
        simulation.config, lambda: simulation.now, lambda: simulation.now.timestamp(), simulation.wait
    )
    assert simulation.now - NOW < timedelta(seconds=worker_loop.SECONDS + 3)
    for _ in range(5):
        simulation.run(minutes=1)
    assert simulation.ca.count("renewal") == 20


@pytest.fixture(params=["ahead of the authority", "always to be renewed"])
def out_of_step(request: pytest.FixtureRequest, simulation: Simulation) -> Simulation:
    if request.param == "ahead of the authority":
        # The authority's certificates are past two thirds of their lifetime.
        simulation.ca.clock_lag = timedelta(days=70)
    else:
        simulation.ca.wants_renewal = simulation.now - timedelta(days=1)
    return simulation


def test_a_certificate_is_not_renewed_on_the_day_of_its_issue(elm: Project, out_of_step: Simulation) -> None:
    domain_id = verified_domain(elm, HOST)
    for _ in range(3):
        out_of_step.run(hours=1)
    assert out_of_step.ca.count("order") == 1
    out_of_step.run(days=1)
    out_of_step.run(minutes=1)
    assert out_of_step.ca.count("order") == 2
    assert out_of_step.status(domain_id).state == "live"


def test_a_short_lived_certificate_is_renewed_in_time(elm: Project, simulation: Simulation) -> None:
    simulation.ca.days = 1 / 24
    domain_id = verified_domain(elm, HOST)
    simulation.run()
    assert certificate_of(domain_id).renew_at == certificate_of(domain_id).issued_at + timedelta(minutes=40)
