"""Times are formatted by one module, which knows the page's time zone and writes ``<time>`` elements."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TIME_WRITER = "portal/dates.py"
ELEMENTS = {"ago", "day_of", "element", "moment", "month_of", "recent", "full_date_and_time"}
"""Functions of ``dates`` that return a ``<time>`` element.

An f-string would turn the element into plain text.
"""
PLAIN_TEXT = {"strftime", "ctime", "isoformat"}
DATES_ONLY = {"portal/animals/facts.py", "portal/catalogue/filters.py", "portal/staff/usage/charts.py"}
"""Modules that write only dates: of arrivals, in URLs, and in a chart whose days are in UTC."""


def trees(root: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((root / "portal").rglob("*.py")):
        name = str(path.relative_to(root))
        if name != TIME_WRITER:
            yield name, ast.parse(path.read_text())


def calls_in(node: ast.AST) -> set[str]:
    """Return the names of all functions and methods that are called below a node."""
    functions = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return {getattr(each, "id", getattr(each, "attr", "")) for each in functions}


def test_no_other_portal_module_formats_a_time(root: Path) -> None:
    for name, tree in trees(root):
        if name in DATES_ONLY:
            continue
        assert not calls_in(tree) & PLAIN_TEXT, name
        for node in ast.walk(tree):
            if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                assert not re.search("%[A-Za-z]", ast.unparse(node.format_spec)), f"{name}:{node.lineno}"


def test_no_date_is_taken_from_an_instant_without_its_time_zone(root: Path) -> None:
    for name, tree in trees(root):
        taken = re.findall(r"\w+_at\.date\(\)|now\(UTC\)\.date\(\)", ast.unparse(tree))
        assert not taken, name


def test_no_time_element_becomes_plain_text(root: Path) -> None:
    for name, tree in trees(root):
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                called = calls_in(node) & ELEMENTS
                assert not called, f"{name}:{node.lineno}: use Markup(...).format() with {called}"


@pytest.mark.parametrize(
    "pattern",
    [r'<time (?!datetime="\{\{ waiting.since \}\}")', r"strftime", r"\{\{[^}]*_at\b(?!\()[^}]*\}\}"],
)
def test_no_template_writes_a_time_itself(root: Path, pattern: str) -> None:
    for path in sorted((root / "templates").rglob("*.html")):
        assert not re.search(pattern, path.read_text()), path
