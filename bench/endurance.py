"""Mixed traffic for ten minutes while workers are killed: ``python -m bench.endurance``.

Each of 300 people has a connection through the edge. They read pages, lists and photos, and some read slowly.
They add animals with the API, with and without an ``Idempotency-Key``, and with the staff's form. They sign
in, use up quotas, and stop in the middle of request bodies. A web worker gets SIGKILL every 30 seconds.

Afterwards each answered write must exist exactly once, and each unanswered write at most once. No account may
have exceeded its quota. The store must have counted all answered requests.
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

from sqlalchemy import create_engine, func, select

from adoption.accounts.models import Account, UsageDay
from adoption.accounts.quotas.configured_storage import open_quota_storage
from adoption.settings import Settings
from bench.clients import Client, Target
from bench.endurance_people import Person, shared_out
from bench.endurance_records import Records
from bench.endurance_world import (
    OF_QUOTA,
    World,
    add_animals,
    name_of_account,
    page_with_photo,
    prepare,
    service,
)
from bench.fairness import name_of, signed_in
from bench.measure import Server, stat
from bench.start import memory

STARTED = 19
"""The index of a process's start time in ``stat``."""
GROWTH = 1.2
"""The goal for memory: the allowed ratio of the last figure to the figure after a fifth of the run."""


@dataclass(frozen=True)
class Load:
    seconds: float = 600
    people: int = 300
    pause: float = 3
    """The mean seconds between two requests of one person."""
    kill_every: float = 30
    through_edge: bool = True


@dataclass
class Report:
    records: Records
    faults: list[str] = field(default_factory=list)
    killed: list[int] = field(default_factory=list)
    memories: list[tuple[float, float, float]] = field(default_factory=list)
    """The seconds since the start, the service's PSS and the edge's PSS. Both are in MB."""
    processes: str = ""
    """The service's processes at the end, with the PSS of each."""
    log: str = ""

    def memory_at(self, seconds: float, of: int = 1) -> float:
        """Return the median of the memory around one moment of the run."""
        near = sorted(self.memories, key=lambda each: abs(each[0] - seconds))[:5]
        return statistics.median(each[of] for each in near)


# The run


def run(folder: Path, load: Load, **stores: str) -> Report:
    """Run the traffic on a new instance. Return the report with all problems."""
    world = prepare(folder, **stores)
    report = Report(Records(OF_QUOTA))
    with service(world, folder, through_edge=load.through_edge) as (server, target, front):
        add_animals(replace(world.shelter, target=target))
        shelter = signed_in(world.shelter, 0, target)
        (page, photos), over = page_with_photo(shelter), Event()
        people = []
        for number, kind in enumerate(shared_out(load.people)):
            client = replace(shelter, address=f"127.3.{number // 250}.{number % 250 + 1}")
            person = Person(client, report.records, over, page, photos, load.pause, world.quota_keys)
            people.append(Thread(target=person.run, args=(kind,)))
        for each in people:
            each.start()
        keep_killing(server, front, load, report)
        of_each = [(memory(pid), name_of(pid)) for pid in server.family()]
        report.processes = ", ".join(f"{name} {size:.0f} MB" for size, name in sorted(of_each, reverse=True))
        over.set()
        for each in people:
            each.join()
        direct = replace(shelter, target=Target(server.port))
        report.faults += report.records.writes.faults(added_animals(direct))
    report.faults += faults_of_quotas(world, report.records)
    report.log = (folder / "log").read_text()
    return report


def keep_killing(server: Server, front: Server, load: Load, report: Report) -> None:
    """Kill workers and record the memory until time is up."""
    begun, next_kill = time.monotonic(), load.kill_every
    while (now := time.monotonic() - begun) < load.seconds:
        of_edge = sum(map(memory, front.family())) if front is not server else 0
        report.memories.append((now, sum(map(memory, server.family())), of_edge))
        if now >= next_kill and load.seconds - now > load.kill_every / 3:
            # The oldest worker: granian ends if the same worker dies twice within seconds.
            report.killed.append(web_workers(server)[0])
            os.kill(report.killed[-1], signal.SIGKILL)
            next_kill += load.kill_every
        time.sleep(min(5, load.seconds / 30))


def web_workers(server: Server) -> list[int]:
    """Return the server's child processes without a name of their own, the oldest first."""
    lists = Path(f"/proc/{server.pid}/task").glob("*/children")
    children = {int(pid) for each in lists for pid in each.read_text().split()}
    workers = [pid for pid in children if not name_of(pid).startswith(("homeward-", "ended"))]
    return sorted(workers, key=lambda pid: int(stat(pid)[STARTED]))


