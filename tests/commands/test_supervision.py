import json
import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess

import pytest

from adoption.commands.supervision import SupervisedProcess
from adoption.logs import JsonLines


def watched(is_ending: Callable[[], bool]) -> list[BaseProcess]:
    """Return the processes that were started. Each process ends immediately."""
    begun: list[BaseProcess] = []

    def begin() -> BaseProcess:
        begun.append(multiprocessing.Process(target=int))
        begun[-1].start()
        return begun[-1]

    before = set(threading.enumerate())
    SupervisedProcess("clerk", begin, is_ending)
    for watcher in set(threading.enumerate()) - before:
        watcher.join()
    return begun


def test_a_process_that_dies_is_restarted_until_the_service_stops(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = iter([False, True])
    first, _ = watched(lambda: next(found))
    (line,) = (json.loads(JsonLines().format(record)) for record in caplog.records)
    about = {"event": "process_replaced", "what": "clerk", "pid": first.pid, "exit_code": 0, "reason": "exit"}
    assert line.items() >= about.items()


def test_a_process_that_stops_first_is_not_restarted() -> None:
    assert len(watched(lambda: True)) == 1
