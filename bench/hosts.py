"""The cost of many domains: ``python -m bench.hosts``.

It measures two lookups: a site by its host, and a certificate for an edge.

Ten domains are compared with ten thousand. Each domain belongs to a different project. One process uses both
databases, in alternating rounds. First, both databases get requests for equally few hosts. Then the large
database gets requests for all its hosts. The additional cost comes from cold caches in the database and in
Python.

The request is the cheapest page of a site, ``/robots.txt``, over TLS.
"""

import random
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography.fernet import Fernet
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import insert
from werkzeug.test import EnvironBuilder, run_wsgi_app

from adoption.accounts.models import Account
from adoption.certificates.key_encryption import Vault
from adoption.certificates.models import Certificate
from adoption.certificates.x509 import new_private_key
from adoption.commands.certificate_server import Listener
from adoption.domains.models import Domain
from adoption.domains.site_lookup import find_site_by_host
from adoption.projects.models import Deploy, Project
from adoption.settings import Settings
from adoption.storage.database import transaction
from wsgi import create_app

FEW, MANY = 10, 10_000
VAULT = Vault([Fernet.generate_key().decode()])
CHAIN, KEY = "c" * 3_500, VAULT.seal(new_private_key())
ROUNDS, LOOKS, REQUESTS = 60, 2_000, 200
GOAL = 1.05


def host(number: int) -> str:
    return f"adopt.shelter{number}.example"


def filled(folder: Path, domains: int) -> Flask:
    """Return a service with this many verified domains. Each belongs to a different published project."""
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(folder)}))
    when = datetime(2026, 11, 28, tzinfo=UTC)
    numbers = range(1, domains + 1)
    with app.app_context():
        upgrade()
        with transaction() as session:
            session.execute(insert(Account), [{"id": 1, "name": "Bench", "plan": "pro", "created_at": when}])
            rows = [
                {
                    "id": n,
                    "account_id": 1,
                    "slug": f"shelter-{n}",
                    "name": "Bench",
                    "live_deploy": 1,
                    "created_at": when,
                }
                for n in numbers
            ]
            session.execute(insert(Project), rows)
            deploys = [
                {"project_id": n, "number": 1, "succeeded": True, "name": "Bench", "created_at": when}
                for n in numbers
            ]
            session.execute(insert(Deploy), deploys)
            session.execute(insert(Domain), [domain(n, when) for n in numbers])
            session.execute(insert(Certificate), [certificate(n, when) for n in numbers])
    return app


def certificate(number: int, when: datetime) -> dict[str, object]:
    """Return the row of a certificate of normal size, with its key encrypted as in production."""
    later = when + timedelta(days=60)
    rest = {"issued_at": when, "not_after": later, "renew_at": later, "ask_renewal_at": later}
    return {"domain_id": number, "chain": CHAIN, "private_key": KEY, "serial": "1a", "unseen_why": "", **rest}


def domain(number: int, when: object) -> dict[str, object]:
    return {
        "id": number,
        "project_id": number,
        "primary_of": number,
        "host": host(number),
        "verified_host": host(number),
        "state": "verified",
        "wants_primary": False,
        "token": "",
        "report": "",
        "unanswered_why": "",
        "watched_since": when,
        "created_at": when,
    }


def look(app: Flask, hosts: list[str]) -> float:
    """Return the mean CPU seconds of one lookup by host."""
    asked = random.choices(hosts, k=LOOKS)
    with app.app_context():
        since = time.process_time()
        for each in asked:
            assert find_site_by_host(each, datetime.now(UTC)) is not None
        return (time.process_time() - since) / LOOKS


def request(app: Flask, hosts: list[str]) -> float:
    environs = [
        EnvironBuilder(path="/robots.txt", base_url=f"https://{each}/").get_environ()
        for each in random.choices(hosts, k=REQUESTS)
    ]
    since = time.process_time()
    for each in environs:
        assert run_wsgi_app(app, each)[1] == "200 OK"
    return (time.process_time() - since) / REQUESTS


def handing_out(app: Flask, hosts: list[str]) -> float:
    """Return the mean CPU seconds of one certificate lookup for an edge's handshake."""
    listener, asked = Listener(app, VAULT), random.choices(hosts, k=REQUESTS)
    since = time.process_time()
    for each in asked:
        assert listener.certificate(each)[0] == "200 OK"
    return (time.process_time() - since) / REQUESTS


def cost_when_warm(cost: Callable[[Flask, list[str]], float], app: Flask, hosts: list[str]) -> float:
    """Measure the cost after a warm-up round.

    Before it, the processor's caches contain the other service's data.
    """
    cost(app, hosts)
    return cost(app, hosts)


def compare(what: str, cost: Callable[[Flask, list[str]], float], few: Flask, many: Flask, hot: int) -> None:
    """Compare costs.

    In one kind of round, requests use ``hot`` of the many hosts. In the other, requests use all hosts.
    """
    hosts = [host(number) for number in range(1, MANY + 1)]
    pairs = []
    for _ in range(ROUNDS):
        some = random.sample(hosts, hot)
        pairs.append((cost_when_warm(cost, few, hosts[:FEW]), cost_when_warm(cost, many, some)))
    small, large = (statistics.median(each) * 1e6 for each in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"{what}: {small:.1f} us with {FEW}, {large:.1f} us with {MANY:,}: {ratio:.3f} (goal {GOAL})")


def main() -> None:
    with TemporaryDirectory() as folder:
        few, many = (filled(Path(folder) / str(number), number) for number in (FEW, MANY))
        for hot, which in ((FEW, f"the same {FEW} hosts"), (MANY, "any host")):
            compare(f"finding a site, {which}", look, few, many, hot)
            compare(f"a whole request, {which}", request, few, many, hot)
            compare(f"a certificate for an edge, {which}", handing_out, few, many, hot)


if __name__ == "__main__":
    main()
