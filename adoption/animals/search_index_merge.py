"""Maintenance of SQLite's search index. PostgreSQL maintains its index automatically."""

from sqlalchemy import Connection, text

from adoption.storage.database import db, reading, transaction

SEGMENTS_MOST = 6
"""Limit of index segments up to which a search is not noticeably slower."""

PAGES_AT_ONCE = 100
"""Number of index pages merged in one transaction. Other writers wait some hundredths of a second."""

COUNT_SEGMENTS = text("SELECT count(DISTINCT segid) FROM animal_search_idx")
MERGE = text("INSERT INTO animal_search (animal_search, rank) VALUES ('merge', :pages)")


def merge_index() -> int:
    """Merge the index if it has many segments. Return the number of steps.

    Each change adds a small segment. SQLite automatically merges only some segments. The remaining segments
    can double the time of a search (sqlite.org/fts5.html, sections 6.8 and 6.9).
    """
    if db.engine.dialect.name != "sqlite" or count_segments() <= SEGMENTS_MOST:
        return 0
    steps = 1
    pages = -PAGES_AT_ONCE  # starts a merge of all segments; the next steps continue it
    while merge_step(pages):
        pages = PAGES_AT_ONCE
        steps += 1
    return steps


def count_segments() -> int:
    with reading() as session:
        return session.scalar(COUNT_SEGMENTS) or 0


def merge_step(pages: int) -> bool:
    """Merge some pages. Return whether any pages were merged."""
    with transaction() as session:
        connection = session.connection()
        before = total_changes(connection)
        session.execute(MERGE, {"pages": pages})
        return total_changes(connection) - before >= 2  # the merge command itself counts as one change


def total_changes(connection: Connection) -> int:
    driver = connection.connection.driver_connection
    return int(driver.total_changes)  # type: ignore[union-attr]
