"""The documents name only files, links, settings and commands that exist."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from flask import Flask
from flask.cli import ScriptInfo

from adoption.commands import Homeward
from adoption.settings import NAMES, PREFIX
from wsgi import create_app

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md")
DOCUMENTS += ("docs/operating.md", "docs/architecture.md", "docs/performance.md", "docs/importing.md")

TOPS = "adoption|api|bench|bin|demo|deploy|docs|portal|serving|static|templates|tests"
PATH = re.compile(rf"(?<![\w./-])((?:{TOPS})/[\w./-]*\w/?|[\w-]+\.(?:py|md|toml|lock))(?![\w-])")

MADE_BY_THE_READER = {
    "CONTRIBUTING.md": (
        "templates/guides/fees.html",
        "adoption/migrations/versions/00",
        "tests/portal/test_guides.py",
    )
}
"""Paths that the reader of a document creates."""


@pytest.fixture(params=DOCUMENTS)
def document(request: pytest.FixtureRequest, root: Path) -> Path:
    return root / str(request.param)


def code(text: str) -> Iterator[str]:
    """Yield the code of a document: each line of a code block, and each code span."""
    parts = text.split("```")
    for block in parts[1::2]:
        yield from block.splitlines()[1:]
    for prose in parts[::2]:
        yield from re.findall(r"`([^`]+)`", prose)


def slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")


def test_every_path_exists(document: Path, root: Path) -> None:
    made = MADE_BY_THE_READER.get(document.name, ())
    named = {path for line in code(document.read_text()) for path in PATH.findall(line) if "://" not in line}
    names = {path.name for top in TOPS.split("|") for path in (root / top).rglob("*.*")}
    missing = {
        path
        for path in named
        if not path.startswith(made or "\0")
        and not (root / path).exists()
        and not (document.parent / path).exists()
        and ("/" in path or path not in names)
    }
    assert missing == set()


def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if "://" in link:
            continue
        headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE) if anchor else []
        if not target.exists() or (anchor and anchor not in map(slug, headings)):
            broken.append(link)
    assert broken == []


def test_every_setting_exists(document: Path) -> None:
    assert (
        set(re.findall(rf"{PREFIX}([A-Z_]+)\b", document.read_text())) - {"KEY", "EVERY_FORM", *NAMES}
        == set()
    )


COMMAND = re.compile(r"(?:^|[\s(])(?:\.venv/bin/)?homeward ((?:[a-z]+|--version)(?![\w-])[^|;`)>#]*)")


def commands(text: str) -> Iterator[list[str]]:
    for line in code(text):
        for found in COMMAND.findall(line.replace("\\|", "/").replace("…", "")):
            yield shlex.split(found)


def words_of(command: list[str]) -> list[str]:
    """Return a command without the brackets of optional arguments: ``[--json]`` and ``[--on | --off]``."""
    return [word.strip("[]") for word in command if word.strip("[]/") and word != "·"]


@cache
def application() -> Flask:
    """Return the application. All commands use the same one, because creating it is slow."""
    return create_app()


def find_problem(command: list[str]) -> str | None:
    """Return the problem of a documented command. Words in capitals stand for values."""
    node: click.Command = Homeward(application)
    words = words_of(command)
    # The end of the block pops the application context that the lookup of a command has pushed.
    with click.Context(node, info_name="homeward", obj=ScriptInfo(create_app=application)) as context:
        while isinstance(node, click.Group) and words and not words[0].startswith("-"):
            found = node.get_command(context, words[0])
            if found is None:
                return f"no command {words[0]}"
            node, words = found, words[1:]
        params = node.get_params(context)
    known = {option for param in params for option in (*param.opts, *param.secondary_opts)}
    unknown = [word for word in words if word.startswith("-") and word.partition("=")[0] not in known]
    return f"no option {unknown}" if unknown else None


def test_every_command_exists(document: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(f"{PREFIX}INSTANCE", str(tmp_path))
    found = {" ".join(each): find_problem(each) for each in commands(document.read_text())}
    assert {command: problem for command, problem in found.items() if problem} == {}


def test_a_wrong_command_is_found() -> None:
    assert find_problem(["animals", "emport", "PROJECT"]) == "no command emport"
    assert find_problem(["animals", "import", "PROJECT", "FILE", "[--dry-run]", "[--dried]"])
    assert find_problem(["animals", "import", "PROJECT", "FILE", "[--dry-run]"]) is None


def test_the_operating_guide_names_every_setting(root: Path) -> None:
    guide = (root / "docs" / "operating.md").read_text().partition("\n## Settings\n")[2].partition("\n## ")[0]
    assert [name for name in NAMES if f"`{PREFIX}{name}`" not in guide] == []


def test_readme_is_short(root: Path) -> None:
    assert len((root / "README.md").read_text().splitlines()) <= 100
