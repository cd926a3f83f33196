"""The ordinary traffic of ``bench.fairness``: common requests at a fixed rate."""

import io
import os
import re
import statistics
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import count

from PIL import Image

from bench.clients import Answer, Client, result_of

PASSWORD = "a password of the bench"
PERIODS = {"catalogue": 0.1, "sign-in": 1.0, "application": 1.0, "list": 0.2, "photo": 4.0}
"""The seconds between two requests, by kind."""
EXPECTED = {"catalogue": 200, "sign-in": 303, "application": 303, "list": 200, "photo": 303}
POSTS = ("sign-in", "application", "photo")
ANSWERS = {
    "name": "Sam Okafor",
    "phone": "",
    "home": "rent",
    "household": ["cats"],
    "why": "There is a garden.",
}


def email(number: int) -> str:
    return f"bench{number}@example.org"


@dataclass
class Results:
    """The answers to the ordinary traffic."""

    seconds: list[float] = field(default_factory=list)
    """The durations of the catalogue's answers, in seconds."""
    results: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in PERIODS})

    def percentile(self, percent: int) -> float:
        cuts = statistics.quantiles(self.seconds, n=100, method="inclusive")
        return cuts[percent - 1] * 1_000

    def sent(self) -> int:
        return sum(sum(self.results[name].values()) for name in POSTS)

    def lost(self) -> int:
        return self.sent() - sum(self.results[name][str(EXPECTED[name])] for name in POSTS)

    def wrong(self) -> str:
        wrong = {
            name: ", ".join(f"{n} of {result}" for result, n in got.items() if result != str(EXPECTED[name]))
            for name, got in self.results.items()
        }
        return "; ".join(f"{name}: {results}" for name, results in wrong.items() if results)


class Ordinary:
    """Requests at a fixed rate. Each comes from a different address."""

    def __init__(self, shelter: Client, *, with_photos: bool) -> None:
        self.shelter = shelter
        self.names = [name for name in PERIODS if name != "photo" or with_photos]
        self.number = count()

    def run(self, seconds: float) -> Results:
        results, begun = Results(), time.monotonic()
        due = sorted(
            (n * PERIODS[name], name) for name in self.names for n in range(int(seconds / PERIODS[name]))
        )
        with ThreadPoolExecutor(400) as people:
            for after, name in due:
                time.sleep(max(0, begun + after - time.monotonic()))
                people.submit(self.ask, name, results)
            time.sleep(max(0, begun + seconds - time.monotonic()))
        return results

    def ask(self, name: str, results: Results) -> None:
        number = next(self.number)
        address = f"127.{2 + number // 62_500}.{number // 250 % 250}.{number % 250 + 1}"
        someone = replace(self.shelter, address=address, cookie="", token="", timeout=60)
        begun = time.monotonic()
        result = result_of(lambda: getattr(self, name.replace("-", "_"))(someone, number))
        if name == "catalogue":
            results.seconds.append(time.monotonic() - begun)
        results.results[name][result] += 1

    def catalogue(self, someone: Client, _: int) -> Answer:
        return someone.ask("GET", "/")

    def list(self, someone: Client, _: int) -> Answer:
        return someone.api("GET", "/v1/pets?status=available")

    def sign_in(self, someone: Client, _: int) -> Answer:
        return someone.with_token("/sign-in").post("/sign-in", {"email": email(0), "password": PASSWORD})

    def application(self, someone: Client, number: int) -> Answer:
        page = someone.ask("GET", f"/animals/{someone.animal}")
        if page.status in (301, 302, 303, 308):
            page = someone.ask("GET", re.sub(r"^https?://[^/]+", "", page.headers["Location"]))
        found = re.search(rb'name="form" value="([^"]+)"', page.body)
        if not found:
            return page
        form = {**ANSWERS, "email": f"sam{number}@example.net", "form": unescape(found[1].decode())}
        return someone.post(f"/animals/{someone.animal}/applications", form)

    def photo(self, someone: Client, number: int) -> Answer:
        owner = replace(someone, cookie=self.shelter.cookie, token=self.shelter.token)
        return owner.upload(
            owner.staff(f"/animals/{owner.animal}/photos"), "photos", [(f"{number}.jpg", photo())]
        )


def photo() -> bytes:
    """Return a unique photo of more than a megabyte."""
    file = io.BytesIO()
    Image.frombytes("RGB", (900, 700), os.urandom(900 * 700 * 3)).save(file, "JPEG", quality=90)
    return file.getvalue()
