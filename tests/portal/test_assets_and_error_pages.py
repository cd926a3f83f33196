"""Headers, assets and errors of all pages."""

import errno
import logging
import re
import sqlite3
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
from apiflask import APIFlask
from flask import Flask, abort, redirect
from flask.testing import FlaskClient
from htmx_flask import Htmx
from sqlalchemy.exc import OperationalError
from werkzeug.wrappers import Response

from adoption import errors
from adoption.accounts.quotas.configured_storage import open_quota_storage
from adoption.request_context import add_to_context
from adoption.settings import Settings
from adoption.translations import set_up_translations
from demo.loader import load_demo
from portal.animal_labels import SPECIES
from portal.error_pages import PAGES, STATUSES, page_for
from wsgi import create_app

pytestmark = pytest.mark.settings("embedded")

PAGES_TO_SEE = ("/", "/?species=cat", "/?species=fish", "/?species=dragon", "/nowhere", "/help", "/privacy")
SECRET = "postgresql://homeward:hunter2@10.0.0.7/homeward"


class Reader(HTMLParser):
    """The URLs that a page loads, and everything that a strict CSP would block."""

    def __init__(self) -> None:
        super().__init__()
        self.assets: set[str] = set()
        self.stopped: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        # JSON-LD is data, so the CSP does not apply to it.
        is_data = given.get("type") == "application/ld+json"
        if tag == "style" or (tag == "script" and not given.get("src") and not is_data):
            self.stopped.append(tag)
        self.stopped += [name for name in given if name == "style" or name.startswith("on")]
        address = given.get("src") or (given.get("href") if tag in ("link", "use") else None)
        if address and given.get("rel") not in ("alternate", "canonical"):
            self.assets.add(address)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


@pytest.fixture
def demo(app: APIFlask) -> None:
    load_demo()


@pytest.mark.parametrize("address", PAGES_TO_SEE)
@pytest.mark.usefixtures("demo")
def test_pages_have_a_strict_csp(client: FlaskClient, address: str) -> None:
    page = client.get(address)
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert page.content_type == "text/html; charset=utf-8"
    assert read(page.text).stopped == []


@pytest.mark.parametrize("address", PAGES_TO_SEE)
@pytest.mark.usefixtures("demo")
def test_everything_a_page_loads_is_local_and_exists(client: FlaskClient, address: str) -> None:
    assets = read(client.get(address).text).assets
    assert len(assets) > 6
    for asset in assets:
        if not asset.startswith("data:"):
            assert asset.startswith(("/static/", "/media/", "/apple-touch-icon.png", "/site.webmanifest"))
            assert client.get(asset).status_code == 200


def test_a_fingerprinted_file_is_cached_for_a_year(client: FlaskClient) -> None:
    stylesheets = [asset for asset in read(client.get("/").text).assets if ".css?v=" in asset]
    assert stylesheets
    for address in stylesheets:
        assert "immutable" in client.get(address).headers["Cache-Control"]
        assert "immutable" not in client.get(f"{address}0").headers.get("Cache-Control", "")


def test_files_in_stylesheets_exist(client: FlaskClient, root: Path) -> None:
    loaded = set()
    for sheet in (root / "static" / "css").glob("*.css"):
        loaded |= set(re.findall(r'url\("(.*?)"\)', sheet.read_text()))
    assert loaded
    for address in loaded:
        assert address.startswith("../")
        assert client.get(address.replace("..", "/static", 1)).status_code == 200


def test_every_icon_in_use_is_in_the_sprite(root: Path) -> None:
    sprite = (root / "static" / "icons.svg").read_text()
    used = set()
    for template in (root / "templates").rglob("*.html"):
        used |= set(re.findall(r'icon\("([a-z-]+)"\)', template.read_text()))
    used |= {species.icon for species in SPECIES}
    assert [name for name in used if f'id="i-{name}"' not in sprite] == []


def test_every_template_compiles(app: APIFlask) -> None:
    templates = app.jinja_env.list_templates(extensions=["html"])
    assert "catalogue/index.html" in templates
    for name in templates:
        app.jinja_env.get_template(name)


def test_the_api_has_none_of_the_pages_headers(client: FlaskClient) -> None:
    assert "Content-Security-Policy" not in client.get("/v1/categories").headers