# Checks after the run


def added_animals(shelter: Client) -> Iterator[tuple[int, str]]:
    """Yield the animals that people added, as the API lists them."""
    path = "/v1/pets?limit=100"
    while path:
        answer = shelter.api("GET", path)
        for each in json.loads(answer.body):
            if each["name"].startswith(("Plain ", "Keyed ", "Staff ")):
                yield each["id"], each["name"]
        link = {name.lower(): value for name, value in answer.headers.items()}.get("link", "")
        found = re.search(r'<[^>]*?(/v1/[^>]+)>; rel="next"', link)
        path = found[1] if found else ""


def faults_of_quotas(world: World, records: Records) -> list[str]:
    settings = Settings.from_environment(world.instance.environment())
    store, engine = open_quota_storage(settings.quota_url), create_engine(settings.database_url)
    faults = []
    with engine.connect() as connection:
        for name, calls in records.calls.items():
            of_name = select(Account.id).where(Account.name == name_of_account(name))
            id_ = connection.execute(of_name).scalar_one()
            usage = select(func.sum(UsageDay.requests)).where(UsageDay.account_id == id_)
            written = connection.execute(usage).scalar_one() or 0
            counted = store.windows_of(f"account:{id_}", datetime.now(UTC).timestamp()).day_used
            calls.counted, calls.written = counted, written
            faults += [f"{name}: {fault}" for fault in calls.faults()]
    engine.dispose()
    store.close()
    return faults


# The report


def show(report: Report, load: Load) -> bool:
    """Print the answers, and whether each goal was met. Return whether all goals were met."""
    print("| what people did | answered |\n| --- | --- |")
    for kind, results in sorted(report.records.results.items()):
        print(f"| {kind} | {', '.join(f'{n:,} of {result}' for result, n in results.most_common())} |")
    writes = report.records.writes
    print(f"\n{len(report.killed)} workers killed. Writes: {len(writes.answered):,} answered, ", end="")
    print(f"{len(writes.unanswered):,} without an answer, {len(writes.refused):,} refused.")
    for name, calls in report.records.calls.items():
        print(
            f"Account {name}: {len(calls.answered):,} calls answered, {len(calls.accepted()):,} of them "
            f"accepted, {calls.unanswered} lost; {calls.counted:,} counted, {calls.written:,} written down."
        )
    early, late = (report.memory_at(load.seconds / 5), report.memory_at(load.seconds))
    edge = [report.memory_at(load.seconds / 5, 2), report.memory_at(load.seconds, 2)]
    print(f"Memory of the edge: {edge[0]:.0f} MB, at the end {edge[1]:.0f} MB.\n")
    for fault in report.faults[:20]:
        print(f"Wrong: {fault}")
    is_flat = late <= GROWTH * early
    print(f"Writes lost or doubled, quotas exceeded or miscounted: {len(report.faults)}.")
    print(
        f"Memory of the service: {early:.0f} MB after a fifth of the time, {late:.0f} MB at the end, ", end=""
    )
    print(f"{late / early:.2f} times (goal {GROWTH}). Load average {os.getloadavg()[0]:.1f}.")
    print(f"At the end: {report.processes}.")
    return is_flat and not report.faults


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600, help="600 unless given")
    parser.add_argument("--people", type=int, default=300, help="connections; 300 unless given")
    parser.add_argument("--direct", action="store_true", help="without the edge")
    parser.add_argument("--scaled", action="store_true", help="on PostgreSQL and Redis of its own")
    args = parser.parse_args()
    if not args.direct and shutil.which("caddy") is None:
        parser.error("Caddy is missing: apt-get install caddy, or use --direct.")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    load = Load(args.seconds, args.people, through_edge=not args.direct)
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name, ExitStack() as stack:
        stores = scaled_stores(stack) if args.scaled else {}
        report = run(Path(name), load, **stores)
    if not show(report, load):
        print(f"\nThe end of the log:\n{report.log[-5_000:]}")
        sys.exit(1)


def scaled_stores(stack: ExitStack) -> dict[str, str]:
    from tests import servers

    postgres, redis = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
    return {"HOMEWARD_DATABASE_URL": postgres, "HOMEWARD_QUOTA_URL": redis, "HOMEWARD_QUEUE_URL": redis}


if __name__ == "__main__":
    main()
