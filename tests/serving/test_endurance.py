"""Mixed traffic for a few seconds while workers are killed.

``python -m bench.endurance`` runs it for ten minutes.
"""

from pathlib import Path

from adoption.accounts.plans import Quota
from bench.endurance import Load, run
from bench.endurance_records import Call, Calls, Writes
from tests.servers import program


def test_no_write_is_lost_or_duplicated_while_workers_are_killed(tmp_path: Path) -> None:
    program("caddy")
    program("openssl")
    report = run(tmp_path, Load(seconds=9, people=60, pause=0.6, kill_every=3))
    assert report.faults == []
    assert len(report.killed) == 2
    assert report.log.count("was ended by SIGKILL") == 2
    assert len(report.records.writes.answered) > 50
    assert all(calls.answered for calls in report.records.calls.values())


def test_lost_and_duplicated_writes_are_detected() -> None:
    writes = Writes({"A": 1, "B": None, "C": 3}, unanswered={"D", "E"}, refused={"F"})
    assert writes.faults([(1, "A"), (2, "B"), (3, "C"), (4, "D")]) == []
    assert len(writes.faults([(1, "A"), (2, "B")])) == 1
    assert len(writes.faults([(1, "A"), (2, "B"), (9, "C")])) == 1
    doubled = [(1, "A"), (2, "B"), (3, "C"), (4, "D"), (5, "D"), (6, "F"), (7, "B")]
    assert len(writes.faults(doubled)) == 3


def test_inexact_quotas_are_detected() -> None:
    def calls(remaining: list[int], counted: int, unanswered: int = 0) -> Calls:
        answered = [Call(200, 2, each, 60) for each in remaining] + [Call(429, 2, 0, 60)]
        return Calls(Quota(2, 100), answered, unanswered=unanswered, counted=counted)

    assert calls([1, 0], counted=2).faults() == calls([0], counted=2, unanswered=1).faults() == []
    assert len(calls([1, 0, 0], counted=3).faults()) == 2
    assert len(calls([1, 0], counted=1).faults()) == len(calls([0], counted=2).faults()) == 1
