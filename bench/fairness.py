"""Test whether a few clients can slow down all others: ``python -m bench.fairness [F1 F2 …]``.

Four clients repeat each attack while other people use the service normally: they browse the catalogue, sign
in, apply for animals, and list animals with a key. The normal requests have a fixed rate, so a late answer
does not delay the next request. Each attack runs on its own copy of a small instance with two workers.
"""

import argparse
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from bench.attacks import ATTACKS, SLOW_TO_READ, THROUGH_EDGE
from bench.clients import Client, Target
from bench.import_speed import write_file
from bench.instances import HOMEWARD, Instance, new_instance
from bench.measure import HOST, ROOT, Server, clean_environment, free_port, serving, stat
from bench.ordinary import PASSWORD, Ordinary, Results, email
from bench.start import memory, name_of

CLIENTS = 4
RATIO, GROWTH = 5, 1.2
"""The goals: the largest allowed ratios of the values under attack to the values before.

RATIO is for the catalogue's p95, GROWTH for memory.
"""


# The instance


def prepare(folder: Path) -> tuple[Instance, list[Client]]:
    """Return an instance and its clients with accounts:

    the shelter of the normal traffic, then the attackers.
    """
    who = folder / "clients.json"
    if who.exists():
        known = json.loads(who.read_text())
        return Instance(folder / "instance"), [Client(Target(0), **each) for each in known]
    instance = new_instance(folder / "instance")
    few, many = folder / "few.csv", folder / "many.csv"
    write_file(few, 300)
    write_file(many, 950)
    with many.open("a", newline="") as file:
        for n in range(50):
            row = f"{10_000 + n},,,S{n},,Slow {n},,,Dog,,,,,,".split(",")
            csv.writer(file).writerow([*row[:-1], SLOW_TO_READ[n % 2], "", "", ""])
    clients = [account(instance, n, many if n else few) for n in range(CLIENTS + 1)]
    instance.unlimit(clients[0].slug)
    who.write_text(json.dumps([{"address": c.address, "key": c.key, "slug": c.slug} for c in clients]))
    return instance, clients


def account(instance: Instance, number: int, animals: Path) -> Client:
    """Return a client with a new account and these animals, all of them published."""
    command = ["account", "create", f"Bench {number}", "--owner", email(number), "--password-stdin"]
    ran = subprocess.run(
        [*HOMEWARD, *command], env=instance.environment(), input=PASSWORD, capture_output=True, text=True
    )
    if ran.returncode:
        sys.exit(ran.stderr)
    slug = ran.stdout.strip()
    instance.homeward("animals", "import", slug, str(animals))
    instance.homeward("project", "publish", slug)
    key = instance.key(slug)["Authorization"].removeprefix("Bearer ")
    return Client(Target(0), f"127.0.1.{number + 1}", key=key, slug=slug)


def signed_in(known: Client, number: int, target: Target) -> Client:
    me = replace(known, target=target).with_token("/sign-in")
    answer = me.post("/sign-in", {"email": email(number), "password": PASSWORD})
    if answer.status not in (302, 303):
        sys.exit(f"Signing in was answered {answer.status}.")
    me = replace(me, cookie=answer.cookies).with_token(me.staff("/imports"))
    listed = me.api("GET", "/v1/pets?status=available&limit=1")
    found = re.search(rb'"id": ?"?(\d+)', listed.body)
    assert found, listed
    return replace(me, animal=int(found[1]))


@contextmanager
def edge(app: Server, folder: Path) -> Iterator[Server]:
    """Run this checkout's TLS edge in front of the service, with its own certificate for localhost."""
    chain, key, port = folder / "chain.pem", folder / "key.pem", free_port()
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}"]
    files = ["-addext", f"subjectAltName=DNS:{HOST}", "-out", str(chain), "-keyout", str(key)]
    subprocess.run([*new, *files], check=True, capture_output=True)
    plain = free_port()
    settings = {
        "EDGE_PLATFORM_HOST": HOST,
        "EDGE_CERTIFICATE": str(chain),
        "EDGE_KEY": str(key),
        "EDGE_APP": f"127.0.0.1:{app.port}",
        "EDGE_BIND": "127.0.0.1",
        "EDGE_HTTP_PORT": str(plain),
        "EDGE_HTTPS_PORT": str(port),
        "HOME": str(folder),
    }
    with serving([ROOT / "deploy/edge"], plain, clean_environment(**settings)) as server:
        yield Server(port, server.pid)


# Memory and CPU


class Watched:
    """The memory of a server's processes, measured twice a second, and the CPU time of each."""

    def __init__(self, server: Server) -> None:
        self.server, self.peak, self.over = server, 0.0, threading.Event()
        self.before, self.cpu = self.memory(), self.used()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while not self.over.wait(0.5):
            self.peak = max(self.peak, self.memory())

    def memory(self) -> float:
        return sum(memory(pid) for pid in self.server.family())

    def used(self) -> dict[int, tuple[str, float]]:
        return {pid: (name_of(pid), cpu_of(pid)) for pid in self.server.family()}

    def busy(self) -> str:
        """Return the busiest processes, with their memory and their CPU time since the start."""
        spent = [
            (cpu - self.cpu.get(pid, ("", 0.0))[1], name, pid) for pid, (name, cpu) in self.used().items()
        ]
        busiest = sorted(spent, reverse=True)[:4]
        return ", ".join(f"{name} {pid} {cpu:.1f} s and {memory(pid):.0f} MB" for cpu, name, pid in busiest)


