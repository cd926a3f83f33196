"""A shelter's own domain through all real parts: from the command that adds it to refused handshakes."""

import json
from contextlib import closing
from datetime import UTC, datetime

from sqlalchemy import select, update

from adoption.certificates.models import Certificate
from adoption.domains.models import Domain
from adoption.storage.database import transaction
from tests.edge.browser_client import Answer, Visitor, trusting, trusting_anyone, visit
from tests.edge.environment import PLATFORM, TARGET, World
from tests.waiting import wait_for

PATH = "/animals/1-caf%C3%A9%2Fa//%2e%2e?a=%2F&b=%C3%A9+x&a=1"


def test_a_domain_goes_live_once_its_record_is_right(world: World) -> None:
    host = world.add()
    world.zone.put(host, "A", "198.51.100.7")
    wrong = world.verify(host)
    assert (wrong["dns"], wrong["records"][0]["code"]) == ("unverified", "a_conflict")
    assert (wrong["certificate"]["state"], world.visit_plainly(host).status) == ("none", 404)
    assert world.shown(host) == [None, None]
    world.put_right(host)
    assert world.verify(host)["dns"] == "verified"
    world.become("live", host)
    first, second = world.shown(host)
    assert first is not None
    assert "Pebble" in first.issuer
    assert first == second
    for edge in world.edges:
        answer = visit(edge.https_port, host, "/", world.authority.roots())
        assert (answer.status, b"Elm Road" in answer.body) == (200, True)


def test_plain_http_shows_the_site_until_visitors_get_a_certificate(world: World) -> None:
    world.edges[1].hold()  # so that the authority waits for its answer
    try:
        host = world.verified()
        built_in = f"{world.shelters[host]}.{PLATFORM}"
        assert world.visit_plainly(host).status == 200
        assert at_the_platform(world, built_in).status == 200
    finally:
        world.edges[1].let_go()
    world.become("live", host)
    answer = at_the_platform(world, built_in, PATH)
    assert (answer.status, answer.headers["location"]) == (301, f"https://{host}{PATH}")
    answer = world.visit_plainly(host, PATH)
    assert (answer.status, answer.headers["location"]) == (308, f"https://{host}{PATH}")


def at_the_platform(world: World, host: str, path: str = "/") -> Answer:
    """Visit an address below the platform, whose certificate here signed itself."""
    visitor = Visitor(world.edges[0].https_port, host, trusting_anyone())
    with closing(visitor.connection):
        return visitor.get(path)


def test_a_second_domain_redirects_with_path_and_query(world: World) -> None:
    primary = world.verified()
    second = world.verified(shelter=world.shelters[primary])
    world.become("live", primary)
    world.become("live", second)
    for edge in world.edges:
        for path in (PATH, "/?"):
            answer = visit(edge.https_port, second, path, world.authority.roots())
            assert (answer.status, answer.headers["location"]) == (301, f"https://{primary}{path}")
    context = trusting(world.authority.roots())
    with Visitor(world.edges[0].https_port, f"{primary}.", context, sni=primary) as visitor:
        answer = visitor.get(PATH)
    assert (answer.status, answer.headers["location"]) == (301, f"https://{primary}{PATH}")


def test_another_account_gets_no_certificate_for_a_name_below_a_wildcard(world: World) -> None:
    world.live("adopt.wild.example")
    world.zone.put("*.wild.example", "CNAME", TARGET)
    stranger = world.add("login.wild.example", world.new_shelter())
    told = world.verify(stranger)
    assert (told["dns"], told["records"][-1]["code"]) == ("unverified", "txt_missing")
    assert world.shown(stranger) == [None, None]


def test_a_removed_domain_is_refused_at_once_at_every_edge_and_on_open_connections(world: World) -> None:
    host, context = world.live(), trusting(world.authority.roots())
    opened = [Visitor(edge.https_port, host, context) for edge in world.edges]
    opened += [Visitor(edge.http_port, host) for edge in world.edges]
    assert [visitor.get("/").status for visitor in opened] == [200, 200, 308, 308]
    assert world.homeward("remove", host).exit_code == 0
    assert [visitor.get("/").status for visitor in opened] == [404] * 4
    assert world.shown(host) == [None, None]
    for visitor in opened:
        visitor.connection.close()


def test_an_order_under_way_is_dropped_with_its_domain(world: World) -> None:
    world.edges[1].hold()
    try:
        host = world.verified()
        world.become("validating", host)
        assert world.homeward("remove", host).exit_code == 0
    finally:
        world.edges[1].let_go()
    assert world.order(host) is None
    world.live()  # what came after it is done, so that it would have been
    assert world.shown(host) == [None, None]


def test_a_certificate_is_renewed_before_it_ends(world: World) -> None:
    host = world.live()
    [before, _] = world.shown(host)
    due(world, host)
    assert world.verify(host)["certificate"]["state"] == "live"
    wait_for("another certificate", lambda: world.shown(host)[0] != before)
    world.become("live", host)
    first, second = world.shown(host)
    assert first == second


def test_the_renew_command_replaces_a_certificate_and_waits_for_visitors_to_get_it(world: World) -> None:
    host = world.live()
    [before, _] = world.shown(host)
    refused = world.homeward("renew", host, "--json")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "It may be renewed from" in refused.stderr
    with world.app.app_context(), transaction() as session:
        of_host = Certificate.domain_id.in_(select(Domain.id).where(Domain.host == host))
        session.execute(update(Certificate).where(of_host).values(issued_at=datetime(2026, 1, 1, tzinfo=UTC)))
    renewed = world.homeward("renew", host, "--json")
    assert renewed.exit_code == 0, renewed.stderr
    told = json.loads(renewed.stdout)
    assert (told["host"], told["renewed"], told["state"]) == (host, True, "live")
    assert f"{host}: live, valid until" in renewed.stderr
    first, second = world.shown(host)
    assert (first == second, first != before) == (True, True)


def due(world: World, host: str) -> None:
    """Have the certificate be due for renewal, as when two thirds of its life are over."""
    with world.app.app_context(), transaction() as session:
        number = session.query(Domain.id).filter(Domain.host == host).scalar()
        held = update(Certificate).where(Certificate.domain_id == number)
        session.execute(held.values(renew_at=datetime.now(UTC)))
