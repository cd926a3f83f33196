"""Automatic DNS checks: their intervals, limits per zone and run, and concurrency."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import pairwise
from threading import Barrier

import pytest
from sqlalchemy import insert, update

from adoption import jobs
from adoption.accounts.plan_changes import set_plan
from adoption.domains import recheck_job, verification
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.models import Domain
from adoption.domains.recheck_job import CheckClaim, RunClock
from adoption.domains.recheck_schedule import next_check_time, recheck_pause
from adoption.projects.models import Project
from adoption.projects.publication import publish_site, unpublish_site
from adoption.storage.database import transaction
from tests import domains
from tests.dns_server import Zone
from tests.factories import NOW
from tests.locks import in_own_session

HOST = "adopt.example.org"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(now: datetime) -> RunClock:
    """Return clocks that are stopped at this moment. Their waits end immediately."""
    return RunClock(lambda: now, wait=lambda _: False)


AT_ONCE = at(NOW)


def times(until: timedelta) -> list[timedelta]:
    """Return when a domain that stays unverified is checked, as durations since the domain was added."""
    at, found = timedelta(), []
    while (wait := recheck_pause(at)) is not None and at < until:
        at += wait
        found.append(at)
    return found


def test_recheck_intervals_grow_from_a_minute_to_six_hours_until_day_seven() -> None:
    checks = times(8 * DAY)
    assert checks[:10] == [MINUTE * n for n in range(1, 11)]
    gaps = [later - earlier for earlier, later in pairwise(checks)]
    assert gaps == sorted(gaps)
    assert max(gap for gap, at in zip(gaps, checks, strict=False) if at < 2 * DAY) <= HOUR
    assert 7 * DAY <= checks[-1] < 7 * DAY + 6 * HOUR
    assert len(checks) < 150


def test_a_domain_that_was_verified_is_rechecked_without_end() -> None:
    assert next_check_time(False, False, NOW, NOW + 8 * DAY) is None
    for right, serves in ((True, True), (False, True)):
        again = next_check_time(right, serves, NOW, NOW + 8 * DAY)
        assert again is not None
        assert NOW + 8 * DAY < again < NOW + 10 * DAY


def test_a_fixed_record_is_found_by_the_next_recheck(elm: Project, config: DomainConfig, zone: Zone) -> None:
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    assert recheck_job.run_checks(config, at(NOW)) == 0
    assert recheck_job.run_checks(config, at(NOW + MINUTE)) == 1
    domains.put_right_records(zone, HOST)
    assert recheck_job.run_checks(config, at(NOW + MINUTE)) == 0
    assert recheck_job.run_checks(config, at(NOW + 2 * MINUTE)) == 1
    assert domains.stored_domain(domain.id).state == "verified"


def test_a_verified_domain_that_caa_blocks_is_rechecked_each_minute(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    domains.put_right_records(zone, HOST)
    zone.put(HOST, "CAA", '0 issue "other.example"')
    verification.verify_domain(elm.id, domain.id, config, now=NOW)
    assert (domains.stored_domain(domain.id).state, domains.stored_domain(domain.id).next_check_at) == (
        "verified",
        NOW + MINUTE,
    )
    zone.put(HOST, "CAA")
    assert recheck_job.run_checks(config, at(NOW + MINUTE)) == 1
    again = domains.stored_domain(domain.id).next_check_at
    assert again is not None
    assert again > NOW + 5 * HOUR


def due(project: Project, *hosts: str, **rest: object) -> None:
    for host in hosts:
        domains.add_verified_row(
            project.id, host, **{"next_check_at": NOW, "watched_since": NOW - DAY} | rest
        )


class FakeChecks:
    """A clock that advances only by waiting, and checks that always succeed."""

    def __init__(self) -> None:
        self.at = 0.0
        self.begun: list[float] = []
        """When each check began."""
        self.checks: list[CheckClaim] = []

    def wait(self, seconds: float) -> bool:
        self.at += seconds
        self.begun.append(self.at)
        return False

    @property
    def time(self) -> RunClock:
        return RunClock(lambda: NOW + timedelta(seconds=self.at), lambda: self.at, self.wait)

    def check(self, claim: CheckClaim, _config: DomainConfig, _now: datetime) -> None:
        self.checks.append(claim)

    def run(self, config: DomainConfig) -> list[str]:
        """Run the job, and skip the rest of the minute. Return the hosts that were checked."""
        ends, before = self.at + 60, len(self.checks)
        done = recheck_job.run_checks(config, self.time, self.check)
        checked = self.checks[before:]
        assert (self.at < ends, done) == (True, len(checked))
        with transaction() as session:
            session.execute(
                update(Domain).where(Domain.id.in_([claim.domain_id for claim in checked])),
                {"next_check_at": next_check_time(True, True, NOW, self.time.now())},
            )
        self.at = ends
        return [claim.host for claim in checked]


def test_a_run_checks_the_dns_of_all_due_domains(elm: Project, config: DomainConfig, zone: Zone) -> None:
    due(elm, *(f"adopt.zone{number}.example" for number in range(6)))
    assert recheck_job.run_checks(config, AT_ONCE) == 6
    assert {name for name, kind in zone.asked if kind == "A" and name.startswith("adopt")} == {
        f"adopt.zone{number}.example" for number in range(6)
    }
    assert recheck_job.run_checks(config, AT_ONCE) == 0


def test_a_large_zone_has_a_limit_per_run_and_delays_no_other_zone(
    elm: Project, config: DomainConfig
) -> None:
    many = [f"h{number}.example.org" for number in range(3 * recheck_job.CHECKS_A_ZONE_MOST)]
    due(elm, *many, next_check_at=NOW - DAY)
    due(elm, "adopt.elm.example")
    fake = FakeChecks()
    first, second, third = (fake.run(config) for _ in range(3))
    assert sorted(first) == sorted([*many[: recheck_job.CHECKS_A_ZONE_MOST], "adopt.elm.example"])
    assert len(second) == len(third) == recheck_job.CHECKS_A_ZONE_MOST
    assert {*first, *second, *third} == {*many, "adopt.elm.example"}


def test_checks_begin_at_even_intervals(elm: Project, config: DomainConfig) -> None:
    due(elm, *(f"adopt.zone{number}.example" for number in range(recheck_job.CHECKS_A_RUN_MOST + 5)))
    fake = FakeChecks()
    assert len(fake.run(config)) == recheck_job.CHECKS_A_RUN_MOST
    assert all(later - earlier >= recheck_job.EACH_SECONDS - 1e-6 for earlier, later in pairwise(fake.begun))
    assert fake.begun[-1] < recheck_job.RUN_SECONDS


@pytest.mark.settings("embedded")  # the other tests of this module cover both databases
def test_ten_thousand_domains_are_checked_within_two_hours(elm: Project, config: DomainConfig) -> None:
    """All domains are due at once, as after a day without a worker.

    Before them, 1,000 hosts of one zone are due.
    """
    fill(elm, [f"h{number}.example.org" for number in range(1_000)], NOW - DAY)
    fill(elm, [f"adopt.zone{number}.example" for number in range(10_000)], NOW)
    fake, checked = FakeChecks(), Counter[str]()
    for _ in range(120):
        hosts = fake.run(config)
        assert len(hosts) <= recheck_job.CHECKS_A_RUN_MOST
        assert sum(host.endswith(".example.org") for host in hosts) <= recheck_job.CHECKS_A_ZONE_MOST
        checked.update(hosts)
    assert set(checked.values()) == {1}
    assert len(checked) == 11_000


def fill(project: Project, hosts: list[str], due_at: datetime) -> None:
    rest = {"project_id": project.id, "state": "verified", "report": "", "unanswered_why": "", "token": ""}
    rest |= {"wants_primary": False, "caa_allows": True, "next_check_at": due_at, "created_at": NOW}
    rest |= {"watched_since": NOW - DAY}
    with transaction() as session:
        session.execute(insert(Domain), [rest | {"host": host, "verified_host": host} for host in hosts])


def test_recent_domains_are_checked_first_and_take_half_of_a_run(elm: Project, config: DomainConfig) -> None:
    old = [f"adopt.zone{number}.example" for number in range(recheck_job.CHECKS_A_RUN_MOST)]
    new = [f"adopt.new{number}.example" for number in range(recheck_job.CHECKS_A_RUN_MOST)]
    due(elm, *old, next_check_at=NOW - DAY)
    due(elm, *new, watched_since=NOW)
    half = recheck_job.CHECKS_A_RUN_MOST // 2
    assert sorted(FakeChecks().run(config)) == sorted(new[:half] + old[:half])


def test_checks_run_concurrently(elm: Project, config: DomainConfig) -> None:
    """Each check waits until the maximum number of concurrent checks has begun."""
    due(elm, *(f"adopt.zone{number}.example" for number in range(2 * recheck_job.CONCURRENT_MOST)))
    meeting = Barrier(recheck_job.CONCURRENT_MOST, timeout=20)
    met = []

    def check(claim: CheckClaim, _config: DomainConfig, _now: datetime) -> None:
        meeting.wait()
        met.append(claim.host)

    assert recheck_job.run_checks(config, AT_ONCE, check) == len(met) == 2 * recheck_job.CONCURRENT_MOST


def test_an_exception_in_one_check_does_not_stop_the_others(elm: Project, config: DomainConfig) -> None:
    due(elm, *(f"adopt.zone{number}.example" for number in range(4)))
    checked = []

    def check(claim: CheckClaim, _config: DomainConfig, _now: datetime) -> None:
        checked.append(claim.host)
        raise RuntimeError("a bug")

    assert recheck_job.run_checks(config, AT_ONCE, check) == 4
    assert len(checked) == 4
    assert recheck_job.run_checks(config, AT_ONCE, check) == 0
    assert recheck_job.run_checks(config, at(NOW + recheck_job.CLAIMED_FOR), check) == 4


def test_concurrent_workers_claim_different_domains(elm: Project, config: DomainConfig) -> None:
    ids = [
        domains.add_verified_row(elm.id, f"adopt.zone{number}.example", next_check_at=NOW)
        for number in range(12)
    ]
    chosen = {each: CheckClaim(each, elm.id, "") for each in ids}
    with ThreadPoolExecutor(4) as pool:
        claim_free = in_own_session(lambda: recheck_job.claim_unlocked(chosen, NOW))
        taken = [pool.submit(claim_free) for _ in range(4)]
    assert sorted(claim.domain_id for each in taken for claim in each.result()) == ids


@pytest.mark.settings("scaled")  # SQLite has one writer at a time
def test_a_locked_domain_is_left_for_the_next_run(elm: Project) -> None:
    ids = [
        domains.add_verified_row(elm.id, f"adopt.zone{number}.example", next_check_at=NOW)
        for number in range(3)
    ]
    chosen = {each: CheckClaim(each, elm.id, "") for each in ids}
    with transaction() as session:
        session.get_one(Domain, ids[0], with_for_update=True)
        taken = in_own_session(lambda: recheck_job.claim_unlocked(chosen, NOW))()
        assert [claim.domain_id for claim in taken] == ids[1:]
        in_own_session(lambda: recheck_job.release_unchecked([chosen[each] for each in ids], NOW))()
    assert [claim.domain_id for claim in recheck_job.claim_unlocked(chosen, NOW)] == ids


def test_a_run_ends_before_the_next_begins(elm: Project, config: DomainConfig) -> None:
    due(elm, *(f"adopt.zone{number}.example" for number in range(3)))
    fake = FakeChecks()

    def slow(claim: CheckClaim, config: DomainConfig, now: datetime) -> None:
        fake.at += recheck_job.RUN_SECONDS

    assert recheck_job.run_checks(config, fake.time, slow) < 3


def test_a_stopped_run_leaves_the_other_domains_due(elm: Project, config: DomainConfig) -> None:
    due(elm, *(f"adopt.zone{number}.example" for number in range(5)))
    fake, stops = FakeChecks(), iter([False, False, True])
    assert recheck_job.run_checks(config, RunClock(lambda: NOW, wait=lambda _: next(stops)), fake.check) == 2
    assert recheck_job.run_checks(config, AT_ONCE, fake.check) == 3
    assert len({claim.host for claim in fake.checks}) == 5


@pytest.mark.parametrize("lacks", ["plan", "deploy"])
def test_checks_pause_without_a_plan_or_deploy_and_resume_later(
    elm: Project, config: DomainConfig, zone: Zone, lacks: str
) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    with transaction() as session:
        session.execute(update(Domain).values(next_check_at=NOW))
    zone.put(HOST, "CNAME", "old.example.com")
    if lacks == "plan":
        set_plan(elm.slug, "free")
    else:
        unpublish_site(elm.id)
    assert [recheck_job.run_checks(config, at(NOW + n * MINUTE)) for n in range(2)] == [0, 0]
    assert domains.stored_domain(domain.id).state == "verified"
    if lacks == "plan":
        set_plan(elm.slug, "pro")
    else:
        publish_site(elm.slug)
    assert recheck_job.run_checks(config, at(NOW + 2 * MINUTE)) == 1
    assert domains.stored_domain(domain.id).state == "attention"


@pytest.mark.settings("embedded")
def test_a_plan_that_ends_during_a_run_is_no_error(elm: Project, config: DomainConfig, zone: Zone) -> None:
    domain = domains.add_verified_domain(elm.id, HOST, config, zone)
    set_plan(elm.slug, "free")
    recheck_job.recheck(CheckClaim(domain.id, elm.id, HOST), config, NOW)
    assert domains.stored_domain(domain.id).state == "verified"


def test_the_job_runs_each_minute() -> None:
    assert jobs.JOBS["check_domains"].recurs == jobs.EACH_MINUTE


def test_verify_restarts_frequent_rechecks(elm: Project, config: DomainConfig) -> None:
    domain = domains.add_domain(elm.id, HOST, config, now=NOW)
    late = NOW + 8 * DAY
    assert recheck_job.run_checks(config, at(late)) == 1
    assert domains.stored_domain(domain.id).next_check_at is None
    verification.verify_domain(elm.id, domain.id, config, now=late)
    assert domains.stored_domain(domain.id).next_check_at == late + MINUTE
