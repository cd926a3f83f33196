"""MIME messages: headers, subjects, folding, and format=flowed."""

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adoption.mail.mime import build_message
from adoption.mail.models import OutgoingEmail
from adoption.mail.text_layout import quote_lines
from adoption.mail.transports import Undeliverable

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


def email_of(
    subject: str = "Hello", text: str = "A text.\n", recipient: str = "sam@example.org"
) -> OutgoingEmail:
    when = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
    return OutgoingEmail(id=7, recipient=recipient, reply_to="", subject=subject, text=text, created_at=when)


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
def test_a_subject_cannot_inject_a_header(subject: str) -> None:
    mail = message_from_bytes(build_message(email_of(subject), SENDER).as_bytes(), policy=policy.default)
    assert sorted(mail.keys()) == sorted(HEADERS)
    assert mail["To"] == "sam@example.org"
    assert mail.get_content() == "A text.\r\n"


def test_a_subject_keeps_its_characters_and_their_direction() -> None:
    written = build_message(email_of("Zoë 🐕 \u202eevil עברית"), SENDER).as_bytes()
    assert message_from_bytes(written, policy=policy.default)["Subject"] == "Zoë 🐕 evil עברית"


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=400))
def test_any_subject_leaves_the_other_headers_unchanged(subject: str) -> None:
    written = message_from_bytes(build_message(email_of(subject), SENDER).as_bytes())
    assert sorted(written.keys()) == sorted(HEADERS)


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
def test_an_invalid_address_gets_no_email(recipient: str) -> None:
    with pytest.raises(Undeliverable):
        build_message(email_of(recipient=recipient), SENDER)


def test_an_international_domain_is_written_in_punycode() -> None:
    assert build_message(email_of(recipient="sam@exämple.org"), SENDER)["To"] == "sam@xn--exmple-cua.org"


def test_an_email_has_date_sender_and_auto_submitted() -> None:
    mail = build_message(email_of(), SENDER)
    assert mail["Date"] == "Sat, 28 Nov 2026 09:30:00 +0000"
    assert mail["Message-ID"] == "<20261128093000000000.7@homeward.example>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content_charset() == "utf-8"


def test_long_lines_are_folded_below_998_bytes() -> None:
    text = f"{'犬' * 2_000}\nhttps://homeward.example/\n"
    written = build_message(email_of(text=text), SENDER).as_bytes()
    assert max(len(line) for line in written.split(b"\r\n")) < 998
    assert message_from_bytes(written, policy=policy.default).get_content() == text.replace("\n", "\r\n")


@pytest.mark.parametrize("name", ["Riverside Animal Rescue", *HOSTILE])
def test_an_email_of_a_shelter_names_it_as_the_sender(name: str) -> None:
    of_shelter = email_of()
    of_shelter.sender_name = name
    mail = message_from_bytes(build_message(of_shelter, SENDER).as_bytes(), policy=policy.default)
    assert sorted(mail.keys()) == sorted(HEADERS)
    [sender] = mail["From"].addresses
    assert sender.addr_spec == SENDER
    assert sender.display_name.endswith("Homeward")
    if name.startswith("Riverside"):
        assert mail["From"] == f"Riverside Animal Rescue via Homeward <{SENDER}>"


def test_emails_about_one_application_are_one_thread() -> None:
    threads = []
    for application in (12, 12, 13, None):
        about = email_of()
        about.application_id = application
        mail = build_message(about, SENDER)
        assert mail["References"] == mail["In-Reply-To"] != mail["Message-ID"]
        threads.append(mail["References"])
    assert threads == [*["<application.12@homeward.example>"] * 2, "<application.13@homeward.example>", None]


def reflowed(content: str) -> list[tuple[int, str]]:
    """Return the paragraphs that an email program shows, each with its quote depth (RFC 3676)."""
    shown: list[tuple[int, str]] = []
    goes_on = False
    for line in content.removesuffix("\r\n").split("\r\n"):
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:].removeprefix(" ")
        if goes_on and shown[-1][0] == depth:
            shown[-1] = (depth, shown[-1][1] + text)
        else:
            shown.append((depth, text))
        goes_on = text.endswith(" ") and text != "-- "
    return shown


WORDS = ("A garden, and a long walk each morning before work. " * 5).strip()
ANSWER = "\n".join([WORDS, "", "  indented", ">typed", "From me"])
PARAGRAPHS = {
    f"{WORDS}\n\nShort.": [(0, WORDS), (0, ""), (0, "Short.")],
    "    indented\n>no quote\n>>nor here\nFrom here on\nFrom": [
        (0, "    indented"),
        (0, ">no quote"),
        (0, ">>nor here"),
        (0, "From here on"),
        (0, "From"),
    ],
    f"https://homeward.example/{'x' * 90}\n{'犬' * 100}\n-- \n.": [
        (0, f"https://homeward.example/{'x' * 90}"),
        (0, "犬" * 100),
        (0, "--"),
        (0, "."),
    ],
    f"{'From > ' * 30}\r\nTwo\rThree": [(0, ("From > " * 30).strip()), (0, "Two"), (0, "Three")],
    "\n".join(["Why:", "", quote_lines(ANSWER), ">", "", "After."]): [
        (0, "Why:"),
        (0, ""),
        (1, WORDS),
        (1, ""),
        (1, "  indented"),
        (1, ">typed"),
        (1, "From me"),
        (1, ""),
        (0, ""),
        (0, "After."),
    ],
}


@pytest.mark.parametrize("text", PARAGRAPHS)
def test_paragraphs_and_quotes_survive_format_flowed(text: str) -> None:
    mail = message_from_bytes(build_message(email_of(text=text), SENDER).as_bytes(), policy=policy.default)
    assert mail["Content-Type"].params["format"] == "flowed"
    content = mail.get_content()
    lines = content.split("\r\n")
    assert all(len(line) <= 72 for line in lines if " " in line.strip(" >"))
    assert not [line for line in lines if line.startswith("From ")], "mailboxes change such lines"
    assert not [line for line in lines if re.match(r" +>\s*$", line)], "a blank quoted line is >"
    assert reflowed(content) == PARAGRAPHS[text]


@settings(deadline=None)
@given(st.lists(st.text(st.sampled_from(" >Froma.-"), max_size=60), min_size=1, max_size=5), st.booleans())
def test_no_line_of_an_email_changes_in_transport(lines: list[str], in_quotes: bool) -> None:
    lines = [*lines, "The end"]
    typed, text = [line.rstrip(" ") for line in lines], "\n".join(lines)
    mail = build_message(email_of(text=quote_lines(text) if in_quotes else text), SENDER)
    read = message_from_bytes(mail.as_bytes(), policy=policy.default).get_content()
    written_as_quote = [line == ">" or line.startswith("> ") for line in typed]
    assert reflowed(read) == [
        (1, line) if in_quotes else (1, line[2:]) if is_quote else (0, line)
        for line, is_quote in zip(typed, written_as_quote, strict=True)
    ]
