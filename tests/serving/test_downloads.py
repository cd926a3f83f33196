"""A file on its way out: never in memory as a whole."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from server import BLOCK, FileBody, Front
from tests.serving.test_front import Turn


class Exchange:
    """Notes what granian is given."""

    def __init__(self) -> None:
        self.status, self.sizes = 0, list[int]()

    def response_stream(self, status: int, _headers: list[tuple[str, str]]) -> "Exchange":
        self.status = status
        return self

    async def send_bytes(self, block: bytes) -> None:
        self.sizes.append(len(block))


def test_a_file_goes_out_in_blocks_and_is_closed(tmp_path: Any) -> None:
    (tmp_path / "large").write_bytes(b"x" * (BLOCK * 3 + 5))
    file = (tmp_path / "large").open("rb")

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        start_response("200 OK", [])
        return environ["wsgi.file_wrapper"](file)

    front = Front(app, 1, lambda _: 0, Turn, lambda _: False)  # type: ignore[arg-type]
    environ = {"wsgi.input": BytesIO(), "wsgi.file_wrapper": FileBody}
    status, headers, body = front.respond(environ)
    assert isinstance(body, FileBody)
    exchange = Exchange()
    with ThreadPoolExecutor(1) as readers:
        asyncio.run(body.send(exchange, status, headers, readers))  # type: ignore[arg-type]
    assert (exchange.status, exchange.sizes) == (200, [BLOCK, BLOCK, BLOCK, 5])
    assert file.closed
