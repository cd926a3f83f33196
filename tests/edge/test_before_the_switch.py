"""Certificates by DNS-01 for hosts that still lead to their old site, until DNS is switched."""

from sqlalchemy import select

from adoption.certificates.models import AcmeOrder
from adoption.domains.early_certificates import challenge_target
from adoption.domains.models import Domain
from adoption.storage.database import reading
from tests.edge.browser_client import handshake, visit
from tests.edge.environment import PLATFORM, World
from tests.edge.test_from_dns_to_https import due
from tests.waiting import wait_for

OLD_SITE = "198.51.100.7"


def delegated(world: World) -> tuple[str, str]:
    """Return a host of an old site whose owner has added the CNAME record, and where that leads."""
    host = world.add()
    world.zone.put(host, "A", OLD_SITE)
    with world.app.app_context(), reading() as session:
        domain = session.scalars(select(Domain).where(Domain.host == host)).one()
    target = challenge_target(domain, f"_acme.{PLATFORM}")
    world.zone.put(f"_acme-challenge.{host}", "CNAME", target)
    return host, target


def calls(world: World, name: str) -> list[str]:
    return [verb for verb, each, _ in world.zone.hook.calls() if each == name]


def test_a_certificate_is_there_before_the_switch_and_the_site_live_at_once(world: World) -> None:
    host, target = delegated(world)
    assert world.verify(host)["dns"] == "unverified"
    world.become("issued", host)
    assert world.shown(host) == [None, None]
    assert world.visit_plainly(host).status == 404
    wait_for("the record to be removed", lambda: calls(world, target) == ["set", "remove"])
    world.put_right(host)
    assert world.verify(host)["dns"] == "verified"
    answer = visit(world.edges[1].https_port, host, "/", world.authority.roots())
    assert (answer.status, b"Elm Road" in answer.body) == (200, True)
    world.become("live", host)
    # The next one is ordered by DNS-01 as well, also where the authority cannot reach the host.
    world.zone.put(host, "A", OLD_SITE)

    def renewed_by_dns() -> bool:
        [before, _] = world.shown(host)
        due(world, host)
        world.verified()  # has the queue look for what is due
        wait_for("another certificate", lambda: world.shown(host)[0] != before)
        return calls(world, target)[:3] == ["set", "remove", "set"]

    # Pebble asks for no challenge in one of a hundred orders, whatever its settings say.
    wait_for("a certificate by another record", renewed_by_dns)


def test_the_first_visitor_after_the_switch_has_dns_checked(world: World) -> None:
    host, _ = delegated(world)
    world.verify(host)
    world.become("issued", host)
    world.put_right(host)
    edge = world.edges[0].https_port
    wait_for("the certificate to be shown", lambda: handshake(edge, host))
    assert world.visit(host).status == 200


def test_a_removed_domain_leaves_no_record(world: World) -> None:
    host, target = delegated(world)
    world.zone.faults[target] = "silent"  # so that the record is waited for
    world.verify(host)
    wait_for("the record to be set", lambda: calls(world, target) == ["set"])
    assert world.homeward("remove", host).exit_code == 0
    del world.zone.faults[target]
    world.verified()
    wait_for("the record to be removed", lambda: calls(world, target) == ["set", "remove"])
    with world.app.app_context(), reading() as session:
        assert session.scalar(select(AcmeOrder.id).join(Domain).where(Domain.host == host)) is None
