"""Granian's settings."""

import resource
from resource import RLIM_INFINITY

import pytest

from serving.granian_server import CONNECTIONS_MOST, connection_limit

WANTED = 2 * CONNECTIONS_MOST


@pytest.mark.parametrize(
    ("soft", "hard", "raised_to", "connections"),
    [
        (RLIM_INFINITY, RLIM_INFINITY, None, CONNECTIONS_MOST),
        (WANTED, WANTED, None, CONNECTIONS_MOST),
        (256, RLIM_INFINITY, WANTED, CONNECTIONS_MOST),
        (256, 4 * WANTED, WANTED, CONNECTIONS_MOST),
        (256, 512, 512, 256),
    ],
)
def test_half_of_the_file_descriptors_are_for_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised_to: int | None, connections: int
) -> None:
    """The other half is for files, the database and temporary files of bodies."""
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    assert connection_limit() == connections
    assert raised == ([] if raised_to is None else [(raised_to, hard)])
