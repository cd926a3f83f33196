"""MIME messages (RFC 5322). No text can inject a header."""

import re
import textwrap
import unicodedata
from email import message_from_bytes
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from adoption.mail.models import OutgoingEmail
from adoption.mail.transports import Undeliverable
from adoption.translations import gettext
from adoption.unicode_characters import BIDI_CONTROL

LONGEST_LINE = 998
"""The maximum bytes of a line (RFC 5321)."""

WIDTH = 72
LINE_BREAK = re.compile("\r\n|\r|\n")
MUST_BE_STUFFED = (" ", ">", "From ")
"""The beginnings of a line that mail programs and servers would change (RFC 3676, 4.4)."""
SENDER_LONGEST = 60
"""The maximum characters of a shelter's name in the sender: lists of emails show no more."""


def build_message(email: OutgoingEmail, sender: str) -> EmailMessage:
    """Return the message of an email. Repeated calls return the same message.

    Raises Undeliverable if an address is invalid.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(sender_display_name(email), addr_spec=sender)
    message["To"] = parse_mail_address(email.recipient)
    if email.reply_to:
        message["Reply-To"] = parse_mail_address(email.reply_to)
    message["Subject"] = header_text(email.subject)
    message["Date"] = email.created_at
    host = sender.rpartition("@")[2]
    message["Message-ID"] = f"<{message_id_of(email)}@{host}>"
    if email.application_id:
        # All emails about an application are one thread, even if some are missing (RFC 5322, 3.6.4).
        message["References"] = message["In-Reply-To"] = f"<application.{email.application_id}@{host}>"
    # Stops out-of-office replies (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    text = flow_text(email.text)
    message.set_content(text, cte=transfer_encoding(text), params={"format": "flowed"})
    # Before 3.11.10 Python writes the line breaks in an encoded word unchanged (CVE-2024-6923).
    if message_from_bytes(message.as_bytes()).keys() != message.keys():
        raise Undeliverable("A header contains a line break, so it would be read as several headers.")
    return message


def message_id_of(email: OutgoingEmail) -> str:
    """Return the Message-ID without the host. It is also the name of the email's file in a mail folder."""
    return f"{email.created_at:%Y%m%d%H%M%S%f}.{email.id}"


def sender_display_name(email: OutgoingEmail) -> str:
    name = header_text(email.sender_name or "")[:SENDER_LONGEST].strip()
    return gettext("%(shelter)s via Homeward", shelter=name) if name else "Homeward"


def flow_text(text: str) -> str:
    """Return the text in lines of 72 characters. Mail programs join the lines to paragraphs again (RFC
    3676)."""
    return "\n".join(part for line in LINE_BREAK.split(text) for part in flow_paragraph(line.rstrip(" ")))


def flow_paragraph(line: str) -> list[str]:
    """Return a paragraph as lines. A space at the end of a line means that the next line continues it.

    A line is quoted if it is ``>`` or begins with ``> `` (section 4.5). Mail programs remove a space at the
    beginning of any other line. So lines that must keep their beginning get an additional space (section
    4.4).
    """
    mark = ">" if line == ">" or line.startswith("> ") else ""
    content = line[len(mark) + 1 :] if mark else line
    parts = textwrap.wrap(content, WIDTH - 3, break_long_words=False, break_on_hyphens=False) or [""]
    stuffed = [f" {part}" if part and (mark or part.startswith(MUST_BE_STUFFED)) else part for part in parts]
    return [f"{mark}{part} " for part in stuffed[:-1]] + [f"{mark}{stuffed[-1]}"]


def parse_mail_address(text: str) -> Address:
    """Return the address, with its host in IDNA form. Raises Undeliverable if the address is invalid."""
    local, _, host = text.rpartition("@")
    try:
        return Address(addr_spec=f"{local}@{host.encode('idna').decode()}")
    except (ValueError, IndexError, MessageError) as error:  # the parser raises all of these
        raise Undeliverable(f"Not a valid email address: {error}") from error


def header_text(text: str) -> str:
    """Return the text for a header, without line breaks, controls, bidi marks and encoded words."""
    visible = "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)
    return " ".join(BIDI_CONTROL.sub("", visible).split()).replace("=?", "= ?")


def transfer_encoding(text: str) -> str:
    """Return the transfer encoding. If possible, a text is not encoded, so that links are readable in a mail
    folder."""
    if max(len(line.encode()) for line in text.split("\n")) > LONGEST_LINE:
        return "quoted-printable"
    return "7bit" if text.isascii() else "8bit"
