"""The progress of an import, for the progress bar and for screen readers."""

from typing import NamedTuple

from adoption.imports.models import Import
from adoption.translations import gettext

QUARTERS = 4


class ImportProgress(NamedTuple):
    """The progress of an import. ``total`` is None while it is unknown."""

    text: str
    done: int = 0
    total: int | None = None
    quarter: int = 0
    """The number of finished quarters: 0 to 4 during the rows, and 4 to 8 during the photos."""
    announced: str = ""
    """The text that screen readers announce when this quarter is finished."""


def progress_of(each: Import, interrupted: bool = False) -> ImportProgress:
    if each.cancelled_at is not None:
        return ImportProgress(gettext("Stopping"))
    if interrupted:
        return ImportProgress(gettext("Interrupted. It continues within a minute"))
    if each.state == "reading":
        return ImportProgress(gettext("Reading the file") if each.claim else gettext("Waiting to start"))
    if each.undo_asked_at is not None:
        return undo_progress(each)
    if each.state == "waiting":
        return ImportProgress(gettext("Waiting to start"))
    if each.result and each.photos_total:
        return photos_progress(each.photos_done, each.photos_total)
    if each.rows_done and each.rows_total:
        return rows_progress(each.rows_done, each.rows_total)
    return ImportProgress(gettext("Reading the file"))


def undo_progress(each: Import) -> ImportProgress:
    if not each.rows_total:
        return ImportProgress(gettext("Undoing"))
    done = min(each.rows_done * 100 // each.rows_total, 100)
    quarter = done // 25
    text = gettext("%(percent)s%% undone", percent=done)
    announced = gettext("%(percent)s%% undone", percent=quarter * 25)
    return ImportProgress(text, done, 100, quarter, announced)


def rows_progress(done: int, total: int) -> ImportProgress:
    quarter = quarters_done(done, total)
    text = gettext("%(done)s of %(total)s rows", done=f"{done:,}", total=f"{total:,}")
    announced = gettext("%(percent)s%% of the rows", percent=quarter * 25)
    return ImportProgress(text, done, total, quarter, announced)


def photos_progress(done: int, total: int) -> ImportProgress:
    quarter = quarters_done(done, total)
    text = gettext("%(done)s of %(total)s photos", done=f"{done:,}", total=f"{total:,}")
    announced = gettext("%(percent)s%% of the photos", percent=quarter * 25)
    return ImportProgress(text, done, total, QUARTERS + quarter, announced)


def quarters_done(done: int, total: int) -> int:
    return min(done, total) * QUARTERS // total
