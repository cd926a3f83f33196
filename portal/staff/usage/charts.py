"""The bar chart of daily API requests, as SVG.

Horizontal positions are in per cent and vertical positions in pixels, so that the bars stretch with the page,
but the text does not.
"""

from collections.abc import Sequence
from typing import NamedTuple

from adoption.accounts.api_access.usage import DayUsage
from adoption.translations import gettext, ngettext
from portal.dates import day_in_words, short_day

TOP, FLOOR, HEIGHT = 16, 200, 228
STEPS_MOST = 5
NICE = (1, 2, 5)
BAR = 0.72
"""The width of a bar, as a share of a day's width."""
DAYS_BETWEEN_LABELS = 7
LIMIT_SHOWN_FROM = 0.4
"""If the busiest day has less than this share of the limit, the chart does not show the limit.

Otherwise the bars would be too small.
"""
LIMIT_SHOWN_TO = 6
"""If the busiest day has more than this many times the limit, the chart does not show the limit.

This happens after a change to a smaller plan.
"""


class BarPart(NamedTuple):
    """A part of a stacked bar: answered requests, errors or refused requests."""

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
    grid = [
        ChartLine(format_pixels(FLOOR - value * scale), short_number(value))
        for value in range(0, top + 1, step)
    ]
    room = 100 / len(days)
    parts = [part for number, day in enumerate(days) for part in bar_parts(day, number * room, room, scale)]
    label = gettext("Daily limit %(limit)s", limit=f"{limit:,}")
    line = ChartLine(format_pixels(FLOOR - limit * scale), label) if with_limit else None
    return Chart(HEIGHT, grid, parts, line, axis_labels(days, room))


def chart_summary(days: Sequence[DayUsage]) -> str:
    """Return the numbers in the chart as sentences, for screen readers too."""
    total = sum(day.requests for day in days)
    refused, wrong = sum(day.refusals for day in days), sum(day.errors for day in days)
    if not total:
        return gettext(
            "There were no requests in the last 30 days. Requests with your API keys are counted here."
        )
    busiest = max(days, key=lambda day: day.requests)
    values = {"total": f"{total:,}", "day": day_in_words(busiest.day, days[-1].day)}
    if busiest.requests == total:
        parts = [
            ngettext(
                "%(total)s request in 30 days, on %(day)s.",
                "%(total)s requests in 30 days, all on %(day)s.",
                total,
                **values,
            )
        ]
    else:
        values["most"] = f"{busiest.requests:,}"
        parts = [gettext("%(total)s requests in 30 days, most on %(day)s (%(most)s).", **values)]
    if refused:
        parts.append(
            ngettext(
                "%(num)s was over the quota, and was refused with 429.",
                "%(num)s were over the quota, and were refused with 429.",
                refused,
            )
        )
    if wrong:
        parts.append(
            ngettext(
                "%(num)s was answered with another error.",
                "%(num)s were answered with another error.",
                wrong,
            )
        )
    if not refused and not wrong:
        parts.append(gettext("None was refused or failed."))
    return " ".join(parts)


def bar_parts(day: DayUsage, left: float, room: float, scale: float) -> list[BarPart]:
    answered = day.requests - day.errors - day.refusals
    x, width = f"{left + room * (1 - BAR) / 2:.2f}%", f"{room * BAR:.2f}%"
    parts, at = [], float(FLOOR)
    for kind, number in (("answered", answered), ("errors", day.errors), ("refused", day.refusals)):
        if number > 0:
            height = max(number * scale, 1.5)  # A single request is visible too.
            at -= height
            parts.append(BarPart(kind, x, width, format_pixels(at), format_pixels(height)))
    return parts


def axis_labels(days: Sequence[DayUsage], room: float) -> list[Label]:
    labels = []
    last = len(days) - 1
    first = last % DAYS_BETWEEN_LABELS  # Today has a label.
    for number in range(first, len(days), DAYS_BETWEEN_LABELS):
        day = days[number].day
        centre = f"{(number + 0.5) * room:.2f}%"
        labels.append(Label(centre, short_day(day, day), "end" if number == last else "middle"))
    return labels


def nice_step(most: float) -> int:
    """Return the smallest round step that divides ``most`` into at most ``STEPS_MOST`` steps.

    Round steps are 1, 2 and 5 times a power of 10. The last step reaches ``most``.
    """
    power = 1
    while True:
        for nice in NICE:
            if nice * power * STEPS_MOST >= most:
                return nice * power
        power *= 10


def short_number(value: int) -> str:
    """Return a number in short form, such as 950, "20k" or "1.5m"."""
    for size, letter in ((1_000_000, "m"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return str(value)


def format_pixels(value: float) -> str:
    return f"{value:.1f}"
