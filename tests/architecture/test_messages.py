"""Messages that a translator sees."""

import ast
from collections.abc import Iterator
from pathlib import Path


def calls_in_f_strings(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            yield from (part for part in ast.walk(node) if isinstance(part, ast.Call))


def test_no_message_is_within_an_f_string(root: Path) -> None:
    """``pybabel extract`` does not find messages in f-strings."""
    found = [
        f"{path.relative_to(root)}:{call.lineno}"
        for path in (*root.glob("adoption/**/*.py"), *root.glob("portal/**/*.py"))
        for call in calls_in_f_strings(path)
        if getattr(call.func, "id", "") in ("gettext", "ngettext") and isinstance(call.args[0], ast.Constant)
    ]
    assert found == []
