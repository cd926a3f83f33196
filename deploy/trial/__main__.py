"""A trial of custom domains on one machine, without the internet: ``bin/try-domains``.

The command starts a DNS server, a certificate authority (Pebble), a TLS edge (Caddy) and the service with
demo data, all on the loopback interface. At the end, the command stops these programs and deletes their
files.
"""

import os
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from adoption.domains.dns_transport import DnsServer
from deploy.trial.daemons import ALONE, Daemon, Pebble, caddy, is_open, pebble, running
from deploy.trial.instructions import INSTALL, instructions
from deploy.trial.name_server import serving
from deploy.trial.records import RecordsFile

TARGET = "sites.homeward.example"
PLATFORM = "localhost"


class Service(Daemon):
    """``homeward serve``. It is terminated instead of killed, so that its child processes end too."""

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait()


@dataclass(frozen=True)
class Ports:
    app: int
    http: int
    https: int

    @classmethod
    def from_environment(cls) -> "Ports":
        usual = {"PORT": 8000, "EDGE_HTTP_PORT": 8080, "EDGE_HTTPS_PORT": 8443}
        ports = {name: int(os.environ.get(name) or port) for name, port in usual.items()}
        for name, port in ports.items():
            if is_open(port):
                sys.exit(f"Port {port} is in use. Choose another: {name}={port + 10} bin/try-domains")
        return cls(*ports.values())


def main() -> None:
    refuse_missing_programs()
    ports = Ports.from_environment()
    # ``kill`` and closing the terminal end the trial like Ctrl-C, even if it was started in the background.
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.default_int_handler)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="homeward-trial-") as folder,
            trial(Path(folder), ports) as parts,
        ):
            wait_for_an_end(parts)
    except KeyboardInterrupt:
        print("Stopped. The trial's files are deleted.", file=sys.stderr)


def refuse_missing_programs() -> None:
    missing = [name for name in INSTALL if shutil.which(name) is None]
    for name in missing:
        print(f"{name} is not installed. {INSTALL[name]}", file=sys.stderr)
    if missing:
        sys.exit(f"Install {' and '.join(missing)}, then start bin/try-domains again.")


def free_ports(count: int) -> list[int]:
    """Return distinct free ports."""
    with ExitStack() as held:
        servers = [held.enter_context(socket.create_server((ALONE, 0))) for _ in range(count)]
        return [server.getsockname()[1] for server in servers]


@contextmanager
def trial(folder: Path, ports: Ports) -> Iterator[list[Daemon]]:
    """Start all programs, print instructions, and stop the programs at the end."""
    with ExitStack() as parts:
        dns = parts.enter_context(serving(RecordsFile(folder / "records.txt", f"{TARGET} A {ALONE}")))
        internal, directory, management = free_ports(3)
        authority = parts.enter_context(pebble((dns.address, dns.port), ports.http, (directory, management)))
        (folder / "root.pem").write_text(authority.roots())
        settings = settings_of(folder, ports, dns, authority, internal)
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in settings.items()]
        (folder / "settings.sh").write_text("".join(lines))
        print("Starting the service with demo data ...", file=sys.stderr)
        command = [sys.executable, "-m", "wsgi", "serve"]
        environ = {**settings, "PYTHONPATH": str(Path.cwd())}
        service = parts.enter_context(running(Service(folder, command, (ports.app, internal), environ)))
        edge = parts.enter_context(caddy(ports.app, internal, PLATFORM, (ports.http, ports.https)))
        print(instructions(folder, ports.app, edge, TARGET), flush=True)
        parts.callback(signal.signal, signal.SIGINT, signal.SIG_IGN)  # ignore a second Ctrl-C meanwhile
        yield [authority, service, edge]


def settings_of(
    folder: Path, ports: Ports, dns: DnsServer, authority: Pebble, internal: int
) -> dict[str, str]:
    """Return the service's settings. The platform's host is the default, ``localhost`` with the port."""
    return {
        "HOMEWARD_INSTANCE": str(folder / "instance"),
        "HOMEWARD_WORKERS": "1",
        "HOMEWARD_CNAME_TARGET": TARGET,
        "HOMEWARD_DNS_SERVERS": f"{dns.address}:{dns.port}",
        "HOMEWARD_ACME_DIRECTORY": authority.directory,
        "HOMEWARD_ACME_CA_BUNDLE": str(authority.bundle),
        "HOMEWARD_INTERNAL_LISTEN": f"{ALONE}:{internal}",
        "HOMEWARD_EDGE": f"{ALONE}:{ports.https}",
        "HOMEWARD_TRUSTED_PROXIES": ALONE,
        "PORT": str(ports.app),
    }


def wait_for_an_end(parts: list[Daemon]) -> None:
    """Wait without end. Exit if one of the programs has ended."""
    while True:
        time.sleep(0.5)
        for part in parts:
            if part.process is not None and part.process.poll() is not None:
                sys.exit(f"{part.command[0]} has ended:\n{part.log.read_text()[-2000:]}")


if __name__ == "__main__":
    main()
