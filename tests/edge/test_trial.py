"""``bin/try-domains``: a domain goes live and is removed, and the trial leaves nothing behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adoption.settings import Settings
from adoption.storage.database import db
from deploy.trial.daemons import is_open
from deploy.trial.records import RecordsFile
from tests.edge.browser_client import handshake, visit
from tests.servers import ALONE, free_port, program
from tests.waiting import wait_for
from wsgi import create_app

TRIAL = [sys.executable, "-m", "deploy.trial"]
HOST = "adopt.example.org"


@dataclass
class Trial:
    process: subprocess.Popen[str]
    folder: Path
    project: str
    ports: dict[str, int]

    def homeward(self, *words: str) -> tuple[int, str]:
        """Return the exit code and output of a ``homeward domain`` command with the trial's settings."""
        text = (self.folder / "settings.sh").read_text()
        settings = dict(re.findall(r"^export (\w+)='?(.*?)'?$", text, re.MULTILINE))
        app = create_app(Settings.from_environment(settings))
        result = app.test_cli_runner().invoke(args=["domain", *words])
        with app.app_context():
            db.engine.dispose()
        return result.exit_code, result.stdout


@contextmanager
def started(root: Path, temporary: Path) -> Iterator[Trial]:
    program("caddy"), program("pebble")
    ports = {name: free_port() for name in ("PORT", "EDGE_HTTP_PORT", "EDGE_HTTPS_PORT")}
    environ = os.environ | {name: str(port) for name, port in ports.items()} | {"TMPDIR": str(temporary)}
    process = subprocess.Popen(TRIAL, cwd=root, env=environ, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    text = ""
    try:
        while "settings.sh" not in text:
            line = process.stdout.readline()
            assert line, "the trial ended instead of starting"
            text += line
        [folder] = set(re.findall(rf"{temporary}/homeward-trial-\w+", text))
        [project] = re.findall(r"projects/([\w-]+)/domains", text)
        yield Trial(process, Path(folder), project, ports)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def test_a_trial_runs_from_a_record_in_a_file_to_a_live_domain(root: Path, tmp_path: Path) -> None:
    with started(root, tmp_path) as trial:
        https = trial.ports["EDGE_HTTPS_PORT"]
        code, record = trial.homeward("add", trial.project, HOST)
        assert (code, record) == (0, "CNAME\tadopt\tsites.homeward.example\n")
        assert trial.homeward("verify", HOST)[0] == 1
        with (trial.folder / "records.txt").open("a") as records:
            records.write(f"{HOST} CNAME sites.homeward.example\n")
        # On a busy machine the name server may answer the first check too late.
        wait_for(f"{HOST} to be verified", lambda: trial.homeward("verify", HOST)[0] == 0)
        wait_for(f"{HOST} to be live", lambda: certificate(trial)["state"] == "live")
        answer = visit(https, HOST, "/", (trial.folder / "root.pem").read_text())
        assert (answer.status, b"Riverside" in answer.body) == (200, True)
        assert trial.homeward("remove", HOST)[0] == 0
        assert handshake(https, HOST) is None
        trial.process.send_signal(signal.SIGINT)
        assert trial.process.wait() == 0
        assert [*tmp_path.iterdir()] == []
        assert not any(map(is_open, trial.ports.values()))


def certificate(trial: Trial) -> dict[str, str]:
    [listed] = json.loads(trial.homeward("list", trial.project, "--json")[1])["domains"]
    return dict(listed["certificate"])


def test_a_trial_names_missing_programs_and_ports_in_use(root: Path, tmp_path: Path) -> None:
    def refused(**environ: str) -> str:
        ended = subprocess.run(TRIAL, cwd=root, env=os.environ | environ, capture_output=True, text=True)
        assert (ended.returncode, ended.stdout) == (1, "")
        return ended.stderr

    program("caddy"), program("pebble")
    with socket.create_server((ALONE, free_port())) as taken:
        port = taken.getsockname()[1]
        error = refused(EDGE_HTTP_PORT=str(port))
    assert error == f"Port {port} is in use. Choose another: EDGE_HTTP_PORT={port + 10} bin/try-domains\n"
    error = refused(PATH=str(tmp_path))
    assert "caddy is not installed. On Debian and Ubuntu: apt-get install caddy." in error
    assert error.endswith("Install caddy and pebble, then start bin/try-domains again.\n")


@pytest.mark.parametrize(
    ("line", "records"),
    [
        (
            "Adopt.Example.org. cname Sites.homeward.example",
            {("adopt.example.org", "CNAME"): ["Sites.homeward.example"]},
        ),
        ("example.org TXT a b", {("example.org", "TXT"): ["a b"]}),
        (
            'example.org CAA 0 issue "letsencrypt.org"',
            {("example.org", "CAA"): ['0 issue "letsencrypt.org"']},
        ),
        ("# example.org A 127.0.0.1", {}),
        ("", {}),
    ],
)
def test_each_line_of_the_file_is_a_record(
    tmp_path: Path, line: str, records: dict[tuple[str, str], list[str]]
) -> None:
    zone = RecordsFile(tmp_path / "records.txt", line)
    zone.read_if_changed()
    assert zone.records == records


@pytest.mark.parametrize(
    "line", ["example.org", "example.org MX mail", "example.org A nowhere", "example.org CAA 0"]
)
def test_an_invalid_line_is_reported_and_the_others_apply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    zone = RecordsFile(tmp_path / "records.txt", line, "*.wild.example CNAME x.example")
    zone.read_if_changed()
    assert zone.records == {("*.wild.example", "CNAME"): ["x.example"]}
    assert "records.txt, line 3: " in capsys.readouterr().err
