"""The processing of photos: metadata, colours, sizes, and rejected files."""

import base64
import contextlib
import io
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from adoption.animals.image_decoding import PIXELS_MOST
from adoption.animals.image_encoding import Picture, develop
from adoption.animals.image_format_detection import BYTES_MOST, SCANS_MOST
from adoption.animals.photo_variants import photo_file_names, photo_widths, social_media_file_name
from adoption.errors import FileRefused
from tests import photographs
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


def widest_file(picture: Picture) -> Image.Image:
    return open_image(picture.files[f"{picture.digest}-{picture.width}.webp"])


def chunks(webp: bytes) -> Iterator[bytes]:
    """Yield the names of the chunks of a WebP file."""
    at = 12
    while at < len(webp):
        yield webp[at : at + 4]
        size = int.from_bytes(webp[at + 4 : at + 8], "little")
        at += 8 + size + size % 2


@pytest.mark.parametrize("kind", KINDS)
def test_exif_gps_and_other_metadata_are_removed(kind: str) -> None:
    profile = photographs.profile_with_red_and_blue_swapped()
    options = {"icc_profile": profile}
    if kind in ("JPEG", "WEBP", "AVIF", "HEIF"):
        options["xmp"] = b"<x:xmpmeta>home of Sam</x:xmpmeta>"
    given_file = photo(kind, held=6, **options)
    assert photographs.MAKER.encode() in given_file
    for name, content in develop(given_file).files.items():
        found = open_image(content)
        assert not {"exif", "xmp", "icc_profile", "comment", "XML:com.adobe.xmp"} & set(found.info), name
        assert not dict(found.getexif())
        for secret in (photographs.MAKER.encode(), b"Exif\0", b"xmpmeta", b"GPS", b"prof", b"mif1Exif"):
            assert secret not in content, (name, secret)
        if name.endswith(".webp"):
            assert list(chunks(content)) == [b"VP8 "]


def test_data_hidden_in_or_after_a_photo_is_removed() -> None:
    program = b"<?php system($_GET[0]); ?><script>alert(1)</script>"
    given_file = encoded(scene(), "JPEG", comment=program) + program
    assert program in given_file[:-60]
    files = develop(given_file).files
    assert not any(b"php" in content or b"script" in content for content in files.values())


def test_a_colour_profile_is_applied_and_removed() -> None:
    profile = photographs.profile_with_red_and_blue_swapped()
    swapped = [BLUE, GREEN, RED]
    shown = corners(widest_file(develop(encoded(scene(), "PNG", icc_profile=profile))))
    assert colours_match(shown[:3], swapped)


def test_a_photo_with_a_broken_colour_profile_is_accepted() -> None:
    assert colours_match(
        corners(widest_file(develop(encoded(scene(), "PNG", icc_profile=b"nonsense")))), UPRIGHT
    )


@pytest.mark.parametrize("mode", ["P", "L", "LA", "RGBA", "1", "CMYK", "I;16"])
def test_every_colour_mode_is_read(mode: str) -> None:
    if mode == "I;16":
        deep = Image.new("I;16", (288, 216), 0x8000)
        kind, given_picture, grey = "PNG", deep, [(128, 128, 128)] * 4
    else:
        kind, given_picture = ("JPEG" if mode == "CMYK" else "PNG"), scene().convert(mode)
        grey = corners(given_picture.convert("L").convert("RGB"))
    shown = corners(widest_file(develop(encoded(given_picture, kind))))
    assert colours_match(shown, grey if mode in ("L", "LA", "1", "I;16") else UPRIGHT, by=40)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparency_becomes_white(mode: str) -> None:
    clear = Image.new("RGBA", (288, 216), (0, 0, 0, 0)).convert(mode)
    options = {"transparency": clear.getpixel((0, 0))} if mode == "P" else {}
    shown = corners(widest_file(develop(encoded(clear, "PNG", **options))))
    assert colours_match(shown, [(255, 255, 255)] * 4)


def test_a_16_bit_grey_png_with_a_transparent_shade_is_read() -> None:
    deep = Image.new("I;16", (288, 216), 0x8000)
    shown = corners(widest_file(develop(encoded(deep, "PNG", transparency=0x8000))))
    assert colours_match(shown, [(128, 128, 128)] * 4), "Pillow ignores a transparent shade of 16 bits"


@pytest.mark.parametrize(
    ("width", "widths"),
    [
        (4000, [400, 800, 1600]),
        (1600, [400, 800, 1600]),
        (1000, [400, 800, 1000]),
        (900, [400, 800]),
        (480, [400, 480]),
        (400, [400]),
        (399, [399]),
        (200, [200]),
    ],
)
def test_a_photo_is_never_enlarged(width: int, widths: list[int]) -> None:
    picture = develop(encoded(Image.new("RGB", (width, min(width, 1000)), RED), "JPEG"))
    assert photo_widths(picture.width) == widths
    assert list(picture.files) == photo_file_names(picture.digest, picture.width)
    shared = open_image(picture.files[social_media_file_name(picture.digest)])
    assert (shared.format, shared.width) == ("JPEG", min(picture.width, 1200))
    sizes = {open_image(content).width for name, content in picture.files.items() if "share" not in name}
    assert sorted(sizes) == widths
    assert len(picture.files) == 2 * len(widths) + 1


