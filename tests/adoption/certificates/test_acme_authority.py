"""Answers of an ACME authority: refusals, failures without an ACME problem, and our account."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet

from adoption.certificates.acme_account_store import StoredAccounts
from adoption.certificates.acme_authority import AcmeAuthority
from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.authority_interface import AuthorityRefused, AuthorityUnreached
from adoption.certificates.key_encryption import Vault
from tests import acme_server
from tests.acme_server import AcmeServer
from tests.factories import NOW

pytestmark = pytest.mark.settings("embedded")

DETAIL = "While processing CAA for adopt.example.org: CAA record prevents issuance"


@pytest.fixture
def server() -> Iterator[AcmeServer]:
    with acme_server.serving() as server:
        yield server


@pytest.fixture
def accounts(app: APIFlask, server: AcmeServer) -> StoredAccounts:
    return StoredAccounts(f"{server.address}/directory", Vault([Fernet.generate_key().decode()]))


@pytest.fixture
def ca(accounts: StoredAccounts) -> AcmeAuthority:
    return AcmeAuthority(AcmeConnection(accounts.directory, accounts, now=lambda: NOW))


@pytest.mark.parametrize(
    ("status", "code"),
    [
        *((403, "caa"), (403, "rejectedIdentifier"), (429, "rateLimited"), (400, "dns")),
        *((403, "userActionRequired"), (409, "alreadyReplaced"), (400, "somethingNew")),
    ],
)
def test_a_refusal_has_the_problems_code_and_detail(
    ca: AcmeAuthority, server: AcmeServer, status: int, code: str
) -> None:
    server.refuse("newOrder", status, code, DETAIL)
    with pytest.raises(AuthorityRefused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail, refused.value.not_before) == (code, DETAIL, None)


def test_broken_dnssec_has_its_own_code(ca: AcmeAuthority, server: AcmeServer) -> None:
    detail = "DNS problem: looking up A for adopt.example.org: DNSSEC: DNSKEY Missing"
    server.refuse("newOrder", 400, "dns", detail)
    with pytest.raises(AuthorityRefused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail) == ("dnssec", detail)


def test_unauthorized_means_our_account_or_the_host(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse("newOrder", 403, "unauthorized", "Account is deactivated")
    with pytest.raises(AuthorityRefused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail) == ("accountRefused", "Account is deactivated")
    error = {"type": "urn:ietf:params:acme:error:unauthorized", "detail": "Invalid response"}
    server.answers["7"] = 200, {}, {"status": "invalid", "identifiers": [], "error": error}
    with pytest.raises(AuthorityRefused) as refused:
        ca.stage(f"{server.address}/order/7")
    assert (refused.value.code, refused.value.detail) == ("unauthorized", "Invalid response")


PAUSE = (
    "Your account is paused for adopt.example.org. Please visit: https://ca.example/sfe/v1/unpause?jwt=a.b"
)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"type": "urn:ietf:params:acme:error:rateLimited", "detail": PAUSE}, "paused"),
        ({"type": "about:blank", "detail": "No."}, "unspecified"),
        ({"detail": "No."}, "unspecified"),
    ],
)
def test_problems_without_a_type_get_a_code(
    ca: AcmeAuthority, server: AcmeServer, body: dict[str, str], code: str
) -> None:
    server.answers["newOrder"] = 429, {"Content-Type": "application/problem+json"}, body
    with pytest.raises(AuthorityRefused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail) == (code, body["detail"])


def test_retry_after_in_seconds_sets_the_end_of_a_rate_limit(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse("newOrder", 429, "rateLimited", "too many", Retry_After="3600")
    with pytest.raises(AuthorityRefused) as refused:
        ca.order("adopt.example.org")
    assert refused.value.not_before == NOW + timedelta(hours=1)


@pytest.mark.parametrize(
    ("until", "ends"),
    [
        ("Sat, 28 Nov 2026 02:00:00 GMT", datetime(2026, 11, 28, 2, tzinfo=UTC)),
        ("soon", None),
        ("-5", None),
        ("9" * 30, NOW + timedelta(days=7)),
        ("Sat, 28 Nov 2099 02:00:00 GMT", NOW + timedelta(days=7)),
    ],
)
def test_retry_after_as_a_date_or_garbage_is_at_most_a_week(
    ca: AcmeAuthority, server: AcmeServer, until: str, ends: datetime | None
) -> None:
    server.refuse("newOrder", 429, "rateLimited", "too many", Retry_After=until)
    with pytest.raises(AuthorityRefused) as refused:
        ca.order("adopt.example.org")
    assert refused.value.not_before == ends


def test_subproblems_are_reported(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse("newOrder", 400, "compound", "Some names are refused.")
    body = server.answers["newOrder"][2]
    assert isinstance(body, dict)
    body["subproblems"] = [{"type": "urn:ietf:params:acme:error:caa", "detail": DETAIL}]
    with pytest.raises(AuthorityRefused, match="CAA record prevents issuance") as refused:
        ca.order("adopt.example.org")
    assert refused.value.code == "caa"


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("directory", 200, "<html>Down for maintenance</html>"),
        ("directory", 503, "down"),
        ("directory", 200, {}),
        ("newNonce", 500, "down"),
        ("newAccount", 502, "bad gateway"),
        ("newOrder", 500, "oops"),
        ("newOrder", 502, {"message": "of a proxy"}),
        ("newOrder", 409, "no JSON"),
        ("newOrder", 201, "no JSON"),
        ("newOrder", 201, {"status": "pending"}),
    ],
)
def test_answers_without_an_acme_problem_are_not_refusals(
    ca: AcmeAuthority, server: AcmeServer, path: str, status: int, body: object
) -> None:
    server.answers[path] = status, {}, body
    with pytest.raises(AuthorityUnreached):
        ca.order("adopt.example.org")


def test_a_503_with_a_rate_limit_is_not_a_refusal(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse("newOrder", 503, "rateLimited", "Service busy; retry later", Retry_After="30")
    with pytest.raises(AuthorityUnreached, match="Service busy"):
        ca.order("adopt.example.org")


@pytest.mark.parametrize("body", ["", {"type": "urn:ietf:params:acme:error:malformed", "detail": "No order"}])
def test_an_order_that_is_not_found_is_lost(ca: AcmeAuthority, server: AcmeServer, body: object) -> None:
    server.answers["7"] = 404, {}, body
    with pytest.raises(AuthorityRefused) as refused:
        ca.stage(f"{server.address}/order/7")
    assert refused.value.code == "orderLost"


def test_a_missing_directory_does_not_lose_an_order(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.answers["directory"] = 404, {}, "nothing here"
    with pytest.raises(AuthorityUnreached):
        ca.stage(f"{server.address}/order/7")


def test_a_server_error_is_not_a_refusal(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse("newOrder", 500, "serverInternal", "Error creating new order")
    with pytest.raises(AuthorityUnreached, match="Error creating new order"):
        ca.order("adopt.example.org")


def test_a_rejected_nonce_is_retried_and_is_not_a_refusal(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse("newOrder", 400, "badNonce", "JWS has an invalid anti-replay nonce")
    with pytest.raises(AuthorityUnreached, match="anti-replay"):
        ca.order("adopt.example.org")
    assert server.requests.count("newOrder") > 1, "other nonces are tried first"


def test_a_closed_port_is_unreachable(app: APIFlask, accounts: StoredAccounts) -> None:
    unreachable = AcmeAuthority(AcmeConnection("http://127.0.0.1:9/directory", accounts))
    with pytest.raises(AuthorityUnreached, match="could not be reached"):
        unreachable.order("adopt.example.org")


def test_the_account_is_registered_once(
    ca: AcmeAuthority, accounts: StoredAccounts, server: AcmeServer
) -> None:
    server.answers["newOrder"] = 201, {"Location": f"{server.address}/order/1"}, {"status": "pending"}
    assert ca.order("adopt.example.org") == f"{server.address}/order/1"
    again = AcmeAuthority(AcmeConnection(accounts.directory, accounts))
    again.order("www.example.org")
    assert server.requests.count("newAccount") == 1


def test_a_deleted_account_is_registered_again(ca: AcmeAuthority, server: AcmeServer) -> None:
    server.refuse_once("newOrder", 400, "accountDoesNotExist", "unknown account")
    server.answers["newOrder"] = 201, {"Location": f"{server.address}/order/1"}, {"status": "pending"}
    assert ca.order("adopt.example.org") == f"{server.address}/order/1"
    assert server.requests.count("newAccount") == 2


def test_an_account_that_is_deleted_each_time_is_retried_later(
    ca: AcmeAuthority, accounts: StoredAccounts, server: AcmeServer
) -> None:
    server.refuse("newOrder", 400, "accountDoesNotExist", "unknown account")
    with pytest.raises(AuthorityUnreached, match="no longer knows our account"):
        ca.order("adopt.example.org")
    assert accounts.get() is None
    assert server.requests.count("newAccount") == 2


def test_a_lost_account_key_registers_a_new_account(
    ca: AcmeAuthority, accounts: StoredAccounts, server: AcmeServer
) -> None:
    server.answers["newOrder"] = 201, {"Location": f"{server.address}/order/1"}, {"status": "pending"}
    ca.order("adopt.example.org")
    other = StoredAccounts(accounts.directory, Vault([Fernet.generate_key().decode()]))
    AcmeAuthority(AcmeConnection(other.directory, other)).order("adopt.example.org")
    assert server.requests.count("newAccount") == 2
