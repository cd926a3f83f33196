"""The answers to the clients of ``bench.endurance``, and the checks of the data that is stored at the end."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from adoption.accounts.plans import Quota
from bench.clients import Answer


@dataclass
class Writes:
    """The animals that clients tried to add, by name. Each name belongs to one animal."""

    answered: dict[str, int | None] = field(default_factory=dict)
    """The answered writes by name. The value is the animal's id, or None if the answer has no id."""
    unanswered: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    """The names of writes that were answered with 503."""

    def faults(self, kept: Iterable[tuple[int, str]]) -> list[str]:
        """Return the problems with the animals that exist in the end. ``kept`` contains (id, name) pairs."""
        ids: dict[str, list[int]] = defaultdict(list)
        for id_, name in kept:
            ids[name].append(id_)
        wrong = [f"{name} was added {len(ids[name])} times." for name in ids if len(ids[name]) > 1]
        for name, id_ in self.answered.items():
            if not ids[name]:
                wrong.append(f"{name} was answered and is lost.")
            elif id_ is not None and id_ not in ids[name]:
                wrong.append(f"{name} was answered as {id_} and is {ids[name]}.")
        refused = self.refused & ids.keys() - self.answered.keys() - self.unanswered
        return wrong + [f"{name} was refused and is there." for name in refused]


class Call(NamedTuple):
    """The status of an answer, and its quota headers."""

    status: int
    limit: int
    remaining: int
    reset: int

    @classmethod
    def of(cls, answer: Answer) -> "Call":
        headers = {name.lower(): value for name, value in answer.headers.items()}
        numbers = (int(headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))
        return cls(answer.status, *numbers)


@dataclass
class Calls:
    """The API calls with the key of one account."""

    quota: Quota
    answered: list[Call] = field(default_factory=list)
    resting_until: float = 0
    unanswered: int = 0
    counted: int = 0
    """The number of calls in the store's daily window."""
    written: int = 0
    """The number of calls in the owner's usage statistics."""

    def accepted(self) -> list[Call]:
        return [call for call in self.answered if call.status != 429]

    def faults(self) -> list[str]:
        wrong, accepted = [], self.accepted()
        windows: dict[tuple[int, int], list[int]] = defaultdict(list)
        for call in accepted:
            windows[call.limit, call.reset].append(call.remaining)
        for (limit, reset), remaining in windows.items():
            if len(remaining) > limit:
                wrong.append(f"{len(remaining)} calls were accepted in a window of {limit} until {reset}.")
            if twice := [each for each, times in Counter(remaining).items() if times > 1]:
                wrong.append(f"{len(twice)} counts of a window of {limit} were given to several calls.")
        if len(accepted) > self.quota.per_day:
            wrong.append(f"{len(accepted)} calls were accepted of {self.quota.per_day} a day.")
        # A killed worker may have counted a call without answering it.
        if not len(accepted) <= self.counted <= min(len(accepted) + self.unanswered, self.quota.per_day):
            of = f"{len(accepted)} were accepted and {self.unanswered} lost"
            wrong.append(f"{self.counted} calls are counted, {of}.")
        if self.written > len(self.answered) + self.unanswered:
            wrong.append(f"{self.written} calls are written down, {len(self.answered)} were answered.")
        return wrong


class Records:
    """All answers. Threads may add to them concurrently."""

    def __init__(self, quotas: Mapping[str, Quota]) -> None:
        self.lock = Lock()
        self.results: dict[str, Counter[str]] = defaultdict(Counter)
        self.writes = Writes()
        self.calls = {account: Calls(quota) for account, quota in quotas.items()}

    def note(self, kind: str, result: str) -> None:
        with self.lock:
            self.results[kind][result] += 1

    def note_call(self, account: str, answer: Answer | None) -> None:
        """Record a call with an account's key. ``answer`` is None if the call was not answered."""
        with self.lock:
            if answer is None:
                self.calls[account].unanswered += 1
            else:
                call = Call.of(answer)
                self.calls[account].answered.append(call)
                if call.status == 429:
                    # The daily window is too long to wait for its end.
                    self.calls[account].resting_until = min(call.reset, time.time() + 60)

    def note_write(self, name: str, answer: Answer | None, id_: int | None = None) -> None:
        """Record an attempt to add an animal. ``id_`` is the id in the answer."""
        with self.lock:
            if answer is None:
                self.writes.unanswered.add(name)
            elif answer.status == 503:
                self.writes.refused.add(name)
            elif answer.status in (201, 303):
                self.writes.answered[name] = id_
                self.writes.unanswered.discard(name)
