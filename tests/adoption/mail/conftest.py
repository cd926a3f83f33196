"""A mail server for tests, and a clock that tests set."""

import ssl
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from flask import Flask

from adoption.mail import outbox
from adoption.storage.database import transaction
from tests.servers import free_port, program

SENDER = "no-reply@homeward.example"


@dataclass
class MailServer:
    """A mail server that keeps received emails. Tests choose its responses."""

    port: int
    kept: list[EmailMessage] = field(default_factory=list)
    sayings: dict[str, str] = field(default_factory=dict)
    """Responses by recipient."""
    logins: list[tuple[str, str]] = field(default_factory=list)
    over_tls: bool = False
    controller: Controller | None = None

    @property
    def address(self) -> str:
        return f"smtp://localhost:{self.port}"

    def start(self, **rest: object) -> None:
        self.controller = Controller(self, hostname="localhost", port=self.port, **rest)
        self.controller.start()

    def stop(self) -> None:
        if self.controller is not None:
            self.controller.stop()
            self.controller = None

    async def handle_RCPT(  # noqa: N802 - named by aiosmtpd
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        said = self.sayings.get(address, "250 OK")
        if said.startswith("250"):
            envelope.rcpt_tos.append(address)
        return said

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        said = self.sayings.get("*", "250 OK")
        if said.startswith("250"):
            self.kept.append(message_from_bytes(envelope.original_content, policy=policy.SMTP))  # type: ignore
            self.over_tls = session.ssl is not None
        return said

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _how: str, given: object
    ) -> AuthResult:
        assert isinstance(given, LoginPassword)
        self.logins.append((given.login.decode(), given.password.decode()))
        return AuthResult(success=given.password == b"let me: in", handled=False)

    @property
    def recipients(self) -> list[str]:
        return [str(mail["To"]) for mail in self.kept]


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server that is not started yet."""
    server = MailServer(free_port())
    yield server
    server.stop()


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A trusted certificate for localhost."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    for_localhost = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    of_a_kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made = [program("openssl"), "req", "-x509", *of_a_kind, *for_localhost, "-keyout", key, "-out", cert]
    subprocess.run(made, check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


@dataclass
class Clock:
    now: datetime = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def write(app: Flask, clock: Clock) -> Callable[..., None]:
    """Return a function that adds an email to the outbox."""

    def put(
        recipient: str = "sam@example.org", subject: str = "Hello", text: str = "A text.\n", **rest: str
    ) -> None:
        with transaction() as session:
            outbox.add_email(session, recipient, subject, text, now=clock(), **rest)

    return put
