"""The certificate listener, which answers only edges."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pytest
from apiflask import APIFlask
from cryptography import x509
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import serialization

from adoption.certificates import order_queue, order_steps
from adoption.certificates.key_encryption import Vault
from adoption.certificates.models import AcmeOrder, Certificate
from adoption.certificates.x509 import new_private_key, read_certificate, request_for
from adoption.commands.certificate_server import Listener
from adoption.domains import removals
from adoption.projects.models import Project
from adoption.storage.database import reading
from tests import domains
from tests.authority import issue
from tests.factories import NOW

HOST = "adopt.elm.example"
Ask = Callable[..., tuple[int, bytes]]


@pytest.fixture
def vault() -> Vault:
    return Vault([Fernet.generate_key().decode()])


@pytest.fixture
def domain_id(elm: Project, vault: Vault) -> int:
    """A domain with a certificate."""
    made = domains.add_verified_row(elm.id, HOST, caa_allows=True)
    order_queue.begin_order(made, vault, NOW)
    [order] = ordering_of(made)
    private_key = vault.open(order.private_key)
    order_steps.store_issued(order, HOST, issue(request_for(HOST, private_key), NOW), NOW)
    return made


def ordering_of(domain_id: int) -> list[AcmeOrder]:
    with reading() as session:
        return session.query(AcmeOrder).filter_by(domain_id=domain_id).all()


@pytest.fixture
def ask(app: APIFlask, vault: Vault) -> Ask:
    listener = Listener(app, vault)

    def asking(path: str, query: str = "", method: str = "GET", **headers: str) -> tuple[int, bytes]:
        found: list[str] = []
        environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, **headers}
        body = listener(environ | {"wsgi.input": BytesIO()}, lambda status, _: found.append(status))
        return int(found[0].split()[0]), b"".join(body)

    return asking


def test_the_edge_gets_a_chain_and_its_key(ask: Ask, domain_id: int) -> None:
    status, pem = ask("/cert", f"server_name={HOST}&signature_schemes=0403&cipher_suites=1301")
    assert status == 200
    chain = x509.load_pem_x509_certificate(pem)
    key = serialization.load_pem_private_key(pem[pem.index(b"-----BEGIN PRIVATE") :], None)
    assert chain.public_key() == key.public_key()
    assert read_certificate(pem.decode()).hosts == (HOST,)


@pytest.mark.parametrize("name", [HOST.upper(), f"{HOST}."])
def test_a_certificate_is_found_by_the_host_in_any_spelling(ask: Ask, domain_id: int, name: str) -> None:
    assert ask("/cert", f"server_name={name}")[0] == 200


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "query",
    [
        "",
        "name=x",
        *(f"server_name={name}" for name in ("", "elm.example", "%00", "*.elm.example", f"x.{HOST}")),
        *(f"server_name={HOST}{more}" for more in (":443%20", "%27%20OR%201=1")),
    ],
)
def test_a_request_without_a_known_host_gets_no_certificate(ask: Ask, domain_id: int, query: str) -> None:
    assert ask("/cert", query) == (204, b"")


def test_a_removed_domain_has_no_certificate_for_the_edge(ask: Ask, elm: Project, domain_id: int) -> None:
    removals.remove_domain(elm.id, domain_id)
    assert ask("/cert", f"server_name={HOST}") == (204, b"")


def test_on_demand_certificates_are_denied(ask: Ask, domain_id: int) -> None:
    assert ask("/deny", f"domain={HOST}")[0] == 403


@pytest.mark.parametrize(
    "header", ["HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_VIA"]
)
def test_a_proxied_request_gets_no_certificate(ask: Ask, domain_id: int, header: str) -> None:
    status, body = ask("/cert", f"server_name={HOST}", **{header: "192.0.2.1"})
    assert status == 404
    assert b"BEGIN" not in body


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("path", ["/", "/certificates", "/cert/", "//cert", "/cert/../cert", "/v1/pets"])
def test_other_paths_are_not_found(ask: Ask, domain_id: int, path: str) -> None:
    assert ask(path, f"server_name={HOST}")[0] == 404


def test_only_get_is_allowed(ask: Ask, domain_id: int) -> None:
    assert ask("/cert", f"server_name={HOST}", method="POST")[0] == 404


def test_a_key_that_cannot_be_decrypted_is_logged_and_not_served(
    app: APIFlask, domain_id: int, capsys: pytest.CaptureFixture[str]
) -> None:
    listener = Listener(app, Vault([Fernet.generate_key().decode()]))
    assert listener.certificate(HOST)[0].startswith("204")
    assert "HOMEWARD_CERTIFICATE_KEY" in capsys.readouterr().err


@pytest.mark.parametrize(("days", "is_ordered"), [(0.5, False), (2, True)])
def test_a_certificate_with_a_lost_key_is_ordered_again_after_a_day(
    app: APIFlask, domain_id: int, days: float, is_ordered: bool
) -> None:
    now = NOW + timedelta(days=days)
    with reading() as session:
        assert session.scalar(order_queue.domains_due(now)) is None
    Listener(app, Vault([Fernet.generate_key().decode()]), lambda: now).certificate(HOST)
    with reading() as session:
        assert (session.scalar(order_queue.domains_due(now)) == domain_id) is is_ordered
        assert session.get_one(Certificate, domain_id).next_look_at == now


def test_generated_keys_are_unique(vault: Vault) -> None:
    assert new_private_key() != new_private_key()
