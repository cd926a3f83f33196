"""All that a shelter's own domain needs, on the loopback: DNS, an authority, the service, and two edges."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from apiflask import APIFlask
from click.testing import Result
from dnslib import DNSRecord
from dnslib.server import DNSHandler
from flask_migrate import upgrade
from sqlalchemy import select

from adoption.accounts.actions import create_account, set_plan
from adoption.certificates.models import FAILED, AcmeOrder
from adoption.domains.models import Domain
from adoption.projects.actions import publish_site
from adoption.settings import Settings
from adoption.storage.database import db, reading
from deploy.trial.daemons import Edge, Pebble
from tests import servers
from tests.dns_server import Zone, serving
from tests.edge.browser_client import Answer, Shown, handshake, visit, visit_plainly
from tests.edge.daemons import caddy, pebble
from tests.servers import free_port
from tests.serving.conftest import Running
from tests.waiting import wait_for
from wsgi import create_app

PLATFORM = "homeward.example"
TARGET = f"sites.{PLATFORM}"
REFUSED = "refused.example"
"""A domain that the authority issues nothing for."""


NUMBERS = count(1)


class Hook:
    """The operator's hook: it appends what it was called with to a file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.program, self.file = folder / "hook", folder / "calls"
        self.file.touch()
        self.program.write_text(f'#!/bin/sh\necho "$@" >> {self.file}\n')
        self.program.chmod(0o700)

    def calls(self) -> list[list[str]]:
        """Return the words of each call: ``set`` or ``remove``, name and value."""
        return [line.split() for line in self.file.read_text().splitlines()]


class HookedZone(Zone):
    """A zone whose TXT records the hook changes as well."""

    def __init__(self, hook: Hook) -> None:
        super().__init__()
        self.hook, self.known = hook, 0

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        calls = self.hook.calls()
        for verb, name, value in calls[self.known :]:
            values = [each for each in self.records.get((name, "TXT"), []) if each != value]
            self.put(name, "TXT", *values, *([value] if verb == "set" else []))
        self.known = len(calls)
        return super().resolve(request, handler)


@dataclass
class World:
    zone: HookedZone
    authority: Pebble
    service: Running
    app: APIFlask
    """The same installation as commands have it."""
    edges: tuple[Edge, Edge]
    """Whether certificates are live is seen at the first; the authority comes to the second.

    The first has the platform's certificate in files, the second asks the service for it.
    """
    shelters: dict[str, str] = field(default_factory=dict)
    """The project of each host that was added."""

    def homeward(self, *words: str) -> Result:
        return self.app.test_cli_runner().invoke(args=["domain", *words])

    def new_shelter(self) -> str:
        """A published project that may have domains and has none."""
        name = f"Elm Road {next(NUMBERS)}"
        with self.app.app_context():
            project = create_account(name, f"owner{next(NUMBERS)}@elm.example")[1]
            set_plan(project.slug, "pro")
            publish_site(project.slug)
        return project.slug

    def add(self, host: str = "", shelter: str = "") -> str:
        """A host that was added, whatever DNS says of it: by default a new one of a new shelter."""
        host = host or f"adopt.shelter{next(NUMBERS)}.example"
        self.shelters[host] = shelter or self.new_shelter()
        added = self.homeward("add", self.shelters[host], host)
        assert added.exit_code == 0, added.output
        return host

    def put_right(self, host: str) -> None:
        for kind in ("A", "AAAA", "CNAME"):
            self.zone.put(host, kind)
        self.zone.put(host, "CNAME", TARGET)

    def verified(self, host: str = "", shelter: str = "") -> str:
        """One that was added and verified just now."""
        host = self.add(host, shelter)
        self.put_right(host)
        assert self.verify(host)["dns"] == "verified"
        return host

    def live(self, host: str = "", shelter: str = "") -> str:
        """One that visitors get a certificate of."""
        host = self.verified(host, shelter)
        self.become("live", host)
        return host

    def verify(self, host: str) -> dict[str, Any]:
        """What ``homeward domain verify --json`` tells, once DNS has answered a machine that may be slow."""
        told: dict[str, Any] = {}

        def looked_up() -> bool:
            told.update(json.loads(self.homeward("verify", host, "--json").stdout))
            return bool(told["looked_up"])

        wait_for(f"DNS to be asked for {host}", looked_up)
        return told

    def certificate(self, host: str) -> dict[str, Any]:
        """What ``homeward domain list --json``, which changes nothing, tells of a certificate."""
        listed = json.loads(self.homeward("list", self.shelters[host], "--json").stdout)["domains"]
        [told] = [each["certificate"] for each in listed if each["host"] == host]
        return dict(told)

    def waits_with(self, code: str, host: str) -> dict[str, Any]:
        """What ``verify`` tells of one whose certificate cannot come just now."""
        wait_for(f"{host} to be {code}", lambda: self.certificate(host)["code"] == code)
        return self.verify(host)

    def become(self, state: str, host: str) -> None:
        wait_for(f"{host} to be {state}", lambda: self.certificate(host)["state"] == state)

    def order(self, host: str) -> AcmeOrder | None:
        """The order that is under way for a host."""
        asked = select(AcmeOrder).join(Domain, Domain.id == AcmeOrder.domain_id)
        with self.app.app_context(), reading() as session:
            return session.scalar(asked.where(Domain.host == host, AcmeOrder.state != FAILED))

    def shown(self, host: str) -> list[Shown | None]:
        """What each edge shows."""
        return [handshake(edge.https_port, host) for edge in self.edges]

    def visit(self, host: str, path: str = "/") -> Answer:
        """By HTTPS at the first edge, from somebody who trusts the authority alone."""
        return visit(self.edges[0].https_port, host, path, self.authority.roots())

    def visit_plainly(self, host: str, path: str = "/") -> Answer:
        return visit_plainly(self.edges[0].http_port, host, path)


