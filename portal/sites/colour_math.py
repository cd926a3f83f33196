"""Conversions of colours, and their contrast (WCAG 2.2).

In OKLCH (CSS Color 4, 9.3; bottosson.github.io/posts/oklab), a change of lightness does not change the hue.
"""

import math
from functools import lru_cache
from typing import NamedTuple


class Oklch(NamedTuple):
    lightness: float
    chroma: float
    hue: float
    """The hue, in degrees."""


class Rgb(NamedTuple):
    """A colour in sRGB. Each value is from 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=10_000)
def luminance(colour: Rgb) -> float:
    red, green, blue = map(LINEAR.__getitem__, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


LINEAR = [linear(value) for value in range(256)]


def oklch_of(colour: Rgb) -> Oklch:
    red, green, blue = map(LINEAR.__getitem__, colour)
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return Oklch(lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360)


def in_gamut(lightness: float, chroma: float, hue: float) -> Rgb:
    """Return the colour in sRGB.

    The chroma is reduced if sRGB cannot show the colour.
    """
    least, most = 0.0, chroma
    shares = shares_of(lightness, chroma, hue)
    if not all(-0.0001 <= share <= 1.0001 for share in shares):
        for _ in range(12):
            middle = (least + most) / 2
            inside = all(0 <= share <= 1 for share in shares_of(lightness, middle, hue))
            least, most = (middle, most) if inside else (least, middle)
        shares = shares_of(lightness, least, hue)
    return Rgb(*(as_shown(min(1.0, max(0.0, share))) for share in shares))


def shares_of(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """Return linear red, green and blue.

    Values below 0 or above 1 mean that sRGB does not have the colour.
    """
    a = chroma * math.cos(math.radians(hue))
    b = chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


def as_shown(share: float) -> int:
    encoded = 12.92 * share if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055
    return round(encoded * 255)
