"""A mail has the headers that we give it, whatever stands in its texts."""

from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adoption.mail.messages import message_of
from adoption.mail.models import Letter
from adoption.mail.posts import Undeliverable

SENDER = "no-reply@homeward.example"
HEADERS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
]


def letter(subject: str = "Hello", text: str = "A text.\n", recipient: str = "sam@example.org") -> Letter:
    when = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
    return Letter(id=7, recipient=recipient, reply_to="", subject=subject, text=text, created_at=when)


HOSTILE = [
    "Sam\r\nBcc: everyone@example.org",
    "Sam\nBcc: everyone@example.org\n\nAnother text",
    "=?utf-8?q?Sam=0D=0ABcc:_everyone@example.org?=",
    "=\u202e?utf-8?q?Sam=0D=0ABcc:_everyone@example.org?=",
    '"><img src=x onerror=alert(1)>',
    "Zoë 🐕‍🦺 عائشة",
    "\u2028Bcc: everyone@example.org\u2029\x85\x0b\x0c\x00",
    "x" * 5_000,
    "犬" * 300,
    "",
]


@pytest.mark.parametrize("subject", HOSTILE)
def test_no_subject_makes_a_header(subject: str) -> None:
    mail = message_from_bytes(message_of(letter(subject), SENDER).as_bytes(), policy=policy.default)
    assert mail.keys() == HEADERS
    assert mail["To"] == "sam@example.org"
    assert mail.get_content() == "A text.\r\n"


def test_a_subject_keeps_its_letters_and_their_direction() -> None:
    written = message_of(letter("Zoë 🐕 \u202eevil עברית"), SENDER).as_bytes()
    assert message_from_bytes(written, policy=policy.default)["Subject"] == "Zoë 🐕 evil עברית"


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=400))
def test_any_subject_at_all_leaves_the_headers_as_they_are(subject: str) -> None:
    assert message_from_bytes(message_of(letter(subject), SENDER).as_bytes()).keys() == HEADERS


@pytest.mark.parametrize(
    "recipient",
    [
        "sam@example.org\r\nBcc: everyone@example.org",
        "=?utf-8?q?a=0D=0ABcc=3A_b?=@example.org",
        "sam@example.org, everyone@example.org",
        "sam",
        "",
        "@",
        "a b@example.org",
        f"sam@{'x' * 64}.org",
    ],
)
def test_what_is_no_address_gets_no_mail(recipient: str) -> None:
    with pytest.raises(Undeliverable):
        message_of(letter(recipient=recipient), SENDER)


def test_an_international_host_is_written_as_the_network_has_it() -> None:
    assert message_of(letter(recipient="sam@exämple.org"), SENDER)["To"] == "sam@xn--exmple-cua.org"


def test_a_mail_says_when_by_whom_and_that_nobody_typed_it() -> None:
    mail = message_of(letter(), SENDER)
    assert mail["Date"] == "Sat, 28 Nov 2026 09:30:00 +0000"
    assert mail["Message-ID"] == "<20261128093000000000.7@homeward.example>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content_charset() == "utf-8"


def test_a_line_that_no_server_takes_is_folded() -> None:
    text = f"{'犬' * 2_000}\nhttps://homeward.example/\n"
    written = message_of(letter(text=text), SENDER).as_bytes()
    assert max(len(line) for line in written.split(b"\r\n")) < 998
    assert message_from_bytes(written, policy=policy.default).get_content() == text.replace("\n", "\r\n")
