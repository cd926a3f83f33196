"""The server of certificates with their private keys, on an address that only TLS edges reach.

This server is separate from the public service, because a fault in the public service could send private keys
to anyone. The protocols are Caddy's ``get_certificate http`` and ``on_demand_tls ask``.
"""

import multiprocessing
from collections.abc import Callable, Iterable
from multiprocessing.process import BaseProcess
from typing import Any
from urllib.parse import parse_qs

import click
from flask import Flask
from granian import Granian
from granian.constants import HTTPModes, Interfaces

from adoption.certificates.certificate_lookup import certificate_for, platform_certificate_for
from adoption.certificates.key_encryption import KeyLost, Vault
from adoption.certificates.lost_key_reorders import reorder_certificate
from adoption.certificates.platform import orders as platform_orders
from adoption.clocks import Clock, utc_now
from adoption.commands.supervision import begin_as_child, call_process
from adoption.domains.visited_host_checks import check_visited
from adoption.projects.request_hosts import bare_host
from adoption.settings import Settings

PASSED_ON = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_VIA")
"""Headers that proxies add. Edges connect directly, so a request with such a header comes from outside."""

Answer = tuple[str, list[tuple[str, str]], bytes]
PLAIN = ("Content-Type", "text/plain; charset=utf-8")
NOTHING: Answer = ("204 No Content", [], b"")
NOT_HERE: Answer = ("404 Not Found", [PLAIN], b"There is nothing here.\n")
NEVER: Answer = ("403 Forbidden", [PLAIN], b"Certificates are ordered by the service, and by no edge.\n")


class Listener:
    """A WSGI application. ``/cert?server_name=HOST`` returns PEM (RFC 7468) or 204. ``/deny`` returns 403."""

    def __init__(self, app: Flask, vault: Vault, now: Clock = utc_now) -> None:
        self.app = app
        self.vault = vault
        self.now = now
        settings: Settings = app.config["HOMEWARD"]
        ordered = settings.orders_platform_certificate
        self.platform_host = settings.platform_name if ordered else ""

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        status, headers, body = self.answer(environ)
        start_response(status, [*headers, ("Content-Length", str(len(body))), ("Cache-Control", "no-store")])
        return [body]

    def answer(self, environ: dict[str, Any]) -> Answer:
        path = environ["PATH_INFO"]
        if environ["REQUEST_METHOD"] != "GET" or any(name in environ for name in PASSED_ON):
            return NOT_HERE
        if path == "/deny":
            return NEVER
        if path != "/cert":
            return NOT_HERE
        [name, *_] = parse_qs(environ["QUERY_STRING"]).get("server_name", [""])
        host = bare_host(name)
        return self.certificate(host) if host else NOTHING

    def certificate(self, host: str) -> Answer:
        platform = self.platform_host
        is_platform = bool(platform) and f".{host}".endswith(f".{platform}")
        with self.app.app_context():
            kept = platform_certificate_for(host, platform) if is_platform else certificate_for(host)
            if kept is None and not is_platform:
                check_visited(host, self.now())
        if kept is None:
            return NOTHING
        try:
            private_key = self.vault.open(kept.private_key)
        except KeyLost:
            click.echo(f"The private key of {host} cannot be opened with HOMEWARD_CERTIFICATE_KEY.", err=True)
            with self.app.app_context():
                if is_platform:
                    platform_orders.reorder_platform_certificate(platform, self.now())
                else:
                    reorder_certificate(host, self.now())
            return NOTHING
        pem = kept.chain.rstrip("\n") + "\n" + private_key
        return "200 OK", [("Content-Type", "application/pem-certificate-chain")], pem.encode()


def run_listener(settings: Settings) -> None:
    """Run the certificate server until SIGTERM."""
    begin_as_child()
    call_process("homeward-certs")
    address, port = settings.internal_listen
    Granian(
        "wsgi:create_listener",
        factory=True,
        interface=Interfaces.WSGI,
        address=address,
        port=port,
        workers=1,
        blocking_threads=1,
        http=HTTPModes.http1,
        respawn_failed_workers=True,
        workers_kill_timeout=5,  # its requests are short
        websockets=False,
        log_enabled=False,
    ).serve()


def begin_listener(settings: Settings) -> BaseProcess:
    process = multiprocessing.Process(target=run_listener, args=(settings,))
    process.start()
    return process
