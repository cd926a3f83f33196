"""Stylesheets with a shelter's own colour, in legible shades.

A shade has the hue of the colour and another lightness. WCAG 2.2 requires a contrast of 4.5 for text and of 3
for edges and shapes.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from flask import Response, request, url_for

from adoption.errors import NotFound
from adoption.projects.published_sites import has_colour
from portal import portal_blueprint
from portal.assets import YEAR
from portal.sites.colour_math import Oklch, Rgb, contrast, in_gamut, oklch_of

HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
TEXT, EDGE = 4.5, 3.0
NEUTRAL = 0.02
"""The chroma below which a colour is grey."""

TOKENS = (Path(__file__).parents[2] / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
TOKEN = re.compile(r"--([a-z-]+): oklch\(([0-9.]+) ([0-9.]+) ([0-9.]+)\);")
BEHIND_TEXT = ("paper", "surface", "sunken", "glow-tint", "good-tint", "bad-tint")
"""Tokens of backgrounds that links can be on, except the shelter's own tint."""
UNDER_SHAPES = ("paper", "surface", "sunken")

WHITE, BLACK = Rgb(255, 255, 255), Rgb(17, 17, 17)


class Theme(NamedTuple):
    """The backgrounds of the light or the dark theme. Shades must contrast with them."""

    backgrounds: dict[str, Rgb]
    tint_lightness: float
    """Lightness of the background of notices."""


@cache
def themes() -> tuple[Theme, Theme]:
    """Return the light and the dark theme of ``tokens.css``."""
    light_part, dark_part = TOKENS.split("prefers-color-scheme: dark", 1)
    light = {name: Oklch(*map(float, rest)) for name, *rest in TOKEN.findall(light_part)}
    dark = light | {name: Oklch(*map(float, rest)) for name, *rest in TOKEN.findall(dark_part)}
    return theme(light), theme(dark)


def theme(tokens: dict[str, Oklch]) -> Theme:
    backgrounds = {name: in_gamut(*tokens[name]) for name in BEHIND_TEXT}
    return Theme(backgrounds, tokens["brand-tint"].lightness)


def stylesheet_address(colour: str, theme: str = "") -> str:
    """Return the address of the stylesheet of a colour such as ``#1d5c4b``.

    The address is "" if the colour is invalid. ``theme`` is one of ``ALWAYS``, or "" for the reader's own
    theme.
    """
    if not HEX.fullmatch(colour):
        return ""
    digits = colour[1:].lower()
    version = stylesheet_digest(in_theme(stylesheet(digits), theme))
    return url_for("portal.colours", digits=digits, theme=theme or None, v=version)


def tokens_address(theme: str) -> str:
    """Return the address of all tokens in one theme. The reader's preferred theme is ignored."""
    return url_for("portal.tokens", theme=theme, v=stylesheet_digest(in_theme(TOKENS, theme)))


@portal_blueprint.get("/colours/<digits>.css")
def colours(digits: str) -> Response:
    # A stylesheet is slow to make. Colours that no shelter has chosen get none.
    if not re.fullmatch("[0-9a-f]{6}", digits) or not has_colour(f"#{digits}"):
        raise NotFound("There is no such colour.")
    return stylesheet_response(in_theme(stylesheet(digits), request.args.get("theme", "")))


@portal_blueprint.get("/themes/<theme>.css")
def tokens(theme: str) -> Response:
    if theme not in ALWAYS:
        raise NotFound("There is no such theme.")
    return stylesheet_response(in_theme(TOKENS, theme))


ALWAYS = {"light": "not all", "dark": "all"}
"""The media query that replaces the query for the dark theme, by the name of the theme."""


def in_theme(css: str, theme: str) -> str:
    if theme not in ALWAYS:
        return css
    css = css.replace("(prefers-color-scheme: dark)", ALWAYS[theme])
    return css.replace("color-scheme: light dark", f"color-scheme: {theme}")


def stylesheet_response(text: str) -> Response:
    """Return a stylesheet, cached for a year if its address has the hash of its content."""
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
    """Return the stylesheet of a colour: the tokens that depend on the colour, in both themes."""
    rgb = Rgb(*bytes.fromhex(digits))
    light, dark = (declarations(shades_of(rgb, theme)) for theme in themes())
    return (
        "@layer tokens {\n"
        f"  :root {{ {light} }}\n"
        f"  @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        "}\n"
    )


def declarations(shades: dict[str, Rgb]) -> str:
    return " ".join(f"--{name}: {shade.hex};" for name, shade in shades.items())


def shades_of(colour: Rgb, theme: Theme) -> dict[str, Rgb]:
    """Return the shade of each token: the legible shade in this theme that is nearest to the colour."""
    own = oklch_of(colour)
    under_shapes = [theme.backgrounds[name] for name in UNDER_SHAPES]
    if own.chroma < NEUTRAL and not has_contrast(colour, under_shapes, EDGE):
        # Black in the light theme becomes white in the dark theme: a grey button would look disabled.
        own = own._replace(lightness=1 - own.lightness)
    tint = in_gamut(theme.tint_lightness, min(own.chroma, 0.03), own.hue)
    behind_text = [*theme.backgrounds.values(), tint]
    action = nearest_shade(
        own, lambda shade: has_contrast(shade, under_shapes, EDGE) and can_have_text(shade)
    )
    on_action = max(WHITE, BLACK, key=lambda text: contrast(text, action))
    return {
        "brand": nearest_shade(own, lambda shade: has_contrast(shade, under_shapes, EDGE)),
        "brand-tint": tint,
        "action": action,
        "action-hover": hover_shade(
            action,
            lambda shade: has_contrast(shade, [on_action], TEXT) and has_contrast(shade, under_shapes, EDGE),
        ),
        "on-action": on_action,
        "link": nearest_shade(own, lambda shade: has_contrast(shade, behind_text, TEXT)),
    }


def hover_shade(action: Rgb, fits: Callable[[Rgb], bool]) -> Rgb:
    """Return a shade of the same hue: a darker or a lighter shade, whichever differs more from the colour."""
    own = oklch_of(action)
    # A small step is invisible in a colour that is nearly black.
    steps = (-0.06, max(0.06, 0.24 - own.lightness))
    both = [nearest_shade(own._replace(lightness=own.lightness + step), fits) for step in steps]
    return max(both, key=lambda shade: abs(oklch_of(shade).lightness - own.lightness))


def can_have_text(background: Rgb) -> bool:
    return contrast(WHITE, background) >= TEXT or contrast(BLACK, background) >= TEXT


def has_contrast(shade: Rgb, others: Iterable[Rgb], least: float) -> bool:
    return all(contrast(shade, other) >= least for other in others)


STEPS = 200


def nearest_shade(colour: Oklch, fits: Callable[[Rgb], bool]) -> Rgb:
    """Return the nearest shade with the colour's hue and chroma for which ``fits`` is true."""
    for step in range(STEPS + 1):
        for lightness in (colour.lightness - step / STEPS, colour.lightness + step / STEPS):
            shade = in_gamut(min(1.0, max(0.0, lightness)), colour.chroma, colour.hue)
            if fits(shade):
                return shade
    raise AssertionError("black or white has contrast with every background")
