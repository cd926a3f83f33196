"""Shared parts of the benchmarks: servers, load, alternating rounds, and tables of ratios.

Durations on a shared machine are not comparable between runs. So each round measures all candidates one after
the other. A ratio is the median of the rounds' ratios.
"""

import argparse
import datetime
import http.client
import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent
CONNECTIONS = 32
HOST = "localhost"
"""The host name in all requests."""
TICKS = os.sysconf("SC_CLK_TCK")


def options(what: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="5 unless given; a median needs that many")
    parser.add_argument("--seconds", type=float, default=3, help="of load in each round; 3 unless given")
    return parser


def demand_wrk() -> None:
    if shutil.which("wrk") is None:
        sys.exit("wrk is not on this machine: apt-get install wrk")


# Servers


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def clean_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without the service's settings, plus ``more``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOMEWARD_")}
    return kept | more


@dataclass(frozen=True)
class Server:
    port: int
    pid: int

    def family(self) -> list[int]:
        """Return the server's process and all its descendants."""
        children: dict[int, list[int]] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            if fields := stat(int(folder.name)):
                children.setdefault(int(fields[1]), []).append(int(folder.name))
        found = [self.pid]
        for pid in found:
            found.extend(children.get(pid, []))
        return found

    def cpu(self) -> float:
        """Return the CPU seconds of the server's process and its descendants so far."""
        used = [stat(pid) for pid in self.family()]
        return sum(int(fields[11]) + int(fields[12]) for fields in used if fields) / TICKS


def stat(pid: int) -> list[str]:
    """Return the fields of ``/proc/PID/stat``, beginning with the state.

    The list is empty if the process has ended.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


@contextmanager
def serving(
    command: Sequence[str | Path], port: int, environ: Mapping[str, str], cwd: Path = ROOT
) -> Iterator[Server]:
    """Yield a server on ``port`` after its first answer.

    If the server fails, the error contains its output.
    """
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command, cwd=cwd, env=environ, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            while not answers(port):
                if process.poll() is not None:
                    log.seek(0)
                    sys.exit(f"A server did not start: {' '.join(map(str, command))}\n{log.read()}")
                time.sleep(0.02)
            yield Server(port, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def answers(port: int) -> bool:
    try:
        fetch(port, "/healthz")
    except OSError:
        return False
    return True


def fetch(port: int, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers={"Host": HOST, **(headers or {})})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


# Load


@dataclass(frozen=True)
class Round:
    requests: int
    seconds: float
    cpu: float
    wrong: str = ""
    """The reason why the round does not count. Empty if the round counts."""

    @property
    def rate(self) -> float:
        return self.requests / self.seconds

    @property
    def cost(self) -> float:
        """The CPU seconds per request."""
        return self.cpu / self.requests


class Work(Protocol):
    """The work that a round measures."""

    @property
    def name(self) -> str: ...
    def run(self, seconds: float) -> Round: ...


def raw(path: str, headers: Mapping[str, str] | None = None, body: str | None = None) -> bytes:
    """Return the bytes of an HTTP request: a POST if it has a body, otherwise a GET."""
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", f"Host: {HOST}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
    return "\r\n".join([*lines, "", body or ""]).encode()


@dataclass(frozen=True)
class Load:
    """Requests that are sent over 32 connections, and their expected status."""

    name: str
    server: Server
    requests: Sequence[bytes]
    status: int = 200
    prepare: Callable[[], object] = field(default=lambda: None)

    def run(self, seconds: float) -> Round:
        self.prepare()
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"\0".join(self.requests))
            file.flush()
            address = f"http://127.0.0.1:{self.server.port}"
            script = ["-s", str(Path(__file__).with_name("load.lua")), address, "--", file.name]
            # wrk accepts only whole seconds.
            command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", *script]
            before = self.server.cpu()
            ran = subprocess.run([*command, str(self.status)], capture_output=True, text=True, check=True)
            cpu = self.server.cpu() - before
        printed = [line.split() for line in ran.stdout.splitlines() if line.startswith("result ")]
        requests, microseconds, wrong, other, broken = map(int, printed[0][1:])
        why = f"{wrong:,} of {requests:,} answers wrong, the last with {other}" if wrong else ""
        if broken:
            why = f"{why} {broken} broken connections".strip()
        return Round(requests, microseconds / 1e6, cpu, why or ("" if requests else "no answer"))


class Run:
    """All rounds of all work, and their results."""

    def __init__(self, work: Sequence[Work], rounds: int, seconds: float) -> None:
        self.rounds: dict[str, list[Round]] = {each.name: [] for each in work}
        for each in work:
            each.run(1)  # warm-up
        for number in range(rounds):
            for each in work:
                print(f"\rround {number + 1} of {rounds}: {each.name:40}", end="", file=sys.stderr)
                self.rounds[each.name].append(each.run(seconds))
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)

    def ratio(self, name: str, to: str, of: Callable[[Round], float]) -> float:
        """Return the median of the rounds' ratios. Only rounds that count for both sides are used."""
        pairs = zip(self.rounds[name], self.rounds[to], strict=True)
        ratios = [of(one) / of(other) for one, other in pairs if not one.wrong and not other.wrong]
        return statistics.median(ratios) if ratios else float("nan")

    def rate(self, name: str, to: str) -> float:
        """Return the ratio of requests per second."""
        return self.ratio(name, to, lambda each: each.rate)

    def cost(self, name: str, to: str) -> float:
        """Return the ratio of the CPU time per request."""
        return self.ratio(name, to, lambda each: each.cost)

    def show(self) -> None:
        print("| measured | requests/s | CPU µs/request | rounds | void |")
        print("| --- | --: | --: | --: | --: |")
        for name, rounds in self.rounds.items():
            good = [each for each in rounds if not each.wrong]
            rate = statistics.median(each.rate for each in good) if good else float("nan")
            cost = statistics.median(each.cost for each in good) * 1e6 if good else float("nan")
            print(f"| {name} | {rate:,.0f} | {cost:,.0f} | {len(rounds)} | {len(rounds) - len(good)} |")
        print()
        for name, rounds in self.rounds.items():
            for why in dict.fromkeys(each.wrong for each in rounds if each.wrong):
                print(f"Void: {name}: {why}.\n")


# Tables


def goals(rows: Sequence[tuple[str, float, str, float, str]]) -> None:
    """Print figures and their goals. A row is a label, a figure, ``≥`` or ``≤``, a goal and a unit."""
    print("| figure | | goal | |")
    print("| --- | --: | --: | --- |")
    for what, figure, sense, goal, unit in rows:
        met = figure >= goal if sense == "≥" else figure <= goal
        print(f"| {what} | {figure:.2f}{unit} | {sense} {goal:g}{unit} | {'✓' if met else '✗'} |")
    print()


def machine(args: argparse.Namespace) -> None:
    """Print the machine's description."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    load = os.getloadavg()[0]
    print(
        f"{os.cpu_count()} cores, {models[0] if models else platform.machine()}, "
        f"Python {platform.python_version()}, {datetime.date.today()}; "  # noqa: DTZ011 - the reader's day
        f"{args.rounds} rounds of {args.seconds:g} s; load average at the end {load:.1f}\n"
    )
