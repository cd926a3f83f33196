"""Previews of a shelter's colour in the light and the dark theme, drawn as SVG."""

from typing import NamedTuple

from adoption.translations import gettext, message
from portal.sites.colour_math import Rgb
from portal.sites.theme import HEX, shades_of, themes

NAMES = (message("By day"), message("After dark"))


class Sample(NamedTuple):
    """The colours of a theme, each as ``#rrggbb``."""

    name: str
    paper: str
    action: str
    on_action: str
    link: str
    tint: str


class Samples(NamedTuple):
    themes: list[Sample]
    sentence: str
    """A sentence about how the colour is changed for enough contrast."""


def colour_samples(colour: str) -> Samples | None:
    """Return samples of a colour, or None if the colour is invalid."""
    if not HEX.fullmatch(colour):
        return None
    rgb = Rgb(*bytes.fromhex(colour[1:]))
    samples = []
    for name, theme in zip(NAMES, themes(), strict=True):
        shades = shades_of(rgb, theme)
        colours = [shades[token].hex for token in ("action", "on-action", "link", "brand-tint")]
        samples.append(Sample(gettext(name), theme.backgrounds["paper"].hex, *colours))
    day = samples[0]
    if day.action == colour.lower() and day.link == colour.lower():
        return Samples(samples, gettext("Good contrast."))
    if day.action == colour.lower():
        unchanged = gettext(
            "Buttons use this colour unchanged. Links use %(colour)s for enough contrast.", colour=day.link
        )
        return Samples(samples, unchanged)
    sentence = gettext(
        "This colour has too little contrast on white, so we use %(button)s for buttons "
        "and %(link)s for links.",
        button=day.action,
        link=day.link,
    )
    return Samples(samples, sentence)
