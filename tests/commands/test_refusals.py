"""Errors of commands: one sentence, exit code 1, and no traceback."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from apiflask import APIFlask
from flask_migrate import upgrade

from adoption.settings import Settings
from adoption.storage import sqlite_writes
from adoption.storage.database import db
from demo.loader import load_demo
from wsgi import create_app


def run_command(
    root: Path, folder: Path, *words: str, into: str = os.devnull, **settings: str
) -> tuple[int, str]:
    """Run a command on a database of its own; return its exit code and error output."""
    environ = {"PATH": os.environ["PATH"], "HOMEWARD_INSTANCE": str(folder)}
    environ |= {f"HOMEWARD_{name}": value for name, value in settings.items()}
    command = [sys.executable, "-m", "wsgi", *words]
    with Path(into).open("wb") as output:
        ran = subprocess.run(
            command, cwd=root, env=environ, stdout=output, stderr=subprocess.PIPE, timeout=60, check=False
        )
    return ran.returncode, ran.stderr.decode()


@contextmanager
def application_in(folder: Path) -> Iterator[APIFlask]:
    """Enter the application with a migrated database in this folder."""
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(folder)}))
    with app.app_context():
        upgrade()
        yield app
        app.extensions["homeward.driver_connections"].close()
        db.engine.dispose()


@pytest.mark.parametrize("words", [("project", "list"), ("db", "upgrade"), ("serve",)])
def test_a_file_that_is_no_database_is_an_error_with_its_path(
    root: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Feed Rex at seven.\n" * 100)
    code, found = run_command(root, tmp_path, *words, DATABASE_URL=f"sqlite:///{file}")
    assert code == 1
    assert found == f"Error: The database at sqlite:///{file} cannot be used now: file is not a database\n"


def test_a_database_in_a_missing_folder_is_an_error_with_its_path(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "homeward.sqlite3"
    code, found = run_command(root, tmp_path, "project", "list", DATABASE_URL=f"sqlite:///{file}")
    assert code == 1
    assert found.startswith(f"Error: The database at sqlite:///{file} cannot be used now")
    assert found.count("\n") == 1


def test_a_locked_database_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_writes, "BUSY_SECONDS", 0.05)
    file = tmp_path / "homeward.sqlite3"
    with application_in(tmp_path) as app, closing(sqlite3.connect(file, isolation_level=None)) as another:
        another.execute("BEGIN IMMEDIATE")
        words = ["account", "create", "Elm Road", "--owner", "sam@example.org"]
        answer = app.test_cli_runner().invoke(args=words)
    assert answer.exit_code == 1
    assert (
        answer.stderr == f"Error: The database at sqlite:///{file} cannot be used now: database is locked\n"
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """An instance, and the slug of its one project."""
    folder = tmp_path_factory.mktemp("filled")
    with application_in(folder):
        return folder, load_demo(200, 1).projects[0]


@pytest.mark.parametrize("kind", ["csv", "xlsx", "petfinder", "json"])
def test_an_export_to_a_full_disk_is_an_error(root: Path, filled: tuple[Path, str], kind: str) -> None:
    folder, slug = filled
    code, found = run_command(root, folder, "animals", "export", slug, "--format", kind, into="/dev/full")
    assert code == 1
    *warnings, last = found.splitlines()
    assert "No space left on device" in last
    assert [each[:20] for each in warnings] == (["Petfinder leaves out"] if kind == "petfinder" else [])
