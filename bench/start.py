"""The seconds from ``homeward serve`` to the first answer, and the memory: ``python -m bench.start``.

The database is migrated and has 10,000 animals. Memory is the proportional set size (PSS) of the only web
worker. A page that the worker shares with another process counts half.
"""

import re
import statistics
import tempfile
import time
from pathlib import Path

from bench import measure
from bench.instances import LIST, filled_instance
from bench.measure import Load, Server, fetch, raw


def memory(pid: int) -> float:
    """Return a process's PSS in megabytes."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0


def web_worker(server: Server) -> float:
    """Return the memory of the only web worker, in megabytes."""
    children = [pid for pid in server.family() if pid != server.pid]
    return max(memory(pid) for pid in children if not name_of(pid).startswith("homeward-"))


def name_of(pid: int) -> str:
    """Return the name of a process. Only the processes beside the web workers have names of the service."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "ended"


def main() -> None:
    args = measure.options(__doc__).parse_args()
    measure.demand_wrk()
    starts, idle, loaded, whole = [], [], [], []
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name:
        instance, key = filled_instance(Path(name) / "instance")
        for _ in range(args.rounds):
            begun = time.perf_counter()
            with instance.serve() as server:
                starts.append(time.perf_counter() - begun)
                time.sleep(1)
                idle.append(web_worker(server))
                assert fetch(server.port, LIST, key)[0] == 200
                ran = Load("list", server, [raw(LIST, key)]).run(args.seconds)
                assert not ran.wrong, ran.wrong
                loaded.append(web_worker(server))
                whole.append(sum(memory(pid) for pid in server.family()))
    measure.goals(
        [
            ("start to first answer", statistics.median(starts), "≤", 1.5, " s"),
            ("one web worker, idle after start", statistics.median(idle), "≤", 65, " MB"),
            ("one web worker, under load", statistics.median(loaded), "≤", 80, " MB"),
        ]
    )
    print(f"All processes together, under load: {statistics.median(whole):.0f} MB\n")
    measure.machine(args)


if __name__ == "__main__":
    main()
