import logging
import multiprocessing
import os
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from urllib.request import ProxyHandler, build_opener

import click
from flask import Flask, current_app
from flask.cli import ScriptInfo, pass_script_info, with_appcontext
from flask_migrate import upgrade

from adoption.accounts.quotas.configured_storage import open_quota_storage
from adoption.commands import saying_refusals
from adoption.commands.startup_warnings import warnings_of
from adoption.commands.supervision import (
    ServerEnding,
    SupervisedProcess,
    begin_as_child,
    hold_sigterm_in_forks,
)
from adoption.commands.worker import FORK, begin_keeper
from adoption.errors import Unavailable
from adoption.logs import set_up_logs
from adoption.settings import Settings
from adoption.storage.database import db
from demo.first_run import DemoSignIn, load_on_first_run
from serving.cpu_affinity import worker_processors
from serving.granian_server import ADDRESS, WebServer, web_server
from serving.malloc_and_garbage_collection import prepare_fork
from serving.replaced_worker_logs import log_replacements

log = logging.getLogger("homeward.serve")


@click.command("serve")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes. Default: HOMEWARD_WORKERS.")
@click.option(
    "--threads", type=click.IntRange(1, 64), help="Threads in each process. Default: HOMEWARD_THREADS."
)
@pass_script_info
@with_appcontext
def serve(info: ScriptInfo, workers: int | None, threads: int | None) -> None:
    """Bring the database up to date, serve pages and API, and run the queue.

    In development an empty database is filled with made-up shelters and animals first.
    """
    settings: Settings = current_app.config["HOMEWARD"]
    set_up_logs(settings.environment)
    if threads:
        os.environ["HOMEWARD_THREADS"] = str(threads)  # the workers read their own settings
    refuse_taken_port(ADDRESS, settings.port, f"Choose another: PORT={settings.port + 1} bin/serve")
    if settings.orders_certificates:
        refuse_taken_port(*settings.internal_listen, "Choose another port with HOMEWARD_INTERNAL_LISTEN.")
    with saying_refusals():
        upgrade()
        demo = load_demo_in_child() if settings.environment == "development" else None
    prepare_quota_store(settings)
    for sentence in warnings_of(settings, os.environ):
        log.warning(sentence, extra={"event": "settings_warning"})
    # The workers are forked from this process: they cannot use its connections and threads.
    db.engine.dispose()
    hold_sigterm_in_forks()
    prepare_fork()
    # Until all processes are started and can be stopped in order.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    multiprocessing.Process(target=print_when_ready, args=(settings.port, demo), daemon=True).start()
    web = web_server("wsgi:create_server", settings.port, workers or settings.workers)
    ending = ServerEnding()
    processes = list(start_processes(info.load_app(), lambda: ending.begun))
    log_replacements(lambda: ending.begun)
    worker_processors.open()
    try:
        serve_web(web, ending)
    finally:
        for each in processes:
            each.stop()
    close_files(settings)


def start_processes(app: Flask, is_ending: Callable[[], bool]) -> Iterator[SupervisedProcess]:
    """Start the processes that run next to the web workers. Each step of the iterator starts one process."""
    settings: Settings = app.config["HOMEWARD"]
    yield SupervisedProcess("queue keeper", lambda: begin_keeper(app), is_ending)
    if settings.orders_certificates:
        # Imported here with cryptography, which few installations use.
        from adoption.commands.certificate_server import begin_listener

        yield SupervisedProcess("listener for edges", lambda: begin_listener(settings), is_ending)


def serve_web(web: WebServer, ending: ServerEnding) -> None:
    """Serve until SIGTERM or SIGINT."""

    def unblock_sigint() -> None:
        ending.listen()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        if ending.begun:
            sys.exit()  # before a worker starts that would have to stop at once

    web.on_startup(unblock_sigint)
    try:
        web.serve()
    except SystemExit:
        # If all processes were signalled, workers may end first, which granian reports as a fault.
        if not ending.begun:
            log.error(
                "The service ends: a web worker died again within seconds.", extra={"event": "service_failed"}
            )
            raise


def load_demo_in_child() -> DemoSignIn | None:
    """Load the demo in another process, because a process with the photo store's threads must not fork."""
    db.engine.dispose()
    with ProcessPoolExecutor(1, mp_context=FORK) as child:
        return child.submit(load_on_first_run).result()


def prepare_quota_store(settings: Settings) -> None:
    """Make the quota file before several workers use it. Log if requests cannot be counted."""
    store = open_quota_storage(settings.quota_url)
    try:
        store.require_available()
    except Unavailable:
        log.warning("The quota store does not answer. /v1 answers 503 until the store answers.")
    finally:
        store.close()


def close_files(settings: Settings) -> None:
    """Write SQLite's logs to their files, so that after a clean stop a copy of the files is complete."""
    stores = (settings.database_url, settings.quota_url, settings.queue_url)
    urls = [url for url in stores if url.startswith("sqlite")]
    for url in urls:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def refuse_taken_port(address: str, port: int, fix: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((address, port))
        except OSError as error:
            raise click.ClickException(f"Port {port} cannot be used ({error.strerror}). {fix}") from error


def print_when_ready(port: int, demo: DemoSignIn | None) -> None:
    """Print the addresses once the server answers."""
    begin_as_child()
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
        # Without the machine's proxy: this is a local address.
        with build_opener(ProxyHandler({})).open(address, timeout=5):
            return True
    except OSError:
        return False
