"""Detection of a file's kind from the content, never from the file's name."""

import re
import zipfile
from typing import IO

from adoption.errors import FileRefused
from adoption.translations import message

OLE = b"\xd0\xcf\x11\xe0"
BIFF = (b"\x09\x08", b"\x09\x04", b"\x09\x02", b"\x09\x00")
"""First bytes of workbooks from before Excel 97 (the BOF record of BIFF2 to BIFF8)."""
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
LOCKED = message("This workbook is locked with a password. Save it without a password.")
DAMAGED = message(
    "This workbook is damaged and cannot be read. Open it in a spreadsheet program and save it as XLSX."
)
PICTURE = message("This is a picture. Export the animals as CSV or XLSX.")
OTHER_KINDS = (
    (b"%PDF", message("This is a PDF, which has no rows. Export the animals as CSV or XLSX.")),
    (b"\x89PNG", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"RIFF", message("This is a picture or a sound. Export the animals as CSV or XLSX.")),
    (b"\x1f\x8b", message("This file is packed with gzip. Unpack it first.")),
    (
        b"{\\rtf",
        message("This is a text document. Open it in a spreadsheet program and save it as XLSX or CSV."),
    ),
    (b"SQLite format 3", message("This is a database. Export the animals as CSV or XLSX.")),
)
BLANKS = b" \t\r\n\x00"
START = 4096


def detect_kind(file: IO[bytes]) -> str:
    """Return ``xlsx``, ``ods``, ``xls``, ``html``, ``json`` or ``text``; empty for a file without text.

    Raises FileRefused if the file cannot contain rows.
    """
    file.seek(0)
    kind = detect_kind_by_start(file.read(START))
    if kind == "archive":
        return detect_archive_kind(file)
    return detect_ole_kind(file) if kind == "ole" else kind


def detect_kind_by_start(start: bytes) -> str:
    """Return the kind. Return ``archive`` or ``ole`` if the file's start does not show the kind."""
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip(BLANKS)
    for magic, sentence in OTHER_KINDS:
        if text.startswith(magic):
            raise FileRefused(sentence)
    if start.startswith(b"PK\x03\x04"):
        return "archive"
    if start.startswith(OLE):
        return "ole"
    if start.startswith(BIFF):
        return "xls"
    return detect_text_kind(text)


def detect_text_kind(start: bytes) -> str:
    """Return the kind of a text file from the file's start. The zero bytes of UTF-16 are ignored."""
    plain = start.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff").replace(b"\x00", b"").lstrip(BLANKS)
    if not plain:
        return ""
    if plain.startswith(b"<"):
        if re.search(rb"<(html|table|body|!doctype html|tr|meta|head)\b", plain, re.IGNORECASE):
            return "html"
        if b"urn:schemas-microsoft-com:office:spreadsheet" in plain:
            return "html"  # SpreadsheetML of Excel 2003 has the same structure
        raise FileRefused(
            message("This is XML. Open it in a spreadsheet program and save it as XLSX or CSV.")
        )
    if re.match(rb'\{\s*"|\[\s*[\[{\]]', plain):
        return "json"
    return "text"


def detect_ole_kind(file: IO[bytes]) -> str:
    """Return ``xls``. Raises FileRefused if the OLE container is a workbook with a password."""
    file.seek(0)
    before = b""
    while block := file.read(1 << 20):
        if ENCRYPTED in before + block:
            raise FileRefused(LOCKED)
        before = block[-len(ENCRYPTED) :]
    return "xls"


def detect_archive_kind(file: IO[bytes]) -> str:
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
    # zipfile raises NotImplementedError for an archive of a newer version.
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FileRefused(DAMAGED) from error
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "content.xml" in names:
        return "ods"
    if "xl/workbook.bin" in names:
        raise FileRefused(
            message(
                "This is a binary Excel workbook (.xlsb). "
                "Open it in a spreadsheet program and save it as XLSX or CSV."
            )
        )
    if any(name.startswith("Index/") for name in names):
        raise FileRefused(message("This is a Numbers document. Choose File, Export To, CSV in Numbers."))
    raise FileRefused(
        message(
            "This is a zip archive or another program's document, not a workbook. "
            "Open it in a spreadsheet program and save it as XLSX or CSV."
        )
    )
