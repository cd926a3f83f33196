"""Photo processing in a subprocess.

Pillow locks the interpreter during parts of its work, and can need hundreds of megabytes. In a subprocess,
the lock and the memory do not affect the service. A decoder that crashes or hangs stops only the subprocess.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from adoption.animals.image_encoding import Picture, develop
from adoption.animals.image_format_detection import BROKEN
from adoption.errors import FileRefused, Unavailable

CPU_SECONDS_MOST = 60
"""Limit of CPU seconds for one photo. The largest accepted photo takes about 2."""
SECONDS_MOST = 180.0
ROOT = Path(__file__).parents[2]
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH")
"""Environment variables that the subprocess needs. The service's secrets are not passed on."""
TOO_SLOW = "This photo takes too long to read. Save it as JPEG, then choose the JPEG."
CRASHES = {-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL}


class ProcessLost(Exception):
    """The subprocess ended without a result. The cause may be something other than the photo."""


def develop_in_subprocess(data: bytes) -> Picture:
    """Run ``develop`` in a subprocess.

    Raises FileRefused if the photo is rejected, ProcessLost if the subprocess ends without a result, and
    Unavailable if there is not enough memory to start one.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "adoption.animals.image_subprocess"],
            input=data,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            timeout=SECONDS_MOST,
            check=False,
            start_new_session=True,  # so that Ctrl+C does not stop a photo in progress
        )
    except subprocess.TimeoutExpired as error:
        raise ProcessLost("it did not end in time") from error
    except OSError as error:  # the system has no memory for another process, or too many processes
        raise Unavailable("Photos cannot be processed at the moment.") from error
    if done.returncode == -signal.SIGXCPU:
        raise FileRefused(TOO_SLOW)
    if done.returncode in CRASHES:
        raise FileRefused(BROKEN)
    if done.returncode:
        raise ProcessLost(f"it ended with {done.returncode}")
    return unpack_picture(done.stdout)


def pack_picture(picture: Picture) -> bytes:
    """Return a line of JSON with the file lengths, followed by the files."""
    lengths = {name: len(content) for name, content in picture.files.items()}
    facts = picture._asdict() | {"files": lengths}
    return json.dumps(facts).encode() + b"\n" + b"".join(picture.files.values())


def unpack_picture(answer: bytes) -> Picture:
    """Return the picture from the subprocess's output.

    Raises FileRefused if the subprocess rejected the photo.
    """
    head, _, rest = answer.partition(b"\n")
    facts: dict[str, Any] = json.loads(head)
    if "refused" in facts:
        raise FileRefused(facts["refused"])
    files, at = {}, 0
    for name, length in facts.pop("files").items():
        files[name], at = rest[at : at + length], at + length
    return Picture(**facts, files=files)


def main() -> None:
    """Read a photo from standard input and write the result to standard output."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MOST, CPU_SECONDS_MOST + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        answer = pack_picture(develop(sys.stdin.buffer.read()))
    except FileRefused as refusal:
        answer = json.dumps({"refused": refusal.sentence}).encode()
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()
