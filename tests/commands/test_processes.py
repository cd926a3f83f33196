import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess

from adoption.commands.processes import Kept


def watched(is_ending: Callable[[], bool]) -> list[BaseProcess]:
    """What was begun until nobody watched any more, where each ends at once."""
    begun: list[BaseProcess] = []

    def begin() -> BaseProcess:
        begun.append(multiprocessing.Process(target=int))
        begun[-1].start()
        return begun[-1]

    before = set(threading.enumerate())
    Kept("The clerk", begin, is_ending)
    for watcher in set(threading.enumerate()) - before:
        watcher.join()
    return begun


def test_a_process_that_died_has_another_in_its_place_until_the_service_is_to_end() -> None:
    told = iter([False, True])
    assert len(watched(lambda: next(told))) == 2


def test_one_that_heard_of_the_end_first_has_not_died() -> None:
    assert len(watched(lambda: True)) == 1
