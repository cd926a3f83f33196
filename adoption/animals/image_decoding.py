"""Decoding of uploaded photos, upright and in sRGB."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from adoption.animals.exif_orientation import orientation, rotated
from adoption.animals.image_format_detection import BROKEN, MEGA, detect_format
from adoption.animals.photo_variants import WIDTHS
from adoption.errors import FileRefused

if TYPE_CHECKING:
    from PIL.Image import Image

TALLEST = 2400
PIXELS_MOST = {
    "JPEG": 50 * MEGA,
    "PNG": 50 * MEGA,
    "GIF": 50 * MEGA,
    "HEIF": 50 * MEGA,
    "AVIF": 30 * MEGA,
    "WEBP": 20 * MEGA,
}
"""Limits of pixels by format.

The decoders need different amounts of memory per pixel. At each limit, a decoder needs about 300 MB.
"""
LONGEST = 4
"""Largest accepted ratio between the longer and the shorter side."""
SHORTEST_SIDE = 200
"""Smallest accepted side in pixels. A card on a phone has about this width. A smaller photo would blur."""
END_OF_IMAGE = b"\xff\xd9"
FILLER = bytes(range(1, 128))
"""Bytes appended to a truncated JPEG. The decoder fills missing pixels from these bytes."""
BLOCK = 16
"""Pixel rows in one JPEG block. A JPEG with more missing rows at the bottom is rejected."""
BAND = 64
"""Pixel rows of a large photo that are scaled down in one step."""


def check_header(data: bytes) -> None:
    """Raise FileRefused if the start of the file shows that ``develop`` would reject the file.

    The check takes milliseconds, because no pixels are decoded.
    """
    kind = detect_format(data)
    with open_image(data, kind):
        return


def upright(data: bytes, kind: str) -> "Image":
    """Return the photo upright in RGB, at most ``WIDTHS[-1]`` wide and ``TALLEST`` high.

    Raises FileRefused if the photo is damaged or exceeds a limit.
    """
    with open_image(data, kind) as image:
        profile = image.info.get("icc_profile")
        turn = orientation(image)
        return rotated(in_srgb(shrunk(image, sideways=turn >= 5), profile), turn)


@contextmanager
def open_image(data: bytes, kind: str) -> "Iterator[Image]":
    """Open an image without decoding its pixels.

    Raises FileRefused if the image is damaged, even if the error occurs in the ``with`` block.
    """
    try:
        with pillow().open(io.BytesIO(data), formats=[kind]) as image:
            refuse_misshapen(image, kind)
            yield image
    except FileRefused:
        raise
    except pillow().DecompressionBombError as error:
        raise FileRefused(too_many_pixels(kind)) from error
    except Exception as error:
        # Each decoder has its own exceptions for damaged or malicious files.
        raise FileRefused(BROKEN) from error


def with_end_marker(data: bytes) -> bytes:
    """Return the JPEG with an end-of-image marker added, as browsers add it.

    To find missing rows, decode the file twice, with different bytes at its end. The decoder fills missing
    rows from these bytes, so missing rows differ. Raises FileRefused if more than the last ``BLOCK`` rows are
    missing.
    """
    from PIL import ImageChops

    completed = data + END_OF_IMAGE
    try:
        one, other = in_grey(completed), in_grey(data + FILLER + END_OF_IMAGE)
        missing = ImageChops.difference(one, other).getbbox()
    except FileRefused:
        raise
    except Exception as error:  # as in ``upright``: each decoder has its own exceptions
        raise FileRefused(BROKEN) from error
    if missing and missing[1] < one.height - BLOCK:
        raise FileRefused(BROKEN)
    return completed


def in_grey(data: bytes) -> "Image":
    with pillow().open(io.BytesIO(data), formats=["JPEG"]) as image:
        refuse_misshapen(image, "JPEG")
        image.draft("L", image.size)
        grey: Image = image.convert("L")
        return grey


def pillow() -> Any:
    """Return Pillow with the needed decoders. Pillow is imported when the first photo is processed."""
    from PIL import AvifImagePlugin, GifImagePlugin, Image, JpegImagePlugin, PngImagePlugin, WebPImagePlugin  # noqa: F401

    if "HEIF" not in Image.OPEN:
        from pillow_heif import register_heif_opener

        register_heif_opener()
        # ``refuse_misshapen`` has lower limits than this warning.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
    return Image


def refuse_misshapen(image: "Image", kind: str) -> None:
    """Raise FileRefused for an image that is animated, too large, too small, or too long for its width."""
    width, height = image.size
    if width * height > PIXELS_MOST[kind]:
        raise FileRefused(too_many_pixels(kind))
    if min(width, height) < SHORTEST_SIDE:
        raise FileRefused(
            f"The picture is only {width:,} by {height:,} pixels. Each side needs at least {SHORTEST_SIDE}: "
            "choose a larger copy of the photo."
        )
    if max(width, height) > LONGEST * min(width, height):
        raise FileRefused("The picture is too long and narrow. Crop it to the animal, then choose it again.")
    # HEIC files and JPEGs with a preview can contain several pictures. The file says which picture to show.
    if kind in ("PNG", "WEBP", "AVIF", "GIF") and getattr(image, "is_animated", False):
        raise FileRefused("This picture is animated. Choose a still picture, or save one frame as JPEG.")


def too_many_pixels(kind: str) -> str:
    return (
        f"The picture has more than {PIXELS_MOST[kind] // MEGA} megapixels. "
        "Save a smaller copy of the photo, then choose the copy."
    )


def shrunk(image: "Image", sideways: bool) -> "Image":
    """Return the photo in its final size, without transparency: in RGB, L or CMYK.

    ``sideways`` means that the photo still has to be rotated. JPEGs are decoded at a reduced size. Other
    formats are scaled in bands, because each step would otherwise need memory for the whole picture.
    """
    bounds = (TALLEST, WIDTHS[-1]) if sideways else (WIDTHS[-1], TALLEST)
    scale = min(1.0, bounds[0] / image.width, bounds[1] / image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    image.draft("RGB", size)
    image.load()
    # Scale down in bands to at least 1.5 times the final size. The slower, better resampling does the rest.
    factor = max(1, int(min(image.width / size[0], image.height / size[1]) / 1.5))
    mode = opaque(image.crop((0, 0, 1, 1))).mode
    if factor == 1 and mode == image.mode:
        return resized(image, size)
    small = pillow().new(mode, (-(-image.width // factor), -(-image.height // factor)))
    for row, top in enumerate(range(0, image.height, BAND * factor)):
        bottom = min(top + BAND * factor, image.height)
        band = opaque(image.crop((0, top, image.width, bottom))).reduce(factor)
        small.paste(band, (0, row * BAND))
    return resized(small, size, box=(0, 0, image.width / factor, image.height / factor))


def opaque(image: "Image") -> "Image":
    """Return the image in RGB, L or CMYK, with transparent parts on white."""
    if image.mode.startswith("I"):
        image = image.point(lambda value: value * (1 / 256)).convert(
            "L"
        )  # from 16 bits, which convert() would clip
    if image.has_transparency_data:
        clear = image.convert("RGBA")
        ground: Image = pillow().new("RGB", image.size, "white")
        ground.paste(clear, mask=clear.getchannel("A"))
        return ground
    return image if image.mode in ("RGB", "L", "CMYK") else image.convert("RGB")


def in_srgb(image: "Image", profile: bytes | None) -> "Image":
    """Return the image in sRGB. Browsers show images without a profile as sRGB."""
    if profile:
        from PIL import ImageCms

        try:
            of_file = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            if not ImageCms.getProfileDescription(of_file).startswith("sRGB"):
                srgb = ImageCms.createProfile("sRGB")
                converted = ImageCms.profileToProfile(image, of_file, srgb, outputMode="RGB")
                image = converted or image
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            pass  # ignore a profile that is damaged or for another kind of image
    return image.convert("RGB")


def resized(image: "Image", size: tuple[int, int], box: tuple[float, ...] | None = None) -> "Image":
    from PIL.Image import Resampling

    return image.resize(size, Resampling.LANCZOS, box=box, reducing_gap=3.0)  # type: ignore[arg-type]
