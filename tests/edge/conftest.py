from collections.abc import Iterator

import pytest

from tests.edge.environment import World, whole_world


@pytest.fixture(scope="session", params=["embedded", "scaled"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with whole_world(tmp_path_factory.mktemp("world") / "instance", request.param == "scaled") as started:
        yield started
