"""Renewals: in time, or when the authority wants them; one that fails keeps what there is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from adoption.certificates import worker_loop
from adoption.certificates.certificate_authority import Refused, Unreached
from adoption.certificates.lookup import certificate_for, is_secured
from adoption.projects.models import Project
from tests import certificates
from tests.adoption.certificates.conftest import OWNER, World, held, subjects, verified
from tests.authority import Twin
from tests.factories import NOW
from tests.mailbox import letters_to

pytestmark = pytest.mark.settings("embedded")

HOST = "adopt.elm.example"


def test_a_certificate_is_renewed_at_two_thirds_of_its_life(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.round()
    first = held(domain_id)
    world.round(days=59)
    assert held(domain_id).serial == first.serial
    world.round(days=1, minutes=5)
    second = held(domain_id)
    assert second.serial != first.serial
    assert second.live_since == first.live_since
    assert world.standing(domain_id).state == "live"
    assert subjects() == [f"{HOST} is live"]


def test_an_authority_that_wants_it_earlier_has_its_way(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.round()
    first = held(domain_id).serial
    world.ca.wants_renewal = world.now + timedelta(days=3)
    world.round(days=2)
    assert held(domain_id).serial == first
    world.round(days=1, minutes=5)
    assert held(domain_id).serial != first


def test_whatever_the_authority_wants_it_does_not_run_out(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.ca.wants_renewal = world.now + timedelta(days=400)
    world.round()
    world.round(minutes=1)
    assert held(domain_id).renew_at < held(domain_id).not_after - timedelta(days=8)


def test_an_authority_that_tells_nothing_delays_nothing(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.round()
    first = held(domain_id)
    world.ca.trouble = Unreached("The certificate authority could not be reached.")
    world.round(days=30)
    assert held(domain_id).renew_at == first.renew_at


def test_a_renewal_that_fails_keeps_the_old_one_and_is_told_once(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.round()
    first = held(domain_id)
    world.ca.refusal = Refused("connection", "Fetching http://adopt.elm.example/: Timeout")
    world.round(days=61)
    world.round(hours=1)
    standing = world.standing(domain_id)
    assert (standing.state, standing.code) == ("live", "connection")
    assert standing.not_after == first.not_after
    kept = certificate_for(HOST)
    assert kept is not None
    assert kept.chain == first.chain
    assert is_secured(HOST, world.now)
    assert subjects() == [f"{HOST} is live", f"The certificate of {HOST} could not be renewed"]
    assert "Timeout" in letters_to(OWNER)[-1].text
    world.ca.refusal = None
    world.round(days=2)
    assert world.standing(domain_id).code is None
    assert held(domain_id).serial != first.serial


def test_one_that_has_run_out_is_told_as_such_and_no_visitor_is_sent_to_it(
    elm: Project, world: World
) -> None:
    domain_id = verified(elm, HOST)
    world.round()
    world.ca.refusal = Refused("connection", "Timeout")
    world.round(days=91)
    assert world.standing(domain_id).state == "expired"
    assert not is_secured(HOST, world.now)


def test_a_renewed_certificate_is_issued_until_the_edge_shows_it(elm: Project, world: World) -> None:
    domain_id = verified(elm, HOST)
    world.round()
    world.edge = held(domain_id).serial  # the old one
    world.round(days=61)
    assert world.standing(domain_id).state == "issued"
    assert is_secured(HOST, world.now)
    world.edge = None
    world.round(hours=1)
    assert world.standing(domain_id).state == "live"


@dataclass
class Slow(Twin):
    """Takes three seconds to say when it wants a renewal."""

    wait: Callable[[float], None] = lambda _: None

    def renewal(self, chain: str) -> tuple[datetime | None, datetime]:
        self.wait(3)
        return super().renewal(chain)


def test_an_authority_that_is_slow_does_not_make_a_round_long(elm: Project, world: World) -> None:
    for number in range(20):
        certificates.held(verified(elm, f"adopt{number}.elm.example"), NOW, ask_renewal_at=NOW)
    world.ca = Slow(now=NOW, wait=world.wait)
    worker_loop.run_rounds(world.terms, lambda: world.now, lambda: world.now.timestamp(), world.wait)
    assert world.now - NOW < timedelta(seconds=worker_loop.SECONDS + 3)
    for _ in range(5):
        world.round(minutes=1)
    assert world.ca.count("renewal") == 20
