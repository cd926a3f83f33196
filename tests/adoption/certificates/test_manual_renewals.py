"""Renewals by hand: within the limits of the service, and followed until they end."""

from datetime import timedelta

import pytest

from adoption.certificates.certificate_authority import Refused
from adoption.certificates.manual_renewals import Renewal, follow_renewal, request_renewal
from adoption.certificates.models import AuthorityOutage
from adoption.certificates.order_queue import begin_order
from adoption.certificates.outages import ROW
from adoption.certificates.tls_probe import NotOffered
from adoption.certificates.x509 import new_private_key, request_for
from adoption.errors import Conflict
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import certificates
from tests.adoption.certificates.conftest import World, held, verified
from tests.authority import issue
from tests.factories import NOW

DAY, HOUR = timedelta(days=1), timedelta(hours=1)

pytestmark = pytest.mark.settings("embedded")


def follow(world: World, renewal: Renewal) -> list[tuple[str, str | None, str | None]]:
    """Follow a renewal while the service works, a round each time that the command waits."""
    waited = iter([lambda: None])

    def wait(seconds: float) -> None:
        next(waited, lambda: world.round(seconds=seconds))()

    found = list(follow_renewal(renewal, lambda: world.now, wait, seconds=300))
    return [(each.state, each.code, each.who) for each in found]


def test_a_certificate_is_renewed_at_once_and_seen_to_be_live(world: World, elm: Project) -> None:
    domain = verified(elm, "adopt.example.org")
    world.round()
    before = held(domain)
    world.wait(2 * 86_400)
    assert follow(world, request_renewal(domain, world.now))[-1] == ("live", None, None)
    after = held(domain)
    assert (after.serial != before.serial, after.issued_at >= world.now - HOUR) == (True, True)
    assert world.ca.count("order") == 2


def test_a_domain_without_a_certificate_gets_its_first_one(world: World, elm: Project) -> None:
    domain = verified(elm, "adopt.example.org")
    states = follow(world, request_renewal(domain, world.now))
    assert (states[0][0], states[-1][0]) == ("waiting", "live")


def test_a_failure_ends_it_with_its_code_and_who_acts(world: World, elm: Project) -> None:
    domain = verified(elm, "adopt.example.org")
    world.ca.refusal = Refused("caa", "CAA record forbids it")
    assert follow(world, request_renewal(domain, world.now))[-1] == ("failed", "caa", "shelter")
    world.ca.refusal = None
    assert follow(world, request_renewal(domain, world.now))[-1] == ("live", None, None), (
        "not the old failure"
    )


def test_a_certificate_that_visitors_do_not_get_is_not_the_end(world: World, elm: Project) -> None:
    domain = verified(elm, "adopt.example.org")
    world.edge = NotOffered("The server for HTTPS showed no certificate.")
    assert follow(world, request_renewal(domain, world.now))[-1] == ("issued", None, None)


def test_an_order_under_way_is_followed_and_no_second_one_begun(world: World, elm: Project) -> None:
    domain = verified(elm, "adopt.example.org")
    begin_order(domain, world.vault, world.now)
    assert follow(world, request_renewal(domain, world.now))[-1] == ("live", None, None)
    assert world.ca.count("order") == 1


def test_a_certificate_of_today_is_not_renewed_again(world: World, elm: Project) -> None:
    domain = verified(elm, "adopt.example.org")
    world.round()
    with pytest.raises(Conflict, match="may be renewed from 2026-11-29 00:0"):
        request_renewal(domain, world.now + HOUR)


def test_the_limits_of_the_authority_hold(world: World, elm: Project) -> None:
    limited = verified(elm, "adopt.example.org")
    certificates.failed(limited, NOW, "rateLimited", "Too many.", address="https://ca.test/order/1")
    with pytest.raises(Conflict, match=r"The next one may begin 2026-11-28 01:00 UTC"):
        request_renewal(limited, NOW)
    often = verified(elm, "often.example.org")
    for _ in range(4):
        certificates.failed(often, NOW, "dns", "No valid A records.")
    with pytest.raises(Conflict, match=r"the last one failed \(dns\)"):
        request_renewal(often, NOW)
    for zone in ("a.org", "b.org", "c.org"):
        certificates.failed(verified(elm, zone), NOW, "rateLimited", "Too many.")
    with pytest.raises(Conflict, match="limits all our orders"):
        request_renewal(verified(elm, "other.org"), NOW)


def test_a_host_that_does_not_lead_here_yet_is_done_with_its_certificate(world: World, elm: Project) -> None:
    early = {"verified_host": None, "verified_at": None, "state": "unverified", "challenge_ready": True}
    domain = verified(elm, "adopt.example.org", **early, next_check_at=NOW + HOUR)
    certificates.held(domain, NOW - 2 * DAY, chain=issue_chain(world), live_since=None, seen_at=None)
    renewal = request_renewal(domain, NOW)
    certificates.held(domain, NOW, serial="2b", live_since=None, seen_at=None)
    [progress] = follow_renewal(renewal, lambda: NOW, world.wait, seconds=300)
    assert (progress.state, renewal.has_succeeded(progress)) == ("issued", True)


def test_an_outage_of_the_authority_is_what_it_waits_for(world: World, elm: Project) -> None:
    renewal = request_renewal(verified(elm, "adopt.example.org"), NOW)
    with transaction() as session:
        session.add(AuthorityOutage(id=ROW, failing_since=NOW, down_since=NOW, probes=1))
    [progress] = follow_renewal(renewal, lambda: NOW, world.wait, seconds=0)
    assert progress.state == "waiting"
    assert progress.detail == "The certificate authority has not answered since 2026-11-28 00:00 UTC."


def issue_chain(world: World) -> str:
    request = request_for("adopt.example.org", new_private_key())
    return issue(request, NOW - 2 * DAY)
