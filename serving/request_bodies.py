"""Request bodies, read completely before the application starts."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any

from werkzeug.exceptions import ClientDisconnected, ServiceUnavailable

IN_MEMORY = 262_144
"""The largest body, in bytes, that stays in memory. A larger body is stored in a temporary file."""
BLOCK = 4_096
"""The number of bytes in one read. A read ends when all its bytes have arrived. Then the pace is checked."""
PATIENCE, SLOWEST = 20, 8_192
"""After ``PATIENCE`` seconds, a body must arrive at an average of ``SLOWEST`` bytes per second or more.

A slow body occupies a slot that other requests need. A phone with a weak signal is several times faster.
"""


class IncompleteBody:
    """A body that did not arrive completely. An application that reads this body answers 400."""

    def read(self, _size: int = -1) -> bytes:
        raise ClientDisconnected

    def close(self) -> None:
        """Do nothing: there is no file."""


class RejectedBody(IncompleteBody):
    """A body that was rejected, because no slot or disk space was free.

    An application that reads this body answers 503.
    """

    def __init__(self, error: OSError | None = None) -> None:
        """``error`` is the error from writing the body to disk."""
        self.error = error

    def read(self, _size: int = -1) -> bytes:
        # Werkzeug treats any OSError as a disconnected client.
        raise ServiceUnavailable from self.error


def content_length(environ: dict[str, Any]) -> int:
    """Return the body's length.

    The length is 0 without a body or for a chunked body. Granian rejects invalid lengths.
    """
    return int(environ.get("CONTENT_LENGTH") or 0)


def complete_body(environ: dict[str, Any], largest: int) -> IO[bytes] | IncompleteBody:
    """Return the body after all of it has arrived.

    A body longer than ``largest`` is not read, and the application answers 413. A chunked body is not read
    either, because granian does not report cut-off bodies. The application then answers 411.
    """
    length = content_length(environ)
    if length > largest:
        return IncompleteBody()
    if "HTTP_TRANSFER_ENCODING" in environ:
        return BytesIO()
    try:
        return read_body(environ["wsgi.input"], length)
    except OSError as error:
        return RejectedBody(error)


def read_body(source: Any, length: int) -> IO[bytes] | IncompleteBody:
    """Read a body of ``length`` bytes. Raise OSError if it cannot be written to disk."""
    with ExitStack() as on_failure:
        body: IO[bytes] = BytesIO() if length <= IN_MEMORY else TemporaryFile()  # noqa: SIM115 - closed later
        on_failure.callback(body.close)
        if copy(source, body, length):
            return IncompleteBody()
        on_failure.pop_all()
        body.seek(0)
        return body


def copy(source: Any, target: IO[bytes], length: int, clock: Callable[[], float] = time.monotonic) -> int:
    """Copy up to ``length`` bytes. Return the number of missing bytes.

    Bytes are missing if the client disconnected or was too slow.
    """
    start, missing = clock(), length
    while missing and (block := source.read(min(BLOCK, missing))):
        target.write(block)
        missing -= len(block)
        seconds = clock() - start
        if missing and seconds > PATIENCE and length - missing < seconds * SLOWEST:
            break
    target.flush()
    return missing
