"""The application: ``create_app`` for a WSGI server or ``flask --app wsgi``, and the ``homeward`` command."""

import gc

gc.disable()  # imported objects stay, and collecting them again and again is a fifth of the start

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apiflask import APIFlask, HTTPError
from flask import Response
from flask_migrate import Migrate
from htmx_flask.requests import HtmxAwareRequest
from werkzeug.exceptions import HTTPException

import api.errors
import portal.error_pages
from adoption import commands, jobs
from adoption.accounts.api_access.usage import UsageTally
from adoption.accounts.quotas.configured_storage import storage_uri
from adoption.commands.supervision import begin_as_child
from adoption.file_permissions import keep_files_private
from adoption.logs import set_up_logs
from adoption.projects.request_hosts import Hosts
from adoption.request_context import Interface, RequestContexts, current_request, path_of
from adoption.settings import Settings
from adoption.storage import queue
from adoption.storage.database import db, open_database
from api import petfinder
from api.bodies import StrictRequest
from api.http_rules import check_request, demand_length
from api.quotas import PlanWindows
from api.responses import extend_headers
from portal import body_limits
from portal.before_request import check_page_request
from portal.headers import add_page_headers
from serving import compression
from serving.concurrent_request_limits import READING, Limited, Policy, share_interpreter
from serving.cpu_affinity import worker_processors
from serving.flask_application_class import Service
from serving.flask_limiter_setup import set_up_limiter
from serving.granian_server import call_at_end
from serving.malloc_and_garbage_collection import return_large_blocks
from serving.watchdog import start_watchdog

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
    hosts = app.extensions["homeward.hosts"] = Hosts(settings)
    contexts = app.extensions["homeward.contexts"] = RequestContexts(settings, hosts, api.interface_of)
    app.wsgi_app = contexts.around(app.wsgi_app)  # type: ignore[assignment,method-assign]
    compression.set_up(app)
    open_database(app, settings.database_url)
    migrate.init_app(app, db)
    queue.register_jobs(app, jobs.JOBS)
    limiter = set_up_limiter(app, storage_uri(settings.quota_url), lambda: current_request().client_address)
    api.register_api(app)
    portal.register_pages(app, limiter)
    app.request_class = ServiceRequest
    commands.register_commands(app)
    check_requests(app)
    answer_errors(app)
    return app


class ServiceRequest(StrictRequest, HtmxAwareRequest):
    """Flask's request with the additions of the API and the pages."""


BODY_UNREAD = (411, 413)
"""Statuses of a request whose body is not read. The rest of it would be taken for the next request."""


def check_requests(app: APIFlask) -> None:
    """Check each request, complete each response, and count those under /v1 for the owner's usage page."""
    settings: Settings = app.config["HOMEWARD"]
    windows = PlanWindows(app.extensions["homeward.quotas"])
    tally = app.extensions["homeward.tally"] = UsageTally(app)

    # One hook before and one after: each costs a list about 1.5 % of its CPU.
    @app.before_request
    def check() -> Response | None:
        context = current_request()
        if context.interface is Interface.V1:
            return api.check_api_request(app, windows)
        if context.interface is Interface.PETFINDER:
            return petfinder.check_petfinder_request(app, windows)
        check_request(app, context)
        demand_length(context.environ)
        return check_page_request()

    @app.after_request
    def complete(response: Response) -> Response:
        context = current_request()
        headers = [("X-Request-Id", context.request_id)]
        if response.status_code in BODY_UNREAD:
            headers.append(("Connection", "close"))
        if context.interface is not Interface.PAGES:
            headers += (
                api.response_headers(context, settings)
                if context.interface is Interface.V1
                else petfinder.response_headers(context, settings)
            )
            if context.caller is not None:
                tally.count(context.caller.account_id, response.status_code, context.now)
        else:
            add_page_headers(response)
        return extend_headers(response, headers)


def answer_errors(app: APIFlask) -> None:
    """Answer each error in the form of its interface: of /v1, of Petfinder or of pages."""
    responses = {
        Interface.V1: api.errors.error_response,
        Interface.PETFINDER: petfinder.error_response,
        Interface.PAGES: portal.error_pages.page_for,
    }

    def answer(error: Exception) -> Response:
        return responses[current_request().interface](error)

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
    contexts: RequestContexts = app.extensions["homeward.contexts"]

    def may_take_long(environ: dict[str, Any]) -> bool:
        path = path_of(environ)
        if environ["REQUEST_METHOD"] in READING:
            # A browser requests the 50 photos of a list at the same time. One client has fewer slow places.
            return body_limits.is_staff_page(path) and not body_limits.is_staff_photo(path)
        return api.interface_of(path) is Interface.PAGES

    return Policy(
        partial(body_limits.largest_body_of, app),
        may_take_long,
        contexts.client_of,
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
