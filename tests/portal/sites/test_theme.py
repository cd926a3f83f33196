"""A shelter's colour is adjusted until it is legible."""

import re
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from portal.sites.colour_math import Rgb, contrast, oklch_of
from portal.sites.theme import BEHIND_TEXT, UNDER_SHAPES, Theme, in_theme, shades_of, stylesheet, themes

COLOURS = st.builds(Rgb, *[st.integers(0, 255)] * 3)


def test_contrast_is_that_of_wcag() -> None:
    white, black, grey = Rgb(255, 255, 255), Rgb(0, 0, 0), Rgb(118, 118, 118)
    assert contrast(white, black) == contrast(black, white) == 21
    assert contrast(white, white) == 1
    assert 4.53 < contrast(white, grey) < 4.55


def test_a_colour_is_read_as_css_does() -> None:
    # The colours that browsers compute (CSS Color 4, 4.1 and 9.3).
    for colour, lightness, chroma, hue in (
        (Rgb(255, 0, 0), 0.628, 0.258, 29.2),
        (Rgb(0, 0, 255), 0.452, 0.313, 264.1),
        (Rgb(255, 255, 0), 0.968, 0.211, 109.8),
    ):
        read = oklch_of(colour)
        assert abs(read.lightness - lightness) < 0.001
        assert abs(read.chroma - chroma) < 0.001
        assert abs(read.hue - hue) < 0.1


def legible(shades: dict[str, Rgb], theme: Theme) -> None:
    shapes = [theme.backgrounds[name] for name in UNDER_SHAPES]
    texts = [*(theme.backgrounds[name] for name in BEHIND_TEXT), shades["brand-tint"]]
    for name in ("brand", "action", "action-hover"):
        assert min(contrast(shades[name], ground) for ground in shapes) >= 3, name
    for name in ("action", "action-hover"):
        assert contrast(shades["on-action"], shades[name]) >= 4.5, name
    assert min(contrast(shades["link"], ground) for ground in texts) >= 4.5


@given(COLOURS)
@example(Rgb(255, 255, 0))
@example(Rgb(0, 0, 0))
@example(Rgb(255, 255, 255))
@example(Rgb(0, 255, 0))
@example(Rgb(0, 0, 255))
@example(Rgb(119, 119, 119))
def test_every_colour_is_legible_by_day_and_by_night(colour: Rgb) -> None:
    for theme in themes():
        legible(shades_of(colour, theme), theme)


@given(COLOURS)
def test_text_can_be_read_on_the_tint(colour: Rgb) -> None:
    light, dark = themes()
    ink, night_ink = Rgb(25, 40, 34), Rgb(236, 240, 228)
    assert contrast(shades_of(colour, light)["brand-tint"], ink) >= 7
    assert contrast(shades_of(colour, dark)["brand-tint"], night_ink) >= 7


def test_a_colour_that_is_legible_stays_as_it_is() -> None:
    light, dark = themes()
    assert shades_of(Rgb(31, 95, 139), light)["action"] == Rgb(31, 95, 139)
    assert shades_of(Rgb(96, 158, 206), dark)["link"] == Rgb(96, 158, 206)


@given(COLOURS)
def test_the_hue_is_the_shelters(colour: Rgb) -> None:
    own = oklch_of(colour)
    for theme in themes():
        link = oklch_of(shades_of(colour, theme)["link"])
        # Screens round colours, and the hue of a nearly grey colour is inexact.
        if min(own.chroma, link.chroma) > 0.06:
            assert abs((own.hue - link.hue + 180) % 360 - 180) < 4


@given(COLOURS)
def test_a_stylesheet_sets_tokens_and_nothing_else(colour: Rgb) -> None:
    sheet = stylesheet(colour.hex[1:])
    declared = re.findall(r"--([a-z-]+): #[0-9a-f]{6};", sheet)
    assert sorted(declared) == sorted(
        2 * ["brand", "brand-tint", "action", "action-hover", "on-action", "link"]
    )
    assert not re.search(r"[^-a-z0-9#:;@(){}, \n]", sheet)


def test_backgrounds_are_those_of_the_stylesheet(root: Path) -> None:
    light, dark = themes()
    assert light.backgrounds["paper"] != dark.backgrounds["paper"]
    tokens = (root / "static" / "css" / "tokens.css").read_text()
    assert tokens.count("(prefers-color-scheme: dark)") == 1
    for name in BEHIND_TEXT:
        assert len(re.findall(rf"--{name}: oklch", tokens)) == 2


def test_a_theme_can_be_one_for_every_reader() -> None:
    sheet = stylesheet("1f5f8b")
    for theme in ("light", "dark"):
        assert "prefers-color-scheme" not in in_theme(sheet, theme)
    assert in_theme(sheet, "") == in_theme(sheet, "}*{") == sheet
