"""A certificate authority and edges, real ones, which a test can stop, start again, and hold still."""

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

from tests.servers import ALONE, free_port, program

EDGE = Path(__file__).parent.parent.parent / "deploy" / "edge"


@dataclass
class Daemon:
    """A program in a folder of its own, which a test can stop, start again, and hold still."""

    folder: Path
    command: list[str]
    ports: tuple[int, ...]
    """It has started once all of them are open."""
    environ: dict[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        # Nothing of ours but where programs are: no proxy, no settings.
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=own | self.environ, stdout=log, stderr=log
            )
        while not all(map(is_open, self.ports)):
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.02)

    def stop(self) -> None:
        """At once, as a machine that fails."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def hold(self) -> None:
        """Have it answer nobody, and keep whoever asks waiting."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def let_go(self) -> None:
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
    """A certificate authority that keeps nothing: started again it is another one, and knows nobody."""

    TLS: ClassVar = ("cert.pem", "key.pem")

    @property
    def directory(self) -> str:
        return f"https://{ALONE}:{self.ports[0]}/dir"

    @property
    def bundle(self) -> Path:
        """By which that address is trusted."""
        return self.folder / self.TLS[0]

    def root(self) -> str:
        """The certificate by which those that it issues are trusted, as PEM."""
        trusting = HTTPSHandler(context=ssl.create_default_context(cafile=self.bundle))
        with build_opener(ProxyHandler({}), trusting).open(
            f"https://{ALONE}:{self.ports[1]}/roots/0"
        ) as answer:
            return str(answer.read().decode())

    def issued(self, order: str) -> list[str]:
        """The serial numbers, hexadecimal, of what it has issued for the order at this address."""
        number = re.escape(order.rpartition("/")[2])
        told = re.findall(rf"Issued certificate serial (\w+) for order {number}\n", self.log.read_text())
        return [f"{int(serial, 16):x}" for serial in told]  # without the noughts that it fills up with


@contextmanager
def pebble(
    dns: tuple[str, int], http_port: int, environ: dict[str, str] | None = None, **rest: object
) -> Iterator[Pebble]:
    """A Pebble that asks this DNS server, and looks at this port for what a host answers.

    ``rest`` goes into its configuration, such as ``domainBlocklist`` or ``certificateValidityPeriod``.
    """
    with tempfile.TemporaryDirectory(prefix="homeward-pebble-") as name:
        folder, ports = Path(name), (free_port(), free_port())
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
        command = [program("pebble"), "-config", "pebble.json", "-dnsserver", f"{dns[0]}:{dns[1]}"]
        # What it does at random elsewhere it does not here: waits, and orders that need no challenge.
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
    ports: tuple[int, int] | None = None,
    in_files: bool = True,
) -> Iterator[Edge]:
    """A Caddy with the configuration of production, before an application and its listener at these ports.

    ``ports`` are its own, for HTTP and HTTPS; ``in_files``: whether it has the platform's certificate itself.
    """
    with tempfile.TemporaryDirectory(prefix="homeward-caddy-", ignore_cleanup_errors=True) as name:
        folder, own = Path(name), ports or (free_port(), free_port())
        environ = {
            "EDGE_BIND": ALONE,
            "EDGE_HTTP_PORT": str(own[0]),
            "EDGE_HTTPS_PORT": str(own[1]),
            "EDGE_APP": f"{ALONE}:{app}",
            "EDGE_INTERNAL": f"{ALONE}:{internal}",
            "EDGE_PLATFORM_HOST": platform_host,
            "XDG_CONFIG_HOME": str(folder),
        }
        if in_files:
            self_signed(folder, "platform.pem", "platform.key", platform_host, f"*.{platform_host}")
            environ |= {"EDGE_CERTIFICATE": str(folder / "platform.pem")}
            environ |= {"EDGE_KEY": str(folder / "platform.key")}
        program("caddy")
        with running(Edge(folder, [str(EDGE)], own, environ)) as edge:
            yield edge


def self_signed(folder: Path, chain: str, key: str, *names: str) -> None:
    """Write a certificate for these hosts or addresses, and its key, to files of these names."""
    made, private_key = certificate_for(*names)
    (folder / chain).write_text(made)
    (folder / key).write_text(private_key)


def certificate_for(*names: str) -> tuple[str, str]:
    """A certificate that nobody signed but itself, and its key, both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Homeward's tests")])
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
