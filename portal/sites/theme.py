"""A shelter's own colour on its site: every shade that the pages use, each made legible where it is not.

Only its lightness is changed, so that the hue stays the shelter's. WCAG 2.2 wants a contrast of 4.5 for text
and of 3 for edges and shapes.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from flask import Response, request, url_for

from adoption.errors import NotFound
from adoption.projects.queries import has_colour
from portal import people
from portal.assets import YEAR
from portal.sites.colour_math import Oklch, Rgb, contrast, in_gamut, oklch_of

HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
TEXT, EDGE = 4.5, 3.0
NEUTRAL = 0.02
"""Chroma below which a colour is a grey."""

TOKENS = (Path(__file__).parents[2] / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
TOKEN = re.compile(r"--([a-z-]+): oklch\(([0-9.]+) ([0-9.]+) ([0-9.]+)\);")
BEHIND_TEXT = ("paper", "surface", "sunken", "glow-tint", "good-tint", "bad-tint")
"""The tokens of the grounds that a link may stand on, beside the shelter's own tint."""
UNDER_SHAPES = ("paper", "surface", "sunken")


WHITE, BLACK = Rgb(255, 255, 255), Rgb(17, 17, 17)


class Theme(NamedTuple):
    """What a stylesheet has of its own in one of the two themes."""

    grounds: dict[str, Rgb]
    tint_lightness: float
    """Of the pale ground that a notice has."""


@cache
def themes() -> tuple[Theme, Theme]:
    """The light and the dark theme of ``tokens.css``."""
    light_part, dark_part = TOKENS.split("prefers-color-scheme: dark", 1)
    light = {name: Oklch(*map(float, rest)) for name, *rest in TOKEN.findall(light_part)}
    dark = light | {name: Oklch(*map(float, rest)) for name, *rest in TOKEN.findall(dark_part)}
    return theme(light), theme(dark)


def theme(tokens: dict[str, Oklch]) -> Theme:
    grounds = {name: in_gamut(*tokens[name]) for name in BEHIND_TEXT}
    return Theme(grounds, tokens["brand-tint"].lightness)


def stylesheet_address(colour: str, theme: str = "") -> str:
    """The address of the stylesheet for a colour such as ``#1d5c4b``; empty for anything else.

    ``theme`` is one of ``ALWAYS``, or empty for the one that the reader prefers.
    """
    if not HEX.fullmatch(colour):
        return ""
    digits = colour[1:].lower()
    version = stylesheet_digest(in_theme(stylesheet(digits), theme))
    return url_for("portal.colours", digits=digits, theme=theme or None, v=version)


def tokens_address(theme: str) -> str:
    """The address of all tokens in one theme, whatever the reader prefers."""
    return url_for("portal.tokens", theme=theme, v=stylesheet_digest(in_theme(TOKENS, theme)))


@people.get("/colours/<digits>.css")
def colours(digits: str) -> Response:
    # A stylesheet takes long to make, so there is none for colours that no shelter has chosen.
    if not re.fullmatch("[0-9a-f]{6}", digits) or not has_colour(f"#{digits}"):
        raise NotFound("There is no such colour.")
    return stylesheet_response(in_theme(stylesheet(digits), request.args.get("theme", "")))


@people.get("/themes/<theme>.css")
def tokens(theme: str) -> Response:
    if theme not in ALWAYS:
        raise NotFound("There is no such theme.")
    return stylesheet_response(in_theme(TOKENS, theme))


ALWAYS = {"light": "not all", "dark": "all"}
"""What a question for the dark theme becomes where the answer is always the same."""


def in_theme(css: str, theme: str) -> str:
    if theme not in ALWAYS:
        return css
    css = css.replace("(prefers-color-scheme: dark)", ALWAYS[theme])
    return css.replace("color-scheme: light dark", f"color-scheme: {theme}")


def stylesheet_response(text: str) -> Response:
    """A stylesheet, kept for a year where its address names its content."""
    response = Response(text, content_type="text/css; charset=utf-8")
    response.set_etag(stylesheet_digest(text))
    if request.args.get("v") == stylesheet_digest(text):
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    response.make_conditional(request)
    return response


def stylesheet_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@lru_cache(maxsize=1_000)
def stylesheet(digits: str) -> str:
    """The tokens that a shelter's colour takes the place of, in both themes."""
    rgb = Rgb(*bytes.fromhex(digits))
    light, dark = (declarations(shades_of(rgb, each)) for each in themes())
    return (
        "@layer tokens {\n"
        f"  :root {{ {light} }}\n"
        f"  @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        "}\n"
    )


def declarations(shades: dict[str, Rgb]) -> str:
    return " ".join(f"--{name}: {shade.hex};" for name, shade in shades.items())


def shades_of(colour: Rgb, theme: Theme) -> dict[str, Rgb]:
    """Each token's shade of this colour that is nearest to it in lightness and legible in this theme."""
    own = oklch_of(colour)
    under_shapes = [theme.grounds[name] for name in UNDER_SHAPES]
    if own.chroma < NEUTRAL and not clear(colour, under_shapes, EDGE):
        # Black by day is white by night: a grey button would look as if it could not be pressed.
        own = own._replace(lightness=1 - own.lightness)
    tint = in_gamut(theme.tint_lightness, min(own.chroma, 0.03), own.hue)
    behind_text = [*theme.grounds.values(), tint]
    action = nearest_shade(own, lambda shade: clear(shade, under_shapes, EDGE) and takes_text(shade))
    on_action = max(WHITE, BLACK, key=lambda text: contrast(text, action))
    return {
        "brand": nearest_shade(own, lambda shade: clear(shade, under_shapes, EDGE)),
        "brand-tint": tint,
        "action": action,
        "action-hover": hovered(
            action, lambda shade: clear(shade, [on_action], TEXT) and clear(shade, under_shapes, EDGE)
        ),
        "on-action": on_action,
        "link": nearest_shade(own, lambda shade: clear(shade, behind_text, TEXT)),
    }


def hovered(action: Rgb, fits: Callable[[Rgb], bool]) -> Rgb:
    """A shade darker or lighter, whichever there is more room for."""
    at = oklch_of(action)
    # Of what is nearly black, nobody sees a small step.
    steps = (-0.06, max(0.06, 0.24 - at.lightness))
    both = [nearest_shade(at._replace(lightness=at.lightness + step), fits) for step in steps]
    return max(both, key=lambda shade: abs(oklch_of(shade).lightness - at.lightness))


def takes_text(ground: Rgb) -> bool:
    return contrast(WHITE, ground) >= TEXT or contrast(BLACK, ground) >= TEXT


def clear(shade: Rgb, others: Iterable[Rgb], least: float) -> bool:
    return all(contrast(shade, other) >= least for other in others)


STEPS = 200


def nearest_shade(colour: Oklch, fits: Callable[[Rgb], bool]) -> Rgb:
    """The shade of this hue and chroma that fits, by the least change of lightness."""
    for step in range(STEPS + 1):
        for lightness in (colour.lightness - step / STEPS, colour.lightness + step / STEPS):
            shade = in_gamut(min(1.0, max(0.0, lightness)), colour.chroma, colour.hue)
            if fits(shade):
                return shade
    raise AssertionError("black or white stands out from every ground")
