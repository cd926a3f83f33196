"""How far an import is, for the bar and for a screen reader."""

from typing import NamedTuple

from adoption.imports.models import Import

QUARTERS = 4


class ImportProgress(NamedTuple):
    """``done`` of ``total`` of what it is busy with; ``total`` is None while that is not known."""

    words: str
    done: int = 0
    total: int | None = None
    quarter: int = 0
    """Which quarter of the rows is behind it, from 0 to 4, and from 4 on which of the photos."""
    announced: str = ""
    """What is said when the quarter is reached."""


def progress_of(each: Import, interrupted: bool = False) -> ImportProgress:
    if each.cancelled_at is not None:
        return ImportProgress("Stopping")
    if interrupted:
        return ImportProgress("Interrupted. It continues within a minute")
    if each.state == "reading":
        return ImportProgress("Reading the file" if each.claim else "Waiting to start")
    if each.undo_asked_at is not None:
        return undo_progress(each)
    if each.state == "waiting":
        return ImportProgress("Waiting to start")
    if each.result and each.photos_total:
        return measured(each.photos_done, each.photos_total, "photos", QUARTERS)
    if each.rows_done and each.rows_total:
        return measured(each.rows_done, each.rows_total, "rows", 0)
    return ImportProgress("Reading the file")


def undo_progress(each: Import) -> ImportProgress:
    if not each.rows_total:
        return ImportProgress("Undoing")
    done = min(each.rows_done * 100 // each.rows_total, 100)
    return ImportProgress(f"{done}% undone", done, 100, done // 25, f"{done // 25 * 25}% undone")


def measured(done: int, total: int, what: str, before: int) -> ImportProgress:
    quarter = min(done, total) * QUARTERS // total
    return ImportProgress(
        f"{done:,} of {total:,} {what}", done, total, before + quarter, f"{quarter * 25}% of the {what}"
    )
