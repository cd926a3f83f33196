"""Statements on the drivers themselves, on both settings."""

from apiflask import APIFlask

from adoption.libpq import PREPARED_MOST
from adoption.reader import the_reader


def test_more_statements_than_are_kept_ready_are_answered_all_the_same(app: APIFlask) -> None:
    reader = the_reader()
    for _ in range(2):
        for number in range(PREPARED_MOST + 3):
            assert reader.rows(f"SELECT {number}, 'Zoë', NULL", []) == [(number, "Zoë", None)]
