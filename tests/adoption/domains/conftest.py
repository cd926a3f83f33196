import pytest
from apiflask import APIFlask

from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.dns_transport import DnsServer
from tests import domains


@pytest.fixture
def server(name_server: DnsServer) -> DnsServer:
    return name_server


@pytest.fixture
def config(app: APIFlask, server: DnsServer) -> DomainConfig:
    """The configuration of an installation that queries only the test's DNS server."""
    return domains.domain_config(app, server)
