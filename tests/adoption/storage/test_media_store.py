"""The media store, in a folder and in a bucket."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from adoption.errors import Unavailable
from adoption.storage.media_store import MediaStore
from tests.waiting import wait_for

PAGE = 4
"""The number of keys on a page of a listing. A page of Amazon S3 has 1,000."""


class Bucket(BaseHTTPRequestHandler):
    """The part of Amazon S3's HTTP interface that the media store uses. It accepts every signature."""

    protocol_version = "HTTP/1.1"
    files: dict[str, bytes]

    def answer(self, status: int, body: bytes = b"", length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Sat, 28 Nov 2026 12:00:00 GMT")
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self) -> None:
        self.files[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200)

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if "list-type=2" in asked.query:
            self.answer(200, self.listing(asked.path, parse_qs(asked.query)))
            return
        known = self.files.get(self.path)
        self.answer(404) if known is None else self.answer(200, known)

    def listing(self, root: str, asked: dict[str, list[str]]) -> bytes:
        """Return a page of the keys with a prefix (ListObjectsV2)."""
        prefix = f"{root}/{asked.get('prefix', [''])[0]}"
        after = asked.get("continuation-token", [""])[0]
        names = sorted(name for name in self.files if name.startswith(prefix) and name > after)
        page, rest = names[:PAGE], names[PAGE:]
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        found = "".join(
            f"<Contents><Key>{name.removeprefix(f'{root}/')}</Key><LastModified>{at}</LastModified>"
            f'<ETag>"1"</ETag><Size>{len(self.files[name])}</Size></Contents>'
            for name in page
        )
        more = f"<NextContinuationToken>{page[-1]}</NextContinuationToken>" if rest else ""
        is_cut = f"<IsTruncated>{str(bool(rest)).lower()}</IsTruncated>"
        return f"<ListBucketResult>{is_cut}{more}{found}</ListBucketResult>".encode()

    def do_HEAD(self) -> None:
        known = self.files.get(self.path)
        self.answer(404) if known is None else self.answer(200, length=len(known))

    def do_POST(self) -> None:
        """Delete the keys in an XML document (DeleteObjects)."""
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        root, keys = self.path.removesuffix("?delete"), re.findall("<Key>(.*?)</Key>", asked)
        for key in keys:
            self.files.pop(f"{root}/{key}", None)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self.answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        return


@contextmanager
def serve_bucket() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Run a server with one bucket; yield its URL and its files."""
    files: dict[str, bytes] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("OneBucket", (Bucket,), {"files": files}))
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", files
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(params=["folder", "bucket"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MediaStore]:
    if request.param == "folder":
        yield MediaStore(str(tmp_path / "photos of 100% #1"))
        return
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "nobody")
    with serve_bucket() as (address, files):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield MediaStore("s3://photos/of-animals")
        assert all(path.startswith("/photos/of-animals/") for path in files)


def test_a_stored_file_can_be_read(store: MediaStore) -> None:
    store.keep({"a-400.webp": b"one", "a-400.avif": b"other"})
    assert store.read("a-400.webp") == b"one"
    assert store.read("a-400.avif") == b"other"
    assert store.has("a-400.avif")


def test_a_missing_file_is_none(store: MediaStore) -> None:
    assert store.read("a-400.webp") is None
    assert not store.has("a-400.webp")


def test_a_file_can_be_overwritten(store: MediaStore) -> None:
    store.keep({"a-400.webp": b"one"})
    store.keep({"a-400.webp": b"another"})
    assert store.read("a-400.webp") == b"another"


def test_a_file_can_be_deleted_twice(store: MediaStore) -> None:
    store.keep({"a-400.webp": b"one", "b-400.webp": b"other"})
    for _ in range(2):
        store.drop(["missing.webp", "a-400.webp"])
    assert store.read("a-400.webp") is None
    assert store.read("b-400.webp") == b"other"


def test_a_folder_without_write_permission_is_unavailable(tmp_path: Path) -> None:
    store = MediaStore(str(tmp_path / "photos"))
    (tmp_path / "photos").rmdir()
    (tmp_path / "photos").write_text("a file where the folder was")
    with pytest.raises(Unavailable):
        store.keep({"a-400.webp": b"one"})
    with pytest.raises(Unavailable):
        store.read("a-400.webp")


def test_the_breaker_opens_when_a_bucket_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "nobody")
    answering, asked = Event(), []

    def wait(handler: Bucket) -> None:
        asked.append(handler.path)
        answering.wait()
        handler.answer(404)

    monkeypatch.setattr(Bucket, "do_GET", wait)
    monkeypatch.setattr(Bucket, "do_HEAD", lambda handler: answering.wait() and handler.answer(404))
    with serve_bucket() as (address, _):
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        store = MediaStore("s3://photos")
        for _ in range(5):
            with pytest.raises(Unavailable):
                store.read_for_page("a-400.webp")
        assert asked == ["/photos/a-400.webp"]
        answering.set()
        wait_for("the bucket to be asked again", lambda: not store.breaker.is_open)
        assert store.read_for_page("a-400.webp") is None


def test_files_are_listed_with_and_without_a_folder(store: MediaStore) -> None:
    names = {f"uploads/{number}" for number in range(PAGE + 1)} | {"a-400.webp", "uploads-of-ours"}
    store.keep(dict.fromkeys(sorted(names), b"x"))
    assert {each.name for each in store.files()} == names
    assert {each.name for each in store.files("uploads")} == {f"uploads/{n}" for n in range(PAGE + 1)}
    assert all(abs(datetime.now(UTC) - each.written_at).total_seconds() < 600 for each in store.files())
