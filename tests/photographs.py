"""Photos like those of phones and cameras, and files that only claim to be photos."""

import io
import struct
import zlib
from typing import Any

import pillow_heif
from PIL import Image, ImageCms

pillow_heif.register_heif_opener()

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 160, 30), (30, 30, 220), (230, 220, 40)
MAKER, WHERE = "Nosy Phone 12", (51.0, 28.0, 40.123)
"""Metadata in a photo. None of it may be published."""

SIDES = {
    1: ("top", "left"),
    2: ("top", "right"),
    3: ("bottom", "right"),
    4: ("bottom", "left"),
    5: ("left", "top"),
    6: ("right", "top"),
    7: ("right", "bottom"),
    8: ("left", "bottom"),
}
"""The sides of the scene in the photo's first row and first column, by EXIF orientation (CIPA DC-008)."""
OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
CORNERS = {
    frozenset(("top", "left")): RED,
    frozenset(("top", "right")): GREEN,
    frozenset(("bottom", "left")): BLUE,
    frozenset(("bottom", "right")): YELLOW,
}


def scene(width: int = 288, height: int = 216, held: int = 1) -> Image.Image:
    """Return four coloured fields as a rotated camera records them. Red is at the top left."""
    row, column = SIDES[held]
    seen = Image.new("RGB", (height, width) if held >= 5 else (width, height))
    half = (seen.width // 2, seen.height // 2)
    for y, across in ((0, row), (half[1], OPPOSITE[row])):
        for x, down in ((0, column), (half[0], OPPOSITE[column])):
            seen.paste(CORNERS[frozenset((across, down))], (x, y, x + half[0], y + half[1]))
    return seen


def exif_of(held: int = 1) -> Image.Exif:
    """Return EXIF data of a phone: orientation, maker and GPS position."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = held, MAKER
    exif[0x8825] = {1: "N", 2: WHERE, 3: "W", 4: WHERE}
    return exif


def photo(kind: str = "JPEG", picture: Image.Image | None = None, held: int = 1, **options: Any) -> bytes:
    """Return an image file with EXIF data: PNG, JPEG, WEBP, AVIF or HEIF."""
    given = {"quality": 95} if kind != "PNG" else {}
    return encoded(picture or scene(held=held), kind, exif=exif_of(held).tobytes(), **(given | options))


def encoded(picture: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def open_image(content: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(content))
    picture.load()
    return picture


def corners(picture: Image.Image) -> list[tuple[int, int, int]]:
    """Return the colours of the four fields, in reading order."""
    w, h = picture.size
    return [
        picture.convert("RGB").getpixel((x, y)) for y in (h // 4, 3 * h // 4) for x in (w // 4, 3 * w // 4)
    ]  # type: ignore[misc]


def colours_match(some: list[tuple[int, int, int]], others: list[tuple[int, int, int]], by: int = 24) -> bool:
    pairs = zip(some, others, strict=True)
    return all(abs(a - b) <= by for one, other in pairs for a, b in zip(one, other, strict=True))


def profile_with_red_and_blue_swapped() -> bytes:
    """Return a colour profile that swaps red and blue. The colours show whether the profile was applied."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = srgb.replace(b"rXYZ", b"????").replace(b"bXYZ", b"rXYZ").replace(b"????", b"bXYZ")
    return swapped.replace("sRGB".encode("utf-16-be"), "sBGR".encode("utf-16-be"))


def png_that_claims(width: int, height: int) -> bytes:
    """Return a small PNG that claims to be an image of any size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def jpeg_of_many_scans(scans: int) -> bytes:
    """Return a progressive JPEG that repeats its last scan."""
    whole = encoded(scene(), "JPEG", progressive=True)
    last = whole[whole.rindex(b"\xff\xda") : -2]
    return whole[:-2] + last * scans + whole[-2:]
