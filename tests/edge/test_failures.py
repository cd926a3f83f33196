"""What goes wrong beyond DNS: each has a word of its own, nothing changes by it, and it mends by itself."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from deploy.trial.daemons import Daemon
from tests.edge.environment import REFUSED, TARGET, World
from tests.servers import ALONE
from tests.serving.conftest import is_alive
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("world", ["embedded"], indirect=True)


@contextmanager
def down(daemon: Daemon) -> Iterator[None]:
    daemon.stop()
    try:
        yield
    finally:
        daemon.start()


def test_an_authority_that_is_down_changes_nothing_and_is_asked_again(world: World) -> None:
    before = world.live()
    with down(world.authority):
        host = world.verified()
        told = world.waits_with("unreached", host)
        assert (told["dns"], told["certificate"]["state"]) == ("verified", "ordering")
        assert told["certificate"]["detail"] == "The certificate authority could not be reached."
        assert world.certificate(before)["state"] == "live"
        assert all(world.shown(before))
    # Which is another one then, that does not know us; to those who visited before we are not its own.
    world.verify(host)
    world.become("live", host)


def test_an_authority_that_refuses_a_host_is_told_in_its_own_words(world: World) -> None:
    host = world.verified(f"adopt.{REFUSED}")
    world.become("failed", host)
    told = world.verify(host)
    assert told["dns"] == "verified"
    assert told["certificate"]["code"] == "rejectedIdentifier"
    assert REFUSED in told["certificate"]["detail"]


def test_a_host_that_the_authority_cannot_reach_is_tried_again_by_a_press(world: World) -> None:
    with down(world.edges[1]):
        host = world.verified()
        world.become("failed", host)
        told = world.certificate(host)
        assert (told["code"], host in told["detail"]) == ("connection", True)
    assert world.verify(host)["dns"] == "verified"
    world.become("live", host)


def test_what_no_visitor_is_shown_is_issued_and_not_live(world: World) -> None:
    with down(world.edges[0]):
        host = world.verified()
        told = world.waits_with("unseen", host)
        assert (told["dns"], told["certificate"]["state"]) == ("verified", "issued")
        assert told["certificate"]["detail"] == "The server for HTTPS could not be reached."
    world.verify(host)
    world.become("live", host)


def test_what_caa_forbids_is_not_ordered_until_it_allows(world: World) -> None:
    host = world.add()
    world.put_right(host)
    world.zone.put(host, "CAA", '0 issue "other.example"')
    told = world.verify(host)
    assert (told["dns"], told["caa"]["code"]) == ("verified", "caa_blocks")
    world.live()  # which came after it and is done
    assert world.certificate(host)["state"] == "none"
    world.zone.put(host, "CAA")
    world.verify(host)
    world.become("live", host)


def test_a_caa_record_of_our_own_name_keeps_all_orders_back_until_it_is_fixed(world: World) -> None:
    host = world.add()
    world.put_right(host)
    world.zone.put(TARGET, "CAA", '0 issue "other.example"')
    told = world.verify(host)
    assert (told["dns"], told["caa"]["code"], told["caa"]["at"]) == ("verified", "caa_target_blocks", TARGET)
    assert world.certificate(host)["state"] == "none"
    world.zone.put(TARGET, "CAA")
    world.verify(host)
    world.become("live", host)


def test_an_apex_with_the_address_of_the_edge_goes_live(world: World) -> None:
    host = world.add("apex-by-address.example")
    [missing] = world.verify(host)["records"]
    assert (missing["type"], missing["name"], missing["code"]) == ("ALIAS", "@", "missing")
    world.zone.put(host, "A", ALONE)
    assert world.verify(host)["dns"] == "verified"
    world.become("live", host)
    assert world.visit(host).status == 200


def test_a_name_that_a_wildcard_record_answers_for_goes_live_by_a_record_of_its_own(world: World) -> None:
    world.zone.put("*.wildcards.example", "A", "198.51.100.7")
    host = world.add("adopt.wildcards.example")
    [found] = world.verify(host)["records"]
    assert (found["code"], found["found"]) == ("wildcard", ["198.51.100.7"])
    world.put_right(host)
    assert world.verify(host)["dns"] == "verified"
    world.become("live", host)


def test_an_order_whose_worker_is_killed_goes_on_as_the_same_order(world: World) -> None:
    world.edges[1].hold()
    try:
        host = world.verified()
        wait_for("the authority to look", lambda: between_steps(world, host))
        begun, queue = world.order(host), world.service.queue_id()
        os.kill(queue, signal.SIGKILL)
        wait_for("the killed queue to be gone", lambda: not is_alive(str(queue)))
    finally:
        world.edges[1].let_go()
    assert begun is not None
    assert (begun.state, bool(begun.address)) == ("validating", True)
    world.verify(host)
    world.become("live", host)
    [shown, _] = world.shown(host)
    assert shown is not None
    assert world.authority.issued(begun.address) == [shown.serial]


def between_steps(world: World, host: str) -> bool:
    """Whether an order that the authority validates is in nobody's hands for a moment."""
    order, now = world.order(host), datetime.now(UTC)
    if order is None or order.state != "validating" or order.next_step_at is None:
        return False
    return timedelta(seconds=0.3) < order.next_step_at - now < timedelta(seconds=10)
