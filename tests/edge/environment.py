"""All services for shelters' own domains, on the loopback.

They are DNS, an authority, the service, and two edges.
"""

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

from adoption.accounts.account_creation import create_account
from adoption.accounts.plan_changes import set_plan
from adoption.certificates.models import FAILED, AcmeOrder
from adoption.domains.models import Domain
from adoption.projects.publication import publish_site
from adoption.settings import Settings
from adoption.storage.database import db, reading
from deploy.trial.daemons import Edge, Pebble
from tests import servers
from tests.dns_server import Zone, serving
from tests.edge.browser_client import Answer, ShownCertificate, handshake, visit, visit_over_http
from tests.edge.daemons import caddy, pebble
from tests.servers import free_port
from tests.serving.conftest import Running
from tests.waiting import wait_for
from wsgi import create_app

PLATFORM = "homeward.example"
TARGET = f"sites.{PLATFORM}"
REFUSED = "refused.example"
"""A domain that the authority refuses."""


NUMBERS = count(1)


class RecordingHook:
    """The operator's DNS hook, which appends its arguments to a file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.program, self.file = folder / "hook", folder / "calls"
        self.file.touch()
        self.program.write_text(f'#!/bin/sh\necho "$@" >> {self.file}\n')
        self.program.chmod(0o700)

    def calls(self) -> list[list[str]]:
        """Return the arguments of each call: ``set`` or ``remove``, name and value."""
        return [line.split() for line in self.file.read_text().splitlines()]


class HookedZone(Zone):
    """A zone whose TXT records the hook also changes."""

    def __init__(self, hook: RecordingHook) -> None:
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
class Environment:
    zone: HookedZone
    authority: Pebble
    service: Running
    app: APIFlask
    """The application of the same instance, for commands."""
    edges: tuple[Edge, Edge]
    """Two edges.

    The service checks live certificates at the first edge, which loads the platform's certificate from files.
    The authority validates at the second edge, which requests the platform's certificate from the service.
    """
    shelters: dict[str, str] = field(default_factory=dict)
    """The slug of the project of each added host."""

    def homeward(self, *words: str) -> Result:
        return self.app.test_cli_runner().invoke(args=["domain", *words])

    def new_shelter(self) -> str:
        """Create a published project on a plan with domains. Return its slug."""
        name = f"Elm Road {next(NUMBERS)}"
        with self.app.app_context():
            project = create_account(name, f"owner{next(NUMBERS)}@elm.example")[1]
            set_plan(project.slug, "pro")
            publish_site(project.slug)
        return project.slug

    def add(self, host: str = "", shelter: str = "") -> str:
        """Add a host. Return the host. The default is a new host of a new shelter."""
        host = host or f"adopt.shelter{next(NUMBERS)}.example"
        self.shelters[host] = shelter or self.new_shelter()
        added = self.homeward("add", self.shelters[host], host)
        assert added.exit_code == 0, added.output
        return host

    def point_here(self, host: str) -> None:
        for kind in ("A", "AAAA", "CNAME"):
            self.zone.put(host, kind)
        self.zone.put(host, "CNAME", TARGET)

    def add_verified(self, host: str = "", shelter: str = "") -> str:
        """Add and verify a host. Return it."""
        host = self.add(host, shelter)
        self.point_here(host)
        assert self.verify(host)["dns"] == "verified"
        return host

    def add_live(self, host: str = "", shelter: str = "") -> str:
        """Add a host and wait until it is live. Return it."""
        host = self.add_verified(host, shelter)
        self.wait_for_state("live", host)
        return host

    def verify(self, host: str) -> dict[str, Any]:
        """Return the output of ``homeward domain verify --json``.

        The command is repeated until DNS answers in time.
        """
        result: dict[str, Any] = {}

        def looked_up() -> bool:
            result.update(json.loads(self.homeward("verify", host, "--json").stdout))
            return bool(result["looked_up"])

        wait_for(f"DNS to be asked for {host}", looked_up)
        return result

    def certificate(self, host: str) -> dict[str, Any]:
        """Return the certificate in the output of ``homeward domain list --json``."""
        listed = json.loads(self.homeward("list", self.shelters[host], "--json").stdout)["domains"]
        [result] = [each["certificate"] for each in listed if each["host"] == host]
        return dict(result)

    def wait_for_code(self, code: str, host: str) -> dict[str, Any]:
        """Wait until the certificate has this code. Return the output of ``verify``."""
        wait_for(f"{host} to be {code}", lambda: self.certificate(host)["code"] == code)
        return self.verify(host)

    def wait_for_state(self, state: str, host: str) -> None:
        wait_for(f"{host} to be {state}", lambda: self.certificate(host)["state"] == state)

    def order_under_way(self, host: str) -> AcmeOrder | None:
        """Return the order under way for a host, or None."""
        asked = select(AcmeOrder).join(Domain, Domain.id == AcmeOrder.domain_id)
        with self.app.app_context(), reading() as session:
            return session.scalar(asked.where(Domain.host == host, AcmeOrder.state != FAILED))

    def certificates_shown(self, host: str) -> list[ShownCertificate | None]:
        """Return the certificate that each edge shows."""
        return [handshake(edge.https_port, host) for edge in self.edges]

    def visit(self, host: str, path: str = "/") -> Answer:
        """Send an HTTPS request to the first edge. The client trusts only the authority."""
        return visit(self.edges[0].https_port, host, path, self.authority.roots())

    def visit_over_http(self, host: str, path: str = "/") -> Answer:
        return visit_over_http(self.edges[0].http_port, host, path)


@contextmanager
def started_environment(instance: Path, scaled: bool = False) -> Iterator[Environment]:
    """Start all services on a new instance, and stop them at the end.

    ``scaled`` uses PostgreSQL and Redis.
    """
    servers.program("caddy")
    hook = RecordingHook(instance.with_name("hook"))
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
        yield Environment(zone, authority, service, app, (edges[0], edges[1]))


@contextmanager
def migrated(service: Running) -> Iterator[APIFlask]:
    """Return the application of the migrated instance, for commands."""
    app = create_app(Settings.from_environment(service.environment))
    with app.app_context():
        upgrade()
        create_account("Elm Road", "owner@elm.example")  # otherwise the empty database would get the demo
        db.engine.dispose()
    yield app
    with app.app_context():
        db.engine.dispose()
