"""The attacks of ``bench.fairness``. A client repeats its attack until the end of the run.

Each client has its own free account and network address.
"""

import io
import random
import re
import socket
import ssl
import string
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote, urlencode

from PIL import Image

from bench.clients import FORM, Answer, Client, result_of
from bench.measure import HOST
from bench.workbooks import rows_of, shared, workbook
from tests.worst_texts import falling


def letters(length: int) -> str:
    return "".join(random.choices(string.ascii_lowercase, k=length))


# Attacks with repeated requests

Steps = Iterator[Callable[[], Answer]]


def texts(me: Client) -> Steps:
    """Send texts that cost quadratic time to normalise or match."""
    marks = falling(31_000)
    raw = f"password={marks}&email=a@example.org".encode()
    application = f"why={marks}".encode()
    stranger = replace(me, cookie="", token="").with_token("/sign-in")
    checks = {"description": falling(150_000), "age": "9" * 20_000}
    while True:
        yield partial(stranger.ask, "POST", "/sign-in", raw)
        yield partial(stranger.ask, "POST", f"/animals/{me.animal}/applications", application)
        yield partial(me.api, "POST", "/v1/pets", {"name": marks, "categoryId": 1})
        for field, text in checks.items():
            body = f"{field}={text}".encode()
            yield partial(me.ask, "POST", me.staff(f"/animals/checks/{field}"), body)


def photos(me: Client) -> Steps:
    """Send five photos of 50 megapixels in each request."""
    file = io.BytesIO()
    Image.new("RGB", (7_070, 7_070), (200, 90, 40)).save(file, "PNG")
    while True:
        files = [(f"{n}.png", file.getvalue() + letters(12).encode()) for n in range(5)]
        yield partial(me.upload, me.staff(f"/animals/{me.animal}/photos"), "photos", files)


def workbooks(me: Client) -> Steps:
    """Send workbooks of 40 kB with 900,000 shared texts."""
    texts = shared("name", "species", "Rex", "Dog") + shared("a") * 900_000
    file = workbook(texts, rows_of([[0, 1], [2, 3]]))
    while True:
        yield partial(me.upload, me.staff("/imports"), "file", [("animals.xlsx", file)])


SLOW_TO_READ = ("![a" * 599, "~~a" * 600, "a\n=\n" * 5_000, "&" * 20_000)


def feeds(me: Client) -> Steps:
    """Request feeds and previews of animals whose descriptions are slow to render."""
    while True:
        for species in ("", "dog", "cat", letters(5)):
            words = urlencode({"shelter": me.slug} | ({"species": species} if species else {}))
            yield partial(me.ask, "GET", f"/feed.atom?{words}")
        for text in SLOW_TO_READ:
            body = urlencode({"description": text}).encode()
            yield partial(me.ask, "POST", me.staff(f"/animals/{me.animal}/checks/description"), body)


def sizes(me: Client) -> Steps:
    """Publish and unpublish as many animals as a free account can have, and import a zip bomb."""
    long_text = shared("name", "species", "description", "Rex", "Dog", "woof " * 6_500)
    file = workbook(long_text, rows_of([[0, 1, 2], *[[3, 4, 5]] * 1_500]))
    where = ""

    def upload() -> Answer:
        nonlocal where
        answer = me.upload(me.staff("/imports"), "file", [("animals.xlsx", file)])
        where = answer.headers.get("Location", "") if answer.status == 303 else ""
        return answer

    yield upload
    while True:
        yield partial(me.post, me.staff("/settings/offline"), {"sure": "yes"})
        yield partial(me.post, me.staff("/settings/deploys"), {})
        if where:
            path = re.sub(r"^https?://[^/]+", "", where)
            yield partial(me.post, f"{path}/start", {"run": "import"})


def keys(me: Client) -> Steps:
    """Send large texts and hosts, different in each request, to fill the caches of texts and hosts."""
    while True:
        blanks = b"birth_date=2020-01-01" + b"+" * (20_000_000 + random.randrange(1_000))
        yield partial(me.ask, "POST", me.staff("/animals/checks/birth_date"), blanks)
        blanks = b"birth_date=2020-01-01" + b"+" * (1_000_000 + random.randrange(1_000))
        yield partial(me.ask, "POST", me.staff("/animals/checks/birth_date"), blanks)
        for _ in range(5):
            yield partial(me.ask, "GET", "/", Host=f"{letters(335_000)}.example")
            yield partial(me.ask, "GET", "/", Host=f"{letters(15_000)}.example")