def test_an_unknown_url_is_a_404_page_with_links(client: FlaskClient) -> None:
    page = client.get("/nowhere/at/all?<script>")
    assert page.status_code == 404
    assert "Page not found" in page.text
    assert "Find an animal" in page.text
    assert "<script>" not in page.text


def test_a_post_to_a_read_only_page_is_a_405_page(client: FlaskClient) -> None:
    page = client.post("/")
    assert page.status_code == 405
    assert "GET" in page.headers["Allow"]
    assert "That does not work here" in page.text


GUIDES = ("how_adoption_works", "help", "privacy", "accessibility")


@pytest.fixture
def broken(app: APIFlask) -> Flask:
    """An application whose pages fail in different ways."""
    flask = Flask("broken", root_path=app.root_path, template_folder="templates", static_folder="static")
    Htmx(flask)
    set_up_translations(flask)
    flask.jinja_env.globals["asset"] = lambda name: f"/static/{name}"
    flask.jinja_env.globals["address_here"] = lambda path: path
    for page in ("catalogue", "shelters", "sign_in", "sign_up", *GUIDES):
        flask.add_url_rule(f"/{page}", f"portal.{page}", lambda: "")
    flask.add_url_rule("/raise/<kind>", "breaking", breaking)
    flask.register_error_handler(Exception, page_for)
    flask.wsgi_app = app.extensions["homeward.contexts"].around(flask.wsgi_app)
    return flask


def breaking(kind: str) -> Response:
    match kind:
        case "moved":
            return redirect("/raise/never")
        case "abort-moved":
            abort(redirect("/raise/never"))
        case "database":
            raise OperationalError("SELECT 1", {}, sqlite_busy())
        case "disk":
            raise OSError(errno.ENOSPC, SECRET)
        case "bug":
            raise RuntimeError(SECRET)
    if kind.isdigit():
        abort(int(kind))
    refusal = getattr(errors, kind)
    raise refusal([("name", "must not be blank")] if kind == "Invalid" else "No.")


def sqlite_busy() -> Exception:
    error = sqlite3.OperationalError(f"database is locked: {SECRET}")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error


@pytest.mark.parametrize("status", [400, 403, 404, 405, 409, 500, 503])
def test_each_error_status_has_its_page(broken: Flask, status: int) -> None:
    page = broken.test_client().get(f"/raise/{status}")
    assert page.status_code == status
    assert PAGES[status].title in page.text


@pytest.mark.parametrize("status", [401, 410, 418, 429, 502])
def test_other_error_statuses_have_a_page(broken: Flask, status: int) -> None:
    page = broken.test_client().get(f"/raise/{status}")
    assert page.status_code == status
    assert "<h1>" in page.text


def test_a_500_page_shows_no_internals(broken: Flask) -> None:
    page = broken.test_client().get("/raise/bug")
    assert page.status_code == 500
    assert "Something went wrong" in page.text
    for inner in ("hunter2", "RuntimeError", "Traceback", "postgresql"):
        assert inner not in page.text
    assert read(page.text).stopped == []
    assert page.headers["Content-Security-Policy"].startswith("default-src 'self'")


@pytest.mark.parametrize("store", ["database", "disk"])
def test_an_unreachable_store_is_a_503_page(broken: Flask, store: str) -> None:
    page = broken.test_client().get(f"/raise/{store}")
    assert page.status_code == 503
    assert int(page.headers["Retry-After"]) > 0
    assert "hunter2" not in page.text
    assert "locked" not in page.text
    assert ">Try again</a>" in page.text


@pytest.mark.parametrize(("kind", "cause"), [("database", "database is locked"), ("disk", "hunter2")])
def test_an_unreachable_store_is_one_log_line(
    broken: Flask, caplog: pytest.LogCaptureFixture, kind: str, cause: str
) -> None:
    """The line has the request and the cause. Only unexpected errors have a traceback."""
    broken.before_request(lambda: add_to_context(request_id="req_1") and None)
    client = broken.test_client()
    client.get(f"/raise/{kind}")
    client.get("/raise/bug")
    expected, fault = caplog.records
    assert expected.levelno == logging.WARNING
    assert expected.exc_info is None
    found = expected.getMessage()
    assert "req_1" in found
    assert cause in found
    assert "\n" not in found
    assert "SELECT" not in found
    assert fault.levelno == logging.ERROR
    assert fault.exc_info is not None


