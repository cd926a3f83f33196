"""EXIF orientation of photos."""

import pytest

from adoption.animals.image_encoding import develop
from tests.photographs import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    colours_match,
    corners,
    encoded,
    open_image,
    photo,
    scene,
)

KINDS = ("JPEG", "PNG", "WEBP", "AVIF", "HEIF")
UPRIGHT = [RED, GREEN, BLUE, YELLOW]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("held", range(1, 9))
def test_exif_orientation_is_applied(kind: str, held: int) -> None:
    picture = develop(photo(kind, held=held))
    assert (picture.width, picture.height) == (288, 216)
    for content in picture.files.values():
        shown = open_image(content)
        assert shown.size == (288, 216)
        assert colours_match(corners(shown), UPRIGHT)


def test_a_photo_with_broken_exif_is_accepted() -> None:
    given_file = encoded(scene(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff nonsense")
    assert colours_match(corners(open_image(next(iter(develop(given_file).files.values())))), UPRIGHT)
