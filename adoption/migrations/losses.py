"""Downgrades that would delete data for good."""

import sqlalchemy as sa
from alembic import context, op


def refuse_loss(*tables: str) -> None:
    """Raise RuntimeError if a table has rows, unless ``-x delete-data`` allows to delete them."""
    if "delete-data" in context.get_x_argument(as_dictionary=True):
        return
    counts = {table: op.get_bind().scalar(sa.text(f"SELECT count(*) FROM {table}")) for table in tables}  # noqa: S608
    if filled := [f"{number:,} rows of {table}" for table, number in counts.items() if number]:
        raise RuntimeError(
            f"This downgrade would delete {', '.join(filled)} for good. Nothing was changed. "
            "Make a backup, then run the downgrade with -x delete-data."
        )
