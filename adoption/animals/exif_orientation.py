"""The EXIF orientation of photos, and their rotation upright."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

ORIENTATION = 0x0112
"""EXIF tag of the camera's orientation (CIPA DC-008, 4.6.4)."""


def orientation(image: "Image") -> int:
    """Return the EXIF orientation, 1 to 8; 1 if the orientation is missing or invalid."""
    try:
        value = image.getexif().get(ORIENTATION)
    except Exception:  # damaged metadata is no reason to reject a photo
        value = None
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def rotated(image: "Image", orientation: int) -> "Image":
    from PIL.Image import Transpose as To

    mirrored = (To.FLIP_LEFT_RIGHT, To.ROTATE_180, To.FLIP_TOP_BOTTOM)
    sideways = (To.TRANSPOSE, To.ROTATE_270, To.TRANSVERSE, To.ROTATE_90)
    return image if orientation == 1 else image.transpose((*mirrored, *sideways)[orientation - 2])
