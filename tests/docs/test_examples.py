"""Every example of the API reference, run as a reader would run it."""

import html
import itertools
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from adoption.accounts.api_access.key_format import read_key
from tests.docs.conftest import ANIMALS, KNOWN, Site, get

FILES = {path.name for path in (Path(__file__).parents[2] / "templates/docs/examples").iterdir()}
SHELL, *PROGRAMS = (sorted(n for n in FILES if n.endswith(end)) for end in (".sh", ".py", ".mjs", ".php"))
PACKAGES = {"node": "nodejs", "php": "php-cli", "bash": "bash"}
"""Debian packages of the programs."""

WITH_A_BLANK = {"key-export.sh"}
"""Examples with an incomplete key: readers replace its dots."""

OWN_TEST = {"key-create.sh", "key-web-page.sh", "generate.sh", "generated.py"}
"""Slow examples. A separate test runs each of them and checks it more closely."""

BEFORE = {
    "idempotency": ["idempotency.sh"],
    "idempotency-conflict": ["idempotency.sh"],
}
"""Examples that readers run first, according to the page."""

EXACT = {"errors", "unauthorised", "idempotency-conflict", "listCategories", "quick-categories"}
EXTRACTS = {"getSpecification", "getAnimal", "getDirectoryAnimal"}
VARYING = {"location", "link", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"}


def run(site: Site, name: str, folder: Path, **instead: str) -> str:
    """Run an example. Return its output. ``instead`` has texts of the example to replace before it runs."""
    text = site.page.examples[name]
    for old, new in instead.items():
        text = text.replace({"base": f"{site.root}/v1", "blank": "hw_…"}[old], new)
    path = folder / name
    path.write_text(text)
    done = subprocess.run(
        [*program(name), path], cwd=folder, env=site.environ, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{name}: {done.stderr}"
    return done.stdout


def program(name: str) -> list[str]:
    if name.endswith(".py"):
        return [sys.executable]
    wanted = {"mjs": "node", "php": "php"}.get(name.rpartition(".")[2], "bash")
    found = shutil.which(wanted)
    if found is None:
        sentence = f"{wanted} is not on this machine: apt-get install {PACKAGES[wanted]}"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(sentence)
    return [str(found)]


def shown(site: Site, stem: str, *endings: str) -> str | None:
    names = [stem + ending for ending in endings]
    return next((site.page.examples[name] for name in names if name in site.page.examples), None)


def compare_json(stem: str, found: Any, got: Any) -> None:
    """Compare JSON on the page with received JSON: equal if possible, otherwise of the same shape."""
    if stem in EXACT:
        assert got == found
    elif isinstance(found, dict):
        missing_or_more = found.keys() - got.keys() if stem in EXTRACTS else found.keys() ^ got.keys()
        assert not missing_or_more, f"{missing_or_more} of {got}"
        for member in found:
            compare_json(stem, found[member], got[member])
    elif isinstance(found, list):
        assert len(found) == len(got) or stem in EXTRACTS
        for one, other in zip(found, got, strict=False):
            compare_json(stem, one, other)
    else:
        assert type(found) is type(got)


def parts(text: str) -> tuple[str, dict[str, str], str]:
    """Return the parts of a response in the output of ``curl -i``: status line, headers and body."""
    head, _, body = text.partition("\n\n")
    status, *lines = head.splitlines()
    return status, {name: value for name, _, value in (line.partition(": ") for line in lines)}, body.strip()


def compare_http(stem: str, found: str, got: str) -> None:
    told_status, told_headers, told_body = parts(found)
    status, headers, body = parts(got)
    assert status == told_status
    for name, value in told_headers.items():
        if name in VARYING:
            assert without_numbers(headers[name]) == without_numbers(value)
        else:
            assert headers[name] == value
    if told_body:
        compare_json(stem, json.loads(told_body), json.loads(body))


def without_numbers(text: str) -> str:
    return re.sub(r"[0-9a-f]{16,}|\d+", "#", text)


def test_every_example_is_on_the_page(site: Site) -> None:
    assert set(site.page.examples) == FILES


@pytest.mark.parametrize("name", sorted(set(SHELL) - WITH_A_BLANK - OWN_TEST))
def test_a_shell_example_prints_what_the_page_shows(site: Site, name: str, tmp_path: Path) -> None:
    stem = name.removesuffix(".sh")
    for before in BEFORE.get(stem, ()):
        run(site, before, tmp_path)
    printed = run(site, name, tmp_path)
    if found := shown(site, stem, ".http"):
        compare_http(stem, found, printed)
    elif found := shown(site, stem, ".json"):
        compare_json(stem, json.loads(found), json.loads(printed))
    elif found := shown(site, stem, ".txt"):
        assert printed.strip() == found.strip()


@pytest.mark.parametrize("name", sorted({*itertools.chain(*PROGRAMS)} - OWN_TEST))
def test_a_program_prints_what_the_page_shows(site: Site, name: str, tmp_path: Path) -> None:
    stem = name.partition(".")[0]
    printed = run(site, name, tmp_path)
    if found := shown(site, stem, ".json"):
        compare_json(stem, json.loads(found), json.loads(printed))
    elif found := shown(site, stem, ".http"):
        status, _, body = parts(found)
        first, last = printed.splitlines()
        assert first.split()[0] == status.split()[1]
        assert "None" not in first
        assert "null" not in first
        compare_json(stem, json.loads(body), json.loads(last))


def test_an_example_works_with_a_key_in_place_of_the_dots(site: Site, tmp_path: Path) -> None:
    assert site.page.examples["key-export.sh"].strip() == "export HOMEWARD_KEY=hw_…"
    run(site, "key-export.sh", tmp_path, blank=site.environ["HOMEWARD_KEY"])


@pytest.mark.parametrize("name", ["key-create.sh", "key-web-page.sh"])
def test_the_documented_command_creates_a_valid_key(site: Site, name: str, tmp_path: Path) -> None:
    assert read_key(run(site, name, tmp_path).strip())


@pytest.mark.parametrize("name", ["paging.py", "paging.mjs", "paging.php"])
def test_a_paging_loop_prints_every_animal_once(site: Site, name: str, tmp_path: Path) -> None:
    lines = [line.split(" ", 1) for line in run(site, name, tmp_path).splitlines()]
    assert [name for _, name in lines[: len(KNOWN)]] == [name for name, _, _ in KNOWN]
    in_order([int(number) for number, _ in lines])


def test_the_paging_loop_in_shell_prints_every_animal_once(site: Site, tmp_path: Path) -> None:
    pages = [json.loads(line) for line in run(site, "paging.sh", tmp_path).splitlines()]
    assert len(pages) >= 3
    in_order([animal["id"] for page in pages for animal in page])


def in_order(ids: list[int]) -> None:
    assert ids == sorted(set(ids))
    assert len(ids) >= ANIMALS


def test_a_conditional_request_keeps_an_unchanged_file(site: Site, tmp_path: Path) -> None:
    run(site, "conditional.sh", tmp_path)
    assert len(json.loads((tmp_path / "animals.json").read_text())) == 100


def test_the_saved_document_is_the_specification(site: Site, tmp_path: Path) -> None:
    run(site, "specification.sh", tmp_path)
    assert json.loads((tmp_path / "openapi.json").read_text())["openapi"].startswith("3.1")


def test_the_generated_python_client_adds_and_reads(site: Site, tmp_path: Path) -> None:
    for name in ("specification.sh", "generate.sh"):
        run(site, name, tmp_path)
    added, *listed = run(site, "generated.py", tmp_path).splitlines()
    assert added.split()[1:] == ["Ruby"]
    assert [line.split(" ", 1)[1] for line in listed] == [name for name, _, _ in KNOWN[:2]]


MODULES = Path(__file__).parent / "npm/node_modules"


def run_from_npm(site: Site, folder: Path, name: str, *arguments: str) -> str:
    """Run a program of ``npm/package.json``; return its output."""
    path = MODULES / ".bin" / name
    if not path.exists():
        sentence = f"{name} is not on this machine: npm ci --prefix tests/docs/npm"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(sentence)
    done = subprocess.run([path, *arguments], cwd=folder, env=site.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_generated_typescript_client_compiles_and_runs(site: Site, tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "generated.ts").write_text(site.page.examples["generated.ts"])
    run(site, "specification.sh", tmp_path)
    run_from_npm(site, tmp_path, "openapi-typescript", "openapi.json", "-o", "homeward.ts")
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "esnext"]
    run_from_npm(
        site, tmp_path, "tsc", *options, "--moduleResolution", "bundler", "--types", "node", "generated.ts"
    )
    assert "Ruby" in run_from_npm(site, tmp_path, "tsx", "generated.ts")


def test_linters_accept_the_specification(site: Site, tmp_path: Path) -> None:
    document = json.loads(get(f"{site.root}/v1/openapi.json"))
    # The linter warns about servers on the local machine. A published specification has none.
    document["servers"] = [{"url": "https://homeward.example/v1"}]
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    (tmp_path / "rules.yaml").write_text("extends: spectral:oas\n")
    run_from_npm(site, tmp_path, "redocly", "lint", "openapi.json")
    spectral = ["lint", "openapi.json", "--ruleset", "rules.yaml", "--fail-severity", "warn"]
    assert "No results" in run_from_npm(site, tmp_path, "spectral", *spectral)


BACKOFF = ["backoff.py", "backoff.mjs", "backoff.php"]


@pytest.mark.parametrize("name", BACKOFF)
def test_back_off_waits_and_gets_its_response(site: Site, name: str, tmp_path: Path) -> None:
    with failing_server([(0, ""), (429, "1"), (200, "")]) as (address, asked):
        assert run(site, name, tmp_path, base=address).strip() == "0 animals"
    waits = [later - earlier for earlier, later in itertools.pairwise(asked)]
    assert len(waits) == 2
    assert waits[0] >= 1, "a closed connection is retried"
    assert waits[1] >= 2, "the second wait is longer than the first"


@pytest.mark.parametrize("name", BACKOFF)
def test_back_off_does_not_wait_for_the_next_day(site: Site, name: str, tmp_path: Path) -> None:
    with (
        failing_server([(429, "80000"), (200, "")]) as (address, asked),
        pytest.raises(AssertionError, match="429"),
    ):
        run(site, name, tmp_path, base=address)
    assert len(asked) == 1


@pytest.mark.parametrize("name", BACKOFF)
def test_back_off_gives_up_if_waiting_does_not_help(site: Site, name: str, tmp_path: Path) -> None:
    with (
        failing_server([(401, ""), (200, "")]) as (address, asked),
        pytest.raises(AssertionError, match="401"),
    ):
        run(site, name, tmp_path, base=address)
    assert len(asked) == 1


@contextmanager
def failing_server(answers: list[tuple[int, str]]) -> Iterator[tuple[str, list[float]]]:
    """Run a server that answers with these statuses and ``Retry-After``.

    Status 0 closes the connection. Yield the URL and the times of requests.
    """
    asked: list[float] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, wait = answers[len(asked)]
            asked.append(time.monotonic())
            if not status:
                self.close_connection = True
                return
            self.send_response(status)
            if wait:
                self.send_header("Retry-After", wait)
            self.end_headers()
            self.wfile.write(b"[]")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("name", ["website.py", "website.mjs", "website.php"])
def test_a_websites_list_has_every_available_animal_and_no_markup(
    site: Site, name: str, tmp_path: Path
) -> None:
    add(site, MARKUP)
    run(site, name, tmp_path)
    lines = (tmp_path / "animals.html").read_text().splitlines()
    assert (lines[0], lines[-1]) == ("<ul>", "</ul>")
    assert "<li>Juno</li>" in lines
    assert not any(name in lines for name in ("<li>Clementine</li>", "<li>Animal 5</li>"))
    [escaped] = {line for line in lines if "onerror" in line}
    assert html.unescape(escaped) == f"<li>{MARKUP}</li>"
    assert "<img" not in escaped
    assert not (tmp_path / "animals.html.new").exists()


MARKUP = "<img src=x onerror=alert(1)> & 'Co'"


def add(site: Site, name: str) -> None:
    body = json.dumps({"name": name, "categoryId": 1}).encode()
    headers = {"Authorization": f"Bearer {site.environ['HOMEWARD_KEY']}", "Content-Type": "application/json"}
    headers["Idempotency-Key"] = "markup"
    urlopen(Request(f"{site.root}/v1/pets", data=body, headers=headers)).close()


def test_a_mirror_has_every_animal_and_deletes_removed_animals(site: Site, tmp_path: Path) -> None:
    run(site, "mirror.py", tmp_path)
    with closing(sqlite3.connect(tmp_path / "animals.sqlite3")) as copy:
        before = copy.execute("SELECT count(*) FROM animals").fetchone()[0]
        copy.execute("INSERT INTO animals VALUES (999999999, 'Gone', 1, 'sold')")
        copy.commit()
        run(site, "mirror.py", tmp_path)
        assert before >= ANIMALS
        assert copy.execute("SELECT name FROM animals WHERE name = 'Gone'").fetchall() == []
