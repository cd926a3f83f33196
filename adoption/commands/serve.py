import ctypes
import os
import signal
import sys

import click
from flask import current_app
from flask.cli import with_appcontext
from flask_migrate import upgrade
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops

from adoption.settings import Settings

PR_SET_PDEATHSIG = 1


@click.command("serve")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; HOMEWARD_WORKERS unless given.")
@click.option("--threads", type=click.IntRange(1, 64), help="Threads in each; HOMEWARD_THREADS unless given.")
@with_appcontext
def serve(workers: int | None, threads: int | None) -> None:
    """Bring the database up to date and serve pages and API."""
    settings: Settings = current_app.config["HOMEWARD"]
    if threads:
        os.environ["HOMEWARD_THREADS"] = str(threads)  # the workers read their settings themselves
    upgrade()
    click.echo(f"Homeward is at http://127.0.0.1:{settings.port}/", err=True)
    Granian(
        "wsgi:create_server",
        factory=True,
        interface=Interfaces.RSGI,
        address="127.0.0.1",
        port=settings.port,
        workers=workers or settings.workers,
        loop=Loops.uvloop,
        http=HTTPModes.http1,
        respawn_failed_workers=True,
        websockets=False,
        log_enabled=False,
    ).serve()


def die_with_parent() -> None:
    """Have the kernel end this worker when the server that started it is killed, so that its port is free."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
