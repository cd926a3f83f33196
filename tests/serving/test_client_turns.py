"""The order in which waiting requests get their turn."""

import threading
from collections.abc import Callable

import pytest

from serving.client_turns import WINDOW, ClientTurns
from tests.waiting import wait_for


class Queue:
    """Requests that wait for their turn, each in a thread.

    A request is over at once when it gets its turn.
    """

    def __init__(self, turns: ClientTurns) -> None:
        self.turns = turns
        self.order: list[str] = []
        self.threads: list[threading.Thread] = []

    def add(self, client: str, work: Callable[[], None] = lambda: None) -> None:
        def run() -> None:
            turn = self.turns.take(lambda: client)
            self.order.append(client)
            work()
            self.turns.give_back(turn)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()
        wait_for("the request to wait", lambda: len(self.turns.waiting) == len(self.threads))

    def run(self) -> list[str]:
        """Let all requests run, one after the other. Return their clients in this order."""
        self.turns.give_back(None)
        for thread in self.threads:
            thread.join()
        return self.order


@pytest.fixture
def queue() -> Queue:
    turns = ClientTurns(clock=lambda: 0.0)
    assert turns.take(pytest.fail) is None  # the first one need not wait
    return Queue(turns)


def compute() -> None:
    sum(range(100_000))


def test_a_client_with_many_requests_lets_others_go_first(queue: Queue) -> None:
    for _ in range(4):
        queue.add("attacker", compute)
    queue.add("visitor")
    queue.turns.window_end = WINDOW
    assert queue.run() == ["attacker", "visitor", "attacker", "attacker", "attacker"]


def test_requests_of_equal_clients_run_in_the_order_of_arrival(queue: Queue) -> None:
    for client in "abcd":
        queue.add(client)
    assert queue.run() == [*"abcd"]


def test_what_a_client_used_is_forgotten_after_a_while(queue: Queue) -> None:
    queue.turns.used["attacker"] = 60.0
    queue.turns.window_end = -1.0
    queue.add("attacker")
    queue.add("visitor")
    assert queue.run() == ["attacker", "visitor"]
    assert queue.turns.window_end == WINDOW


def test_a_turn_is_free_again_after_the_last_waiting_request(queue: Queue) -> None:
    queue.add("visitor")
    queue.run()
    assert (queue.turns.free, queue.turns.waiting) == (1, [])
