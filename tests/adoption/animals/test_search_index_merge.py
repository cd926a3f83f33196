"""The merging of segments in SQLite's search index."""

import pytest
from sqlalchemy import text

from adoption.animals import search_index_merge
from adoption.animals.catalogue import CatalogueFilters
from adoption.animals.catalogue_orders import newest
from adoption.animals.full_text_queries import plain_terms
from adoption.storage.database import transaction
from tests import cast, factories

pytestmark = pytest.mark.settings("embedded")


def found(word: str) -> list[str]:
    return [
        listing.name
        for listing in newest(CatalogueFilters(words=plain_terms(word, 1)), None, 100, factories.NOW.date())
    ]


def add_segments(shelter: cast.Shelter) -> None:
    """Add animals one by one to an index without automatic merging."""
    with transaction() as session:
        session.execute(text("INSERT INTO animal_search (animal_search) VALUES ('rebuild')"))
        session.execute(text("INSERT INTO animal_search (animal_search, rank) VALUES ('automerge', 0)"))
    for number in range(12):
        shelter.add(f"Biscuit {number}")


def test_an_index_of_many_segments_is_merged(shelter: cast.Shelter) -> None:
    add_segments(shelter)
    before = found("bisc")
    assert search_index_merge.count_segments() > search_index_merge.SEGMENTS_MOST
    search_index_merge.merge_index()
    assert search_index_merge.count_segments() == 1
    assert found("bisc") == before
    assert len(before) == 12


def test_an_index_of_few_segments_is_not_merged(shelter: cast.Shelter) -> None:
    add_segments(shelter)
    search_index_merge.merge_index()
    shelter.add("Pepper")
    assert search_index_merge.merge_index() == 0
    assert found("pepp") == ["Pepper"]
