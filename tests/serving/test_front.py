"""The front by itself, where a real server cannot be brought to what is asked: a disk that fails once."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest
from werkzeug.exceptions import ServiceUnavailable
from werkzeug.test import create_environ
from werkzeug.wrappers import Request

import server
from adoption.database import cause_of
from server import IN_MEMORY, Front
from tests.disks import full_after


class Turn:
    changes = 0

    def __init__(self) -> None:
        self.lost: set[int] = set()


def test_a_change_that_was_lost_is_tried_again_before_anybody_is_told() -> None:
    turn = Turn()
    seen: list[bytes] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        body: bytes = environ["wsgi.input"].read()
        seen.append(body)
        turn.changes += body != b"looks only"
        start_response("201 CREATED" if not turn.lost else "503 SERVICE UNAVAILABLE", [])
        return [body]

    @contextmanager
    def failing() -> Iterator[Turn]:
        yield turn
        turn.lost = {1, 2}

    front = Front(app, 1, lambda _: 100, failing, lambda _: True)
    bodies = [b"Biscuit", b"looks only", b"Pepper"]
    answers = front.respond_together([{"wsgi.input": BytesIO(body)} for body in bodies])
    assert [(status, body) for status, _, body in answers] == [
        (503, b"Biscuit"),
        (201, b"looks only"),
        (503, b"Pepper"),
    ]
    assert seen == [*bodies, b"Biscuit", b"Pepper"]


@pytest.mark.parametrize(("told", "there"), [(30_000_000, False), (9, True)])
def test_an_upload_that_stops_is_given_up_however_large_it_said_it_would_be(
    monkeypatch: pytest.MonkeyPatch, told: int, there: bool
) -> None:
    monkeypatch.setattr(server, "BODY_SECONDS", 0.2)

    class Stopping:
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"the first"
            if not there:
                await asyncio.Event().wait()

    front = Front(None, 1, lambda _: 32_000_000, failing_never, lambda _: False)
    body = asyncio.run(asyncio.wait_for(front.read(Stopping(), told), 20))  # type: ignore[arg-type]
    assert (body.read() if body else None) == (b"the first" if there else None)


@contextmanager
def failing_never() -> Iterator[Turn]:
    yield Turn()


def test_a_body_that_the_disk_does_not_take_is_the_disks_fault_and_not_the_callers() -> None:
    class Large:
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"a" * (IN_MEMORY + 1)

    front = Front(None, 1, lambda _: 32_000_000, failing_never, lambda _: False)
    environ = create_environ("/", method="POST")
    taken = front.take(Large(), environ, IN_MEMORY + 1)  # type: ignore[arg-type]
    with full_after(IN_MEMORY // 2):
        asyncio.run(taken)
    request = Request({**environ, "CONTENT_LENGTH": str(IN_MEMORY + 1)})
    request.max_content_length = 32_000_000
    with pytest.raises(ServiceUnavailable) as told:
        request.get_data()
    assert cause_of(told.value) == "[Errno 27] File too large"
