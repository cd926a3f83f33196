"""Constraints and partial indexes of the tables of animals."""

from sqlalchemy import CheckConstraint, Index, text


def known_values_check(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def listed_index(*columns: str) -> Index:
    """Return an index of listed animals only.

    SQLite uses a partial index only if the query has exactly the same condition.
    """
    name = f"ix_animals_{'_'.join(columns)}_listed"
    return Index(name, *columns, sqlite_where=text("listed = 1"), postgresql_where=text("listed"))


def shown_index(*columns: str) -> Index:
    """Return an index of the animals that the public sees: listed and in a published project."""
    name = f"ix_animals_{'_'.join(columns)}_shown"
    return Index(
        name,
        *columns,
        sqlite_where=text("listed = 1 AND published = 1"),
        postgresql_where=text("listed AND published"),
    )


def sorted_index(column: str) -> Index:
    """Return an index in which a project's animals are sorted by a date column.

    The index contains only animals that have the date.
    """
    known = text(f"{column} IS NOT NULL")
    name = f"ix_animals_project_id_{column}_id"
    return Index(name, "project_id", column, "id", sqlite_where=known, postgresql_where=known)


WAITING = text("arrival_date IS NOT NULL AND status <> 'sold' AND removed_at IS NULL")
