"""Lock order when a host goes from one project to another, so that two takeovers cannot deadlock."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from adoption.accounts.plan_changes import set_plan
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.models import Domain
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage.database import transaction
from tests import domains, factories
from tests.dns_server import Zone
from tests.locks import in_own_session, wait_until_blocked

HOST = "adopt.example.org"


@pytest.mark.settings("scaled")
def test_a_takeover_locks_both_projects_in_one_order(elm: Project, config: DomainConfig, zone: Zone) -> None:
    fen = factories.project("Fen Lane", owner="owner@fen.example")
    set_plan(fen.slug, "pro")
    domains.add_verified_domain(elm.id, HOST, config, zone)
    with transaction() as session:
        session.execute(update(Domain).values(state="attention"))
    claim = domains.add_domain(fen.id, HOST, config)
    zone.put(f"_homeward.{HOST}", "TXT", claim.token)
    with ThreadPoolExecutor(1) as pool:
        with transaction() as session:
            lock_project(session, elm.id)
            taking = pool.submit(in_own_session(lambda: domains.verify(claim, config)))
            wait_until_blocked(taking)
            # A takeover that locks fen first would deadlock with a takeover that has locked elm and waits for
            # fen.
            free = select(Project.id).where(Project.id == fen.id).with_for_update(skip_locked=True)
            assert session.scalar(free) == fen.id
        assert taking.result().domain.state == "verified"
