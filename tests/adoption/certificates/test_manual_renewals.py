"""Renewals that an operator requests: their limits, and how they are followed."""

from datetime import timedelta

import pytest

from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.authority_outages import OUTAGE_ID
from adoption.certificates.manual_renewals import Renewal, follow_renewal, request_renewal
from adoption.certificates.models import AuthorityOutage
from adoption.certificates.order_queue import begin_order
from adoption.certificates.tls_probe import CertificateNotOffered
from adoption.certificates.x509 import new_private_key, request_for
from adoption.errors import Conflict
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import certificates
from tests.adoption.certificates.conftest import Simulation, certificate_of, verified_domain
from tests.authority import issue
from tests.factories import NOW

DAY, HOUR = timedelta(days=1), timedelta(hours=1)

pytestmark = pytest.mark.settings("embedded")


def follow(simulation: Simulation, renewal: Renewal) -> list[tuple[str, str | None, str | None]]:
    """Follow a renewal. Each time that the command waits, the service works for a round."""
    waited = iter([lambda: None])

    def wait(seconds: float) -> None:
        next(waited, lambda: simulation.run(seconds=seconds))()

    found = list(follow_renewal(renewal, lambda: simulation.now, wait, seconds=300))
    return [(each.state, each.code, each.who) for each in found]


def test_a_renewal_is_followed_until_the_new_certificate_is_live(
    simulation: Simulation, elm: Project
) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    simulation.run()
    before = certificate_of(domain)
    simulation.wait(2 * 86_400)
    assert follow(simulation, request_renewal(domain, simulation.now))[-1] == ("live", None, None)
    after = certificate_of(domain)
    assert (after.serial != before.serial, after.issued_at >= simulation.now - HOUR) == (True, True)
    assert simulation.ca.count("order") == 2


def test_a_renewal_without_a_certificate_orders_the_first_one(simulation: Simulation, elm: Project) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    states = follow(simulation, request_renewal(domain, simulation.now))
    assert (states[0][0], states[-1][0]) == ("waiting", "live")


def test_a_failed_renewal_has_its_code_and_who_acts(simulation: Simulation, elm: Project) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    simulation.ca.refusal = AuthorityRefused("caa", "CAA record forbids it")
    assert follow(simulation, request_renewal(domain, simulation.now))[-1] == ("failed", "caa", "shelter")
    simulation.ca.refusal = None
    assert follow(simulation, request_renewal(domain, simulation.now))[-1] == ("live", None, None), (
        "the old failure is ignored"
    )


def test_a_renewed_certificate_that_the_edge_does_not_show_is_not_live(
    simulation: Simulation, elm: Project
) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    simulation.edge = CertificateNotOffered("The server for HTTPS showed no certificate.")
    assert follow(simulation, request_renewal(domain, simulation.now))[-1] == ("issued", None, None)


def test_an_order_under_way_is_followed_instead_of_a_new_order(simulation: Simulation, elm: Project) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    begin_order(domain, simulation.vault, simulation.now)
    assert follow(simulation, request_renewal(domain, simulation.now))[-1] == ("live", None, None)
    assert simulation.ca.count("order") == 1


def test_a_certificate_issued_today_is_not_renewed_again(simulation: Simulation, elm: Project) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    simulation.run()
    with pytest.raises(Conflict, match="may be renewed from 2026-11-29 00:0"):
        request_renewal(domain, simulation.now + HOUR)


def test_a_renewal_within_the_authoritys_rate_limits_is_refused(simulation: Simulation, elm: Project) -> None:
    limited = verified_domain(elm, "adopt.example.org")
    certificates.add_failed_order(limited, NOW, "rateLimited", "Too many.", address="https://ca.test/order/1")
    with pytest.raises(Conflict, match=r"The next order may begin at 2026-11-28 01:00 UTC"):
        request_renewal(limited, NOW)
    often = verified_domain(elm, "often.example.org")
    for _ in range(4):
        certificates.add_failed_order(often, NOW, "dns", "No valid A records.")
    with pytest.raises(Conflict, match=r"The last order for \S+ failed \(dns\)"):
        request_renewal(often, NOW)
    for zone in ("a.org", "b.org", "c.org"):
        certificates.add_failed_order(verified_domain(elm, zone), NOW, "rateLimited", "Too many.")
    with pytest.raises(Conflict, match="limits all our orders"):
        request_renewal(verified_domain(elm, "other.org"), NOW)


def test_a_renewal_before_the_dns_switch_ends_with_the_certificate(
    simulation: Simulation, elm: Project
) -> None:
    early = {"verified_host": None, "verified_at": None, "state": "unverified", "challenge_ready": True}
    domain = verified_domain(elm, "adopt.example.org", **early, next_check_at=NOW + HOUR)
    certificates.add_certificate(
        domain, NOW - 2 * DAY, chain=issue_chain(simulation), live_since=None, seen_at=None
    )
    renewal = request_renewal(domain, NOW)
    certificates.add_certificate(domain, NOW, serial="2b", live_since=None, seen_at=None)
    [progress] = follow_renewal(renewal, lambda: NOW, simulation.wait, seconds=300)
    assert (progress.state, renewal.has_succeeded(progress)) == ("issued", True)


def test_a_renewal_during_an_outage_says_that_it_waits(simulation: Simulation, elm: Project) -> None:
    renewal = request_renewal(verified_domain(elm, "adopt.example.org"), NOW)
    with transaction() as session:
        session.add(AuthorityOutage(id=OUTAGE_ID, failing_since=NOW, down_since=NOW, probes=1))
    [progress] = follow_renewal(renewal, lambda: NOW, simulation.wait, seconds=0)
    assert progress.state == "waiting"
    assert progress.detail == "The certificate authority has not answered since 2026-11-28 00:00 UTC."


def issue_chain(simulation: Simulation) -> str:
    request = request_for("adopt.example.org", new_private_key())
    return issue(request, NOW - 2 * DAY)
