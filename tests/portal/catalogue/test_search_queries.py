"""Typical search queries and their results.

The demo data is searched with a table of queries, in both settings.
"""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote_plus

import time_machine
from flask.testing import FlaskClient
from sqlalchemy import select

from adoption.animals.indexed_words import words_to_index
from adoption.animals.models import Animal, AnimalCategory
from adoption.projects.models import Project
from adoption.storage.database import transaction

TABLE = Path(__file__).with_name("search_queries.txt")
KNOWN_WRONG: set[str] = set()
"""Queries whose results are still wrong."""
FIRST = 3


class Row(NamedTuple):
    query: str
    filters: str
    hits: str
    first: str
    never: str


class Answer(NamedTuple):
    total: str
    filters: int
    ids: list[int]
    is_close: bool
    has_words: bool
    """Whether the query has words that are not filters."""


def rows() -> list[Row]:
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines]
    return [Row(*(cell.replace("\\|", "|") for cell in row)) for row in cells]


def ask(client: FlaskClient, address: str) -> Answer:
    page = client.get(f"/?{address}")
    assert page.status_code == 200
    results = page.text.partition('id="similar"')[0]
    total = re.search(r'id="found">(.*?)<', results)
    assert total
    ids = [int(id_) for id_ in re.findall(r'id="animal-(\d+)"', results)]
    is_close, has_words = "These come close." in results, "<span>“" in results
    return Answer(total[1], results.count('class="from-words"'), ids, is_close, has_words)


def known_of_animals() -> dict[int, str]:
    query = select(Animal, AnimalCategory.name, Project.name, Project.place)
    query = query.join(AnimalCategory, AnimalCategory.id == Animal.category_id)
    with transaction() as session:
        found = session.execute(query.join(Project, Project.id == Animal.project_id)).all()
    known = {}
    for animal, species, shelter, town in found:
        assert animal.words == words_to_index(vars(animal))
        breed = f"{animal.breed_primary or ''} {animal.breed_secondary or ''}".strip()
        bonded = ["bonded"] if animal.bond_id else []
        parts = (animal.name, species, breed, animal.colours, animal.sex, animal.size, *bonded, shelter, town)
        known[animal.id] = "; ".join(part or "" for part in parts)
    return known


def faults_of(row: Row, client: FlaskClient, known: dict[int, str]) -> list[str]:
    got = ask(client, f"q={quote_plus(row.query)}")
    filters = "" if row.filters == "-" else row.filters
    kind = "none" if not got.ids else "close" if got.is_close else "some"
    faults = [] if kind == row.hits else [f"hits are {kind}"]
    if got.filters != len([each for each in filters.split("&") if each]):
        faults.append(f"{got.filters} filters were understood")
    messages = [known[id_] for id_ in got.ids]
    faults += [f"first is {each}" for each in messages[:FIRST] if not re.search(row.first, each)]
    faults += [f"found {each}" for each in messages if row.never and re.search(row.never, each)]
    if filters and not got.has_words:
        chosen = ask(client, filters)
        faults += (
            [] if (chosen.total, chosen.ids) == (got.total, got.ids) else [f"filters find {chosen.total}"]
        )
    return faults


@time_machine.travel(datetime(2026, 11, 28, 12, tzinfo=UTC))
def test_typical_queries_are_understood(client: FlaskClient) -> None:
    assert client.application.test_cli_runner().invoke(args=["demo", "load"]).exit_code == 0
    known = known_of_animals()
    table = rows()
    faults = {row.query: found for row in table if (found := faults_of(row, client, known))}
    assert faults.keys() <= KNOWN_WRONG, faults
    assert len(table) == len({row.query for row in table}) >= 91
    assert len(table) - len(KNOWN_WRONG) >= 85
