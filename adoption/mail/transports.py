"""Where mails go: a mail server, or files in a folder; ``HOMEWARD_MAIL_URL`` says which.

Flask-Mailman was looked at first. Its files are logs of many mails, it gives up a run at the first mail that
is refused, and its STARTTLS checks no certificate; what it would have left to use is less than this.
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
"""Of submission, which is where a name and a password are asked for (RFC 6409)."""


class Undeliverable(Exception):
    """This letter will never go out as it is."""


class Deferred(Exception):
    """This letter cannot go out now."""


class Unreachable(Exception):
    """No letter can go out now."""


class MailTransport(Protocol):
    """Takes mails while it is entered as a context."""

    sender: str

    def deliver(self, message: EmailMessage) -> None:
        """Raises Undeliverable, Deferred or Unreachable, each with the reason."""

    def discard(self, ids: Iterable[str]) -> None:
        """Delete the copies that it keeps of messages with these ids (``messages.id_of``)."""

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
    """One ``.eml`` a letter in a folder, for whoever has no mail server, or wants to look first."""

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
            # Whole from its first moment on, for whoever watches the folder.
            fresh.write_bytes(message.as_bytes())
            fresh.rename(self.folder / name)
        except OSError as error:
            with suppress(OSError):  # of a full disk a part has come
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
    """A mail server over SMTP; one connection, made for the first letter, serves all that follow.

    STARTTLS is used wherever the server offers it. A name and a password go out only after it, and only to
    a server whose certificate is good; without them any encryption is better than none.
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
        """What we call ourselves: to find the machine's own name can take seconds, and it says too much."""
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
