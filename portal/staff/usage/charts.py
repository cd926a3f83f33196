"""The chart of requests: bars of parts in a drawing of the server's.

Across, all is told in per cent and up and down in pixels: so the drawing stretches, and its words do not.
"""

from collections.abc import Sequence
from typing import NamedTuple

from adoption.accounts.api_access.usage import DayUsage

TOP, FLOOR, HEIGHT = 16, 200, 228
STEPS_MOST = 5
NICE = (1, 2, 5)
BAR = 0.72
"""Of the room that a day has, how much its bar takes."""
LABELLED_EACH = 7
LIMIT_SHOWN_FROM = 0.4
"""Of the limit, how much the busiest day must have for the limit to be drawn: bars would vanish below it."""
LIMIT_SHOWN_TO = 6
"""How many times the limit it may have, as after a change to a smaller plan: it would lie on the floor."""


class BarPart(NamedTuple):
    """A piece of a bar: answered, errors or refused, one upon the other."""

    kind: str
    x: str
    width: str
    y: str
    height: str


class ChartLine(NamedTuple):
    y: str
    label: str


class Label(NamedTuple):
    x: str
    text: str
    anchor: str


class Chart(NamedTuple):
    height: int
    grid: list[ChartLine]
    parts: list[BarPart]
    limit: ChartLine | None
    days: list[Label]


def chart_of(days: Sequence[DayUsage], limit: int) -> Chart:
    busiest = max(day.requests for day in days)
    with_limit = limit * LIMIT_SHOWN_FROM <= busiest <= limit * LIMIT_SHOWN_TO
    step = nice_step(max(busiest, limit * 1.08 if with_limit else 0, STEPS_MOST - 1))
    top = step * max(1, -(-int(max(busiest, limit * 1.08 if with_limit else 0)) // step))
    scale = (FLOOR - TOP) / top
    grid = [ChartLine(pixels(FLOOR - value * scale), short(value)) for value in range(0, top + 1, step)]
    room = 100 / len(days)
    parts = [part for number, day in enumerate(days) for part in bar_parts(day, number * room, room, scale)]
    line = ChartLine(pixels(FLOOR - limit * scale), f"Daily limit {limit:,}") if with_limit else None
    return Chart(HEIGHT, grid, parts, line, axis_labels(days, room))


def bar_parts(day: DayUsage, left: float, room: float, scale: float) -> list[BarPart]:
    answered = day.requests - day.errors - day.refusals
    x, width = f"{left + room * (1 - BAR) / 2:.2f}%", f"{room * BAR:.2f}%"
    parts, at = [], float(FLOOR)
    for kind, number in (("answered", answered), ("errors", day.errors), ("refused", day.refusals)):
        if number > 0:
            height = max(number * scale, 1.5)  # what is there is seen
            at -= height
            parts.append(BarPart(kind, x, width, pixels(at), pixels(height)))
    return parts


def axis_labels(days: Sequence[DayUsage], room: float) -> list[Label]:
    labels = []
    last = len(days) - 1
    for number in range(last % LABELLED_EACH, len(days), LABELLED_EACH):  # so that today has one
        day = days[number].day
        centre = f"{(number + 0.5) * room:.2f}%"
        labels.append(Label(centre, f"{day.day} {day:%b}", "end" if number == last else "middle"))
    return labels


def nice_step(most: float) -> int:
    """The smallest round step of which no more than ``STEPS_MOST`` reach ``most``."""
    power = 1
    while True:
        for nice in NICE:
            if nice * power * STEPS_MOST >= most:
                return nice * power
        power *= 10


def short(value: int) -> str:
    """Such as 950, "20k" or "1.5m": a scale has little room."""
    for size, letter in ((1_000_000, "m"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return str(value)


def pixels(value: float) -> str:
    return f"{value:.1f}"
