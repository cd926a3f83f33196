import pytest
from apiflask import APIFlask

from adoption.domains.config import DomainTerms
from adoption.domains.dns_transport import Server
from tests import domains


@pytest.fixture
def server(name_server: Server) -> Server:
    return name_server


@pytest.fixture
def terms(app: APIFlask, server: Server) -> DomainTerms:
    """Those of an installation that asks this server alone."""
    return domains.terms(app, server)