def cpu_of(pid: int) -> float:
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


# Attacks


def attack(name: str, me: Client, until: float) -> Counter[str]:
    """Run an attack in a separate process, so that its own work does not distort the measured times."""
    return ATTACKS[name][1](replace(me, timeout=max(5, until - time.time() + 5)), until)


def measure(
    name: str, folder: Path, prepared: tuple[Instance, list[Client]], args: argparse.Namespace
) -> bool:
    """Run an attack and print the results. Return whether all goals were met."""
    instance = Instance(folder / name)
    shutil.copytree(prepared[0].folder, instance.folder)
    with ExitStack() as stack:
        trusted = {"HOMEWARD_WORKERS": "2", "HOMEWARD_TRUSTED_PROXIES": "127.0.0.1/32"}
        server = stack.enter_context(instance.serve(**trusted))
        through = name in THROUGH_EDGE and not args.direct and shutil.which("caddy") is not None
        front = stack.enter_context(edge(server, instance.folder)) if through else server
        target = Target(front.port, tls=through)
        shelter, *attackers = [signed_in(each, n, target) for n, each in enumerate(prepared[1])]
        traffic = Ordinary(shelter, with_photos=name in ("F2", "F6"))
        # Load the pages and statements of both kinds of traffic, which stay in memory after the first use.
        traffic.run(3)
        attack(name, attackers[-1], time.time() + 3)
        quiet = traffic.run(args.quiet)
        watched = [Watched(each) for each in dict.fromkeys((server, front))]
        # Real attackers have their own machines. Here an attacker gets only the CPU time that the service
        # does not use.
        apart = ProcessPoolExecutor(CLIENTS, get_context("spawn"), initializer=os.nice, initargs=(15,))
        pool = stack.enter_context(apart)
        for ready in [pool.submit(os.getpid) for _ in range(CLIENTS)]:
            ready.result()
        until = time.time() + args.seconds
        running = [pool.submit(attack, name, each, until) for each in attackers]
        attacked = traffic.run(args.seconds)
        busy, load = watched[0].busy(), os.getloadavg()[0]
        got = sum((each.result() for each in running), Counter[str]())
        time.sleep(args.after)
        after = [each.memory() for each in watched]
        for each in watched:
            each.over.set()
        print(f"\n## {name}: {ATTACKS[name][0]}{', through the edge' if through else ''}\n")
        show(quiet, attacked, watched, after)
        print(f"Attackers got: {', '.join(f'{n:,} of {result}' for result, n in got.most_common())}.")
        print(f"CPU: {busy}. Load average {load:.1f}.", flush=True)
        return met(quiet, attacked, watched[0], after[0])


def show(quiet: Results, attacked: Results, watched: list[Watched], after: list[float]) -> None:
    ratio = attacked.percentile(95) / quiet.percentile(95)
    growth = after[0] / watched[0].before
    print("| figure | quiet | under attack | | goal | |")
    print("| --- | --: | --: | --: | --: | --- |")
    print(f"| catalogue p50 | {quiet.percentile(50):.0f} ms | {attacked.percentile(50):.0f} ms | | | |")
    times = f"{quiet.percentile(95):.0f} ms | {attacked.percentile(95):.0f} ms | {ratio:.1f} times"
    print(f"| catalogue p95 | {times} | ≤ {RATIO} | {mark(ratio <= RATIO)} |")
    posts = f"{quiet.lost()} of {quiet.sent()} | {attacked.lost()} of {attacked.sent()}"
    print(f"| POSTs lost | {posts} | | 0 | {mark(not attacked.lost())} |")
    for who, each, now in zip(("service", "edge"), watched, after, strict=False):
        memories = f"{each.before:.0f} MB | peak {each.peak:.0f} MB | {now:.0f} MB afterwards"
        goal = f"≤ {GROWTH} times | {mark(growth <= GROWTH)}" if who == "service" else " | "
        print(f"| memory, {who} | {memories} | {goal} |")
    print()
    if quiet.wrong():
        print(f"Wrong answers when quiet: {quiet.wrong()}.")
    if attacked.wrong():
        print(f"Wrong answers under attack: {attacked.wrong()}.")


def mark(is_met: bool) -> str:
    return "✓" if is_met else "✗"


def met(quiet: Results, attacked: Results, watched: Watched, after: float) -> bool:
    fast = attacked.percentile(95) <= RATIO * quiet.percentile(95)
    return fast and not attacked.lost() and after <= GROWTH * watched.before


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("attacks", nargs="*", metavar="F1", help=f"of {', '.join(ATTACKS)}; all unless given")
    parser.add_argument("--seconds", type=float, default=20, help="of each attack; 20 unless given")
    parser.add_argument("--quiet", type=float, default=10, help="seconds before it; 10 unless given")
    parser.add_argument("--after", type=float, default=60, help="seconds to the last look at memory; 60")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the instance for the next run")
    parser.add_argument("--direct", action="store_true", help="never through the edge")
    args = parser.parse_args()
    if unknown := set(args.attacks) - set(ATTACKS):
        parser.error(f"There is no attack {', '.join(sorted(unknown))}.")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name:
        args.keep and args.keep.mkdir(parents=True, exist_ok=True)
        prepared = prepare(args.keep or Path(name))
        missed = [each for each in args.attacks or ATTACKS if not measure(each, Path(name), prepared, args)]
    print(f"\nGoals missed: {', '.join(missed) or 'none'}.")


if __name__ == "__main__":
    main()
