"""The floor: a bare Flask view that returns given bytes, on granian's WSGI interface with one thread.

The floor uses none of the service's own code. So the difference shows the cost of the service's code.

``python -m bench.floor PORT BODY…`` serves the floor. The n-th file is at ``/floor/n``.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask, Response
from granian import Granian
from granian.constants import HTTPModes, Interfaces

from adoption.commands.serve import begin_as_child
from bench.measure import Server, clean_environment, free_port, serving

BODIES = "BENCH_FLOOR_BODIES"


def create_server() -> Flask:
    begin_as_child()
    app = Flask("floor")
    bodies = [Path(name).read_bytes() for name in os.environ[BODIES].split(os.pathsep)]

    @app.get("/floor/<int:number>")
    def floor(number: int) -> Response:
        return Response(bodies[number], mimetype="application/json")

    return app


@contextmanager
def serving_floor(folder: Path, *bodies: bytes) -> Iterator[Server]:
    """Run the floor. Each of ``bodies`` has its own path."""
    files = [folder / f"floor-{number}" for number in range(len(bodies))]
    for file, body in zip(files, bodies, strict=True):
        file.write_bytes(body)
    port = free_port()
    command = [sys.executable, "-m", "bench.floor", str(port), *map(str, files)]
    with serving(command, port, clean_environment()) as server:
        yield server


def main() -> None:
    port, *files = sys.argv[1:]
    os.environ[BODIES] = os.pathsep.join(files)
    Granian(
        "bench.floor:create_server",
        factory=True,
        interface=Interfaces.WSGI,
        blocking_threads=1,
        address="127.0.0.1",
        port=int(port),
        workers=1,
        http=HTTPModes.http1,
        websockets=False,
        log_enabled=False,
    ).serve()


if __name__ == "__main__":
    main()
