import ctypes
import multiprocessing
import os
import signal
import socket
import sys
import time
from urllib.request import urlopen

import click
from flask import current_app
from flask.cli import with_appcontext
from flask_migrate import upgrade
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops

from adoption.commands import saying_refusals
from adoption.database import db
from adoption.demo.welcome import Welcome, welcome
from adoption.settings import Settings

ADDRESS = "127.0.0.1"
PR_SET_PDEATHSIG = 1


@click.command("serve")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; HOMEWARD_WORKERS unless given.")
@click.option("--threads", type=click.IntRange(1, 64), help="Threads in each; HOMEWARD_THREADS unless given.")
@with_appcontext
def serve(workers: int | None, threads: int | None) -> None:
    """Bring the database up to date and serve pages and API.

    In development an empty database is filled with made-up shelters and animals first.
    """
    settings: Settings = current_app.config["HOMEWARD"]
    if threads:
        os.environ["HOMEWARD_THREADS"] = str(threads)  # the workers read their settings themselves
    refuse_taken_port(settings.port)
    with saying_refusals():
        upgrade()
        demo = welcome() if settings.environment == "development" else None
    # The workers are forked from here: a connection or a thread of ours would come along half alive.
    db.engine.dispose()
    multiprocessing.Process(target=tell_when_ready, args=(settings.port, demo), daemon=True).start()
    Granian(
        "wsgi:create_server",
        factory=True,
        interface=Interfaces.RSGI,
        address=ADDRESS,
        port=settings.port,
        workers=workers or settings.workers,
        loop=Loops.uvloop,
        http=HTTPModes.http1,
        respawn_failed_workers=True,
        websockets=False,
        log_enabled=False,
    ).serve()


def refuse_taken_port(port: int) -> None:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((ADDRESS, port))
        except OSError as error:
            raise click.ClickException(
                f"Port {port} cannot be used ({error.strerror}). Choose another: PORT={port + 1} bin/serve"
            ) from error


def tell_when_ready(port: int, demo: Welcome | None) -> None:
    """Say where to look, once somebody answers there."""
    base = f"http://{ADDRESS}:{port}"
    while not answers(f"{base}/healthz"):
        time.sleep(0.05)
    lines = ["", "Homeward is running. Ctrl+C stops it.", "", f"  Catalogue   {base}/"]
    lines += [f"  Reference   {base}/docs/"]
    if demo:
        lines += [
            f"  Demo owner  {demo.email}, password {demo.password}",
            f"  Demo key    {demo.key}",
            "",
            f'  curl -H "Authorization: Bearer {demo.key}" "{base}/v1/pets?limit=3"',
        ]
    click.echo("\n".join([*lines, ""]))
    sys.stdout.flush()


def answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5):  # noqa: S310 - our own address
            return True
    except OSError:
        return False


def die_with_parent() -> None:
    """Have the kernel end this worker when the server that started it is killed, so that its port is free."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
