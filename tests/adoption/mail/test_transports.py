"""Email transports: SMTP with and without encryption, and files."""

import ssl
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from adoption.mail.outbox import send_due
from adoption.mail.transports import MailFolder, SmtpServer, transport_from_settings
from adoption.settings import Settings
from tests.adoption.mail.conftest import SENDER, Clock, MailServer
from tests.disks import limit_file_size
from tests.mailbox import stored_emails

Write = Callable[..., None]
PASSWORD = "let%20me%3A%20in"


def test_a_password_is_sent_over_starttls(
    write: Write, mail_server: MailServer, certificate: ssl.SSLContext, clock: Clock
) -> None:
    mail_server.start(tls_context=certificate, authenticator=mail_server.authenticate)
    write()
    post = SmtpServer(f"smtp://sam%40example.org:{PASSWORD}@localhost:{mail_server.port}", SENDER)
    assert send_due(post, clock) == 1
    assert mail_server.logins == [("sam@example.org", "let me: in")]
    assert mail_server.over_tls


def test_a_password_is_never_sent_without_encryption(
    write: Write, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start(authenticator=mail_server.authenticate, auth_require_tls=False)
    write()
    assert send_due(SmtpServer(f"smtp://sam:{PASSWORD}@localhost:{mail_server.port}", SENDER), clock) == 0
    assert mail_server.logins == []
    assert "STARTTLS" in stored_emails()[0].failure


def test_a_password_is_not_sent_to_a_server_with_an_untrusted_certificate(
    write: Write,
    mail_server: MailServer,
    certificate: ssl.SSLContext,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    mail_server.start(tls_context=certificate, authenticator=mail_server.authenticate)
    write()
    assert send_due(SmtpServer(f"smtp://sam:{PASSWORD}@localhost:{mail_server.port}", SENDER), clock) == 0
    assert mail_server.logins == []
    assert "certificate" in stored_emails()[0].failure.lower()


def test_a_wrong_password_is_retried_later(
    write: Write, mail_server: MailServer, certificate: ssl.SSLContext, clock: Clock
) -> None:
    mail_server.start(tls_context=certificate, authenticator=mail_server.authenticate)
    write()
    assert send_due(SmtpServer(f"smtp://sam:wrong@localhost:{mail_server.port}", SENDER), clock) == 0
    assert stored_emails()[0].next_try_at is not None


def test_without_a_password_an_untrusted_certificate_is_accepted(
    write: Write,
    mail_server: MailServer,
    certificate: ssl.SSLContext,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    mail_server.start(tls_context=certificate)
    write()
    assert send_due(SmtpServer(mail_server.address, SENDER), clock) == 1
    assert mail_server.over_tls


def test_smtps_is_encrypted_from_the_start(
    write: Write, mail_server: MailServer, certificate: ssl.SSLContext, clock: Clock
) -> None:
    mail_server.start(ssl_context=certificate)
    write()
    assert send_due(SmtpServer(f"smtps://localhost:{mail_server.port}", SENDER), clock) == 1


@pytest.mark.parametrize(
    ("url", "port"),
    [
        ("smtp://mail.example", 25),
        ("smtp://sam:x@mail.example", 587),
        ("smtps://mail.example", 465),
        ("smtps://sam:x@mail.example:2465", 2465),
    ],
)
def test_the_default_port_depends_on_the_scheme(url: str, port: int) -> None:
    assert SmtpServer(url, SENDER).port == port


def test_emails_are_private_files_one_each(write: Write, clock: Clock, tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    for name in ("Zoë", "Søren"):
        write(subject=f"Hello {name}", text=f"Dear {name}\nhttps://homeward.example/{'x' * 200}\n")
    assert send_due(MailFolder(folder, SENDER), clock) == 2
    mails = sorted(folder.glob("*.eml"))
    subjects = [message_from_bytes(file.read_bytes(), policy=policy.default)["Subject"] for file in mails]
    assert subjects == ["Hello Zoë", "Hello Søren"]
    assert f"https://homeward.example/{'x' * 200}\r\n" in mails[0].read_bytes().decode()
    assert folder.stat().st_mode & 0o077 == 0
    assert len(list(folder.iterdir())) == 2


def test_a_folder_that_cannot_be_written_is_retried_later(write: Write, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file where the folder should be")
    write()
    assert send_due(MailFolder(tmp_path / "mail", SENDER), clock) == 0
    assert "cannot be written" in stored_emails()[0].failure


@pytest.mark.settings("scaled")  # SQLite's files have to grow
def test_a_full_disk_leaves_no_partial_email_and_is_retried(
    write: Write, clock: Clock, tmp_path: Path
) -> None:
    write()
    post = MailFolder(tmp_path / "mail", SENDER)
    with limit_file_size(100):
        assert send_due(post, clock) == 0
    assert list((tmp_path / "mail").iterdir()) == []
    assert "cannot be written" in stored_emails()[0].failure
    clock.move(minutes=2)
    assert send_due(post, clock) == 1
    [mail] = (tmp_path / "mail").iterdir()
    assert mail.suffix == ".eml"


def test_the_default_is_files_in_the_instance_folder(tmp_path: Path) -> None:
    read = Settings.from_environment
    post = transport_from_settings(
        read({"HOMEWARD_INSTANCE": str(tmp_path), "HOMEWARD_PLATFORM_HOST": "homeward.example:8443"})
    )
    assert isinstance(post, MailFolder)
    assert (post.folder, post.sender) == (tmp_path / "mail", "no-reply@homeward.example")
