"""Image formats, detected from a file's first bytes. Names and declared types are unreliable."""

import re
from collections.abc import Iterator

from adoption.errors import FileRefused

MEGA = 1_000_000
BYTES_MOST = 25 * MEGA
SCANS_MOST = 50
"""Limit of scans in a progressive JPEG.

Cameras write about ten scans. Decoding one scan takes as long as decoding a whole picture.
"""
SEGMENTS_MOST = 10_000
"""Limit of segments in a JPEG. Cameras write a few dozen segments."""

CHOOSE = "Choose a JPEG, PNG, WebP, AVIF, HEIC or still GIF file."
BROKEN = "The file is damaged or incomplete. Copy it from the phone or camera again, or choose another photo."
FOREIGN = (
    (b"BM", "This is a BMP picture. Save it as JPEG or PNG, then choose it again."),
    (b"II*\0", "This is a TIFF picture or a camera's raw file. Save it as JPEG, then choose it again."),
    (b"MM\0*", "This is a TIFF picture or a camera's raw file. Save it as JPEG, then choose it again."),
    (b"%PDF", "This is a PDF. Save its picture as JPEG or PNG, then choose the picture."),
)

MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""The first bytes of a JPEG segment. These bytes do not occur in the data of a scan."""
SCAN, END = 0xDA, 0xD9


def detect_format(data: bytes) -> str:
    """Return the format's name in Pillow, such as ``JPEG``.

    Raises FileRefused, with how to fix the file, if the format is not supported.
    """
    if not data:
        raise FileRefused(f"The file is empty. {CHOOSE}")
    if len(data) > BYTES_MOST:
        raise FileRefused(
            f"The file has {-(-len(data) // MEGA):,} MB. The limit is {BYTES_MOST // MEGA} MB. "
            "Save a smaller copy of the photo, then choose the copy."
        )
    if data.startswith(b"\xff\xd8\xff"):
        if scans_in(data) > SCANS_MOST:
            raise FileRefused(BROKEN)
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WEBP"
    if data.startswith(b"GIF8"):
        return "GIF"
    if data[4:8] == b"ftyp":
        return kind_of_container(data)
    for signature, sentence in FOREIGN:
        if data.startswith(signature):
            raise FileRefused(sentence)
    if b"<svg" in data[:1024].lower():
        raise FileRefused("This is a drawing (SVG). Save it as PNG, then choose it again.")
    raise FileRefused(f"This is not a photo. {CHOOSE}")


def scans_in(data: bytes) -> int:
    """Return the number of scans in the first picture of a JPEG file."""
    return sum(marker == SCAN for marker in markers_of(data))


def lacks_end(data: bytes) -> bool:
    """Return whether the first picture of a JPEG file lacks its end-of-image marker."""
    return END not in markers_of(data)


def markers_of(data: bytes) -> Iterator[int]:
    """Yield the markers of the first picture of a JPEG file, including the end marker (ITU-T T.81, B.1).

    Raises FileRefused if there are more than ``SEGMENTS_MOST``. A small file can have millions of markers.
    """
    at, number = 2, 0
    while found := MARKER.search(data, at):
        if (number := number + 1) > SEGMENTS_MOST:
            raise FileRefused(BROKEN)
        marker, at = data[found.start() + 1], found.end()
        yield marker
        if marker == END:
            return
        if marker not in (0x01, 0xD8):
            at += int.from_bytes(data[at : at + 2])


def kind_of_container(data: bytes) -> str:
    """Return the format of an ISO container according to its brands (ISO/IEC 14496-12, 4.3).

    AVIF files, HEIC files and videos are such containers.
    """
    box = data[8 : min(int.from_bytes(data[:4]), 256)]
    brands = {box[at : at + 4] for at in (0, *range(8, len(box), 4))}
    if brands & {b"avif", b"avis"}:
        return "AVIF"
    if brands & {b"heic", b"heix", b"heim", b"heis", b"mif1"}:
        return "HEIF"
    raise FileRefused("This is a video, or a picture in a format that we cannot read. Choose a photo.")
