"""The authority's answers as they are understood: what it refuses, what it does not say, and who we are."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from apiflask import APIFlask
from cryptography.fernet import Fernet

from adoption.certificates.acme_accounts import StoredAccounts
from adoption.certificates.acme_authority import AcmeAuthority
from adoption.certificates.acme_connection import AcmeConnection
from adoption.certificates.certificate_authority import Refused, Unreached
from adoption.certificates.key_encryption import Vault
from tests import acme_server
from tests.acme_server import Saying
from tests.factories import NOW

pytestmark = pytest.mark.settings("embedded")

DETAIL = "While processing CAA for adopt.example.org: CAA record prevents issuance"


@pytest.fixture
def saying() -> Iterator[Saying]:
    with acme_server.serving() as server:
        yield server


@pytest.fixture
def accounts(app: APIFlask, saying: Saying) -> StoredAccounts:
    return StoredAccounts(f"{saying.address}/directory", Vault([Fernet.generate_key().decode()]))


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
def test_a_refusal_has_its_code_and_the_authoritys_own_words(
    ca: AcmeAuthority, saying: Saying, status: int, code: str
) -> None:
    saying.refuse("newOrder", status, code, DETAIL)
    with pytest.raises(Refused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail, refused.value.not_before) == (code, DETAIL, None)


def test_broken_dnssec_has_a_code_of_its_own(ca: AcmeAuthority, saying: Saying) -> None:
    detail = "DNS problem: looking up A for adopt.example.org: DNSSEC: DNSKEY Missing"
    saying.refuse("newOrder", 400, "dns", detail)
    with pytest.raises(Refused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail) == ("dnssec", detail)


def test_an_account_that_may_not_order_is_not_the_hosts_fault(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse("newOrder", 403, "unauthorized", "Account is deactivated")
    with pytest.raises(Refused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail) == ("accountRefused", "Account is deactivated")
    error = {"type": "urn:ietf:params:acme:error:unauthorized", "detail": "Invalid response"}
    saying.answers["7"] = 200, {}, {"status": "invalid", "identifiers": [], "error": error}
    with pytest.raises(Refused) as refused:
        ca.stage(f"{saying.address}/order/7")
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
def test_a_problem_without_a_code_of_its_own_has_one_of_ours(
    ca: AcmeAuthority, saying: Saying, body: dict[str, str], code: str
) -> None:
    saying.answers["newOrder"] = 429, {"Content-Type": "application/problem+json"}, body
    with pytest.raises(Refused) as refused:
        ca.order("adopt.example.org")
    assert (refused.value.code, refused.value.detail) == (code, body["detail"])


def test_a_limit_tells_when_it_ends(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse("newOrder", 429, "rateLimited", "too many", Retry_After="3600")
    with pytest.raises(Refused) as refused:
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
def test_a_limit_ends_within_a_week_however_it_is_told(
    ca: AcmeAuthority, saying: Saying, until: str, ends: datetime | None
) -> None:
    saying.refuse("newOrder", 429, "rateLimited", "too many", Retry_After=until)
    with pytest.raises(Refused) as refused:
        ca.order("adopt.example.org")
    assert refused.value.not_before == ends


def test_what_it_says_of_single_names_is_told_as_well(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse("newOrder", 400, "compound", "Some names are refused.")
    body = saying.answers["newOrder"][2]
    assert isinstance(body, dict)
    body["subproblems"] = [{"type": "urn:ietf:params:acme:error:caa", "detail": DETAIL}]
    with pytest.raises(Refused, match="CAA record prevents issuance") as refused:
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
def test_an_answer_that_is_none_is_no_refusal(
    ca: AcmeAuthority, saying: Saying, path: str, status: int, body: object
) -> None:
    saying.answers[path] = status, {}, body
    with pytest.raises(Unreached):
        ca.order("adopt.example.org")


def test_one_that_is_too_busy_has_refused_nobody(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse("newOrder", 503, "rateLimited", "Service busy; retry later", Retry_After="30")
    with pytest.raises(Unreached, match="Service busy"):
        ca.order("adopt.example.org")


@pytest.mark.parametrize("body", ["", {"type": "urn:ietf:params:acme:error:malformed", "detail": "No order"}])
def test_an_order_that_it_does_not_know_is_lost(ca: AcmeAuthority, saying: Saying, body: object) -> None:
    saying.answers["7"] = 404, {}, body
    with pytest.raises(Refused) as refused:
        ca.stage(f"{saying.address}/order/7")
    assert refused.value.code == "orderLost"


def test_one_that_has_moved_says_nothing_of_an_order(ca: AcmeAuthority, saying: Saying) -> None:
    saying.answers["directory"] = 404, {}, "nothing here"
    with pytest.raises(Unreached):
        ca.stage(f"{saying.address}/order/7")


def test_trouble_of_its_own_is_no_refusal(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse("newOrder", 500, "serverInternal", "Error creating new order")
    with pytest.raises(Unreached, match="Error creating new order"):
        ca.order("adopt.example.org")


def test_a_nonce_that_it_does_not_take_is_no_refusal(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse("newOrder", 400, "badNonce", "JWS has an invalid anti-replay nonce")
    with pytest.raises(Unreached, match="anti-replay"):
        ca.order("adopt.example.org")
    assert saying.asked.count("newOrder") > 1, "another is tried first"


def test_one_that_is_not_there_is_not_reached(app: APIFlask, accounts: StoredAccounts) -> None:
    nobody = AcmeAuthority(AcmeConnection("http://127.0.0.1:9/directory", accounts))
    with pytest.raises(Unreached, match="could not be reached"):
        nobody.order("adopt.example.org")


def test_we_are_the_same_to_it_from_then_on(
    ca: AcmeAuthority, accounts: StoredAccounts, saying: Saying
) -> None:
    saying.answers["newOrder"] = 201, {"Location": f"{saying.address}/order/1"}, {"status": "pending"}
    assert ca.order("adopt.example.org") == f"{saying.address}/order/1"
    again = AcmeAuthority(AcmeConnection(accounts.directory, accounts))
    again.order("www.example.org")
    assert saying.asked.count("newAccount") == 1


def test_an_authority_that_forgot_us_gets_to_know_us_anew(ca: AcmeAuthority, saying: Saying) -> None:
    saying.refuse_once("newOrder", 400, "accountDoesNotExist", "unknown account")
    saying.answers["newOrder"] = 201, {"Location": f"{saying.address}/order/1"}, {"status": "pending"}
    assert ca.order("adopt.example.org") == f"{saying.address}/order/1"
    assert saying.asked.count("newAccount") == 2


def test_an_authority_that_forgets_us_each_time_is_asked_again_later(
    ca: AcmeAuthority, accounts: StoredAccounts, saying: Saying
) -> None:
    saying.refuse("newOrder", 400, "accountDoesNotExist", "unknown account")
    with pytest.raises(Unreached, match="no longer knows our account"):
        ca.order("adopt.example.org")
    assert accounts.get() is None
    assert saying.asked.count("newAccount") == 2


def test_a_key_that_cannot_be_opened_makes_us_somebody_new(
    ca: AcmeAuthority, accounts: StoredAccounts, saying: Saying
) -> None:
    saying.answers["newOrder"] = 201, {"Location": f"{saying.address}/order/1"}, {"status": "pending"}
    ca.order("adopt.example.org")
    other = StoredAccounts(accounts.directory, Vault([Fernet.generate_key().decode()]))
    AcmeAuthority(AcmeConnection(other.directory, other)).order("adopt.example.org")
    assert saying.asked.count("newAccount") == 2
