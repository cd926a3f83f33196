"""Encoding of uploaded photos: from any image file to the files that are stored.

The output is encoded only from the decoded pixels, upright and in sRGB. So the upload's metadata is dropped:
location, author, camera, comments and colour profiles.
"""

import base64
import hashlib
import io
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from adoption.animals.image_decoding import pillow, resized, upright, with_end_marker
from adoption.animals.image_format_detection import detect_format, lacks_end
from adoption.animals.photo_variants import (
    FORMATS,
    photo_widths,
    social_media_file_name,
    social_media_size,
    variant_file_name,
)

if TYPE_CHECKING:
    from PIL.Image import Image

SHARED = {"quality": 82, "optimize": True, "progressive": True, "comment": b""}
"""Encoder options of JPEGs.

Messengers, feed readers and old programs support JPEG. Some support neither AVIF nor WebP.
"""

BLUR_SIDE = 16
BLUR_BYTES_MOST = 132  # The ``data:`` URL of this many bytes has 200 characters.

DECODING_LOCK = threading.Lock()
"""Lock for decoding only one photo at a time in each process. A large photo needs hundreds of megabytes."""


class Picture(NamedTuple):
    """A processed photo and its files."""

    digest: str
    """SHA-256 of the upright pixels, in hexadecimal. Equal pictures have equal digests."""
    width: int
    height: int
    blur: str
    """A tiny image as a ``data:`` URL."""
    files: dict[str, bytes]
    """The files' contents by name, such as ``<digest>-400.avif``."""


def shared_file(image: "Image") -> bytes:
    return encode_image(scaled_to_width(image, social_media_size(*image.size)[0]), "jpeg", **SHARED)


def jpeg_from_file(data: bytes) -> bytes:
    """Return a JPEG of a stored file, at most ``SHARED_WIDTH`` pixels wide.

    Raises OSError, SyntaxError or ValueError if the file is damaged.
    """
    with DECODING_LOCK, pillow().open(io.BytesIO(data)) as image:
        return shared_file(image.convert("RGB"))


def develop(data: bytes) -> Picture:
    """Rotate a photo upright, remove its metadata and create its files.

    Accepts JPEG, PNG, WebP, AVIF, HEIC and still GIF files, detected by content. A file has at most 25 MB and
    ``PIXELS_MOST`` pixels, and each side has at least ``SHORTEST_SIDE`` pixels. Raises FileRefused, with how
    to fix the file, for any other file.
    """
    kind = detect_format(data)
    with DECODING_LOCK:
        if kind == "JPEG" and lacks_end(data):
            data = with_end_marker(data)
        master = upright(data, kind)
        size, pixels = master.size, master.tobytes()
        digest = hashlib.sha256(b"%d %d " % size + pixels).hexdigest()
        files = {}
        for width in photo_widths(master.width):
            fitting = scaled_to_width(master, width)
            for extension, options in FORMATS.items():
                files[variant_file_name(digest, width, extension)] = encode_image(
                    fitting, extension, **options
                )
        files[social_media_file_name(digest)] = shared_file(master)
        return Picture(digest, *size, blur_of(master), files)


def scaled_to_width(image: "Image", width: int) -> "Image":
    if width == image.width:
        return image
    return resized(image, (width, max(1, round(image.height * width / image.width))))


def encode_image(image: "Image", kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options, exif=b"", xmp=b"", icc_profile=b"")
    return out.getvalue()


def blur_of(image: "Image") -> str:
    """Return a tiny placeholder image as a ``data:`` URL; empty if the URL would be too long."""
    scale = BLUR_SIDE / max(image.size)
    tiny = resized(image, (max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    tries = (encode_image(tiny, "webp", quality=quality, method=6) for quality in (60, 40, 20, 0))
    made = next((each for each in tries if len(each) <= BLUR_BYTES_MOST), None)
    if made is None:
        return ""
    return f"data:image/webp;base64,{base64.b64encode(made).decode()}"
