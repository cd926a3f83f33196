"""The primary domain of a project, and redirects among its domains."""

import pytest

from adoption.domains import primary_domain, redirects, removals
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.models import Domain
from adoption.domains.queries import domains_of, redirects_of
from adoption.errors import Conflict, Invalid
from adoption.projects.models import Project
from adoption.storage.database import reading
from tests import domains
from tests.dns_server import Zone
from tests.factories import NOW

A, B, C = "a.example.org", "b.example.org", "c.example.org"


@pytest.fixture
def three(elm: Project, config: DomainConfig, zone: Zone) -> list[Domain]:
    return [domains.add_verified_domain(elm.id, host, config, zone) for host in (A, B, C)]


def redirects_in_force(project: Project) -> list[tuple[str, str, int]]:
    with reading() as session:
        found = redirects_of(domains_of(session, project.id), NOW)
    return sorted((each["from"], each["to"], each["status"]) for each in found)


def primary(project: Project) -> str | None:
    with reading() as session:
        first = domains_of(session, project.id)[0]
        return first.host if first.primary_of else None


@pytest.mark.usefixtures("three")
def test_the_first_domain_is_primary_and_later_domains_redirect_there(elm: Project) -> None:
    assert primary(elm) == A
    assert redirects_in_force(elm) == [(B, A, 301), (C, A, 301)]


def test_redirects_follow_a_new_primary_domain(elm: Project, three: list[Domain]) -> None:
    redirects.redirect_domain(elm.id, three[2].id, three[0].id, 302)
    primary_domain.make_primary(elm.id, three[1].id)
    assert primary(elm) == B
    assert redirects_in_force(elm) == [(A, B, 301), (C, B, 302)]


def test_a_domain_added_as_primary_becomes_primary_once_verified(
    elm: Project, three: list[Domain], config: DomainConfig, zone: Zone
) -> None:
    late = domains.add_domain(elm.id, "late.example.org", config, primary=True)
    assert primary(elm) == A
    domains.put_right_records(zone, late.host)
    domains.verify(late, config)
    assert primary(elm) == "late.example.org"


def test_a_redirect_cancels_the_choice_of_a_primary_domain(
    elm: Project, three: list[Domain], config: DomainConfig, zone: Zone
) -> None:
    late = domains.add_domain(elm.id, "late.example.org", config, primary=True)
    redirects.redirect_domain(elm.id, late.id)
    domains.put_right_records(zone, late.host)
    domains.verify(late, config)
    assert primary(elm) == A
    assert (late.host, A, 301) in redirects_in_force(elm)


def test_the_first_verified_domain_is_primary_until_the_chosen_one_is_verified(
    elm: Project, config: DomainConfig, zone: Zone
) -> None:
    wanted = domains.add_domain(elm.id, A, config)
    domains.add_verified_domain(elm.id, B, config, zone)
    assert (primary(elm), redirects_in_force(elm)) == (B, [])
    domains.put_right_records(zone, A)
    domains.verify(wanted, config)
    assert (primary(elm), redirects_in_force(elm)) == (A, [(B, A, 301)])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_has_the_chosen_target_and_status(elm: Project, three: list[Domain], status: int) -> None:
    redirects.stop_redirect(elm.id, three[1].id)
    redirects.redirect_domain(elm.id, three[2].id, three[1].id, status)
    assert redirects_in_force(elm) == [(C, B, status)]


def test_redirect_loops_and_unverified_targets_are_refused(
    elm: Project, three: list[Domain], config: DomainConfig
) -> None:
    a, b, c = (each.id for each in three)
    unverified = domains.add_domain(elm.id, "new.example.org", config).id
    for to, sentence in ((b, "to itself"), (c, "is itself redirected"), (unverified, "not verified")):
        with pytest.raises(Invalid, match=sentence):
            redirects.redirect_domain(elm.id, b, to)
    with pytest.raises(Invalid, match="301, 302, 307, 308"):
        redirects.redirect_domain(elm.id, b, a, 303)
    with pytest.raises(Conflict, match="Make another domain primary"):
        redirects.redirect_domain(elm.id, a, b)
    redirects.stop_redirect(elm.id, b)
    redirects.redirect_domain(elm.id, c, b)
    with pytest.raises(Conflict, match="other domains redirect to it"):
        redirects.redirect_domain(elm.id, b, a)
    assert redirects_in_force(elm) == [(C, B, 301)]


def test_an_unverified_domain_cannot_become_primary(
    elm: Project, three: list[Domain], config: DomainConfig
) -> None:
    new = domains.add_domain(elm.id, "new.example.org", config)
    with pytest.raises(Conflict, match="not verified yet"):
        primary_domain.make_primary(elm.id, new.id)


def test_a_domain_that_leads_elsewhere_cannot_be_a_redirect_target(
    elm: Project, three: list[Domain], config: DomainConfig, zone: Zone
) -> None:
    a, b, c = (each.id for each in three)
    redirects.stop_redirect(elm.id, b)
    zone.put(B, "CNAME", "old.example.com")
    assert domains.verify(three[1], config).domain.state == "attention"
    with pytest.raises(Conflict, match="no longer leads here"):
        primary_domain.make_primary(elm.id, b)
    with pytest.raises(Invalid, match="no longer leads here"):
        redirects.redirect_domain(elm.id, c, b)
    with pytest.raises(Conflict, match="no longer leads here"):
        removals.remove_domain(elm.id, a, b)
    zone.put(C, "CNAME", "old.example.com")
    domains.verify(three[2], config)
    removals.remove_domain(elm.id, a)
    assert (primary(elm), redirects_in_force(elm)) == (None, [])


def test_removing_the_primary_domain_requires_a_new_primary_domain(elm: Project, three: list[Domain]) -> None:
    with pytest.raises(Conflict, match="Choose the new primary"):
        removals.remove_domain(elm.id, three[0].id)
    removals.remove_domain(elm.id, three[0].id, three[1].id)
    assert primary(elm) == B
    assert redirects_in_force(elm) == [(C, B, 301)]


def test_redirects_to_a_removed_domain_go_to_the_primary(elm: Project, three: list[Domain]) -> None:
    redirects.stop_redirect(elm.id, three[1].id)
    redirects.redirect_domain(elm.id, three[2].id, three[1].id, 307)
    removals.remove_domain(elm.id, three[1].id)
    assert redirects_in_force(elm) == [(C, A, 307)]


def test_the_only_domain_can_be_removed(elm: Project, config: DomainConfig, zone: Zone) -> None:
    removals.remove_domain(elm.id, domains.add_verified_domain(elm.id, A, config, zone).id)
    with reading() as session:
        assert domains_of(session, elm.id) == []
