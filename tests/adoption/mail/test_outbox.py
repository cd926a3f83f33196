"""The outbox, which sends each email at least once and avoids duplicates."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask

from adoption.mail import outbox
from adoption.mail.outbox import CLAIMED_FOR, KEPT_FOR, PAUSES, claim_due_email, delete_old_emails, send_due
from adoption.mail.transports import SmtpServer
from adoption.storage.database import transaction
from tests.adoption.mail.conftest import SENDER, Clock, MailServer
from tests.mailbox import stored_emails

Write = Callable[..., None]


@pytest.fixture
def post(mail_server: MailServer) -> SmtpServer:
    return SmtpServer(mail_server.address, SENDER)


def test_an_email_is_sent_once_and_its_text_deleted(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    write(text="The link: https://homeward.example/secret\n", reply_to="shelter@example.org")
    assert (send_due(post, clock), send_due(post, clock)) == (1, 0)
    [mail] = mail_server.kept
    assert (mail["To"], mail["From"], mail["Reply-To"]) == (
        "sam@example.org",
        f"Homeward <{SENDER}>",
        "shelter@example.org",
    )
    assert "https://homeward.example/secret" in mail.get_content()
    [letter] = stored_emails()
    assert (letter.text, letter.sent_at, letter.next_try_at) == ("", clock.now, None)


def test_an_uncommitted_email_is_not_sent(
    app: Flask, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    with transaction() as session:
        outbox.add_email(session, "sam@example.org", "Hello", "A text.\n")
        session.rollback()
    assert send_due(post, clock) == 0


def test_retries_to_a_mail_server_that_is_down_back_off(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    write()
    waits = []
    for _ in range(4):
        assert send_due(post, clock) == 0
        [letter] = stored_emails()
        assert letter.next_try_at is not None
        assert "localhost" in letter.failure
        waits.append(letter.next_try_at - clock.now)
        assert send_due(post, clock) == 0, "it is not due yet"
        clock.now = letter.next_try_at
    assert waits == sorted(set(waits)), "each pause is longer than the last"
    mail_server.start()
    assert send_due(post, clock) == 1
    assert stored_emails()[0].failure == ""


def test_an_email_fails_after_the_last_retry_with_the_reason(
    write: Write, post: SmtpServer, clock: Clock
) -> None:
    write()
    for pause in (*PAUSES, timedelta()):
        send_due(post, clock)
        clock.now += pause
    [letter] = stored_emails()
    assert (letter.attempts, letter.next_try_at, letter.sent_at) == (len(PAUSES) + 1, None, None)
    assert "refused" in letter.failure


def test_a_rejected_recipient_fails_at_once_and_others_are_sent(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    mail_server.sayings["nobody@example.org"] = "550 5.1.1 No such user"
    for recipient in ("nobody@example.org", "sam@example.org"):
        write(recipient)
    assert send_due(post, clock) == 1
    assert mail_server.recipients == ["sam@example.org"]
    refused, _ = stored_emails()
    assert refused.next_try_at is None
    assert "No such user" in refused.failure


def test_a_temporarily_rejected_recipient_waits_and_others_are_sent(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    mail_server.sayings["busy@example.org"] = "450 4.7.1 Greylisted"
    for recipient in ("busy@example.org", "sam@example.org"):
        write(recipient)
    assert send_due(post, clock) == 1
    mail_server.sayings.clear()
    clock.move(minutes=1)
    assert send_due(post, clock) == 1
    assert mail_server.recipients == ["sam@example.org", "busy@example.org"]


@pytest.mark.parametrize(("messages", "given_up"), [("554 5.7.1 Spam", True), ("451 4.3.0 Try later", False)])
def test_a_rejected_email_records_the_servers_response(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock, messages: str, given_up: bool
) -> None:
    mail_server.start()
    mail_server.sayings["*"] = messages
    write()
    send_due(post, clock)
    [letter] = stored_emails()
    assert (letter.next_try_at is None) == given_up
    assert messages in letter.failure


def test_a_dropped_connection_is_one_failure_for_all_emails(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    mail_server.sayings["first@example.org"] = "421 4.3.2 Closing"
    for recipient in ("first@example.org", "second@example.org"):
        write(recipient)
    send_due(post, clock)
    clock.move(minutes=1)
    mail_server.sayings.clear()
    send_due(post, clock)
    assert sorted(mail_server.recipients) == ["first@example.org", "second@example.org"]


def test_an_invalid_address_does_not_stop_other_emails(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    for recipient in ("not an address", "sam@example.org"):
        write(recipient)
    assert send_due(post, clock) == 1
    broken, _ = stored_emails()
    assert (broken.next_try_at, broken.sent_at) == (None, None)
    assert "Not a valid email address" in broken.failure


def test_an_email_of_a_dead_sender_is_sent_again_with_the_same_message_id(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    write()
    claimed = claim_due_email(clock())
    assert claimed is not None
    assert send_due(post, clock) == 0, "another sender has claimed it"
    clock.now += CLAIMED_FOR
    assert send_due(post, clock) == 1
    [mail] = mail_server.kept
    assert mail["Message-ID"].startswith(f"<{claimed.created_at:%Y%m%d%H%M%S%f}.{claimed.id}@")


def test_parallel_senders_send_each_email_once(
    app: Flask, write: Write, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    for number in range(20):
        write(f"adopter{number}@example.org")

    def send(_number: int) -> int:
        with app.app_context():
            sent = send_due(SmtpServer(mail_server.address, SENDER), clock)
            app.extensions["homeward.driver_connections"].close()
            return sent

    with ThreadPoolExecutor(3) as threads:
        assert sum(threads.map(send, range(3))) == 20
    assert len(set(mail_server.recipients)) == len(mail_server.kept) == 20


def test_old_sent_emails_are_deleted_and_waiting_ones_stay(
    write: Write, post: SmtpServer, mail_server: MailServer, clock: Clock
) -> None:
    mail_server.start()
    write("sent@example.org")
    send_due(post, clock)
    write("waiting@example.org")
    delete_old_emails(clock.now + KEPT_FOR)
    assert len(stored_emails()) == 2
    delete_old_emails(clock.now + KEPT_FOR + timedelta(seconds=1))
    assert [letter.recipient for letter in stored_emails()] == ["waiting@example.org"]
