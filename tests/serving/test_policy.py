"""The recognition of slow requests, large requests and uploads, before the application gets them."""

import ipaddress
from typing import Any

import pytest
from apiflask import APIFlask
from werkzeug.test import create_environ

from adoption.projects.request_hosts import Hosts
from adoption.request_context import RequestContexts
from api import interface_of
from portal.body_limits import BODY_LARGEST, STAFF_FORM_LARGEST, UNSAVED_LARGEST
from tests.cast import Colleague
from wsgi import policy_of

pytestmark = pytest.mark.settings("embedded")


def request(path: str, method: str = "GET", **more: Any) -> dict[str, Any]:
    return {**create_environ(path, method=method), "REMOTE_ADDR": "192.0.2.1", **more}


@pytest.mark.parametrize(
    ("method", "path", "takes_long"),
    [
        ("GET", "/", False),
        ("GET", "/media/1.webp", False),
        ("HEAD", "/sign-in", False),
        ("POST", "/sign-in", True),
        ("PUT", "/", True),
        ("GET", "/projects/alice/animals", True),
        ("GET", "/projects/alice/photos/1.webp", False),
        ("POST", "/projects/alice/photos/1.webp", True),
        ("GET", "/projects/alice/animals/1/photos/1/removal", True),
        ("GET", "/v1/pets", False),
        ("POST", "/v1/pets", False),
    ],
)
def test_staff_pages_and_forms_are_slow_requests_and_photos_and_the_api_are_not(
    app: APIFlask, method: str, path: str, takes_long: bool
) -> None:
    environ = request(path, method)
    assert policy_of(app).may_take_long(environ) is takes_long
    # Flask serves the same page at a path with several leading slashes.
    assert policy_of(app).may_take_long(environ | {"PATH_INFO": f"//{path}"}) is takes_long


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("127.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("127.0.0.1", "no address", "127.0.0.1"),
    ],
)
def test_slots_are_shared_by_the_address_of_a_trusted_proxy(
    app: APIFlask, monkeypatch: pytest.MonkeyPatch, peer: str, forwarded: str, client: str
) -> None:
    proxies = (ipaddress.ip_network("127.0.0.1/32"),)
    settings = app.config["HOMEWARD"].model_copy(update={"trusted_proxies": proxies})
    contexts = RequestContexts(settings, Hosts(settings), interface_of)
    monkeypatch.setitem(app.extensions, "homeward.contexts", contexts)
    environ = request("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)
    assert policy_of(app).client_of(environ) == client


def test_a_large_body_needs_a_signed_session(owner: Colleague) -> None:
    app = owner.client.application
    cookie = owner.client.get_cookie("homeward")
    assert cookie
    upload = {"CONTENT_LENGTH": "20000000", "CONTENT_TYPE": "multipart/form-data; boundary=b"}
    signed_in = {"HTTP_COOKIE": f"homeward={cookie.value}", "HTTP_HOST": "localhost:8000"}
    largest = policy_of(app).largest_body  # type: ignore[arg-type]
    path = owner.at("imports")
    assert largest(request(path, "POST", **upload, **signed_in)) == 32 * 1_048_576
    forged = {**signed_in, "HTTP_COOKIE": f"homeward={cookie.value}x"}
    assert largest(request(path, "POST", **upload, **forged)) == STAFF_FORM_LARGEST
    assert largest(request("/sign-in", "POST", **upload, **signed_in)) == UNSAVED_LARGEST
    assert largest(request("/v1/pets", "POST", **upload, **signed_in)) == BODY_LARGEST


def test_an_upload_counts_for_its_account(owner: Colleague, outsider: Colleague) -> None:
    account_of = policy_of(owner.client.application).account_of  # type: ignore[arg-type]

    def upload(who: Colleague, end: str = "") -> dict[str, Any]:
        cookie = who.client.get_cookie("homeward")
        assert cookie
        signed_in = {"HTTP_COOKIE": f"homeward={cookie.value}{end}", "HTTP_HOST": "localhost:8000"}
        return request(owner.at("imports"), "POST", **signed_in)

    account = account_of(upload(owner))
    assert account.isdecimal()
    assert account_of(upload(owner)) == account
    assert account_of(upload(owner, "x")) == account_of(upload(outsider)) == account_of(request("/")) == ""
