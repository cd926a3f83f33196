"""Looks that nobody presses for: ever rarer, bounded, and never a burst at one name server."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from apiflask import APIFlask
from sqlalchemy import update

from adoption import jobs
from adoption.accounts.actions import set_plan
from adoption.database import transaction
from adoption.domains import actions, rechecks, verifying
from adoption.domains.dns import Server
from adoption.domains.models import Domain
from adoption.domains.terms import Terms
from adoption.domains.watching import next_look, pause
from adoption.projects.models import Project
from tests import domains, factories
from tests.dns_server import Zone
from tests.factories import NOW

HOST = "adopt.example.org"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def terms(app: APIFlask, server: Server) -> Terms:
    return domains.terms(app, server)


@pytest.fixture
def elm(app: APIFlask) -> Project:
    made = factories.project("Elm Road")
    set_plan(made.slug, "pro")
    return made


def times(until: timedelta) -> list[timedelta]:
    """When one that stays wrong is looked at, since it was added."""
    at, found = timedelta(), []
    while (wait := pause(at)) is not None and at < until:
        at += wait
        found.append(at)
    return found


def test_a_wrong_one_is_looked_at_each_minute_for_ten_and_then_ever_more_rarely() -> None:
    looks = times(8 * DAY)
    assert looks[:10] == [MINUTE * n for n in range(1, 11)]
    gaps = [later - earlier for earlier, later in pairwise(looks)]
    assert gaps == sorted(gaps)
    assert max(gap for gap, at in zip(gaps, looks, strict=False) if at < 2 * DAY) <= HOUR
    assert 7 * DAY <= looks[-1] < 7 * DAY + 6 * HOUR
    assert len(looks) < 150


def test_one_that_serves_is_looked_at_for_good() -> None:
    assert next_look(False, False, NOW, NOW + 8 * DAY) is None
    for right, serves in ((True, True), (False, True)):
        again = next_look(right, serves, NOW, NOW + 8 * DAY)
        assert again is not None
        assert NOW + 8 * DAY < again < NOW + 10 * DAY


def test_what_is_put_right_is_found_without_anybody_pressing(elm: Project, terms: Terms, zone: Zone) -> None:
    domain = actions.add(elm.id, HOST, terms, now=NOW)
    assert rechecks.run(terms, lambda: NOW) == 0
    assert rechecks.run(terms, lambda: NOW + MINUTE) == 1
    domains.right(zone, HOST)
    assert rechecks.run(terms, lambda: NOW + MINUTE) == 0
    assert rechecks.run(terms, lambda: NOW + 2 * MINUTE) == 1
    assert domains.kept(domain.id).state == "verified"


def test_a_run_is_bounded_and_asks_no_zone_in_a_burst(elm: Project, terms: Terms, zone: Zone) -> None:
    for number in range(12):
        domains.row(elm.id, f"h{number}.example.org", next_check_at=NOW, state="verified")
        domains.row(elm.id, f"adopt.zone{number}.example", next_check_at=NOW, state="verified")
    assert rechecks.run(terms, lambda: NOW) == 12 + rechecks.MOST_A_ZONE
    asked = Counter(name for name, kind in zone.asked if kind == "CNAME" and name.endswith(".example.org"))
    assert sum(count > 0 for name, count in asked.items() if name.startswith("h")) == rechecks.MOST_A_ZONE
    assert rechecks.run(terms, lambda: NOW) == 0
    later = NOW + rechecks.CLAIMED_FOR
    assert rechecks.run(terms, lambda: later) >= rechecks.MOST_A_ZONE


def test_a_run_ends_before_the_next(elm: Project, terms: Terms, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        domains.row(elm.id, f"adopt.zone{number}.example", next_check_at=NOW)
    clock = iter([0.0, 1.0, 60.0])
    assert rechecks.run(terms, lambda: NOW, lambda: next(clock)) == 1
    monkeypatch.setattr(rechecks, "MOST_A_RUN", 1)
    assert rechecks.run(terms, lambda: NOW) == 1


def test_what_the_plan_does_not_give_is_put_off(elm: Project, terms: Terms, zone: Zone) -> None:
    domain = domains.verified(elm.id, HOST, terms, zone)
    set_plan(elm.slug, "free")
    with transaction() as session:
        session.execute(update(Domain).values(next_check_at=NOW))
    zone.put(HOST, "CNAME")
    rechecks.run(terms, lambda: NOW)
    assert domains.kept(domain.id).next_check_at == NOW + DAY
    assert domains.kept(domain.id).state == "verified"


def test_it_is_done_each_minute() -> None:
    assert jobs.JOBS["check_domains"].recurs == jobs.EACH_MINUTE


def test_who_presses_has_it_watched_closely_again(elm: Project, terms: Terms) -> None:
    domain = actions.add(elm.id, HOST, terms, now=NOW)
    late = NOW + 8 * DAY
    assert rechecks.run(terms, lambda: late) == 1
    assert domains.kept(domain.id).next_check_at is None
    verifying.verify(elm.id, domain.id, terms, now=late)
    assert domains.kept(domain.id).next_check_at == late + MINUTE
