"""Our list compared with the same list in other frameworks: ``python -m bench.peers``.

All frameworks read the same animals from a SQLite file with the same key. Each has one worker under granian.
FastAPI and Django REST framework are in bench/peers/, and have their own virtual environment.
"""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from bench import measure
from bench.instances import LIST, filled_instance
from bench.measure import Load, Run, Server, clean_environment, fetch, free_port, raw, serving

HERE = Path(__file__).parent
PEERS = {
    "FastAPI, the usual way": ("fastapi_usual:app", "asgi"),
    "FastAPI, tuned by hand": ("fastapi_tuned:app", "asgi"),
    "Django REST framework, the usual way": ("drf_usual:app", "wsgi"),
}

PLAIN_INDEX = "CREATE INDEX ix_peer ON animals (project_id, status, id)"
"""An index for the other frameworks.

Our own index contains only listed animals. SQLite cannot use that index for the condition that some
frameworks write.
"""


def peers_environment() -> Path:
    """Return the folder of programs in a virtual environment with bench/requirements.txt.

    Create the environment if necessary.
    """
    wanted = (HERE / "requirements.txt").read_bytes()
    digest = hashlib.sha256(wanted + sys.version.encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"homeward-bench-peers-{digest}"
    done = folder / "done"
    if not done.exists():
        print("Installing the peers (once) ...", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        install = [folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", HERE / "requirements.txt"], check=True, stderr=subprocess.DEVNULL)
        done.touch()
    return folder / "bin"


@contextmanager
def serving_peer(programs: Path, app: str, interface: str, database: Path) -> Iterator[Server]:
    port = free_port()
    settings = ["--interface", interface, "--workers", "1", "--loop", "uvloop", "--http", "1", "--no-ws"]
    command = [programs / "granian", *settings, "--no-log", "--port", str(port), app]
    if interface == "wsgi":
        command[1:1] = ["--blocking-threads", "1"]
    stores = {"PEER_DATABASE": str(database), "PEER_QUOTAS": f"{database}.quotas"}
    with serving(command, port, clean_environment(**stores), HERE / "peers") as server:
        yield server


def animals_in(body: bytes) -> object:
    """Return the animals in an answer. Django REST framework's pagination wraps them in an object."""
    answer = json.loads(body)
    return answer["results"] if isinstance(answer, dict) else answer


def main() -> None:
    args = measure.options(__doc__).parse_args()
    measure.demand_wrk()
    programs = peers_environment()
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name, ExitStack() as stack:
        instance, key = filled_instance(Path(name) / "instance")
        servers = {}
        for number, (peer, (app, interface)) in enumerate(PEERS.items()):
            copy = Path(name) / f"peer-{number}.sqlite3"
            shutil.copy(instance.folder / "homeward.sqlite3", copy)
            with closing(sqlite3.connect(copy)) as connection:
                connection.execute(PLAIN_INDEX)
            servers[peer] = stack.enter_context(serving_peer(programs, app, interface, copy))
        servers["Homeward"] = stack.enter_context(instance.serve())
        right = animals_in(fetch(servers["Homeward"].port, LIST, key)[1])
        for peer, server in servers.items():
            status, body = fetch(server.port, LIST, key)
            if status != 200 or animals_in(body) != right:
                sys.exit(f"{peer} answers something else: {status} {body[:300]!r}")
        run = Run(
            [Load(peer, server, [raw(LIST, key)]) for peer, server in servers.items()],
            args.rounds,
            args.seconds,
        )
    run.show()
    usual, tuned, drf = PEERS
    measure.goals(
        [
            (f"Homeward ÷ {usual}, requests/s", run.rate("Homeward", usual), "≥", 15, " times"),
            (f"Homeward ÷ {drf}, requests/s", run.rate("Homeward", drf), "≥", 8, " times"),
            (f"Homeward ÷ {tuned}, requests/s", run.rate("Homeward", tuned), "≥", 1.2, " times"),
        ]
    )
    costs = ", ".join(f"{peer} {run.cost(peer, 'Homeward'):.2f}" for peer in PEERS)
    print(f"CPU per request ÷ Homeward's: {costs}\n")
    measure.machine(args)


if __name__ == "__main__":
    main()
