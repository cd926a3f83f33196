"""Conditions on a list of values, which a statement gets as one JSON array.

A statement with such a list has the same text for any number of values, so it is compiled once.
"""

from typing import Any

import orjson
from sqlalchemy import BigInteger, ColumnElement, String, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType


class is_in_json_array(FunctionElement[Any]):  # noqa: N801 - named like an SQL function
    """Condition that a column has one of the values in the array of the parameter ``name``."""

    # With the type Boolean, SQLAlchemy writes "= 1" after the condition. SQLite then uses no index.
    type = NullType()
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any] | Any, name: str) -> None:
        self.holds_numbers = isinstance(column.type, BigInteger)
        super().__init__(column, bindparam(name, type_=String()))


@compiles(is_in_json_array, "sqlite")
def sqlite_condition(element: Any, compiler: Any, **options: Any) -> str:
    column, values = (compiler.process(each, **options) for each in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608 - only SQL from SQLAlchemy


@compiles(is_in_json_array, "postgresql")
def postgresql_condition(element: Any, compiler: Any, **options: Any) -> str:
    column, values = (compiler.process(each, **options) for each in element.clauses)
    kind = "bigint" if element.holds_numbers else "text"
    return f"{column} = ANY(ARRAY(SELECT json_array_elements_text(({values})::json)::{kind}))"


def json_array(values: Any) -> str:
    """Return the parameter of ``is_in_json_array`` for these numbers or texts."""
    return orjson.dumps(list(values)).decode()
