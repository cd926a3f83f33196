"""External account binding (RFC 8555, section 7.3.4) at a real authority that requires a binding."""

import base64
from collections.abc import Iterator

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet

from adoption.certificates.acme_account_store import StoredAccounts
from adoption.certificates.acme_authority import AcmeAuthority
from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.authority_interface import AuthorityRefused
from adoption.certificates.key_encryption import Vault
from adoption.settings_secrets import parse_external_account
from deploy.trial.daemons import Pebble
from tests.edge.daemons import pebble
from tests.servers import ALONE, free_port

pytestmark = pytest.mark.settings("embedded")

KEY = base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=")
OTHER_KEY = base64.urlsafe_b64encode(bytes(32)).decode().rstrip("=")


@pytest.fixture(scope="module")
def strict() -> Iterator[Pebble]:
    keys = {"kid-1": KEY}
    rest = {"externalAccountBindingRequired": True, "externalAccountMACKeys": keys}
    with pebble((ALONE, free_port()), free_port(), **rest) as authority:
        yield authority


def order(strict: Pebble, key_id: str, hmac_key: str) -> str:
    accounts = StoredAccounts(strict.directory, Vault([Fernet.generate_key().decode()]))
    account = parse_external_account(hmac_key, key_id)
    connection = AcmeConnection(strict.directory, accounts, "", str(strict.bundle), account)
    return AcmeAuthority(connection).order("adopt.elm.example")


def test_an_account_is_bound_to_the_one_in_the_settings(app: APIFlask, strict: Pebble) -> None:
    assert order(strict, "kid-1", KEY).startswith("https://")


def test_without_the_settings_the_error_names_them(app: APIFlask, strict: Pebble) -> None:
    with pytest.raises(AuthorityRefused) as refused:
        order(strict, "", "")
    assert refused.value.code == "externalAccountMissing"
    assert "set HOMEWARD_ACME_EAB_KEY_ID and HOMEWARD_ACME_EAB_HMAC_KEY" in refused.value.detail


@pytest.mark.parametrize(("key_id", "hmac_key"), [("kid-1", OTHER_KEY), ("kid-2", KEY)])
def test_a_wrong_binding_is_refused_in_the_authoritys_words(
    app: APIFlask, strict: Pebble, key_id: str, hmac_key: str
) -> None:
    with pytest.raises(AuthorityRefused) as refused:
        order(strict, key_id, hmac_key)
    assert refused.value.code == "accountRefused"
