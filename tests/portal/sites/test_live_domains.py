"""Redirects lead only to a domain that shows the site with a valid certificate.

This is true after any sequence of events.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.accounts.plan_changes import set_plan
from adoption.certificates import worker_loop
from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.models import Certificate
from adoption.certificates.tls_probe import CertificateNotOffered
from adoption.domains import primary_domain, queries, redirects, removals
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.dns_transport import DnsServer
from adoption.domains.models import Domain
from adoption.errors import Refusal
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import certificates, domains, factories
from tests.adoption.certificates.conftest import Simulation
from tests.dns_server import Zone

pytestmark = pytest.mark.settings("embedded")

ADOPT, WWW, BUILT_IN = "adopt.elm.example", "www.elm.example", "elm-road.localhost"
DAY = timedelta(days=1)


@pytest.fixture
def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def ordering(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> APIFlask:
    """A service that orders certificates."""
    given = app.config["HOMEWARD"].model_copy(
        update={"acme_directory": "https://ca.example/", "edge": ("edge.example", 443)}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", given)
    return app


def at(client: FlaskClient, host: str, scheme: str = "https") -> TestResponse:
    return client.get("/", base_url=f"{scheme}://{host}")


NO_CERTIFICATE: dict[str, dict[str, Any] | None] = {
    "none": None,
    "not seen at the edge": {"live_since": None, "seen_at": None},
    "expired": {"not_after": datetime(2026, 1, 1, tzinfo=UTC)},
}


@pytest.mark.parametrize("certificate", NO_CERTIFICATE)
@pytest.mark.usefixtures("ordering")
def test_no_address_redirects_to_a_domain_without_a_certificate(
    client: FlaskClient, elm: Project, now: datetime, certificate: str
) -> None:
    primary = domains.add_verified_row(elm.id, ADOPT, primary_of=elm.id)
    second = domains.add_verified_row(elm.id, WWW, redirect_status=301)
    chosen = domains.add_verified_row(elm.id, "old.elm.example", redirect_status=302, redirects_to=primary)
    for each in (second, chosen):
        certificates.add_certificate(each, now)
    if (rest := NO_CERTIFICATE[certificate]) is not None:
        certificates.add_certificate(primary, now, **rest)
    for host in (BUILT_IN, WWW, "old.elm.example"):
        answer = at(client, host)
        assert answer.status_code == 200
        assert f'<link rel="canonical" href="https://{host}/">' in answer.text
    certificates.add_certificate(primary, now)
    for host in (BUILT_IN, WWW, "old.elm.example"):
        assert at(client, host).headers["Location"] == f"https://{ADOPT}/"


@pytest.mark.usefixtures("ordering")
def test_a_domain_becomes_primary_when_visitors_get_its_certificate(
    client: FlaskClient, elm: Project, now: datetime
) -> None:
    certificates.add_certificate(domains.add_verified_row(elm.id, ADOPT, primary_of=elm.id), now)
    new = domains.add_verified_row(
        elm.id, "new.elm.example", caa_allows=True, verified_at=now, redirect_status=301
    )
    primary_domain.make_primary(elm.id, new)
    for host in (BUILT_IN, "new.elm.example"):
        assert at(client, host).headers["Location"] == f"https://{ADOPT}/"
    Simulation(now=now).run()
    assert domains.stored_domain(new).primary_of == elm.id
    for host in (BUILT_IN, ADOPT):
        assert at(client, host).headers["Location"] == "https://new.elm.example/"


@pytest.mark.usefixtures("ordering")
def test_the_newest_choice_of_a_primary_domain_counts(elm: Project, now: datetime) -> None:
    hosts = (f"{name}.elm.example" for name in "abc")
    a, b, c = (domains.add_verified_row(elm.id, host, caa_allows=True, verified_at=now) for host in hosts)
    primary_domain.make_primary(elm.id, a)
    primary_domain.make_primary(elm.id, b)
    primary_domain.make_primary(elm.id, c)
    redirects.stop_redirect(elm.id, c)
    assert [domains.stored_domain(each).wants_primary for each in (a, b, c)] == [False] * 3
    primary_domain.make_primary(elm.id, b)
    Simulation(now=now).run()
    assert domains.stored_domain(b).primary_of == elm.id


# Sequences of events.

HOSTS = ("adopt", "www", "old")
NUMBERS = count(1)
STATES = ("absent", "unverified", "verified", "live", "expired")


@dataclass
class Life:
    """One shelter and its domains during a sequence of events."""

    client: FlaskClient
    zone: Zone
    config: DomainConfig
    simulation: Simulation
    project: Project

    def host(self, name: str) -> str:
        return f"{name}.{self.project.slug}.example"

    def domain(self, name: str) -> Domain | None:
        with reading() as session:
            return session.scalar(select(Domain).where(Domain.host == self.host(name)))

    def begin(self, name: str, state: str) -> None:
        if state != "absent":
            self.add(name)
        if state in ("verified", "live", "expired"):
            self.verify(name)
        if state in ("live", "expired"):
            self.issue(name)
        if state == "expired":
            self.expire(name)

    def add(self, name: str) -> None:
        domains.add_domain(self.project.id, self.host(name), self.config)

    def add_as_primary(self, name: str) -> None:
        domains.add_domain(self.project.id, self.host(name), self.config, primary=True)

    def verify(self, name: str) -> None:
        self.look(name, domains.TARGET)

    def move_away(self, name: str) -> None:
        self.look(name, "elsewhere.example")

    def look(self, name: str, target: str) -> None:
        self.zone.put(self.host(name), "CNAME", target)
        if domain := self.domain(name):
            domains.verify(domain, self.config)

    def work(self) -> None:
        """Do the certificate work that is due."""
        self.simulation.wait(600)
        simulation = self.simulation
        worker_loop.run_rounds(
            simulation.config, lambda: simulation.now, lambda: simulation.now.timestamp(), simulation.wait
        )

    def issue(self, _: str) -> None:
        self.work()

    def fail(self, _: str) -> None:
        self.simulation.ca.refusal = AuthorityRefused("connection", "Timeout")
        self.work()
        self.simulation.ca.refusal = None

    def hide(self, _: str) -> None:
        """Check the edge while the edge shows no certificate for the host."""
        self.simulation.edge = CertificateNotOffered("No.")
        self.work()
        self.simulation.edge = None

    def expire(self, name: str) -> None:
        over = datetime.now(UTC) - DAY
        if domain := self.domain(name):
            with transaction() as session:
                ended = {"not_after": over, "renew_at": over}
                session.execute(update(Certificate).where(Certificate.domain_id == domain.id).values(**ended))
                shown = update(Domain).where(Domain.id == domain.id, Domain.live_until.is_not(None))
                session.execute(shown.values(live_until=over))

    def remove(self, name: str) -> None:
        if domain := self.domain(name):
            removals.remove_domain(self.project.id, domain.id)

    def make_primary(self, name: str) -> None:
        if domain := self.domain(name):
            primary_domain.make_primary(self.project.id, domain.id)

    def lose_plan(self, _: str) -> None:
        set_plan(self.project.slug, "free")

    def regain_plan(self, _: str) -> None:
        set_plan(self.project.slug, "pro")

    def valid(self) -> set[str]:
        """Return the hosts for which visitors get a valid certificate."""
        asked = select(Domain.host).join(Certificate, Certificate.domain_id == Domain.id)
        seen = Certificate.seen_at.is_not(None), Certificate.not_after > datetime.now(UTC)
        with reading() as session:
            return {f"{self.project.slug}.localhost", *session.scalars(asked.where(*seen))}

    def working(self) -> list[tuple[str, str]]:
        """Return each scheme and host that shows the site, or that redirects to it."""
        with reading() as session:
            project = session.get_one(Project, self.project.id)
            plan = queries.owning_account(session, project.id).plan
            claims = session.scalars(select(Domain.verified_host).where(Domain.project_id == project.id))
            served = {each for each in claims if each} if plan == "pro" else set()
        built_in = f"{self.project.slug}.localhost"
        plain = [("http", host) for host in (built_in, *served)]
        return plain + [("https", host) for host in (built_in, *(served & self.valid()))]

    def check(self) -> None:
        """Assert that each working address leads to the site with at most one redirect and valid TLS."""
        for scheme, host in self.working():
            answer = at(self.client, host, scheme)
            if answer.status_code != 200:
                to = urlsplit(answer.headers["Location"])
                assert to.hostname in self.valid()
                assert to.scheme == "https" or to.hostname == f"{self.project.slug}.localhost"
                answer = at(self.client, to.hostname or "", to.scheme)
            assert answer.status_code == 200, (scheme, host, answer.headers.get("Location"))


EVENTS: dict[str, Callable[[Life, str], None]] = {
    name: getattr(Life, name)
    for name in (
        *("add", "add_as_primary", "verify", "move_away", "issue", "fail", "hide", "expire", "remove"),
        *("make_primary", "lose_plan", "regain_plan"),
    )
}


@example(states=["live", "verified", "unverified"], events=[("make_primary", "www"), ("issue", "www")])
@example(states=["live", "live", "absent"], events=[("expire", "adopt"), ("hide", "adopt")])
@given(
    states=st.lists(st.sampled_from(STATES), min_size=3, max_size=3),
    events=st.lists(st.tuples(st.sampled_from(sorted(EVENTS)), st.sampled_from(HOSTS)), max_size=5),
)
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_every_working_address_leads_to_the_site_after_any_events(
    client: FlaskClient,
    zone: Zone,
    name_server: DnsServer,
    ordering: APIFlask,
    states: list[str],
    events: list[tuple[str, str]],
) -> None:
    config = domains.domain_config(ordering, name_server)
    made = factories.project(f"Elm {next(NUMBERS)}", plan="pro", owner=f"owner{next(NUMBERS)}@elm.example")
    life = Life(client, zone, config, Simulation(now=datetime.now(UTC)), made)
    for name, state in zip(HOSTS, states, strict=True):
        life.begin(name, state)
    life.check()
    for event, name in events:
        with suppress(Refusal):
            EVENTS[event](life, name)
        life.check()


@pytest.mark.usefixtures("ordering")
def test_a_domain_whose_certificate_has_expired_cannot_become_primary(elm: Project, now: datetime) -> None:
    for days, is_primary in ((-1, False), (1, True)):
        domain_id = domains.add_verified_row(elm.id, f"d{days + 1}.elm.example", live_until=now + days * DAY)
        made = primary_domain.make_primary(elm.id, domain_id, now=now)
        assert (made.primary_of is not None, made.wants_primary) == (is_primary, not is_primary)
