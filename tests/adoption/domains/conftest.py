import pytest

from adoption.domains.dns import Server


@pytest.fixture
def server(name_server: Server) -> Server:
    return name_server
