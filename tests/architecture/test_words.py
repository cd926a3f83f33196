"""Stiff words stay out of what people read: pages, notices, errors and emails."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

STIFF = re.compile(r"\b(told|whoever|anew|afresh|mend|heed|bears|slip)\b", re.IGNORECASE)
"""Words to write otherwise: said or shown, anyone, again, again, fix, read, has, typo."""
TAG = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)
ALLOWED = {
    "adoption/demo/words/dogs.py": "shelters write about their animals as they like",
    "adoption/orders/decision_emails.py": '"we told you" is the plain word for it',
}
"""Files that still have some, and why."""


def sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the strings of several words, without docstrings, which are expressions of their own."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in alone:
            continue
        if " " in node.value.strip():
            yield node.lineno, node.value


def visible(template: str) -> str:
    """Return a template without its comments and the names in its tags."""
    template = re.sub(r"\{#.*?#\}", "", template, flags=re.DOTALL)
    return TAG.sub(lambda tag: " ".join(re.findall(r'"([^"{}]* [^"{}]*)"', tag[0])), template)


def test_sentences_of_the_code_have_no_stiff_words(root: Path) -> None:
    found = []
    for room in ("adoption", "portal", "api"):
        for path in sorted((root / room).rglob("*.py")):
            name = str(path.relative_to(root))
            if name not in ALLOWED and "migrations" not in path.parts:
                lines = sentences(ast.parse(path.read_text()))
                found += [f"{name}:{line}: {text[:80]}" for line, text in lines if STIFF.search(text)]
    assert found == []


def test_templates_have_no_stiff_words(root: Path) -> None:
    found = []
    for path in sorted((root / "templates").rglob("*.*")):
        name = str(path.relative_to(root))
        if path.suffix in (".html", ".txt", ".xml") and not name.startswith("templates/staff/domains/"):
            words = {word[0] for word in STIFF.finditer(visible(path.read_text()))}
            found += [f"{name}: {word}" for word in words]
    assert found == []
