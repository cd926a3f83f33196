"""Our stored account at an authority, which several processes may register at the same time."""

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet

from adoption.certificates.acme_account_store import StoredAccounts
from adoption.certificates.acme_authority import AcmeAuthority
from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.authority_interface import AcmeAccount
from adoption.certificates.key_encryption import Vault
from tests import acme_server

DIRECTORY = "https://ca.test/directory"
OURS, THEIRS = AcmeAccount("https://ca.test/account/1", "{}"), AcmeAccount("https://ca.test/account/2", "{}")


@pytest.fixture
def vault() -> Vault:
    return Vault([Fernet.generate_key().decode()])


def test_concurrent_registrations_keep_the_first_account(app: APIFlask, vault: Vault) -> None:
    accounts = StoredAccounts(DIRECTORY, vault)
    assert accounts.keep(OURS) == OURS
    assert accounts.keep(THEIRS) == OURS, "the first one may have orders already"
    assert accounts.get() == OURS


def test_an_account_with_a_lost_key_is_replaced(app: APIFlask, vault: Vault) -> None:
    StoredAccounts(DIRECTORY, Vault([Fernet.generate_key().decode()])).keep(OURS)
    accounts = StoredAccounts(DIRECTORY, vault)
    assert accounts.keep(THEIRS) == THEIRS
    assert accounts.get() == THEIRS


def test_a_newer_account_is_kept_when_the_authority_does_not_know_the_older_one(
    app: APIFlask, vault: Vault
) -> None:
    with acme_server.serving() as server:
        accounts = StoredAccounts(f"{server.address}/directory", vault)
        server.answers["newOrder"] = 201, {"Location": f"{server.address}/order/1"}, {"status": "pending"}
        ca = AcmeAuthority(AcmeConnection(accounts.directory, accounts))
        ca.order("adopt.example.org")
        before = accounts.get()
        assert before is not None
        accounts.forget(before.address)
        newer = accounts.keep(before._replace(address=f"{server.address}/account/2"))  # by another process
        server.refuse_once("newOrder", 400, "accountDoesNotExist", "unknown account")
        ca.order("www.example.org")
        assert accounts.get() == newer
