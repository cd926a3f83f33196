"""Notices that the next page shows once."""

from typing import NamedTuple

from flask import flash, get_flashed_messages


class Notice(NamedTuple):
    text: str
    tone: str
    """``good``, ``warn`` or ``bad``."""
    undo: str | None
    """Address of the form that undoes the change."""


def notice(text: str, tone: str = "good", undo: str | None = None) -> None:
    """Show a notice on the next page."""
    flash([text, tone, undo])  # type: ignore[arg-type]


def notices() -> list[Notice]:
    """Return the notices of this page, and remove them from the session."""
    return [Notice(*message) for message in get_flashed_messages()]
