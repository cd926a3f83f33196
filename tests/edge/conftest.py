from collections.abc import Iterator

import pytest

from tests.edge.environment import Environment, started_environment


@pytest.fixture(scope="session", params=["embedded", "scaled"])
def environment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Environment]:
    with started_environment(
        tmp_path_factory.mktemp("environment") / "instance", request.param == "scaled"
    ) as started:
        yield started
