"""The buffering of request bodies in memory or in a file."""

from io import BytesIO
from typing import Any

import pytest
from werkzeug.exceptions import ClientDisconnected, ServiceUnavailable
from werkzeug.test import create_environ
from werkzeug.wrappers import Request

from adoption.storage.database import cause_of
from serving.request_bodies import BLOCK, IN_MEMORY, PATIENCE, SLOWEST, complete_body, copy
from tests.disks import limit_file_size


class Incoming(BytesIO):
    """The stream of a body, which counts its reads."""

    reads = 0

    def read(self, size: int | None = -1) -> bytes:
        self.reads += 1
        return super().read(size)


def request_with(arriving: bytes, length: int, **headers: str) -> dict[str, Any]:
    environ = create_environ("/", method="POST", headers=headers)
    return {**environ, "wsgi.input": Incoming(arriving), "CONTENT_LENGTH": str(length)}


@pytest.mark.parametrize("length", [0, 1, IN_MEMORY, IN_MEMORY + 1, 3 * IN_MEMORY])
def test_a_buffered_body_of_any_length_is_unchanged(length: int) -> None:
    sent = bytes(range(256)) * (length // 256 + 1)
    body = complete_body(request_with(sent[:length], length), 1_000_000)
    assert body.read() == sent[:length]
    assert isinstance(body, BytesIO) == (length <= IN_MEMORY)
    body.close()


@pytest.mark.parametrize("arriving", [0, 9, IN_MEMORY + 1])
def test_a_truncated_body_is_not_processed(arriving: int) -> None:
    body = complete_body(request_with(b"a" * arriving, arriving + 1), 1_000_000)
    with pytest.raises(ClientDisconnected):
        body.read()


def test_only_an_allowed_body_is_read() -> None:
    assert complete_body(request_with(b"a" * 100, 100), 100).read() == b"a" * 100
    too_large = request_with(b"a" * 101, 101)
    with pytest.raises(ClientDisconnected):
        complete_body(too_large, 100).read()
    chunked = request_with(b"abc", 0, Transfer_Encoding="chunked")
    assert complete_body(chunked, 100).read() == b""
    assert (too_large["wsgi.input"].reads, chunked["wsgi.input"].reads) == (0, 0)


def test_a_missing_temporary_folder_is_a_503(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    body = complete_body(request_with(b"a" * (IN_MEMORY + 1), IN_MEMORY + 1), 1_000_000)
    with pytest.raises(ServiceUnavailable):
        body.read()


def test_a_body_that_does_not_fit_on_the_disk_is_a_503() -> None:
    environ = request_with(b"a" * (IN_MEMORY + 1), IN_MEMORY + 1)
    with limit_file_size(IN_MEMORY // 2):
        environ["wsgi.input"] = complete_body(environ, 1_000_000)
    with pytest.raises(ServiceUnavailable) as raised:
        Request(environ).get_data()
    assert cause_of(raised.value) == "[Errno 27] File too large"


@pytest.mark.parametrize(
    ("pace", "is_complete"),
    [(SLOWEST - 1, False), (SLOWEST + 1, True)],
)
def test_a_slow_upload_is_given_up_after_a_while(pace: int, is_complete: bool) -> None:
    length, arrived = 4 * PATIENCE * SLOWEST, BytesIO()

    missing = copy(BytesIO(bytes(length)), arrived, length, clock=lambda: arrived.tell() / pace)
    assert (missing == 0) == is_complete
    if not is_complete:
        assert PATIENCE * pace <= arrived.tell() <= PATIENCE * pace + BLOCK
