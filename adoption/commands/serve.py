import ctypes
import multiprocessing
import os
import signal
import socket
import sqlite3
import sys
import time
from contextlib import closing
from urllib.request import ProxyHandler, build_opener

import click
from flask import current_app
from flask.cli import with_appcontext
from flask_migrate import upgrade
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops

from adoption.accounts.quota_stores import open_quota_store
from adoption.commands import saying_refusals
from adoption.database import db
from adoption.demo.welcome import Welcome, welcome
from adoption.errors import Unavailable
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
    tell_of_quotas(settings)
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
        workers_kill_timeout=20,  # a body has 15 seconds to come; a client that does not read has no more
        websockets=False,
        log_enabled=False,
    ).serve()
    close_files(settings)


def tell_of_quotas(settings: Settings) -> None:
    """Make the quota file before several workers want it at once; say so where requests cannot be counted."""
    store = open_quota_store(settings.quota_url)
    try:
        store.check()
    except Unavailable:
        click.echo("Warning: the quota store does not answer. /v1 answers 503 until it does.", err=True)
    finally:
        store.close()


def close_files(settings: Settings) -> None:
    """Fold SQLite's logs into their files, so that after a clean stop a copy of the files is whole."""
    urls = [url for url in (settings.database_url, settings.quota_url) if url.startswith("sqlite")]
    for url in urls:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


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
    die_with_parent()
    base = f"http://{ADDRESS}:{port}"
    while not answers(f"{base}/healthz"):
        time.sleep(0.05)
    lines = ["", "Homeward is running. Ctrl+C stops it.", "", f"  Catalogue   {base}/"]
    lines += [f"  Reference   {base}/docs/"]
    if demo is None:
        lines += ["", "  A key:      .venv/bin/homeward key create PROJECT"]
    else:
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
        # The machine's proxy is not for our own address.
        with build_opener(ProxyHandler({})).open(address, timeout=5):
            return True
    except OSError:
        return False


def die_with_parent() -> None:
    """Have the kernel end this worker when the server that started it is killed, so that its port is free."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
