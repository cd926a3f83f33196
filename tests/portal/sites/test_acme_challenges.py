"""Answers to HTTP-01 challenges of the certificate authority (RFC 8555, 8.3)."""

from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient

from adoption.certificates.models import VALIDATING
from adoption.domains import primary_domain, removals
from adoption.projects.models import Project
from tests import certificates, domains
from tests.portal.sites.conftest import ADOPT, WWW, at

pytestmark = pytest.mark.settings("embedded")

NOW = datetime.now(UTC)
CHALLENGE = "/.well-known/acme-challenge/tok-en_1"


@pytest.fixture
def domain_in_validation(primary: int) -> int:
    """The id of a domain whose order waits for its validation."""
    add_order(primary)
    return primary


def add_order(domain_id: int) -> None:
    answer = {"token": "tok-en_1", "key_authorization": "tok-en_1.thumb"}
    certificates.add_acme_order(domain_id, NOW, state=VALIDATING, **answer)


@pytest.mark.parametrize("host", [ADOPT, ADOPT.upper(), f"{ADOPT}.", f"{ADOPT}:80"])
def test_a_challenge_is_answered_at_its_host(
    client: FlaskClient, domain_in_validation: int, host: str
) -> None:
    answer = client.get(CHALLENGE, headers={"Host": host})
    assert (answer.status_code, answer.text) == (200, "tok-en_1.thumb")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_challenge_is_answered_before_redirects(client: FlaskClient, primary: int, elm: Project) -> None:
    certificates.add_certificate(primary, NOW)
    add_order(primary)
    other = domains.add_verified_row(elm.id, "new.elm.example")
    primary_domain.make_primary(elm.id, other)
    assert at(client, ADOPT, "/").status_code in (301, 308)
    assert at(client, ADOPT, CHALLENGE).status_code == 200


@pytest.mark.usefixtures("domain_in_validation")
def test_other_hosts_and_tokens_get_no_answer(client: FlaskClient, elm: Project) -> None:
    domains.add_verified_row(elm.id, WWW, redirect_status=302)
    hosts = (WWW, "elm.example", "localhost", "elm-road.localhost")
    tried = [*((host, CHALLENGE) for host in hosts), (ADOPT, f"{CHALLENGE}x"), (ADOPT, CHALLENGE[:-1])]
    for host, path in tried:
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 404
        assert "thumb" not in answer.text


def test_a_removed_domain_answers_no_challenge(
    client: FlaskClient, domain_in_validation: int, elm: Project
) -> None:
    removals.remove_domain(elm.id, domain_in_validation)
    assert at(client, ADOPT, CHALLENGE).status_code == 404


@pytest.mark.settings("scaled")
@pytest.mark.parametrize("token", ["a%00b", "a%20b", "%C3%A9", "a%0Ab"])
def test_a_malformed_token_is_not_found(client: FlaskClient, primary: int, token: str) -> None:
    assert at(client, ADOPT, f"/.well-known/acme-challenge/{token}").status_code == 404
