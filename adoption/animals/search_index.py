"""Maintenance of SQLite's search index. PostgreSQL maintains its own."""

from sqlalchemy import Connection, text

from adoption.storage.database import db, reading, transaction

PARTS_MOST = 6
"""The most parts of the index that a search reads without slowing down noticeably."""

PAGES_AT_ONCE = 100
"""Pages of the index merged in one transaction: other writers wait for some hundredths of a second."""

PARTS = text("SELECT count(DISTINCT segid) FROM animal_search_idx")
MERGE = text("INSERT INTO animal_search (animal_search, rank) VALUES ('merge', :pages)")


def merge_index() -> int:
    """Merge the index where it has many parts. Return the number of steps that it took.

    Each change adds a small part to the index. SQLite merges some of them itself, and those that stay make a
    search take twice as long (sqlite.org/fts5.html, sections 6.8 and 6.9).
    """
    if db.engine.dialect.name != "sqlite" or parts() <= PARTS_MOST:
        return 0
    steps = 1
    pages = -PAGES_AT_ONCE  # begins a merge of all parts, which the steps after it go on with
    while merge_step(pages):
        pages = PAGES_AT_ONCE
        steps += 1
    return steps


def parts() -> int:
    with reading() as session:
        return session.scalar(PARTS) or 0


def merge_step(pages: int) -> bool:
    """Take one step. Return False where nothing was left to do."""
    with transaction() as session:
        connection = session.connection()
        before = total_changes(connection)
        session.execute(MERGE, {"pages": pages})
        return total_changes(connection) - before >= 2  # the command itself counts as one


def total_changes(connection: Connection) -> int:
    driver = connection.connection.driver_connection
    return int(driver.total_changes)  # type: ignore[union-attr]