@pytest.mark.parametrize(
    ("kind", "width", "height"),
    [("JPEG", 5002, 3334), ("JPEG", 3334, 5002), ("PNG", 5002, 3334), ("WEBP", 3334, 5002)],
)
def test_a_large_photo_keeps_its_proportions_and_edges(kind: str, width: int, height: int) -> None:
    picture = develop(encoded(scene(width, height), kind))
    assert picture.width == 1600
    assert abs(picture.width / picture.height - width / height) < 0.002
    shown = widest_file(picture)
    w, h = shown.size
    assert colours_match(corners(shown), UPRIGHT)
    edges = [(2, 2), (w - 3, 2), (2, h - 3), (w - 3, h - 3)]
    assert colours_match([shown.convert("RGB").getpixel(each) for each in edges], UPRIGHT)  # type: ignore[misc]
    # The fields meet in the middle, to a few pixels.
    assert colours_match([shown.convert("RGB").getpixel((w // 2 - 8, h // 2 - 8))], [RED])  # type: ignore[list-item]


def test_the_digest_of_a_photo_ignores_its_metadata() -> None:
    plain, noted = encoded(scene(), "PNG"), photo("PNG")
    assert develop(plain).digest == develop(noted).digest
    assert develop(plain).digest != develop(encoded(scene().rotate(180), "PNG")).digest


@pytest.mark.parametrize("size", [(1600, 1200), (300, 1200), (1200, 300), (200, 200)])
def test_the_placeholder_is_tiny(size: tuple[int, int]) -> None:
    blur = develop(encoded(Image.effect_noise(size, 90).convert("RGB"), "JPEG")).blur
    head, text = blur.split(",")
    assert head == "data:image/webp;base64"
    assert len(blur) <= 200
    assert max(open_image(base64.b64decode(text)).size) <= 16


def animated(kind: str) -> bytes:
    out = io.BytesIO()
    scene().save(out, kind, save_all=True, append_images=[scene().rotate(90)], duration=90)
    return out.getvalue()


def mpo_file() -> bytes:
    """Return an MPO file, as some cameras write it: a photo and a preview."""
    out = io.BytesIO()
    scene().save(out, "MPO", save_all=True, append_images=[scene(48, 36)], quality=95)
    return out.getvalue()


def test_a_jpeg_with_an_embedded_preview_is_accepted() -> None:
    assert colours_match(corners(widest_file(develop(mpo_file()))), UPRIGHT)


REFUSED = {
    "nothing": (b"", "empty"),
    "a text": (b"Dear Sir or Madam", "not a photo"),
    "a page": (b"<!doctype html><script>alert(1)</script>", "not a photo"),
    "a program": (b"<?php system($_GET['c']); ?>", "not a photo"),
    "a drawing": (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
    "a moving gif": (animated("GIF"), "is animated"),
    "a bmp": (encoded(scene(), "BMP"), "BMP"),
    "a tiff": (encoded(scene(), "TIFF"), "TIFF"),
    "a pdf": (encoded(scene(), "PDF"), "PDF"),
    "a video": (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(99), "video"),
    "a moving webp": (animated("WEBP"), "is animated"),
    "a moving png": (animated("PNG"), "is animated"),
    "a moving avif": (animated("AVIF"), "is animated"),
    "too many bytes": (b"\xff\xd8\xff" + bytes(BYTES_MOST), "26 MB. The limit is 25 MB"),
    "over 50 megapixels": (photographs.png_that_claims(10_000, 5_001), "more than 50 megapixels"),
    "a decompression bomb": (photographs.png_that_claims(2**31 - 1, 2**31 - 1), "more than 50 megapixels"),
    "too many passes": (photographs.jpeg_of_many_scans(SCANS_MOST), "damaged"),
    "no height": (photographs.png_that_claims(100, 0), "damaged"),
    "a strip": (encoded(Image.new("RGB", (200, 801)), "PNG"), "too long and narrow"),
    "a dot": (encoded(Image.new("RGB", (1, 1)), "PNG"), "only 1 by 1 pixels. Each side needs at least 200"),
    "a picture too low": (encoded(Image.new("RGB", (300, 199)), "JPEG"), "only 300 by 199 pixels"),
    "a container of nothing": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99), "damaged"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_is_no_photo_is_rejected_with_one_sentence(what: str) -> None:
    content, found = REFUSED[what]
    with pytest.raises(FileRefused) as refused:
        develop(content)
    sentence = refused.value.sentence
    assert found in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    # The sentence says what the user can do.
    assert any(mend in sentence for mend in ("Choose", "choose", "Save", "Crop", "Copy"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_photo_is_rejected(kind: str, share: float) -> None:
    whole = encoded(Image.effect_noise((400, 300), 90).convert("RGB"), kind)
    with pytest.raises(FileRefused, match="damaged or incomplete"):
        develop(whole[: int(len(whole) * share)])


@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_without_its_last_bytes_is_accepted(progressive: bool) -> None:
    noise = Image.effect_noise((400, 300), 90).convert("RGB")
    whole = encoded(noise, "JPEG", progressive=progressive)
    assert [develop(whole[:-lost]).digest for lost in (1, 2)] == [develop(whole).digest] * 2
    assert develop(whole[:-12]).height == 300
    with pytest.raises(FileRefused, match="damaged or incomplete"):
        develop(whole[: -len(whole) // 12])


def test_a_still_gif_is_accepted() -> None:
    assert colours_match(corners(widest_file(develop(encoded(scene(), "GIF")))), UPRIGHT)


def test_a_webp_over_20_megapixels_is_rejected() -> None:
    header = encoded(Image.new("RGB", (16, 16)), "WEBP", lossless=True)
    size = (8_000 - 1) | (8_000 - 1) << 14
    large = header[:21] + size.to_bytes(4, "little") + header[25:]
    assert PIXELS_MOST["WEBP"] < 8_000 * 8_000
    with pytest.raises(FileRefused, match="more than 20 megapixels"):
        develop(large)


WHOLE = [photo(kind, held=6) for kind in KINDS]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_photo_is_accepted_or_rejected(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(WHOLE)))
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    with contextlib.suppress(FileRefused):
        assert develop(bytes(content)).files
