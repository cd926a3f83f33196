"""A certificate authority (Pebble) and a TLS edge (Caddy) on the loopback interface, for trials and tests."""

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import ClassVar, TypeVar
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

ALONE = "127.0.0.1"

EDGE = Path(__file__).parent.parent / "edge"


@dataclass
class Daemon:
    """A program that runs in its own folder. It can be stopped, started again and paused."""

    folder: Path
    command: list[str]
    ports: tuple[int, ...]
    """The ports that the program listens on. The program has started when all of them are open."""
    environ: dict[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        # Only PATH comes from our environment, so that no proxy or setting has an effect.
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=own | self.environ, stdout=log, stderr=log
            )
        while not all(map(is_open, self.ports)):
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.02)

    def stop(self) -> None:
        """Kill the process, as in a machine failure."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        """Pause the process, so that connections to it wait."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    @property
    def log(self) -> Path:
        return self.folder / "log"


Some = TypeVar("Some", bound=Daemon)


def is_open(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex((ALONE, port)) == 0


@contextmanager
def running(daemon: Some) -> Iterator[Some]:
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.stop()


@dataclass
class Pebble(Daemon):
    """A certificate authority without storage. After a restart, it has a new root certificate and no
    accounts."""

    TLS: ClassVar = ("cert.pem", "key.pem")
    known_roots: list[str] = field(default_factory=list)

    def start(self) -> None:
        super().start()
        self.known_roots.append(self.newest_root())

    @property
    def directory(self) -> str:
        return f"https://{ALONE}:{self.ports[0]}/dir"

    @property
    def bundle(self) -> Path:
        """The file with the certificate that clients of the directory have to trust."""
        return self.folder / self.TLS[0]

    def roots(self) -> str:
        """Return all root certificates of issued certificates, as PEM. Each start adds a root certificate."""
        return "\n".join(self.known_roots)

    def newest_root(self) -> str:
        trusting = HTTPSHandler(context=ssl.create_default_context(cafile=self.bundle))
        with build_opener(ProxyHandler({}), trusting).open(
            f"https://{ALONE}:{self.ports[1]}/roots/0"
        ) as answer:
            return str(answer.read().decode())

    def issued(self, order: str) -> list[str]:
        """Return the hexadecimal serial numbers of the certificates issued for the order at this address."""
        number = re.escape(order.rpartition("/")[2])
        serials = re.findall(rf"Issued certificate serial (\w+) for order {number}\n", self.log.read_text())
        return [f"{int(serial, 16):x}" for serial in serials]  # Pebble adds leading zeros


@contextmanager
def pebble(
    dns: tuple[str, int],
    http_port: int,
    ports: tuple[int, int],
    environ: dict[str, str] | None = None,
    **rest: object,
) -> Iterator[Pebble]:
    """Run a Pebble that uses this DNS server and validates hosts at this HTTP port.

    ``ports`` are Pebble's own ports, for ACME and for management. ``rest`` is added to Pebble's
    configuration, for example ``domainBlocklist`` or ``certificateValidityPeriod``.
    """
    with tempfile.TemporaryDirectory(prefix="homeward-pebble-") as name:
        folder = Path(name)
        self_signed(folder, *Pebble.TLS, ALONE)
        listening, managing = (f"{ALONE}:{port}" for port in ports)
        configuration = {
            "listenAddress": listening,
            "managementListenAddress": managing,
            "certificate": Pebble.TLS[0],
            "privateKey": Pebble.TLS[1],
            "httpPort": http_port,
            "tlsPort": http_port,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": False,
        }
        (folder / "pebble.json").write_text(json.dumps({"pebble": configuration | rest}))
        command = ["pebble", "-config", "pebble.json", "-dnsserver", f"{dns[0]}:{dns[1]}"]
        # Turn off Pebble's random behaviour: delays, rejected nonces, and orders without a challenge.
        certain = {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_AUTHZREUSE": "0", "PEBBLE_WFE_NONCEREJECT": "0"}
        with running(Pebble(folder, command, ports, certain | (environ or {}))) as authority:
            yield authority


@dataclass
class Edge(Daemon):
    @property
    def http_port(self) -> int:
        return self.ports[0]

    @property
    def https_port(self) -> int:
        return self.ports[1]


@contextmanager
def caddy(
    app: int,
    internal: int,
    platform_host: str,
    ports: tuple[int, int],
    in_files: bool = True,
) -> Iterator[Edge]:
    """Run a Caddy with the production configuration, for an application and its listener at these ports.

    ``ports`` are Caddy's own ports, for HTTP and HTTPS. ``in_files`` is whether Caddy loads the platform's
    certificate from files.
    """
    with tempfile.TemporaryDirectory(prefix="homeward-caddy-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        environ = {
            "EDGE_BIND": ALONE,
            "EDGE_HTTP_PORT": str(ports[0]),
            "EDGE_HTTPS_PORT": str(ports[1]),
            "EDGE_APP": f"{ALONE}:{app}",
            "EDGE_INTERNAL": f"{ALONE}:{internal}",
            "EDGE_PLATFORM_HOST": platform_host,
            "XDG_CONFIG_HOME": str(folder),
        }
        if in_files:
            self_signed(folder, "platform.pem", "platform.key", platform_host, f"*.{platform_host}")
            environ |= {"EDGE_CERTIFICATE": str(folder / "platform.pem")}
            environ |= {"EDGE_KEY": str(folder / "platform.key")}
        with running(Edge(folder, [str(EDGE)], ports, environ)) as edge:
            yield edge


def self_signed(folder: Path, chain: str, key: str, *names: str) -> None:
    """Write a self-signed certificate for these hosts or addresses, and its key, to two files."""
    made, private_key = certificate_for(*names)
    (folder / chain).write_text(made)
    (folder / key).write_text(private_key)


def certificate_for(*names: str) -> tuple[str, str]:
    """Return a self-signed certificate and its key, both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Homeward trial")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([*map(general_name, names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    form, bare = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return (
        made.public_bytes(serialization.Encoding.PEM).decode(),
        key.private_bytes(serialization.Encoding.PEM, form, bare).decode(),
    )


def general_name(name: str) -> x509.GeneralName:
    return x509.IPAddress(IPv4Address(name)) if name == ALONE else x509.DNSName(name)
