"""The service in its own processes, started by ``homeward serve``."""

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path

import pytest
from flask_migrate import upgrade
from sqlalchemy import delete

from adoption.accounts.account_creation import create_account
from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.plan_changes import set_plan
from adoption.mail.models import OutgoingEmail
from adoption.settings import Settings
from adoption.storage.database import db, transaction
from tests.edge.daemons import caddy
from tests.servers import free_port
from wsgi import create_app

HOMEWARD = [sys.executable, "-m", "wsgi"]
NUMBERS = itertools.count(1)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> object:
        return json.loads(self.body)


@dataclass
class Running:
    """A ``homeward serve`` with its own instance."""

    instance: Path
    port: int
    workers: int = 2
    threads: int = 1
    environ: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        mine = {"HOMEWARD_INSTANCE": str(self.instance), "PORT": str(self.port)}
        return {**os.environ, **mine, **self.environ}

    def start(self) -> None:
        counts = ["--workers", str(self.workers), "--threads", str(self.threads)]
        self.process = subprocess.Popen(
            [*HOMEWARD, "serve", *counts], env=self.environment, stdout=subprocess.DEVNULL
        )
        while True:
            assert self.process.poll() is None, "the server ended instead of starting"
            try:
                assert self.get("/healthz").status == 200
                return
            except ConnectionError:
                time.sleep(0.02)

    def kill(self) -> None:
        """Send SIGKILL to the server, as the kernel does when memory runs out. Its workers end too."""
        assert self.process is not None
        workers = self.worker_ids()
        self.process.kill()
        self.process.wait()
        while any(Path(f"/proc/{worker}").exists() and is_alive(str(worker)) for worker in workers):
            time.sleep(0.01)

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()

    def worker_ids(self) -> list[int]:
        """Return the process ids of the web workers, without short-lived children."""
        assert self.process is not None
        while len(found := children(self.process.pid, "")) > self.workers:
            time.sleep(0.01)
        return found

    def queue_id(self) -> int:
        """Return the id of the process that runs the queue."""
        assert self.process is not None
        while True:
            for keeper in children(self.process.pid, "homeward-keeper"):
                for worker in children(keeper, "homeward-worker"):
                    return worker
            time.sleep(0.01)

    def get(self, path: str, key: str | None = None) -> Answer:
        return self.ask("GET", path, key)

    def ask(self, method: str, path: str, key: str | None = None, body: object = None) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Connection": "close"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return Answer(response.status, {n.lower(): v for n, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def raw(self, sent: bytes, wait: float = 10) -> bytes:
        """Send raw bytes. Return everything that is received until the connection closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as connection:
            connection.sendall(sent)
            got = b""
            try:
                while chunk := connection.recv(65536):
                    got += chunk
            except ConnectionResetError:
                pass
            return got


def children(parent: int, name: str) -> list[int]:
    """Return the ids of a process's running child processes with this ``process_name``."""
    threads = Path(f"/proc/{parent}/task").glob("*/children")
    found = [each for thread in threads for each in thread.read_text().split()]
    return [int(each) for each in found if is_alive(each) and process_name(each) == name]


def process_name(process: str) -> str:
    """Return the name that one of our processes has set for itself. Web workers have none."""
    name = proc_file(process, "comm").strip()
    return name if name in ("homeward-keeper", "homeward-worker", "homeward-certs") else ""


def is_alive(process: str) -> bool:
    return proc_file(process, "stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])


def proc_file(process: str, file: str) -> str:
    """Return a file of the process in /proc, or "" if the process has ended."""
    try:
        return Path(f"/proc/{process}/{file}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@dataclass
class Prepared:
    """An instance to copy. It has accounts on several plans, and their keys by project slug."""

    instance: Path
    keys: dict[str, str]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """An instance that is created only once, by the actions that commands call."""
    instance = tmp_path_factory.mktemp("prepared") / "instance"
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(instance)}))
    keys = {}
    with app.app_context():
        upgrade()
        for project, plan in (("free", "free"), ("business", "business"), ("counted", "free")):
            create_account(project, f"{project}@example.org", plan)
            keys[project] = create_key(project)[1]
        set_plan("counted", "enterprise", per_minute=9999, per_day=500)
        with transaction() as session:
            session.execute(delete(OutgoingEmail))  # emails about the plan would confuse the tests
        db.engine.dispose()
    return Prepared(instance, keys)


def copy_of_prepared(prepared: Prepared, folder: Path, **rest: object) -> Running:
    """Return a server with a copy of the prepared instance. The server is not started yet."""
    shutil.copytree(prepared.instance, folder / "instance")
    return Running(folder / "instance", free_port(), keys=dict(prepared.keys), **rest)  # type: ignore[arg-type]


@pytest.fixture
def serve(prepared: Prepared, tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Return a function that starts a server with a copy of the prepared instance."""
    made: list[Running] = []

    def make(**rest: object) -> Running:
        made.append(copy_of_prepared(prepared, tmp_path, **rest))
        made[-1].start()
        return made[-1]

    yield make
    for running in made:
        if running.process is not None and running.process.poll() is None:
            running.kill()


@pytest.fixture(scope="session")
def standing(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = copy_of_prepared(prepared, tmp_path_factory.mktemp("standing"), workers=1)
    running.start()
    yield running
    running.kill()


@pytest.fixture
def running(standing: Running) -> Running:
    """A server for all tests that do not stop it.

    Its key ``own`` belongs to an empty account.
    """
    app = create_app(Settings.from_environment(standing.environment))
    with app.app_context():
        _, project = create_account(f"Business {next(NUMBERS)}", "owner@example.org", "business")
        key = create_key(project.slug)[1]
        db.engine.dispose()
    return replace(standing, keys={"own": key})


@pytest.fixture(scope="session")
def edge_port(standing: Running) -> Iterator[int]:
    """The HTTP port of an edge in front of the ``running`` server."""
    with caddy(standing.port, free_port(), "homeward.example") as edge:
        yield edge.http_port
