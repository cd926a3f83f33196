"""Quotas and writes under load, and when the server is killed."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException

import pytest

from tests.serving.conftest import Answer, Running

CONNECTIONS = 100


def send_many(running: Running, key: str, times: int) -> list[Answer]:
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        return list(pool.map(lambda _: running.get("/v1/pets", key), range(times)))


def test_a_free_key_under_load_gets_exactly_its_quota(serve: Callable[..., Running]) -> None:
    running = serve(workers=2, threads=8)
    answers = send_many(running, running.keys["free"], 600)
    admitted = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert len(admitted) == 60
    assert {answer.status for answer in refused} == {429}
    # Each admitted request has a different remaining count. Each rejected request has a remaining count of 0.
    assert sorted(int(answer.headers["x-ratelimit-remaining"]) for answer in admitted) == list(range(60))
    assert {answer.headers["x-ratelimit-remaining"] for answer in refused} == {"0"}
    assert len({answer.headers["x-ratelimit-reset"] for answer in answers}) == 1
    codes = Counter(answer.json["code"] for answer in refused)  # type: ignore[index]
    assert set(codes) <= {"rate_limited", "key_banned"}
    assert codes.total() == 540


def test_a_killed_server_does_not_reset_the_daily_quota(serve: Callable[..., Running]) -> None:
    running = serve(workers=2, threads=8)
    key = running.keys["counted"]
    before = answered_until_killed(running, key, after=200)
    running.start()
    answers = send_many(running, key, 500)
    admitted = sum(answer.status == 200 for answer in answers)
    assert before + admitted <= 500
    # Requests that were counted but not answered were still running when the server died.
    assert before + admitted >= 500 - CONNECTIONS
    assert {answer.status for answer in send_many(running, key, 5)} == {429}


def answered_until_killed(running: Running, key: str, after: int) -> int:
    answered, lock = [0], threading.Lock()

    def call(_: int) -> None:
        try:
            answer = running.get("/v1/pets", key)
        except (OSError, HTTPException):
            return
        with lock:
            answered[0] += answer.status == 200
            if answered[0] == after and running.process is not None:
                running.process.kill()

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(call, range(450)))
    running.kill()
    return answered[0]


@pytest.mark.parametrize("threads", [1, 8])
def test_no_acknowledged_write_is_lost(serve: Callable[..., Running], threads: int) -> None:
    running = serve(workers=2, threads=threads)
    key = running.keys["business"]
    created: dict[int, str] = {}
    lock = threading.Lock()

    def add(number: int) -> None:
        name = f"Animal {number}"
        try:
            answer = running.ask("POST", "/v1/pets", key, {"name": name, "categoryId": 1})
        except (OSError, HTTPException):
            return
        assert answer.status == 201, answer.body
        with lock:
            created[answer.json["id"]] = name  # type: ignore[index]
            if len(created) == 150 and running.process is not None:
                running.process.kill()

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(add, range(400)))
    running.kill()
    assert len(created) >= 150
    running.start()
    kept = all_animals(running, key)
    assert len({animal["id"] for animal in kept}) == len(kept)
    names = {animal["id"]: animal["name"] for animal in kept}
    assert created.items() <= names.items()
    assert max(Counter(names.values()).values()) == 1


def all_animals(running: Running, key: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    path = "/v1/pets?limit=100"
    while path:
        answer = running.get(path, key)
        found += answer.json  # type: ignore[operator]
        link = answer.headers.get("link", "")
        path = "/v1" + link.partition("/v1")[2].partition(">")[0] if link else ""
    return found
