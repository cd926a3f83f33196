"""Compression of responses."""

import itertools

import brotli
import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from flask_compress.compat import compression
from werkzeug.test import create_environ

from portal.body_limits import opened
from serving.compression import pack
from tests import cast

UNPACK = {
    "br": brotli.decompress,
    "gzip": compression.gzip.decompress,
    "zstd": compression.zstd.decompress,
}
MADE = ("/", "/docs/", "/v1/openapi.json")
FILES = ("/static/css/site.css", "/static/icons.svg", "/static/vendor/htmx@2.0.11/htmx.min.js")


def accept_encoding(encodings: str) -> dict[str, str]:
    return {"Accept-Encoding": encodings}


@pytest.mark.parametrize(
    ("address", "encoding"),
    [*itertools.product(MADE, ("zstd", "gzip")), *itertools.product(FILES, ("br", "gzip"))],
)
def test_text_is_compressed_as_the_browser_accepts(client: FlaskClient, address: str, encoding: str) -> None:
    plain = client.get(address)
    answer = client.get(address, headers=accept_encoding(encoding))
    assert answer.headers["Content-Encoding"] == encoding
    assert len(answer.data) < len(plain.data) / 2
    assert UNPACK[encoding](answer.data) == plain.data
    assert int(answer.headers["Content-Length"]) == len(answer.data)


@pytest.mark.parametrize("address", MADE + FILES)
def test_a_client_without_accept_encoding_gets_no_compression(client: FlaskClient, address: str) -> None:
    for encodings in ("", "identity", "brotli9", "\xff"):
        answer = client.get(address, headers=accept_encoding(encodings))
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers
        assert "Accept-Encoding" in answer.headers["Vary"], "caches must keep encodings apart"
    assert client.get(address, headers=accept_encoding(";;q=,gzip;")).status_code == 200, "malformed"


@pytest.mark.parametrize("address", MADE + FILES)
@pytest.mark.parametrize("encodings", ["identity", "gzip", "gzip, br, zstd"])
def test_a_compressed_page_that_is_unchanged_is_304(
    client: FlaskClient, address: str, encodings: str
) -> None:
    first = client.get(address, headers=accept_encoding(encodings))
    again = client.get(
        address, headers={**accept_encoding(encodings), "If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert "Content-Encoding" not in again.headers


@pytest.mark.parametrize("address", FILES)
def test_each_encoding_has_its_own_strong_etag(client: FlaskClient, address: str) -> None:
    marks = {
        client.get(address, headers=accept_encoding(e)).headers["ETag"] for e in ("identity", "gzip", "br")
    }
    assert len(marks) == 3


@pytest.mark.parametrize("address", ["/static/fonts/besley-600-core.woff2", "/static/brand/catalogue.png"])
def test_compressed_file_types_are_not_compressed_again(client: FlaskClient, address: str) -> None:
    answer = client.get(address, headers=accept_encoding("gzip, br, zstd"))
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_lists_for_programs_are_compressed_only_on_request(shelter: cast.Shelter) -> None:
    for number in range(30):
        shelter.add(f"Biscuit {number}")
    for headers, encoding in (
        ({}, None),
        (accept_encoding("gzip"), "gzip"),
        (accept_encoding("identity"), None),
    ):
        answer = shelter.get("/v1/pets", headers=headers)
        assert answer.headers.get("Content-Encoding") == encoding
        assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "name", ["", "..%2f..%2fwsgi.py", "css", "a%00b", "x" * 5_000, "css/none.css", "\xff"]
)
def test_a_missing_static_file_is_404(client: FlaskClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_a_no_store_page_is_not_compressed(app: Flask) -> None:
    with opened(app, create_environ(headers=accept_encoding("gzip, br, zstd"))):
        assert "Content-Encoding" in pack(Response("kept " * 1_000)).headers
        secret = Response("secret " * 1_000, headers={"Cache-Control": "no-store"})
        assert "Content-Encoding" not in pack(secret).headers
