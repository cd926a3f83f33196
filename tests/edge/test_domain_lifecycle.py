"""A shelter's own domain, from the command that adds it to its removal. All services are real."""

import json
from contextlib import closing
from datetime import UTC, datetime

from sqlalchemy import select, update

from adoption.certificates.models import Certificate
from adoption.domains.models import Domain
from adoption.storage.database import transaction
from tests.edge.browser_client import Answer, Visitor, trusting, trusting_anyone, visit
from tests.edge.environment import PLATFORM, TARGET, Environment
from tests.waiting import wait_for

PATH = "/animals/1-caf%C3%A9%2Fa//%2e%2e?a=%2F&b=%C3%A9+x&a=1"


def test_a_domain_goes_live_with_a_right_record(environment: Environment) -> None:
    host = environment.add()
    environment.zone.put(host, "A", "198.51.100.7")
    wrong = environment.verify(host)
    assert (wrong["dns"], wrong["records"][0]["code"]) == ("unverified", "a_conflict")
    assert (wrong["certificate"]["state"], environment.visit_over_http(host).status) == ("none", 404)
    assert environment.certificates_shown(host) == [None, None]
    environment.point_here(host)
    assert environment.verify(host)["dns"] == "verified"
    environment.wait_for_state("live", host)
    first, second = environment.certificates_shown(host)
    assert first is not None
    assert "Pebble" in first.issuer
    assert first == second
    for edge in environment.edges:
        answer = visit(edge.https_port, host, "/", environment.authority.roots())
        assert (answer.status, b"Elm Road" in answer.body) == (200, True)


def test_plain_http_shows_the_site_until_the_certificate_is_live(environment: Environment) -> None:
    environment.edges[1].pause()  # so that the authority waits for the challenge's answer
    try:
        host = environment.add_verified()
        built_in = f"{environment.shelters[host]}.{PLATFORM}"
        assert environment.visit_over_http(host).status == 200
        assert visit_platform(environment, built_in).status == 200
    finally:
        environment.edges[1].resume()
    environment.wait_for_state("live", host)
    answer = visit_platform(environment, built_in, PATH)
    assert (answer.status, answer.headers["location"]) == (301, f"https://{host}{PATH}")
    answer = environment.visit_over_http(host, PATH)
    assert (answer.status, answer.headers["location"]) == (308, f"https://{host}{PATH}")


def visit_platform(environment: Environment, host: str, path: str = "/") -> Answer:
    """Visit an address on the platform's host, which has a self-signed certificate in this test."""
    visitor = Visitor(environment.edges[0].https_port, host, trusting_anyone())
    with closing(visitor.connection):
        return visitor.get(path)


def test_a_second_domain_redirects_with_path_and_query(environment: Environment) -> None:
    primary = environment.add_verified()
    second = environment.add_verified(shelter=environment.shelters[primary])
    environment.wait_for_state("live", primary)
    environment.wait_for_state("live", second)
    for edge in environment.edges:
        for path in (PATH, "/?"):
            answer = visit(edge.https_port, second, path, environment.authority.roots())
            assert (answer.status, answer.headers["location"]) == (301, f"https://{primary}{path}")
    context = trusting(environment.authority.roots())
    with Visitor(environment.edges[0].https_port, f"{primary}.", context, sni=primary) as visitor:
        answer = visitor.get(PATH)
    assert (answer.status, answer.headers["location"]) == (301, f"https://{primary}{PATH}")


def test_another_account_gets_no_certificate_for_a_name_below_a_wildcard(environment: Environment) -> None:
    environment.add_live("adopt.wild.example")
    environment.zone.put("*.wild.example", "CNAME", TARGET)
    stranger = environment.add("login.wild.example", environment.new_shelter())
    result = environment.verify(stranger)
    assert (result["dns"], result["records"][-1]["code"]) == ("unverified", "txt_missing")
    assert environment.certificates_shown(stranger) == [None, None]


def test_a_removed_domain_is_gone_at_every_edge_and_on_open_connections(environment: Environment) -> None:
    host, context = environment.add_live(), trusting(environment.authority.roots())
    opened = [Visitor(edge.https_port, host, context) for edge in environment.edges]
    opened += [Visitor(edge.http_port, host) for edge in environment.edges]
    assert [visitor.get("/").status for visitor in opened] == [200, 200, 308, 308]
    assert environment.homeward("remove", host).exit_code == 0
    assert [visitor.get("/").status for visitor in opened] == [404] * 4
    assert environment.certificates_shown(host) == [None, None]
    for visitor in opened:
        visitor.connection.close()


def test_a_removed_domain_drops_its_order(environment: Environment) -> None:
    environment.edges[1].pause()
    try:
        host = environment.add_verified()
        environment.wait_for_state("validating", host)
        assert environment.homeward("remove", host).exit_code == 0
    finally:
        environment.edges[1].resume()
    assert environment.order_under_way(host) is None
    environment.add_live()  # this order began later, so by now the first order would be done
    assert environment.certificates_shown(host) == [None, None]


def test_a_certificate_is_renewed_before_it_ends(environment: Environment) -> None:
    host = environment.add_live()
    [before, _] = environment.certificates_shown(host)
    make_renewal_due(environment, host)
    assert environment.verify(host)["certificate"]["state"] == "live"
    wait_for("another certificate", lambda: environment.certificates_shown(host)[0] != before)
    environment.wait_for_state("live", host)
    first, second = environment.certificates_shown(host)
    assert first == second


def test_the_renew_command_replaces_a_certificate_and_waits_for_visitors_to_get_it(
    environment: Environment,
) -> None:
    host = environment.add_live()
    [before, _] = environment.certificates_shown(host)
    refused = environment.homeward("renew", host, "--json")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "It may be renewed from" in refused.stderr
    with environment.app.app_context(), transaction() as session:
        of_host = Certificate.domain_id.in_(select(Domain.id).where(Domain.host == host))
        session.execute(update(Certificate).where(of_host).values(issued_at=datetime(2026, 1, 1, tzinfo=UTC)))
    renewed = environment.homeward("renew", host, "--json")
    assert renewed.exit_code == 0, renewed.stderr
    result = json.loads(renewed.stdout)
    assert (result["host"], result["renewed"], result["state"]) == (host, True, "live")
    assert f"{host}: live, valid until" in renewed.stderr
    first, second = environment.certificates_shown(host)
    assert (first == second, first != before) == (True, True)


def make_renewal_due(environment: Environment, host: str) -> None:
    """Make the certificate due for renewal, as after two thirds of its lifetime."""
    with environment.app.app_context(), transaction() as session:
        number = session.query(Domain.id).filter(Domain.host == host).scalar()
        held = update(Certificate).where(Certificate.domain_id == number)
        session.execute(held.values(renew_at=datetime.now(UTC)))
