"""Daemons for tests, on ports of this test process.

A test is skipped if its program is not installed.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from deploy.trial import daemons
from deploy.trial.daemons import Edge, Pebble
from tests.servers import free_port, program


@contextmanager
def pebble(
    dns: tuple[str, int], http_port: int, environ: dict[str, str] | None = None, **rest: object
) -> Iterator[Pebble]:
    program("pebble")
    with daemons.pebble(dns, http_port, (free_port(), free_port()), environ, **rest) as authority:
        yield authority


@contextmanager
def caddy(
    app: int,
    internal: int,
    platform_host: str,
    ports: tuple[int, int] | None = None,
    in_files: bool = True,
) -> Iterator[Edge]:
    program("caddy")
    own = ports or (free_port(), free_port())
    with daemons.caddy(app, internal, platform_host, own, in_files) as edge:
        yield edge
