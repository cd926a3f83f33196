"""Detection of a text file's encoding, from its byte order mark or else from all its bytes."""

import codecs
import io
import re
from collections.abc import Mapping
from typing import IO

from adoption.errors import FileRefused, Invalid
from adoption.spreadsheets.files.encoding_ranking import (
    ENCODINGS,
    Scored,
    distinguishing_samples,
    rank_encodings,
    sure_encoding,
    words_beyond_ascii,
)

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MIXED = "utf-8 with stray bytes"
"""Name for UTF-8 with some bytes of Windows-1252 or with a cut-off character."""
STRAY = "\ufdd0"
"""Mark before each character that was not UTF-8.

The mark is a Unicode noncharacter, which no text contains.
"""
CANDIDATES_MOST = 5
OFFERED_BELOW = 0.6
"""An encoding is offered to the user if its share of wrong letters is below this limit."""
BLOCK = 1 << 20


class EncodingUnsure(FileRefused):
    """The encoding of a text file is uncertain."""

    def __init__(self, samples: Mapping[str, str]) -> None:
        shown = "; ".join(f"{name}: {sample[:60]}" for name, sample in samples.items())
        super().__init__(
            "The letters of this file can be read in more than one way. Choose the file's "
            f"encoding, or save the file as UTF-8. {shown}."
        )
        self.samples = samples
        """Some words for each possible encoding, decoded with this encoding.

        The likeliest encoding is first.
        """


def encoding_label(encoding: str) -> str:
    return ENCODINGS.get(encoding, encoding)


def find_encoding(file: IO[bytes], chosen: str | None = None) -> str:
    """Return the encoding of a text file: the name of a codec, or MIXED.

    UTF-16 is also recognised without a byte order mark, because half the bytes of a header in UTF-16 are
    zeros. Raises EncodingUnsure if the user must choose an encoding, and Invalid if ``chosen`` is not an
    encoding.
    """
    if chosen is not None and codecs.lookup(known_encoding(chosen)).name != "utf-8":
        return chosen
    start = opening(file)
    for mark, name in BOMS:
        if start.startswith(mark):
            return name
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if start[first::2].count(0) * 4 > len(start):
            return name
    valid, stray = count_utf8(file)
    if not stray:
        return "utf-8"
    if valid > stray or chosen is not None:
        return MIXED
    return single_byte_encoding(file, is_utf8_possible=valid > 0)


META = re.compile(rb"<meta[^>]+charset=[\"' ]*([\w-]+)|<\?xml[^>]+encoding=[\"' ]*([\w-]+)", re.IGNORECASE)


def declared_encoding(start: bytes) -> str | None:
    """Return the encoding that an HTML or XML file declares; None if Python does not have the encoding.

    A declared UTF-8 is ignored, because many pages that declare UTF-8 have another encoding.
    """
    found = META.search(start)
    name = (found[1] or found[2]).decode("ascii", "replace").lower() if found else "utf-8"
    try:
        return None if name in ("utf-8", "utf8", "utf-16") else known_encoding(name)
    except Invalid:
        return None


def known_encoding(name: str) -> str:
    """Return the name of a text encoding unchanged. Raises Invalid for any other name."""
    try:
        if "a,é".encode(name, "replace").decode(name)[:2] == "a,":
            return name
    except (LookupError, ValueError, TypeError):
        pass
    raise Invalid([("encoding", f"is not known. Use one of {', '.join(ENCODINGS)}")])


def count_utf8(file: IO[bytes]) -> tuple[int, int]:
    """Return the number of valid non-ASCII characters in UTF-8, and the number of invalid byte sequences."""
    decoder = codecs.getincrementaldecoder("utf-8")("homeward.mark")
    file.seek(0)
    beyond = strays = 0
    while block := file.read(BLOCK):
        text = decoder.decode(block)
        if not text.isascii():
            beyond += sum(letter > "\x7f" for letter in text)
            strays += text.count(STRAY)
    strays += decoder.decode(b"", final=True).count(STRAY)
    return beyond - strays, strays


def single_byte_encoding(file: IO[bytes], is_utf8_possible: bool) -> str:
    """Return the encoding that the file's words show. Raises EncodingUnsure if the words show no encoding."""
    words = words_beyond_ascii(file)
    ranked = rank_encodings(words)
    if (sure := sure_encoding(ranked)) is not None:
        return sure
    raise EncodingUnsure(distinguishing_samples(words, possible(ranked, is_utf8_possible), read_word))


def encoding_samples(file: IO[bytes]) -> dict[str, str]:
    """Return some words for each possible encoding, decoded with this encoding; empty for a Unicode file."""
    file.seek(0)
    if file.read(4).startswith(tuple(mark for mark, _ in BOMS)):
        return {}
    valid, stray = count_utf8(file)
    if not stray or b"\x00" in opening(file):
        return {}
    words = words_beyond_ascii(file)
    names = possible(rank_encodings(words), valid > 0)
    if valid > stray:
        names.insert(0, names.pop())  # the file is read as UTF-8, so UTF-8 comes first
    return distinguishing_samples(words, names, read_word)


def read_word(word: bytes, encoding: str) -> str:
    """Return the word, decoded as in ``open_text``."""
    if encoding == "utf-8":
        return word.decode(encoding, "homeward.stray").replace(STRAY, "")
    return word.decode(encoding, "replace")


def opening(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(4096)


def possible(ranked: list[Scored], is_utf8_possible: bool) -> list[str]:
    names = [each.encoding for each in ranked if each.wrong < OFFERED_BELOW][:CANDIDATES_MOST]
    names += [each for each in ("cp1252",) if each not in names]
    return [*names, "utf-8"] if is_utf8_possible else names


def mark_stray(error: UnicodeError) -> tuple[str, int]:
    """Return STRAY as the replacement for invalid bytes."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - only bytes are decoded
    return STRAY, error.end


def replace_stray(error: UnicodeError) -> tuple[str, int]:
    """Decode an invalid byte as Windows-1252, with STRAY before it. Drop a cut-off character."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - only bytes are decoded
    stray = error.object[error.start : error.end]
    return STRAY + (stray.decode("cp1252", "replace") if len(stray) == 1 else ""), error.end


codecs.register_error("homeward.mark", mark_stray)
codecs.register_error("homeward.stray", replace_stray)


class Borrowed(io.TextIOWrapper):
    """A text wrapper that does not close its file: the caller closes the file."""

    def close(self) -> None:
        pass


def open_text(file: IO[bytes], encoding: str) -> io.TextIOWrapper:
    """Return the file as text, from the file's start. Line ends stay unchanged."""
    file.seek(0)
    if encoding == MIXED:
        return Borrowed(file, encoding="utf-8", errors="homeward.stray", newline="")
    return Borrowed(file, encoding=encoding, errors="replace", newline="")
