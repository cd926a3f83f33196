"""How a shelter's colour looks on its site, by day and by night: drawn, so that nothing else is loaded."""

from typing import NamedTuple

from portal.sites.colour_math import Rgb
from portal.sites.theme import HEX, shades_of, themes

NAMES = ("By day", "After dark")


class Sample(NamedTuple):
    """One theme's colours, each as ``#rrggbb``."""

    name: str
    paper: str
    action: str
    on_action: str
    link: str
    tint: str


class Samples(NamedTuple):
    themes: list[Sample]
    sentence: str
    """What was done to the colour so that everybody can read what is written in it."""


def colour_samples(colour: str) -> Samples | None:
    """None for what is no colour, and for none."""
    if not HEX.fullmatch(colour):
        return None
    rgb = Rgb(*bytes.fromhex(colour[1:]))
    samples = []
    for name, theme in zip(NAMES, themes(), strict=True):
        shades = shades_of(rgb, theme)
        told = [shades[token].hex for token in ("action", "on-action", "link", "brand-tint")]
        samples.append(Sample(name, theme.backgrounds["paper"].hex, *told))
    day = samples[0]
    if day.action == colour.lower() and day.link == colour.lower():
        return Samples(samples, "Good contrast.")
    if day.action == colour.lower():
        return Samples(samples, f"Buttons use it unchanged. Links use {day.link} for enough contrast.")
    sentence = (
        f"It has too little contrast on white, so we use {day.action} for buttons and {day.link} for links."
    )
    return Samples(samples, sentence)
