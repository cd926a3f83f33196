"""Security headers: CSP, framing, HSTS and isolation."""

from ipaddress import ip_network

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from adoption.accounts.plan_changes import set_plan
from adoption.projects.models import Project
from tests import domains, factories
from tests.portal.conftest import Install

pytestmark = pytest.mark.settings("embedded")

DOCUMENTS = ("/", "/?species=dragon", "/nowhere", "/docs/", "/shelters", "/embed/riverside")
FILES = ("/static/css/site.css", "/static/placeholders/cat.svg", "/feed.atom", "/sitemap.xml", "/robots.txt")
FILES += ("/colours/1f5f8b.css", "/embed.js", "/healthz")


@pytest.fixture
def riverside(app: APIFlask) -> Project:
    return factories.project("Riverside", colour="#1f5f8b")


def parts(policy: str) -> dict[str, str]:
    return {part.split()[0]: part.partition(" ")[2] for part in policy.split("; ")}


@pytest.mark.parametrize("path", DOCUMENTS)
@pytest.mark.parametrize("host", ["localhost", "riverside.localhost", "nobody.example"])
@pytest.mark.usefixtures("riverside")
def test_pages_load_no_third_party_code(client: FlaskClient, host: str, path: str) -> None:
    answer = client.get(path, headers={"Host": host})
    policy = parts(answer.headers["Content-Security-Policy"])
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] in ("'self'", "'none'", "'self' http://localhost:8000")
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert not {"script-src", "style-src", "connect-src"} & set(policy)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "geolocation=()" in answer.headers["Permissions-Policy"]
    assert answer.headers.getlist("Content-Security-Policy") == [answer.headers["Content-Security-Policy"]]


@pytest.mark.usefixtures("riverside")
def test_only_the_embedded_grid_can_be_framed(client: FlaskClient) -> None:
    for host in ("localhost", "riverside.localhost"):
        for path in (*DOCUMENTS, *FILES, "/embed/nobody", "/embed/riverside?limit=x"):
            answer = client.get(path, headers={"Host": host})
            is_grid = path.startswith("/embed/")
            framers = parts(answer.headers["Content-Security-Policy"])["frame-ancestors"]
            assert framers == ("*" if is_grid else "'none'"), (host, path)


@pytest.mark.parametrize("path", FILES)
@pytest.mark.usefixtures("riverside")
def test_files_are_never_rendered_as_pages(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_pages_are_isolated_from_other_origins(client: FlaskClient) -> None:
    assert client.get("/").headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_304_has_the_security_headers(client: FlaskClient) -> None:
    tag = client.get("/").headers["ETag"]
    again = client.get("/", headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert "frame-ancestors 'none'" in again.headers["Content-Security-Policy"]


def test_the_api_has_no_security_headers_of_pages(client: FlaskClient) -> None:
    for path in ("/v1/pets", "/v1/nowhere"):
        headers = client.get(path).headers
        assert not {"Content-Security-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy"} & set(
            headers
        )


LIVE = {"environment": "production", "platform_host": "homeward.example"}


@pytest.mark.usefixtures("app")
def test_hsts_is_sent_only_over_tls(
    installation: Install,
) -> None:
    live = installation(**LIVE)
    for path in ("/", "/nowhere", "/static/css/site.css", "/feed.atom"):
        plain = live.get(path, base_url="http://homeward.example")
        secure = live.get(path, base_url="https://homeward.example")
        assert "Strict-Transport-Security" not in plain.headers
        assert secure.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert "upgrade-insecure-requests" not in plain.headers["Content-Security-Policy"]
    assert (
        "upgrade-insecure-requests"
        in live.get("/", base_url="https://homeward.example").headers["Content-Security-Policy"]
    )


@pytest.mark.usefixtures("app")
def test_hsts_of_a_domain_is_a_day_or_as_chosen(installation: Install, elm: Project) -> None:
    live = installation(**LIVE)
    set_plan(elm.slug, "pro")
    domains.add_verified_row(elm.id, "adopt.elm.example", primary_of=elm.id)
    domains.add_verified_row(elm.id, "www.elm.example", redirect_status=301, keeps_https=True)
    hosts = {
        "adopt.elm.example": "max-age=86400",
        "www.elm.example": "max-age=31536000",
        "homeward.example": "max-age=31536000",
        "stranger.example": None,
    }
    for host, policy in hosts.items():
        for path in ("/", "/nowhere"):
            answer = live.get(path, base_url=f"https://{host}")
            assert answer.headers.get("Strict-Transport-Security") == policy
    # The last response counts, and files are sent without a lookup of the host.
    assert "Strict-Transport-Security" not in static_at(live, "www.elm.example").headers
    assert static_at(live, "elm-road.homeward.example").headers["Strict-Transport-Security"] == YEAR


YEAR = "max-age=31536000"


def static_at(live: FlaskClient, host: str) -> TestResponse:
    return live.get("/static/css/site.css", base_url=f"https://{host}")


def test_development_sends_no_hsts(client: FlaskClient) -> None:
    assert "Strict-Transport-Security" not in client.get("/", base_url="https://localhost:8000").headers


@pytest.mark.parametrize(
    ("sender", "found", "secure"),
    [
        ("10.1.2.3", "https", True),
        ("10.1.2.3", "http, HTTPS", True),
        ("10.1.2.3", "https, http", False),
        ("10.1.2.3", "gopher", False),
        ("10.1.2.3", "\x80", False),
        ("10.1.2.3", ",", False),
        ("192.0.2.1", "https", False),
        ("nonsense", "https", False),
        ("", "https", False),
    ],
)
@pytest.mark.usefixtures("app")
def test_tls_at_a_trusted_proxy_counts(behind: FlaskClient, sender: str, found: str, secure: bool) -> None:
    headers = {"Host": "homeward.example", "X-Forwarded-Proto": found}
    answer = behind.get("/robots.txt", headers=headers, environ_overrides={"REMOTE_ADDR": sender})
    assert answer.status_code == 200
    assert ("Strict-Transport-Security" in answer.headers) is secure
    assert f"Sitemap: http{'s' if secure else ''}://homeward.example/sitemap.xml" in answer.text


@pytest.fixture(scope="module")
def behind(installation: Install) -> FlaskClient:
    return installation(**LIVE, trusted_proxies=(ip_network("10.0.0.0/8"),))


def test_the_api_sends_nosniff_and_hsts_over_tls(installation: Install) -> None:
    production = installation(environment="production", platform_host="homeward.example")
    for scheme, expected in (("http", None), ("https", "max-age=31536000")):
        answer = production.get("/v1/pets", base_url=f"{scheme}://homeward.example")
        assert answer.status_code == 401
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers.get("Strict-Transport-Security") == expected


@pytest.mark.usefixtures("riverside")
def test_the_port_of_the_host_header_is_ignored_in_urls(installation: Install) -> None:
    production = installation(environment="production", platform_host="homeward.example")
    for host in ("homeward.example", "riverside.homeward.example"):
        for path in ("/", "/feed.atom", "/sitemap.xml", "/robots.txt"):
            answer = production.get(path, base_url=f"https://{host}:6666")
            assert ":6666" not in answer.text, (host, path)
