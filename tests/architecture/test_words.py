"""Words that make people read twice stay out of docstrings, comments, documents, pages, errors and emails."""

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

STIFF = re.compile(
    r"\b(told|whoever|anew|afresh|mend(?:s|ed|ing)?|heed(?:s|ed|ing)?|bears|slips?)\b", re.IGNORECASE
)
"""CONTRIBUTING.md lists the words to write instead."""

LETTER = re.compile(r"\bletters?\b", re.IGNORECASE)
"""A letter is a character, never an email. Modules about email do not need the word."""

ABOUT_EMAIL = re.compile(r"adoption/(mail|alerts)/|/\w*(email|notices|reminders)\w*\.")

CODE = ("adoption", "api", "bench", "demo", "deploy", "portal", "serving", "tests", "wsgi.py")
SCRIPTS = ("bin", "deploy", "static/css", "static/js")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "bench", "pyproject.toml")

UNFINISHED: tuple[str, ...] = ()
"""Files whose docstrings and comments still have such words. Remove an entry when its file is clean."""

ALLOWED = {
    "demo/words/dogs.py": "shelters write about their animals as they like",
    "tests/architecture/test_words.py": "lists the words",
    "CONTRIBUTING.md": "lists the words",
}

Text = tuple[int, str]
"""A line's number, and the text that begins at the line."""


def files(root: Path, tops: Iterable[str], *suffixes: str) -> Iterator[tuple[str, Path]]:
    """Yield the names and paths of the files below ``tops`` in which such words are forbidden."""
    for top in tops:
        start = root / top
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and (not suffixes or path.suffix in suffixes) and name not in ALLOWED:
                yield name, path


def sentences(tree: ast.Module) -> Iterator[Text]:
    """Yield the strings of several words, except docstrings."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in alone:
            continue
        if " " in node.value.strip():
            yield node.lineno, node.value


def docstrings(tree: ast.Module) -> Iterator[Text]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, str(node.value.value)


def comments(path: Path) -> Iterator[Text]:
    """Yield the comments of a Python file, or the possible comments of a file in another language."""
    if path.suffix == ".py":
        with path.open("rb") as file:
            tokens = list(tokenize.tokenize(file.readline))
        yield from ((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)
        return
    text = path.read_text()
    for found in re.finditer(r"/\*.*?\*/|(?<!:)//[^\n]*|(?<![^\s])#[^\n]*", text, re.DOTALL):
        yield text.count("\n", 0, found.start()) + 1, found[0]


def visible(template: str) -> str:
    """Return the texts of a template: without comments, and only with the quoted sentences of its tags."""
    template = re.sub(r"\{#.*?#\}", "", template, flags=re.DOTALL)
    tag = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)
    return tag.sub(lambda each: " ".join(re.findall(r'"([^"{}]* [^"{}]*)"', each[0])), template)


def stiff(name: str, texts: Iterable[Text]) -> list[str]:
    return [
        f"{name}:{line}: {text[:80]}"
        for line, text in texts
        if STIFF.search(text) or (ABOUT_EMAIL.search(name) and LETTER.search(text))
    ]


def test_sentences_of_the_code_have_no_stiff_words(root: Path) -> None:
    found = []
    for name, path in files(root, ("adoption", "api", "demo", "portal"), ".py"):
        if "migrations" not in path.parts:
            lines = sentences(ast.parse(path.read_text()))
            found += [f"{name}:{line}: {text[:80]}" for line, text in lines if STIFF.search(text)]
    assert found == []


def test_docstrings_and_comments_have_no_stiff_words(root: Path) -> None:
    found = []
    for name, path in files(root, CODE, ".py"):
        if not name.startswith(UNFINISHED):
            found += stiff(name, docstrings(ast.parse(path.read_text())))
            found += stiff(name, comments(path))
    for name, path in files(root, SCRIPTS):
        if path.suffix != ".py" and "__pycache__" not in name:
            found += stiff(name, comments(path))
    assert found == []


def test_documents_have_no_stiff_words(root: Path) -> None:
    found = []
    for name, path in files(root, DOCUMENTS, ".md", ".toml"):
        found += stiff(name, enumerate(path.read_text().splitlines(), 1))
    assert found == []


def test_templates_have_no_stiff_words(root: Path) -> None:
    found = []
    for name, path in files(root, ("templates",), ".html", ".txt", ".xml"):
        if not name.startswith(UNFINISHED):
            found += stiff(name, [(1, visible(path.read_text()))])
    assert found == []


@pytest.mark.parametrize(
    ("name", "text", "is_stiff"),
    [
        ("adoption/jobs.py", "Mends what is broken.", True),
        ("adoption/jobs.py", "A letter of the alphabet.", False),
        ("adoption/mail/outbox.py", "Sends the letters.", True),
        ("adoption/orders/shelter_reminders.py", "A letter to the applicant.", True),
        ("adoption/orders/inbox.py", "Fixes what is broken.", False),
    ],
)
def test_stiff_words_are_recognised(name: str, text: str, is_stiff: bool) -> None:
    assert bool(stiff(name, [(1, text)])) is is_stiff
