"""Mail transports: a mail server or a folder of files, as ``HOMEWARD_MAIL_URL`` says.

Flask-Mailman was ruled out: its files are logs of many emails, it stops at the first email that is refused,
and its STARTTLS checks no certificate.
"""

import os
import smtplib
import ssl
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import unquote, urlsplit

from adoption.settings import Settings

SERVER_SECONDS = 20
"""How long each step of a mail server may take."""

PORTS = {"smtp": 25, "smtps": 465}
PORT_WITH_PASSWORD = 587
"""The port of mail submission, which requires a name and a password (RFC 6409)."""


class Undeliverable(Exception):
    """This email can never be sent."""


class Deferred(Exception):
    """This email cannot be sent now."""


class Unreachable(Exception):
    """No email can be sent now."""


class MailTransport(Protocol):
    """Delivers emails inside its context."""

    sender: str

    def deliver(self, message: EmailMessage) -> None:
        """Deliver a message. Raises Undeliverable, Deferred or Unreachable, with the reason."""

    def discard(self, ids: Iterable[str]) -> None:
        """Delete the copies that it keeps of messages with these ids (``mime.message_id_of``)."""

    def discard_before(self, when: datetime) -> None:
        """Delete the copies that it keeps of messages delivered earlier."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def transport_from_settings(settings: Settings) -> MailTransport:
    sender = f"no-reply@{settings.platform_host.partition(':')[0]}"
    if settings.mail_url.startswith("file:"):
        return MailFolder(Path(unquote(urlsplit(settings.mail_url).path)), sender)
    return SmtpServer(settings.mail_url, sender)


class MailFolder:
    """A folder with one ``.eml`` file per email, for installations without a mail server."""

    def __init__(self, folder: Path, sender: str) -> None:
        self.folder, self.sender = folder, sender

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def deliver(self, message: EmailMessage) -> None:
        name = f"{message['Message-ID'].partition('@')[0].strip('<')}.eml"
        fresh = self.folder / f"{name}.{os.getpid()}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Renamed when complete, so that programs that watch the folder never read a part.
            fresh.write_bytes(message.as_bytes())
            fresh.rename(self.folder / name)
        except OSError as error:
            with suppress(OSError):  # a full disk leaves a partial file
                fresh.unlink(missing_ok=True)
            raise Unreachable(f"The folder {self.folder} cannot be written: {error.strerror}") from error

    def discard(self, ids: Iterable[str]) -> None:
        for each in ids:
            with suppress(OSError):
                (self.folder / f"{each}.eml").unlink(missing_ok=True)

    def discard_before(self, when: datetime) -> None:
        for file in self.folder.glob("*.eml"):
            with suppress(OSError):
                if file.stat().st_mtime < when.timestamp():
                    file.unlink()


class SmtpServer:
    """A mail server over SMTP. The first email opens a connection, which the following ones use too.

    STARTTLS is used if the server offers it. A name and a password are sent only after it, and only to a
    server with a valid certificate. Without them any encryption is better than none.
    """

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        self.sender = sender
        self.host = parts.hostname or ""
        self.name, self.password = unquote(parts.username or ""), unquote(parts.password or "")
        self.encrypted = parts.scheme == "smtps"
        usual = PORT_WITH_PASSWORD if self.name and not self.encrypted else PORTS[parts.scheme]
        self.port = parts.port or usual
        self.connection: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def deliver(self, message: EmailMessage) -> None:
        connection = self.connected()
        options = ["BODY=8BITMIME"] if connection.has_extn("8bitmime") else []
        try:
            connection.send_message(message, self.sender, mail_options=options)
        except smtplib.SMTPRecipientsRefused as refused:
            [(code, said)] = refused.recipients.values()
            raise smtp_refusal(code, said) from refused
        except smtplib.SMTPDataError as refused:
            raise smtp_refusal(refused.smtp_code, refused.smtp_error) from refused
        except (OSError, smtplib.SMTPException) as error:
            self.__exit__()
            raise Unreachable(f"The mail server stopped: {error}") from error

    def discard(self, ids: Iterable[str]) -> None:
        """A server keeps nothing for us."""

    def discard_before(self, when: datetime) -> None:
        """A server keeps nothing for us."""

    def connected(self) -> smtplib.SMTP:
        if self.connection is None:
            try:
                self.connection = self.dialled()
                self.introduce(self.connection)
            except (OSError, smtplib.SMTPException) as error:
                self.__exit__()
                raise Unreachable(f"The mail server at {self.host}:{self.port}: {error}") from error
        return self.connection

    def dialled(self) -> smtplib.SMTP:
        if self.encrypted:
            checked = ssl.create_default_context()
            return smtplib.SMTP_SSL(self.host, self.port, self.here, timeout=SERVER_SECONDS, context=checked)
        return smtplib.SMTP(self.host, self.port, self.here, SERVER_SECONDS)

    def introduce(self, connection: smtplib.SMTP) -> None:
        connection.ehlo()
        if not self.encrypted and (self.name or connection.has_extn("starttls")):
            connection.starttls(context=self.tls())
        if self.name:
            connection.login(self.name, self.password)

    @property
    def here(self) -> str:
        """The host name for EHLO. Looking up the machine's own name can take seconds, and would reveal it."""
        return self.sender.rpartition("@")[2]

    def tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if not self.name:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


def smtp_refusal(code: int, said: bytes | str) -> Exception:
    words = said.decode(errors="replace") if isinstance(said, bytes) else said
    reason = f"The mail server said {code} {words}"
    return Undeliverable(reason) if code >= 500 else Deferred(reason)
