"""Mail transports: a mail server or a folder of files. The setting ``HOMEWARD_MAIL_URL`` selects one.

Flask-Mailman was ruled out: it writes many emails to one file, stops at the first rejected email, and does
not check certificates with STARTTLS.
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
"""The timeout of each SMTP command, in seconds."""

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
    """A mail transport, used as a context manager."""

    sender: str

    def deliver(self, message: EmailMessage) -> None:
        """Deliver a message.

        Raises Undeliverable, Deferred or Unreachable, with the reason, if the message was not delivered.
        """

    def discard(self, ids: Iterable[str]) -> None:
        """Delete stored copies of the messages with these ids (``mime.message_id_of``)."""

    def discard_before(self, when: datetime) -> None:
        """Delete stored copies of messages that were delivered before ``when``."""

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
        for message_id in ids:
            with suppress(OSError):
                (self.folder / f"{message_id}.eml").unlink(missing_ok=True)

    def discard_before(self, when: datetime) -> None:
        for file in self.folder.glob("*.eml"):
            with suppress(OSError):
                if file.stat().st_mtime < when.timestamp():
                    file.unlink()


class SmtpServer:
    """A mail server with SMTP. All emails in one ``with`` block share one connection.

    STARTTLS is used if the server offers it. A name and a password are sent only over TLS to a server with a
    valid certificate. Without a name and a password, an invalid certificate is accepted: any encryption is
    better than none.
    """

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        self.sender = sender
        self.host = parts.hostname or ""
        self.name, self.password = unquote(parts.username or ""), unquote(parts.password or "")
        self.encrypted = parts.scheme == "smtps"
        default = PORT_WITH_PASSWORD if self.name and not self.encrypted else PORTS[parts.scheme]
        self.port = parts.port or default
        self.connection: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def deliver(self, message: EmailMessage) -> None:
        connection = self.connect()
        options = ["BODY=8BITMIME"] if connection.has_extn("8bitmime") else []
        try:
            connection.send_message(message, self.sender, mail_options=options)
        except smtplib.SMTPRecipientsRefused as refused:
            [(code, reply)] = refused.recipients.values()
            raise smtp_refusal(code, reply) from refused
        except smtplib.SMTPDataError as refused:
            raise smtp_refusal(refused.smtp_code, refused.smtp_error) from refused
        except (OSError, smtplib.SMTPException) as error:
            self.__exit__()
            raise Unreachable(f"The connection to the mail server failed: {error}") from error

    def discard(self, ids: Iterable[str]) -> None:
        """Do nothing: a server stores no copies for us."""

    def discard_before(self, when: datetime) -> None:
        """Do nothing: a server stores no copies for us."""

    def connect(self) -> smtplib.SMTP:
        if self.connection is None:
            try:
                self.connection = self.open_connection()
                self.start_session(self.connection)
            except (OSError, smtplib.SMTPException) as error:
                self.__exit__()
                raise Unreachable(
                    f"The mail server at {self.host}:{self.port} cannot be used: {error}"
                ) from error
        return self.connection

    def open_connection(self) -> smtplib.SMTP:
        if self.encrypted:
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(
                self.host, self.port, self.ehlo_name, timeout=SERVER_SECONDS, context=context
            )
        return smtplib.SMTP(self.host, self.port, self.ehlo_name, SERVER_SECONDS)

    def start_session(self, connection: smtplib.SMTP) -> None:
        connection.ehlo()
        if not self.encrypted and (self.name or connection.has_extn("starttls")):
            connection.starttls(context=self.tls_context())
        if self.name:
            connection.login(self.name, self.password)

    @property
    def ehlo_name(self) -> str:
        """The host name for EHLO.

        It is not the machine's own name. The lookup of that name can take seconds, and the name stays
        private.
        """
        return self.sender.rpartition("@")[2]

    def tls_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if not self.name:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


def smtp_refusal(code: int, reply: bytes | str) -> Exception:
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    reason = f"The mail server answered {code} {text}"
    return Undeliverable(reason) if code >= 500 else Deferred(reason)
