"""Certificates by DNS-01 for hosts that still lead to their old site, before the switch of DNS."""

from sqlalchemy import select

from adoption.certificates.models import AcmeOrder
from adoption.domains.early_certificates import challenge_target
from adoption.domains.models import Domain
from adoption.storage.database import reading
from tests.edge.browser_client import handshake, visit
from tests.edge.environment import PLATFORM, Environment
from tests.edge.test_domain_lifecycle import make_renewal_due
from tests.waiting import wait_for

OLD_SITE = "198.51.100.7"


def delegated_host(environment: Environment) -> tuple[str, str]:
    """Return a host of an old site, and the target of its CNAME record.

    The record delegates challenges.
    """
    host = environment.add()
    environment.zone.put(host, "A", OLD_SITE)
    with environment.app.app_context(), reading() as session:
        domain = session.scalars(select(Domain).where(Domain.host == host)).one()
    target = challenge_target(domain, f"_acme.{PLATFORM}")
    environment.zone.put(f"_acme-challenge.{host}", "CNAME", target)
    return host, target


def calls(environment: Environment, name: str) -> list[str]:
    return [verb for verb, each, _ in environment.zone.hook.calls() if each == name]


def test_a_certificate_issued_before_the_dns_switch_makes_the_site_live_at_once(
    environment: Environment,
) -> None:
    host, target = delegated_host(environment)
    assert environment.verify(host)["dns"] == "unverified"
    environment.wait_for_state("issued", host)
    assert environment.certificates_shown(host) == [None, None]
    assert environment.visit_over_http(host).status == 404
    wait_for("the record to be removed", lambda: calls(environment, target) == ["set", "remove"])
    environment.point_here(host)
    assert environment.verify(host)["dns"] == "verified"
    answer = visit(environment.edges[1].https_port, host, "/", environment.authority.roots())
    assert (answer.status, b"Elm Road" in answer.body) == (200, True)
    environment.wait_for_state("live", host)
    # The renewal uses DNS-01 too, even if the authority cannot reach the host.
    environment.zone.put(host, "A", OLD_SITE)

    def renewed_by_dns() -> bool:
        [before, _] = environment.certificates_shown(host)
        make_renewal_due(environment, host)
        environment.add_verified()  # this command makes the queue look for due renewals
        wait_for("another certificate", lambda: environment.certificates_shown(host)[0] != before)
        return calls(environment, target)[:3] == ["set", "remove", "set"]

    # Pebble skips the challenge in one of a hundred orders, whatever its settings are.
    wait_for("a certificate by another record", renewed_by_dns)


def test_the_first_visit_after_the_dns_switch_starts_a_check(environment: Environment) -> None:
    host, _ = delegated_host(environment)
    environment.verify(host)
    environment.wait_for_state("issued", host)
    environment.point_here(host)
    edge = environment.edges[0].https_port
    wait_for("the certificate to be shown", lambda: handshake(edge, host))
    assert environment.visit(host).status == 200


def test_a_removed_domain_leaves_no_record(environment: Environment) -> None:
    host, target = delegated_host(environment)
    environment.zone.faults[target] = "silent"  # so that the record stays unseen
    environment.verify(host)
    wait_for("the record to be set", lambda: calls(environment, target) == ["set"])
    assert environment.homeward("remove", host).exit_code == 0
    del environment.zone.faults[target]
    environment.add_verified()
    wait_for("the record to be removed", lambda: calls(environment, target) == ["set", "remove"])
    with environment.app.app_context(), reading() as session:
        assert session.scalar(select(AcmeOrder.id).join(Domain).where(Domain.host == host)) is None
