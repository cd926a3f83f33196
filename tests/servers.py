"""Servers for tests. Each has its own folder, and is stopped at the end."""

import itertools
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

GET = {
    "initdb": "apt-get install postgresql",
    "redis-server": "apt-get install redis-server",
    "chromium": "apt-get install chromium-headless-shell fonts-liberation",
    "curl": "apt-get install curl",
    "openssl": "apt-get install openssl",
    "caddy": "apt-get install caddy",
    "pebble": "apt-get install pebble",
}
ALONE = "127.0.0.1"
PORTS = range(15_000, 32_000)
"""Ports that Linux does not use for outgoing connections."""
PROCESSES_MOST = 16
NUMBER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
OURS = PORTS[NUMBER % PROCESSES_MOST :: PROCESSES_MOST]
NEXT = itertools.cycle(random.sample(OURS, len(OURS)))
"""The ports in random order, because another run of tests may use the same ports."""


def program(name: str) -> str:
    """Return the path of a program.

    If it is not installed, skip the test, or fail if CI=true.
    """
    places = [*os.get_exec_path(), *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))]
    found = shutil.which(name, path=os.pathsep.join(places))
    if found:
        return found
    sentence = f"{name} is not on this machine: {GET[name]}"
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)


def chromium_program() -> str:
    """Return the path of Chromium, or of its headless shell if that is installed.

    The shell needs half the memory.
    """
    return shutil.which("chromium-headless-shell") or program("chromium")


def free_port() -> int:
    """Return a free port. No connection and no other test takes the port before its server starts."""
    while True:
        port = next(NEXT)
        with suppress(OSError), socket.create_server((ALONE, port)):
            return port


@contextmanager
def postgres() -> Iterator[str]:
    """Run PostgreSQL with an empty database. Yield its URL."""
    initdb = Path(program("initdb"))
    pg_ctl = initdb.with_name("pg_ctl")
    with tempfile.TemporaryDirectory(prefix="homeward-pg-", ignore_cleanup_errors=True) as folder:
        as_postgres: dict[str, object] = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            Path(folder).chmod(0o755)
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            as_postgres |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        where = f"{folder}/data"
        subprocess.run(
            [initdb, "-D", where, "-U", "homeward", "-A", "trust", "-E", "UTF8", "-N"], **as_postgres
        )  # type: ignore[call-overload]
        port = free_port()
        options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off -c synchronous_commit=off"
        subprocess.run(
            [pg_ctl, "-D", where, "-w", "-o", options, "-l", f"{folder}/log", "start"], **as_postgres
        )  # type: ignore[call-overload]
        try:
            yield f"postgresql://homeward@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([pg_ctl, "-D", where, "-m", "immediate", "stop"], **as_postgres)  # type: ignore[call-overload]


@contextmanager
def redis() -> Iterator[str]:
    """Run Redis without files. Yield its URL."""
    with tempfile.TemporaryDirectory(prefix="homeward-redis-") as folder:
        address = f"{folder}/redis.sock"
        server = subprocess.Popen(
            [program("redis-server"), "--port", "0", "--unixsocket", address, "--save", "", "--dir", folder],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            for line in server.stdout:
                if "ready to accept connections" in line.lower():
                    break
            yield f"unix://{address}?db=0"
        finally:
            server.terminate()
            server.wait()
