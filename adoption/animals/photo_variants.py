"""Widths, formats and file names in which each photo is stored."""

WIDTHS = (400, 800, 1600)
"""Widths of the files in pixels. Photos are never enlarged."""
FORMATS = {"avif": {"quality": 55, "speed": 9}, "webp": {"quality": 75, "method": 4}}
"""Output formats with their encoder options. The formats with smaller files come first.

AVIF at speed 8 would take three times as long and save 3 % of the bytes.
"""
SHARED_WIDTH = 1200
JPEG_WIDEST = 800


def photo_widths(width: int) -> list[int]:
    """Return the stored widths of a photo that is ``width`` pixels wide, smallest first."""
    filled = [each for each in WIDTHS if each <= width]
    # A photo also gets a file in its own width, if this width is below the widest size and at least 20 %
    # above the next smaller size.
    own = [width] if width < WIDTHS[-1] and width >= 1.2 * (filled[-1] if filled else 0) else []
    return filled + own


def variant_file_name(digest: str, width: int, kind: str) -> str:
    """Return the name of a photo's file with this width and format."""
    return f"{digest}-{width}.{kind}"


def photo_file_names(digest: str, width: int) -> list[str]:
    """Return the names of the files that are stored with a photo that is ``width`` pixels wide."""
    return [
        *(variant_file_name(digest, each, kind) for each in photo_widths(width) for kind in FORMATS),
        social_media_file_name(digest),
    ]


def jpeg_width(width: int) -> int:
    """Return the width of a photo's JPEG, which is for programs that support neither AVIF nor WebP."""
    return max(each for each in photo_widths(width) if each <= JPEG_WIDEST)


def jpeg_file_name(digest: str, width: int) -> str:
    """Return the name of a photo's JPEG. The JPEG is made when a program first requests it."""
    return variant_file_name(digest, jpeg_width(width), "jpeg")


def social_media_file_name(digest: str) -> str:
    """Return the name of the JPEG for social media previews."""
    return f"{digest}-share.jpeg"


def social_media_size(width: int, height: int) -> tuple[int, int]:
    """Return the width and height of the social media JPEG that is made from a photo of this size."""
    fitting = min(width, SHARED_WIDTH)
    return fitting, max(1, round(height * fitting / width))
