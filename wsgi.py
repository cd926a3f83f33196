"""The application: ``create_app`` for a WSGI server or ``flask --app wsgi``, and the ``homeward`` command."""

import gc

gc.disable()  # imported objects stay, and collecting them again and again is a fifth of the start

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apiflask import APIFlask, HTTPError
from flask import Response, request
from flask_migrate import Migrate
from htmx_flask.requests import HtmxAwareRequest
from werkzeug.exceptions import HTTPException

import api.errors
import portal.errors
from adoption import commands, jobs
from adoption.accounts.quotas.stores import storage_uri
from adoption.addresses import client_address
from adoption.commands.supervision import begin_as_child
from adoption.logs import set_up_logs
from adoption.private_files import keep_files_private
from adoption.projects.hosts import Hosts
from adoption.settings import Settings
from adoption.storage import queue
from adoption.storage.database import db, open_database
from api.bodies import StrictRequest
from portal import body_limits
from portal.access import address_of_client
from serving import compression
from serving.concurrency import READING, Limited, Policy, share_interpreter
from serving.flask_app import Service
from serving.granian_server import call_at_end
from serving.limiter import set_up_limiter
from serving.memory import return_large_blocks
from serving.watchdog import start_watchdog
from serving.worker_processors import worker_processors

gc.freeze()
gc.enable()

if TYPE_CHECKING:
    from adoption.commands.certificate_server import Listener

migrate = Migrate(directory=str(Path(__file__).parent / "adoption" / "migrations"), render_as_batch=True)


def create_app(settings: Settings | None = None) -> APIFlask:
    """Return the service. Raises SettingRefused for an invalid setting in the environment."""
    if settings is None:
        os.umask(0o077)
        settings = Settings.from_environment()
        keep_files_private(settings)
    app = Service(
        __name__, title="Homeward", version="1.0.0", spec_path=None, docs_path=None, static_folder="static"
    )
    app.config.update(SECRET_KEY=settings.secret_key, HOMEWARD=settings)
    app.url_map.merge_slashes = False
    app.extensions["homeward.hosts"] = Hosts(settings)
    compression.set_up(app)
    open_database(app, settings.database_url)
    migrate.init_app(app, db)
    queue.register_jobs(app, jobs.JOBS)
    limiter = set_up_limiter(app, storage_uri(settings.quota_url), address_of_client)
    api.register_api(app, app.extensions["homeward.quotas"])
    portal.register_pages(app, limiter)
    app.request_class = ServiceRequest
    commands.register_commands(app)
    answer_errors(app)
    return app


class ServiceRequest(StrictRequest, HtmxAwareRequest):  # type: ignore[misc]  # the latter has no types
    """Flask's request with the additions of the API and the pages."""


def answer_errors(app: APIFlask) -> None:
    """Answer errors of paths below /v1 as the API does, all others as pages."""

    def answer(error: Exception) -> Response:
        return (
            api.errors.error_response(error)
            if api.is_under_v1(request.path)
            else portal.errors.page_for(error)
        )

    for kind in (HTTPException, HTTPError, Exception):
        app.register_error_handler(kind, answer)


def create_server() -> Limited:
    """Return the application that each worker of ``homeward serve`` runs."""
    begin_as_child()
    return_large_blocks()
    share_interpreter()
    worker_processors.take()
    app = create_app()
    settings: Settings = app.config["HOMEWARD"]
    set_up_logs(settings.environment)
    limited = Limited(app, policy_of(app), settings.threads)
    call_at_end(app.extensions["homeward.tally"].end)
    start_watchdog(limited.started)
    return limited


def policy_of(app: APIFlask) -> Policy:
    """Return what the server needs to know about requests: their limits and clients."""
    settings: Settings = app.config["HOMEWARD"]

    def client_of(environ: dict[str, Any]) -> str:
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        return client_address(environ["REMOTE_ADDR"], forwarded, settings.trusted_proxies)

    def may_take_long(environ: dict[str, Any]) -> bool:
        path = environ["PATH_INFO"]
        if environ["REQUEST_METHOD"] in READING:
            # A browser requests the 50 photos of a list at the same time. One client has fewer slow places.
            return body_limits.is_staff_page(path) and not body_limits.is_staff_photo(path)
        return not api.is_under_v1(path)

    return Policy(
        partial(body_limits.largest_body_of, app),
        may_take_long,
        client_of,
        partial(body_limits.uploading_account, app),
    )


def create_listener() -> "Listener":
    """Return the server that sends certificates to TLS edges."""
    from adoption.certificates.key_encryption import Vault
    from adoption.commands.certificate_server import Listener

    begin_as_child()
    app = create_app()
    set_up_logs(app.config["HOMEWARD"].environment)
    return Listener(app, Vault(app.config["HOMEWARD"].certificate_keys))


def command_line() -> None:
    """The ``homeward`` command."""
    commands.run(commands.Homeward(create_app))


if __name__ == "__main__":
    command_line()
