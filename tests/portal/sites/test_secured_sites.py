"""A domain before, with and after its certificate: the page, the way to TLS, and the authority's question."""

from datetime import UTC, datetime, timedelta

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.certificates.models import VALIDATING
from adoption.domains import primary_domain, removals
from adoption.projects.models import Project
from adoption.settings import Settings
from tests import certificates, domains
from wsgi import create_app

pytestmark = pytest.mark.settings("embedded")

ADOPT, WWW = "adopt.elm.example", "www.elm.example"
NOW = datetime.now(UTC)
QUESTION = "/.well-known/acme-challenge/tok-en_1"


@pytest.fixture
def adopt(elm: Project) -> int:
    return domains.add_verified_row(elm.id, ADOPT, primary_of=elm.id)


@pytest.fixture
def www(elm: Project, adopt: int) -> int:
    return domains.add_verified_row(elm.id, WWW, redirect_status=302)


def at(client: FlaskClient, host: str, path: str = "/", scheme: str = "http") -> TestResponse:
    return client.get(path, base_url=f"{scheme}://{host}")


@pytest.mark.parametrize(
    "state", [None, {"live_since": None, "seen_at": None}, {"not_after": NOW - timedelta(seconds=1)}]
)
def test_without_a_certificate_that_visitors_get_plain_http_shows_the_site(
    client: FlaskClient, adopt: int, state: dict[str, object] | None
) -> None:
    if state is not None:
        certificates.add_certificate(adopt, NOW, **state)
    assert at(client, ADOPT).status_code == 200


def test_with_one_visitors_are_sent_to_tls_with_path_and_query(client: FlaskClient, adopt: int) -> None:
    certificates.add_certificate(adopt, NOW)
    answer = at(client, ADOPT, "/animals/1?q=a%20b&x=%2F")
    assert answer.status_code == 308
    assert answer.headers["Location"] == f"https://{ADOPT}/animals/1?q=a%20b&x=%2F"
    assert at(client, ADOPT, scheme="https").status_code == 200


def test_a_form_arrives_over_tls_as_it_was_sent(client: FlaskClient, adopt: int) -> None:
    certificates.add_certificate(adopt, NOW)
    assert client.post("/animals/1/applications", base_url=f"http://{ADOPT}").status_code == 308


def test_a_certificate_that_is_renewed_goes_on_being_used(client: FlaskClient, adopt: int) -> None:
    certificates.add_certificate(adopt, NOW, seen_at=None)
    assert at(client, ADOPT).status_code == 308


def test_a_redirect_leads_to_tls_at_once_where_that_is_spoken(
    client: FlaskClient, adopt: int, www: int
) -> None:
    assert at(client, WWW, "/x?y=1").headers["Location"] == f"http://{ADOPT}/x?y=1"
    certificates.add_certificate(adopt, NOW)
    answer = at(client, WWW, "/x?y=1")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"https://{ADOPT}/x?y=1")
    below = at(client, "elm-road.localhost", "/x")
    assert (below.status_code, below.headers["Location"]) == (301, f"https://{ADOPT}/x")


def test_over_tls_a_redirect_stays_there(client: FlaskClient, adopt: int, www: int) -> None:
    assert at(client, WWW, scheme="https").headers["Location"] == f"https://{ADOPT}/"


def test_the_port_for_plain_http_is_not_told_for_tls(client: FlaskClient, adopt: int) -> None:
    certificates.add_certificate(adopt, NOW)
    assert at(client, f"{ADOPT}:8080").headers["Location"] == f"https://{ADOPT}/"


def test_where_the_edge_has_a_port_of_its_own_it_is_told(adopt: int, app: APIFlask) -> None:
    certificates.add_certificate(adopt, NOW)
    settings: Settings = app.config["HOMEWARD"]
    given = {
        "HOMEWARD_INSTANCE": str(settings.instance),
        "HOMEWARD_DATABASE_URL": settings.database_url.replace("postgresql+psycopg", "postgresql"),
        "HOMEWARD_EDGE": "127.0.0.1:8443",
    }
    client = create_app(Settings.from_environment(given)).test_client()
    assert at(client, f"{ADOPT}:8080", "/x").headers["Location"] == f"https://{ADOPT}:8443/x"
    assert at(client, ADOPT, "/x").headers["Location"] == f"https://{ADOPT}/x"


@pytest.fixture
def asked(adopt: int) -> int:
    """A domain whose authority has just asked."""
    ask(adopt)
    return adopt


def ask(domain_id: int) -> None:
    answer = {"token": "tok-en_1", "key_authorization": "tok-en_1.thumb"}
    certificates.add_acme_order(domain_id, NOW, state=VALIDATING, **answer)


@pytest.mark.parametrize("host", [ADOPT, ADOPT.upper(), f"{ADOPT}.", f"{ADOPT}:80"])
def test_the_authority_gets_its_answer(client: FlaskClient, asked: int, host: str) -> None:
    answer = client.get(QUESTION, headers={"Host": host})
    assert (answer.status_code, answer.text) == (200, "tok-en_1.thumb")
    assert answer.headers["Cache-Control"] == "no-store"


def test_it_gets_it_before_any_redirect(client: FlaskClient, adopt: int, elm: Project) -> None:
    certificates.add_certificate(adopt, NOW)
    ask(adopt)
    other = domains.add_verified_row(elm.id, "new.elm.example")
    primary_domain.make_primary(elm.id, other)
    assert at(client, ADOPT, "/").status_code in (301, 308)
    assert at(client, ADOPT, QUESTION).status_code == 200


def test_nobody_elses_host_and_no_other_token_has_it(client: FlaskClient, asked: int, www: int) -> None:
    hosts = (WWW, "elm.example", "localhost", "elm-road.localhost")
    tried = [*((host, QUESTION) for host in hosts), (ADOPT, f"{QUESTION}x"), (ADOPT, QUESTION[:-1])]
    for host, path in tried:
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 404
        assert "thumb" not in answer.text


def test_it_is_gone_with_the_domain(client: FlaskClient, asked: int, elm: Project) -> None:
    removals.remove_domain(elm.id, asked)
    assert at(client, ADOPT, QUESTION).status_code == 404


@pytest.mark.settings("scaled")
@pytest.mark.parametrize("token", ["a%00b", "a%20b", "%C3%A9", "a%0Ab"])
def test_a_token_that_no_authority_makes_is_not_found(client: FlaskClient, adopt: int, token: str) -> None:
    assert at(client, ADOPT, f"/.well-known/acme-challenge/{token}").status_code == 404
