"""Who we are to an authority, where several processes find that out at the same moment."""

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet

from adoption.certificates.acme_accounts import StoredAccounts
from adoption.certificates.acme_authority import AcmeAuthority
from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.certificate_authority import AcmeAccount
from adoption.certificates.key_encryption import Vault
from tests import acme_server

DIRECTORY = "https://ca.test/directory"
OURS, THEIRS = AcmeAccount("https://ca.test/account/1", "{}"), AcmeAccount("https://ca.test/account/2", "{}")


@pytest.fixture
def vault() -> Vault:
    return Vault([Fernet.generate_key().decode()])


def test_of_two_that_register_at_once_the_first_is_who_we_are(app: APIFlask, vault: Vault) -> None:
    kept = StoredAccounts(DIRECTORY, vault)
    assert kept.keep(OURS) == OURS
    assert kept.keep(THEIRS) == OURS, "its orders would be nobody's otherwise"
    assert kept.get() == OURS


def test_one_whose_key_cannot_be_opened_gives_way(app: APIFlask, vault: Vault) -> None:
    StoredAccounts(DIRECTORY, Vault([Fernet.generate_key().decode()])).keep(OURS)
    kept = StoredAccounts(DIRECTORY, vault)
    assert kept.keep(THEIRS) == THEIRS
    assert kept.get() == THEIRS


def test_whoever_is_unknown_to_the_authority_forgets_itself_alone(app: APIFlask, vault: Vault) -> None:
    with acme_server.serving() as saying:
        kept = StoredAccounts(f"{saying.address}/directory", vault)
        saying.answers["newOrder"] = 201, {"Location": f"{saying.address}/order/1"}, {"status": "pending"}
        ca = AcmeAuthority(AcmeConnection(kept.directory, kept))
        ca.order("adopt.example.org")
        before = kept.get()
        assert before is not None
        kept.forget(before.address)
        newer = kept.keep(before._replace(address=f"{saying.address}/account/2"))  # by another process
        saying.refuse_once("newOrder", 400, "accountDoesNotExist", "unknown account")
        ca.order("www.example.org")
        assert kept.get() == newer
