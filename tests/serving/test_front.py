"""The front by itself, where a real server cannot be brought to what is asked: a disk that fails once."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from server import Front


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
