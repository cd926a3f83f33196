"""The people of ``bench.endurance``. Each has an address and a connection, and repeats one activity."""

import json
import random
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from itertools import count
from threading import Event
from urllib.parse import urlencode

from bench.clients import FORM, OWN, Answer, Client, Connection
from bench.endurance_records import Records
from bench.measure import HOST
from bench.ordinary import PASSWORD, email

NUMBERS = count()
SHARES = {
    "catalogue": 10,
    "animal": 10,
    "photo read slowly": 5,
    "list": 10,
    "single": 8,
    "create": 8,
    "create with a key": 8,
    "quota": 8,
    "staff list": 4,
    "staff form": 6,
    "sign-in": 3,
    "stalled upload": 5,
    "stalled body": 10,
    "slow body": 5,
}
"""The number of people, out of a hundred, for each activity."""
NEW_ANIMAL = {"category_id": "2", "status": "available", "visibility": "shown", "fee": "hidden"}


@dataclass
class Person:
    """A person with a persistent connection, like a browser's."""

    client: Client
    records: Records
    over: Event
    page: str
    """The path of an animal's page."""
    photos: list[str]
    """The paths of the photo files of that animal."""
    pause: float
    """The mean seconds between two requests."""
    quota_keys: dict[str, str]
    connection: Connection | None = None
    number: int = field(default_factory=lambda: next(NUMBERS))

    def run(self, kind: str) -> None:
        act: Callable[[], str] = getattr(self, kind.replace(" ", "_").replace("-", "_"))
        self.over.wait(random.uniform(0, self.pause))
        while not self.over.is_set():
            self.records.note(kind, act())
            self.over.wait(random.uniform(0, 2 * self.pause))
        self.close()

    # Requests

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = FORM, **more: str
    ) -> Answer | None:
        """Return the answer, or None if there is none. A 502 or 504 of the edge also counts as no answer."""
        sent = {"Host": HOST, **OWN} | {name.replace("_", "-"): value for name, value in more.items()}
        if body is not None:
            sent["Content-Type"] = kind
        if self.client.cookie:
            sent |= {"Cookie": self.client.cookie, "X-CSRFToken": self.client.token}
        try:
            connection = self.connection or Connection(self.client.target, self.client.address, 60)
            self.connection = connection
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            answer = Answer(response.status, response.read(), dict(response.headers), "")
        except (OSError, HTTPException):
            self.close()
            return None
        return None if answer.status in (502, 504) else answer

    def close(self) -> None:
        if self.connection is not None:
            with suppress(OSError):
                self.connection.close()
            self.connection = None

    def api(self, method: str, path: str, value: object = None, key: str = "", **more: str) -> Answer | None:
        body = None if value is None else json.dumps(value).encode()
        more["Authorization"] = f"Bearer {key or self.client.key}"
        return self.ask(method, path, body, "application/json", **more)

    # Reading

    def catalogue(self) -> str:
        return status_of(self.ask("GET", f"/?page={random.randint(1, 5)}"))

    def animal(self) -> str:
        return status_of(self.ask("GET", self.page))

    def list(self) -> str:
        return status_of(self.api("GET", "/v1/pets?status=available"))

    def single(self) -> str:
        return status_of(self.api("GET", f"/v1/pets/{self.client.animal}"))

    def staff_list(self) -> str:
        return status_of(self.ask("GET", self.client.staff("/animals")))

    def photo_read_slowly(self) -> str:
        request = f"GET {random.choice(self.photos)} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
        try:
            with self.client.target.connect(self.client.address) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                connection.sendall(request.encode())
                got = b""
                while part := connection.recv(1_024):
                    got += part
                    self.over.wait(0.1)
        except OSError:
            return "no answer"
        head, _, body = got.partition(b"\r\n\r\n")
        found = re.search(rb"(?i)content-length: (\d+)", head)
        return str(int(head.split()[1])) if found and len(body) == int(found[1]) else "cut off"

    # Writing

    def create(self) -> str:
        name = f"Plain {self.number} {next(NUMBERS)}"
        answer = self.api("POST", "/v1/pets", {"name": name, "categoryId": 1})
        return self.note_create(name, answer)

    def create_with_a_key(self) -> str:
        """Create an animal. If the answer is lost, repeat the request until it is answered."""
        name = f"Keyed {self.number} {next(NUMBERS)}"
        again = 0
        while True:
            body = {"name": name, "categoryId": 1}
            answer = self.api("POST", "/v1/pets", body, Idempotency_Key=name.replace(" ", "-"))
            result = self.note_create(name, answer)
            if (answer is not None and answer.status != 503) or self.over.is_set():
                return f"{result}, repeated" if again else result
            again += 1
            time.sleep(0.5)

    def note_create(self, name: str, answer: Answer | None) -> str:
        id_ = json.loads(answer.body)["id"] if answer is not None and answer.status == 201 else None
        self.records.note_write(name, answer, id_)
        return status_of(answer)

    def staff_form(self) -> str:
        name = f"Staff {self.number} {next(NUMBERS)}"
        form = urlencode({**NEW_ANIMAL, "name": name}).encode()
        answer = self.ask("POST", self.client.staff("/animals/new"), form)
        self.records.note_write(name, answer)
        return status_of(answer)

    def sign_in(self) -> str:
        someone = replace(self.client, cookie="", token="", timeout=60)
        try:
            fields = {"email": email(0), "password": PASSWORD}
            return str(someone.with_token("/sign-in").post("/sign-in", fields).status)
        except (OSError, HTTPException, AssertionError):
            return "no answer"

    def quota(self) -> str:
        """Send requests with a key that has a small quota. Pause after a 429, to avoid a ban of the key."""
        account = list(self.quota_keys)[self.number % len(self.quota_keys)]
        if self.records.calls[account].resting_until > time.time():
            return "rested"
        answer = self.api("GET", "/v1/pets?limit=1", key=self.quota_keys[account])
        self.records.note_call(account, answer if answer is None or answer.status < 500 else None)
        return status_of(answer)

    # Incomplete bodies

    def stalled_upload(self) -> str:
        path, kind = (
            self.client.staff(f"/animals/{self.client.animal}/photos"),
            "multipart/form-data; boundary=a",
        )
        session = f"Cookie: {self.client.cookie}\r\nX-CSRFToken: {self.client.token}\r\n"
        return self.stall(path, kind, 3_000_000, 1_500_000, session)

    def stalled_body(self) -> str:
        return self.stall("/sign-in", FORM, 4_000, 100)

    def slow_body(self) -> str:
        return self.stall("/sign-in", FORM, 500, 500, every=0.2)

    def stall(self, path: str, kind: str, length: int, sent: int, more: str = "", every: float = 0) -> str:
        """Send a part of a body, or the whole body in small parts. Then wait a while for the answer."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: {kind}\r\nSec-Fetch-Site: same-origin\r\n"
        )
        head += f"Content-Length: {length}\r\nConnection: close\r\n{more}\r\n"
        try:
            with self.client.target.connect(self.client.address) as connection:
                connection.sendall(head.encode())
                part = 10 if every else sent
                for _ in range(0, sent, part):
                    connection.sendall(b"a" * part)
                    self.over.wait(every)
                connection.settimeout(self.pause * random.uniform(1, 12))
                return (connection.recv(100).split() or [b"", b"closed"])[1].decode()
        except TimeoutError:
            return "no answer"
        except OSError:
            return "closed"


def status_of(answer: Answer | None) -> str:
    return "no answer" if answer is None else str(answer.status)


def shared_out(people: int) -> list[str]:
    """Return the activity of each person."""
    kinds = [kind for kind, share in SHARES.items() for _ in range(share)]
    return [kinds[number * len(kinds) // people] for number in range(people)]
