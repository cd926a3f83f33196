"""The subprocess that decodes photos, and its crashes."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from adoption.animals.image_decoding import check_header
from adoption.animals.image_encoding import develop
from adoption.animals.image_format_detection import BROKEN, SEGMENTS_MOST, markers_of
from adoption.animals.image_subprocess import (
    CPU_SECONDS_MOST,
    ROOT,
    TOO_SLOW,
    ProcessLost,
    develop_in_subprocess,
)
from adoption.errors import FileRefused, Unavailable
from tests.photographs import photo


def replace_subprocess(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """Replace the subprocess with a shell command."""
    program = folder / "python"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\n{command}\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))


def test_the_subprocess_makes_the_same_photo() -> None:
    data = photo(held=6)
    assert develop_in_subprocess(data) == develop(data)
    with pytest.raises(FileRefused, match="damaged or incomplete"):
        develop_in_subprocess(photo("PNG")[:300])


@pytest.mark.parametrize(
    ("command", "sentence"),
    [("kill -SEGV $$", BROKEN), ("kill -ABRT $$", BROKEN), ("kill -XCPU $$", TOO_SLOW)],
)
def test_a_photo_that_crashes_its_decoder_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, sentence: str
) -> None:
    replace_subprocess(tmp_path, monkeypatch, command)
    with pytest.raises(FileRefused) as refused:
        develop_in_subprocess(photo())
    assert refused.value.sentence == sentence


@pytest.mark.parametrize("command", ["kill -TERM $$", "kill -KILL $$", "exit 1"])
def test_a_killed_subprocess_is_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    replace_subprocess(tmp_path, monkeypatch, command)
    with pytest.raises(ProcessLost):
        develop_in_subprocess(photo())


def test_a_subprocess_that_cannot_start_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    with pytest.raises(Unavailable):
        develop_in_subprocess(photo())


def test_the_subprocess_gets_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEWARD_SECRET_KEY", "secret")
    replace_subprocess(tmp_path, monkeypatch, f"env > {tmp_path}/env; exit 1")
    with pytest.raises(ProcessLost):
        develop_in_subprocess(photo())
    assert "HOMEWARD" not in (tmp_path / "env").read_text()


def test_jpeg_segments_are_read_up_to_a_limit() -> None:
    assert read_until_refused(20_000) == read_until_refused(40_000) == SEGMENTS_MOST


def read_until_refused(number: int) -> int:
    """Return how many of ``number`` segments are read before the file is rejected."""
    data = b"\xff\xd8" + b"\xff\xe1\x00\x02" * number
    with pytest.raises(FileRefused, match="damaged"):
        check_header(data)
    markers = markers_of(data)
    read = 0
    with suppress(FileRefused):
        for _ in markers:
            read += 1
    return read


def test_the_subprocess_has_a_cpu_time_limit() -> None:
    """The kernel sends SIGXCPU at the limit."""
    program = """
import resource
from adoption.animals import image_subprocess
from adoption.errors import FileRefused

def develop(_data):
    raise FileRefused(str(resource.getrlimit(resource.RLIMIT_CPU)[0]))

image_subprocess.develop = develop
image_subprocess.main()
"""
    run = subprocess.run(
        [sys.executable, "-c", program], input=b"", cwd=ROOT, capture_output=True, check=True
    )
    assert json.loads(run.stdout) == {"refused": str(CPU_SECONDS_MOST)}
