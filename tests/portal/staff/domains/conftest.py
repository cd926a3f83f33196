"""A service whose domains use the test's DNS server."""

import pytest
from apiflask import APIFlask

from adoption.domains.dns_transport import DnsServer
from tests import domains
from tests.cast import Colleague


@pytest.fixture
def pro(
    app: APIFlask, owner: Colleague, name_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> Colleague:
    """The owner of a shelter with domains, in a service that uses the test's DNS server."""
    found = app.config["HOMEWARD"].model_copy(
        update={"dns_servers": (tuple(name_server),), "cname_target": "sites.example.com"}
    )
    monkeypatch.setitem(app.config, "HOMEWARD", found)
    monkeypatch.setattr(domains, "TARGET", "sites.example.com")
    return domains.upgrade_to_pro(owner)
