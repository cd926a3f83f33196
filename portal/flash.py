"""What is told once, on the page that comes next."""

from typing import NamedTuple

from flask import flash, get_flashed_messages


class Notice(NamedTuple):
    text: str
    tone: str
    """``good``, ``warn`` or ``bad``."""
    undo: str | None
    """Where a form that takes it back is sent."""


def notice(text: str, tone: str = "good", undo: str | None = None) -> None:
    """Tell this on the next page."""
    flash([text, tone, undo])  # type: ignore[arg-type]


def notices() -> list[Notice]:
    """What is to be told now, each once."""
    return [Notice(*told) for told in get_flashed_messages()]