@contextmanager
def whole_world(instance: Path, scaled: bool = False) -> Iterator[World]:
    """Everything started, on a new instance, and stopped at the end; ``scaled`` with PostgreSQL and Redis."""
    servers.program("caddy")
    hook = Hook(instance.with_name("hook"))
    zone, app_port, internal = HookedZone(hook), free_port(), free_port()
    ports = [(free_port(), free_port()) for _ in range(2)]
    zone.put(TARGET, "A", servers.ALONE)
    zone.put(PLATFORM, "A", servers.ALONE)
    with ExitStack() as running:
        dns = running.enter_context(serving(zone))
        authority = running.enter_context(pebble(dns, ports[1][0], domainBlocklist=[REFUSED]))
        environ = {
            "HOMEWARD_PLATFORM_HOST": PLATFORM,
            "HOMEWARD_CNAME_TARGET": TARGET,
            "HOMEWARD_DNS_SERVERS": f"{dns.address}:{dns.port}",
            "HOMEWARD_ACME_DIRECTORY": authority.directory,
            "HOMEWARD_PLATFORM_CERTIFICATE": "service",
            "HOMEWARD_ACME_DNS_HOOK": str(hook.program),
            "HOMEWARD_ACME_CA_BUNDLE": str(authority.bundle),
            "HOMEWARD_INTERNAL_LISTEN": f"{servers.ALONE}:{internal}",
            "HOMEWARD_EDGE": f"{servers.ALONE}:{ports[0][1]}",
            "HOMEWARD_TRUSTED_PROXIES": servers.ALONE,
        }
        if scaled:
            redis = running.enter_context(servers.redis())
            environ |= {"HOMEWARD_QUOTA_URL": redis, "HOMEWARD_QUEUE_URL": redis}
            environ["HOMEWARD_DATABASE_URL"] = running.enter_context(servers.postgres())
        service = Running(instance, app_port, environ=environ)
        app = running.enter_context(migrated(service))
        edges = [
            running.enter_context(caddy(app_port, internal, PLATFORM, own, in_files=own == ports[0]))
            for own in ports
        ]
        service.start()
        running.callback(service.kill)
        yield World(zone, authority, service, app, (edges[0], edges[1]))


@contextmanager
def migrated(service: Running) -> Iterator[APIFlask]:
    """The installation as commands have it."""
    app = create_app(Settings.from_environment(service.environment))
    with app.app_context():
        upgrade()
        create_account("Elm Road", "owner@elm.example")  # an empty one would be given the demo
        db.engine.dispose()
    yield app
    with app.app_context():
        db.engine.dispose()
