from collections.abc import Iterator

import pytest

from adoption.domains.dns import Server
from tests.dns_server import Zone, serving


@pytest.fixture(scope="session")
def loopback() -> Iterator[tuple[Zone, Server]]:
    zone = Zone()
    with serving(zone) as server:
        yield zone, server


@pytest.fixture
def zone(loopback: tuple[Zone, Server]) -> Zone:
    """What the loopback DNS server knows: nothing, until the test says so."""
    fresh, known = Zone(), loopback[0]
    known.__dict__.update(fresh.__dict__)
    return known


@pytest.fixture
def server(loopback: tuple[Zone, Server], zone: Zone) -> Server:
    return loopback[1]
