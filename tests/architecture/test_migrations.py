import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from apiflask import APIFlask
from flask_migrate import check, downgrade, upgrade
from sqlalchemy import inspect, select, text

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.models import AnimalCategory
from adoption.migrations.comparison import is_modelled
from adoption.storage.database import Base, db, reading
from tests import factories


def test_models_equal_migrations(app: APIFlask) -> None:
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_modelled})
        differences = compare_metadata(context, Base.metadata)
    assert differences == []


def test_a_new_migration_would_be_empty(app: APIFlask) -> None:
    """``db migrate`` writes the differences that ``db check`` finds.

    The search index has no model and is excluded.
    """
    check()


def test_migrations_can_be_downgraded_and_upgraded(app: APIFlask) -> None:
    downgrade(revision="base")
    assert inspect(db.engine).get_table_names() == ["alembic_version"]
    upgrade()
    assert set(Base.metadata.tables) <= set(inspect(db.engine).get_table_names())


def test_the_database_has_the_published_categories(app: APIFlask) -> None:
    with reading() as session:
        kept = {category.id: category.name for category in session.scalars(select(AnimalCategory))}
    assert kept == CATEGORIES


def test_a_migration_restores_the_timeouts_of_its_connection(app: APIFlask) -> None:
    if db.engine.dialect.name == "postgresql":
        query, bound = "SHOW statement_timeout", "5s"
    else:
        query, bound = "PRAGMA foreign_keys", 1
    upgrade()
    with db.engine.connect() as connection:
        assert connection.scalar(text(query)) == bound


def test_a_downgrade_that_would_delete_data_fails(app: APIFlask, caplog: pytest.LogCaptureFixture) -> None:
    photo = factories.animal(factories.project(), "Rex", photos=1)
    assert photo
    before = set(inspect(db.engine).get_table_names())
    with pytest.raises(SystemExit):
        downgrade(revision="0001")
    assert "would delete 2 rows of audit_entries for good" in caplog.text
    assert set(inspect(db.engine).get_table_names()) == before, "no table was dropped"
    if db.engine.dialect.name == "sqlite":
        with db.engine.connect() as connection:
            assert connection.scalar(text("PRAGMA foreign_keys")) == 1
