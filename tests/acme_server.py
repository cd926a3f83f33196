"""A server that refuses ACME requests in every known way. Tests with Pebble cover successful requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class AcmeServer:
    """A server whose answer depends on the last part of the path: a status, headers and a body."""

    address: str = ""
    answers: dict[str, tuple[int, dict[str, str], object]] = field(default_factory=dict)
    first: dict[str, tuple[int, dict[str, str], object]] = field(default_factory=dict)
    """Answers that are used once, before the other answers."""
    requests: list[str] = field(default_factory=list)

    def refuse(self, path: str, status: int, code: str, detail: str, **headers: str) -> None:
        self.answers[path] = problem(status, code, detail, **headers)

    def refuse_once(self, path: str, status: int, code: str, detail: str) -> None:
        self.first[path] = problem(status, code, detail)

    def answer_for(self, path: str) -> tuple[int, dict[str, str], object]:
        known = {name: f"{self.address}/{name}" for name in ("newNonce", "newAccount", "newOrder")}
        usual: dict[str, tuple[int, dict[str, str], object]] = {
            "directory": (200, {}, known),
            "newNonce": (200, {}, {}),
            "newAccount": (201, {"Location": f"{self.address}/account/1"}, {"status": "valid"}),
        }
        return self.first.pop(path, None) or self.answers.get(path) or usual.get(path) or (404, {}, {})


def problem(status: int, code: str, detail: str, **headers: str) -> tuple[int, dict[str, str], object]:
    found = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"type": f"urn:ietf:params:acme:error:{code}", "detail": detail, "status": status}
    return status, {"Content-Type": "application/problem+json", **found}, body


@contextmanager
def serving() -> Iterator[AcmeServer]:
    state = AcmeServer()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            path = self.path.rpartition("/")[2]
            state.requests.append(path)
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, headers, body = state.answer_for(path)
            data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            rest = {
                "Content-Type": "application/json",
                "Replay-Nonce": "bm9uY2U",
                "Cache-Control": "no-store",
            }
            for name, value in (rest | headers | {"Content-Length": str(len(data))}).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_GET = do_HEAD = do_POST = answer  # noqa: N815 - named as the library calls them

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
