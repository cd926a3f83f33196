"""Failures of the authority, the edge, CAA and the worker.

Each failure has its code, and orders recover from the failure.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from deploy.trial.daemons import Daemon
from tests.edge.environment import REFUSED, TARGET, Environment
from tests.servers import ALONE
from tests.serving.conftest import is_alive
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("environment", ["embedded"], indirect=True)


@contextmanager
def down(daemon: Daemon) -> Iterator[None]:
    daemon.stop()
    try:
        yield
    finally:
        daemon.start()


def test_orders_continue_after_an_outage_of_the_authority(environment: Environment) -> None:
    before = environment.add_live()
    with down(environment.authority):
        host = environment.add_verified()
        result = environment.wait_for_code("unreached", host)
        assert (result["dns"], result["certificate"]["state"]) == ("verified", "ordering")
        assert result["certificate"]["detail"] == "The certificate authority could not be reached."
        assert environment.certificate(before)["state"] == "live"
        assert all(environment.certificates_shown(before))
    # The authority restarts without accounts, so our account must be registered again.
    environment.verify(host)
    environment.wait_for_state("live", host)


def test_a_refusal_has_the_authoritys_code_and_detail(environment: Environment) -> None:
    host = environment.add_verified(f"adopt.{REFUSED}")
    environment.wait_for_state("failed", host)
    result = environment.verify(host)
    assert result["dns"] == "verified"
    assert result["certificate"]["code"] == "rejectedIdentifier"
    assert REFUSED in result["certificate"]["detail"]


def test_verify_retries_a_host_that_the_authority_could_not_reach(environment: Environment) -> None:
    with down(environment.edges[1]):
        host = environment.add_verified()
        environment.wait_for_state("failed", host)
        result = environment.certificate(host)
        assert (result["code"], host in result["detail"]) == ("connection", True)
    assert environment.verify(host)["dns"] == "verified"
    environment.wait_for_state("live", host)


def test_a_certificate_that_the_edge_does_not_show_is_not_live(environment: Environment) -> None:
    with down(environment.edges[0]):
        host = environment.add_verified()
        result = environment.wait_for_code("unseen", host)
        assert (result["dns"], result["certificate"]["state"]) == ("verified", "issued")
        assert result["certificate"]["detail"] == "The server for HTTPS could not be reached."
    environment.verify(host)
    environment.wait_for_state("live", host)


def test_a_blocking_caa_record_delays_the_order_until_it_is_removed(environment: Environment) -> None:
    host = environment.add()
    environment.point_here(host)
    environment.zone.put(host, "CAA", '0 issue "other.example"')
    result = environment.verify(host)
    assert (result["dns"], result["caa"]["code"]) == ("verified", "caa_blocks")
    environment.add_live()  # this order began later, so by now the first order would be done
    assert environment.certificate(host)["state"] == "none"
    environment.zone.put(host, "CAA")
    environment.verify(host)
    environment.wait_for_state("live", host)


def test_a_blocking_caa_record_of_the_target_delays_orders_until_it_is_removed(
    environment: Environment,
) -> None:
    host = environment.add()
    environment.point_here(host)
    environment.zone.put(TARGET, "CAA", '0 issue "other.example"')
    result = environment.verify(host)
    assert (result["dns"], result["caa"]["code"], result["caa"]["at"]) == (
        "verified",
        "caa_target_blocks",
        TARGET,
    )
    assert environment.certificate(host)["state"] == "none"
    environment.zone.put(TARGET, "CAA")
    environment.verify(host)
    environment.wait_for_state("live", host)


def test_an_apex_with_the_address_of_the_edge_goes_live(environment: Environment) -> None:
    host = environment.add("apex-by-address.example")
    [missing] = environment.verify(host)["records"]
    assert (missing["type"], missing["name"], missing["code"]) == ("ALIAS", "@", "missing")
    environment.zone.put(host, "A", ALONE)
    assert environment.verify(host)["dns"] == "verified"
    environment.wait_for_state("live", host)
    assert environment.visit(host).status == 200


def test_a_host_below_a_wildcard_record_goes_live_with_its_own_record(environment: Environment) -> None:
    environment.zone.put("*.wildcards.example", "A", "198.51.100.7")
    host = environment.add("adopt.wildcards.example")
    [found] = environment.verify(host)["records"]
    assert (found["code"], found["found"]) == ("wildcard", ["198.51.100.7"])
    environment.point_here(host)
    assert environment.verify(host)["dns"] == "verified"
    environment.wait_for_state("live", host)


def test_an_order_continues_after_its_worker_was_killed(environment: Environment) -> None:
    environment.edges[1].pause()
    try:
        host = environment.add_verified()
        wait_for("the authority to look", lambda: between_steps(environment, host))
        begun, queue = environment.order_under_way(host), environment.service.queue_id()
        os.kill(queue, signal.SIGKILL)
        wait_for("the killed queue to be gone", lambda: not is_alive(str(queue)))
    finally:
        environment.edges[1].resume()
    assert begun is not None
    assert (begun.state, bool(begun.address)) == ("validating", True)
    environment.verify(host)
    environment.wait_for_state("live", host)
    [shown, _] = environment.certificates_shown(host)
    assert shown is not None
    assert environment.authority.issued(begun.address) == [shown.serial]


def between_steps(environment: Environment, host: str) -> bool:
    """Return whether the order is being validated and no worker is processing a step."""
    order, now = environment.order_under_way(host), datetime.now(UTC)
    if order is None or order.state != "validating" or order.next_step_at is None:
        return False
    return timedelta(seconds=0.3) < order.next_step_at - now < timedelta(seconds=10)