@pytest.mark.parametrize("kind", ["database", "Unavailable", "bug"])
def test_an_error_page_of_a_form_has_no_link_that_loses_the_form(broken: Flask, kind: str) -> None:
    broken.add_url_rule("/send/<kind>", "sending", breaking, methods=["POST"])
    page = broken.test_client().post(f"/send/{kind}")
    assert page.status_code in (500, 503)
    assert ">Try again</a>" not in page.text
    assert "Go back. Your form is still filled in. Send it again." in page.text


def test_a_redirect_is_no_error_page(broken: Flask) -> None:
    for kind in ("moved", "abort-moved"):
        answer = broken.test_client().get(f"/raise/{kind}")
        assert (answer.status_code, answer.headers["Location"]) == (302, "/raise/never")


def test_every_domain_error_has_a_status_and_a_page(broken: Flask) -> None:
    refusals = {kind for kind in vars(errors).values() if isinstance(kind, type)}
    refusals -= {errors.SettingRefused}  # this error stops the start, so no page can raise it
    assert set(STATUSES) == refusals
    for kind, status in STATUSES.items():
        if kind is errors.ProofRequired:  # the error's page asks for the password, see test_reauthentication
            continue
        page = broken.test_client().get(f"/raise/{kind.__name__}")
        assert page.status_code == status
        title = "limit is reached" if kind is errors.PlanLimit else PAGES[status].title
        assert title in page.text


def test_healthz_and_readyz_are_200(client: FlaskClient) -> None:
    for address in ("/healthz", "/readyz"):
        answer = client.get(address)
        assert (answer.status_code, answer.text) == (200, "ok\n")
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.fixture
def unready(tmp_path: Path) -> FlaskClient:
    """A service with an empty database."""
    return create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(tmp_path)})).test_client()


def test_without_tables_healthz_is_200_and_readyz_is_503(unready: FlaskClient) -> None:
    assert unready.get("/healthz").status_code == 200
    answer = unready.get("/readyz")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.text == "The database cannot be used now.\n"


def test_without_the_quota_store_readyz_is_503(client: FlaskClient, app: Flask) -> None:
    quotas = app.extensions["homeward.quotas"]
    with tempfile.TemporaryDirectory() as folder:
        app.extensions["homeward.quotas"] = open_quota_storage(
            f"sqlite:///{folder}"
        )  # a folder instead of a file
        try:
            answer = client.get("/readyz")
        finally:
            app.extensions["homeward.quotas"] = quotas
    assert answer.status_code == 503
    assert answer.text == "The quota store cannot be used now.\n"


def test_a_catalogue_without_tables_shows_no_internals(unready: FlaskClient) -> None:
    page = unready.get("/")
    assert page.status_code == 500
    assert "Something went wrong" in page.text
    for inner in ("table", "animals.id", "SELECT", "sqlite"):
        assert inner not in page.text


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/shelters/", "/shelters"),
        ("/shelters/?q=a%20b&page=2", "/shelters?q=a%20b&page=2"),
        ("/animals/240-juno/", "/animals/240-juno"),
        ("/animals/240-%C3%A9//", "/animals/240-%C3%A9"),
        ("/help/", "/help"),
        ("/feed.atom/", "/feed.atom"),
    ],
)
def test_a_trailing_slash_redirects(client: FlaskClient, path: str, to: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (301, to)


@pytest.mark.parametrize("path", ["/nowhere/", "//evil.example/", "/%2F%2Fevil.example/", "/v1/nowhere/"])
def test_a_trailing_slash_of_an_unknown_url_is_404(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_favicons_are_at_their_default_urls(client: FlaskClient) -> None:
    kinds = {
        "/favicon.ico": "image/x-icon",
        "/apple-touch-icon.png": "image/png",
        "/site.webmanifest": "application/manifest+json",
    }
    for path, kind in kinds.items():
        assert client.get(path).mimetype == kind
    manifest = client.get("/site.webmanifest").json
    assert manifest is not None
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).status_code == 200
    assert client.get("/favicon.ico", headers={"Host": "nobody.example"}).status_code == 404
