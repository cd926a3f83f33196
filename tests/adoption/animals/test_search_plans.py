"""SQLite's query plans of searches, which must not depend on table statistics."""

import pytest
from apiflask import APIFlask

from adoption.animals import animal_and_photo_limits
from adoption.animals.catalogue import MANY, CatalogueFilters, count_statement, page_statement, shape_of
from adoption.animals.facet_counts import groups_statement
from adoption.animals.full_text_queries import plain_terms
from adoption.storage.driver_connections import the_driver_connections
from adoption.storage.prepared_statements import Prepared

WORDS = plain_terms("tabby", 1)
SEARCHES = (
    CatalogueFilters(words=WORDS),
    CatalogueFilters(project_id=5, words=WORDS),
    CatalogueFilters(words=WORDS, category_id=2, sex="female", statuses=("available", "pending")),
    CatalogueFilters(shelter=5, words=WORDS, category_id=2, size="small", age="young"),
    CatalogueFilters(words=WORDS, companions=frozenset({"cats"}), untested=True),
)


def plan_of(query: Prepared) -> list[str]:
    reader = the_driver_connections()
    sql = query.for_engine(reader.engine).sql
    return [row[3] for row in reader.rows(f"EXPLAIN QUERY PLAN {sql}", [None] * sql.count("?"))]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("wanted", SEARCHES)
def test_a_search_uses_the_word_index(app: APIFlask, wanted: CatalogueFilters) -> None:
    shape = shape_of(wanted)
    queries = [page_statement(shape, order) for order in ("newest", "waiting", "undated")]
    for query in (*queries, count_statement(shape), groups_statement(shape)):
        reads = [step for step in plan_of(query) if step.startswith(("SCAN", "SEARCH"))]
        tables = [step.split()[1] for step in reads if not step.split()[1].startswith(("(", "anon"))]
        assert tables.index("animal_search") < tables.index("animals")
        assert "SEARCH animals USING INTEGER PRIMARY KEY (rowid=?)" in reads


@pytest.mark.settings("embedded")
def test_a_species_filter_on_a_site_uses_the_project_index(app: APIFlask) -> None:
    shape = shape_of(CatalogueFilters(project_id=5, category_id=1))
    for order in ("newest", "undated"):
        assert any("(project_id=?" in step for step in plan_of(page_statement(shape, order)))


@pytest.mark.settings("embedded")
def test_few_animals_near_a_place_are_read_by_project_and_many_in_order(app: APIFlask) -> None:
    by_project = "SEARCH animals USING INDEX ix_animals_project_id_"
    shape = shape_of(CatalogueFilters(nearby="5,6", category_id=1, statuses=("available",)))
    for order in ("newest", "waiting", "undated"):
        steps = plan_of(page_statement(shape, order))
        assert any(by_project in step for step in steps), steps
        assert "USE TEMP B-TREE FOR ORDER BY" in steps
    assert any(by_project in step for step in plan_of(count_statement(shape)))
    steps = plan_of(page_statement(shape._replace(nearby=MANY), "newest"))
    assert not any(by_project in step for step in steps), steps
    assert "USE TEMP B-TREE FOR ORDER BY" not in steps


@pytest.mark.settings("embedded")
def test_counting_animals_of_an_account_uses_covering_indexes(app: APIFlask) -> None:
    steps = [step for step in plan_of(animal_and_photo_limits.ANIMALS) if step.startswith(("SCAN", "SEARCH"))]
    assert len(steps) == 5
    assert all("USING COVERING INDEX" in step for step in steps if step != "SCAN CONSTANT ROW"), steps