def searches(me: Client) -> Steps:
    """Send searches for unknown words, and request other expensive pages, each with a new URL."""
    while True:
        words = quote(" ".join(letters(20) for _ in range(3)))
        yield partial(me.ask, "GET", f"/?q={words}")
        yield partial(me.ask, "GET", f"/?q={quote(letters(12))}")
        yield partial(me.ask, "GET", f"/colours/{random.randrange(16**6):06x}.css")
        yield partial(me.ask, "GET", "/?shown=240")


Attack = Callable[[Client, float], Counter[str]]


@dataclass(frozen=True)
class Repeated:
    """An attack that sends each request as soon as the previous one was answered."""

    steps: Callable[[Client], Steps]

    def __call__(self, me: Client, until: float) -> Counter[str]:
        got = Counter[str]()
        for step in self.steps(me):
            if time.time() >= until:
                break
            got[result_of(step)] += 1
        return got


# Attacks with open connections


@dataclass(frozen=True)
class Held:
    """An attack with a fixed number of open connections. A closed connection is opened again."""

    beginnings: tuple[bytes, ...]
    connections: int
    then: bytes = b""
    """The bytes that each connection sends every second."""

    def __call__(self, me: Client, until: float) -> Counter[str]:
        got, held = Counter[str](), list[socket.socket]()
        while time.time() < until:
            second = time.time() + 1
            while len(held) < self.connections and time.time() < min(second, until):
                try:
                    held.append(self.begin(me))
                except OSError:
                    got["not connected"] += 1
                    time.sleep(0.05)
            held = [each for each in held if self.goes_on(each, got)]
            time.sleep(max(0, min(second, until) - time.time()))
        got["held at the end"] += len(held)
        for each in held:
            each.close()
        return got

    def begin(self, me: Client) -> socket.socket:
        opened = me.target.connect(me.address, 5)
        opened.sendall(random.choice(self.beginnings))
        opened.setblocking(False)
        return opened

    def goes_on(self, held: socket.socket, got: Counter[str]) -> bool:
        """Send the bytes that are due. Return False if the connection was answered or closed."""
        try:
            if self.then:
                held.send(self.then)
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            pass
        except OSError:
            pass  # the bytes that are read below show why
        try:
            answered = held.recv(4_096)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return True
        except OSError:
            answered = b""
        found = re.match(rb"HTTP/1\.1 (\d+)", answered)
        got[found[1].decode() if found else "closed"] += 1
        held.close()
        return False


def begun(path: str, length: int, body: bytes = b"") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: {FORM}\r\nContent-Length: {length}\r\n\r\n"
    return head.encode() + body


HALF_A_HEAD = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Half: ".encode()
UPLOAD = begun("/projects/bench/animals/1/photos", 30_000_000)

ATTACKS: dict[str, tuple[str, Attack]] = {
    "F1": ("long texts that are slow to normalise or match", Repeated(texts)),
    "F2": ("photos of 50 megapixels, five in each request", Repeated(photos)),
    "F3": ("workbooks with 900,000 shared texts", Repeated(workbooks)),
    "F4": ("feeds of descriptions that are slow to render", Repeated(feeds)),
    "F5": (
        "1,100 connections with half a head or one byte of a body",
        Held((HALF_A_HEAD, begun("/sign-in", 1_000, b"a")), 275),
    ),
    "F6": ("200 slow uploads without signing in", Held((UPLOAD,), 50, bytes(61_440))),
    "F7": ("publishing and taking offline 1,000 animals, and a swollen import", Repeated(sizes)),
    "F8": ("large texts and hosts that differ each time", Repeated(keys)),
    "F9": ("searches, colours and long pages that differ each time", Repeated(searches)),
}
THROUGH_EDGE = {"F5", "F6"}
"""Attacks with slow connections. The edge limits them, so they go through the edge if Caddy is installed."""
