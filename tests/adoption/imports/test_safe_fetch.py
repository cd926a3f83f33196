"""Downloads of photos: SSRF, redirects, time and size limits, certificates."""

import ipaddress
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adoption.imports.safe_fetch import FetchContext, NotFetched, fetch
from adoption.ip_addresses import IP, is_public
from tests.adoption.imports import webservers
from tests.adoption.imports.webservers import HOST, PhotoServer

LOOPBACK = ipaddress.ip_address("127.0.0.1")


def loopback_is_public(address: IP) -> bool:
    """Treat loopback addresses as public, for the test's server."""
    return address == LOOPBACK or is_public(address)


@pytest.fixture
def web() -> Iterator[PhotoServer]:
    with webservers.serving() as serving:
        yield serving


@pytest.fixture
def world(web: PhotoServer) -> FetchContext:
    return FetchContext(
        look_up=lambda host: {HOST: ["127.0.0.1"]}.get(host, []),
        is_public=loopback_is_public,
        ports=frozenset([80, 443, web.port]),
        seconds=5,
        bytes_most=1_000_000,
    )


def refusal(address: str, world: FetchContext) -> str:
    with pytest.raises(NotFetched) as why:
        fetch(address, world)
    return str(why.value)


def test_a_download_sends_no_cookies_and_the_host_as_written(web: PhotoServer, world: FetchContext) -> None:
    web.paths["/rex%20one.jpg?size=l"] = webservers.respond_with(b"picture", Set_Cookie="a=b")
    for _ in range(2):
        assert fetch(web.at("/rex one.jpg?size=l"), world) == b"picture"
    _, headers = web.asked[1]
    assert headers["Host"] == f"{HOST}:{web.port}"
    assert not {"Cookie", "Authorization"} & set(headers)


def test_at_most_three_redirects_are_followed(web: PhotoServer, world: FetchContext) -> None:
    web.paths["/3"] = webservers.respond_with(b"picture")
    for number in range(3):
        web.paths[f"/{number}"] = webservers.redirect_to(f"/{number + 1}")
    assert fetch(web.at("/0"), world) == b"picture"
    web.paths["/before"] = webservers.redirect_to("/0")
    assert "too often" in refusal(web.at("/before"), world)


@pytest.mark.parametrize(
    "onward",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://metadata.example/latest",
        "http://10.1/x",
    ],
)
def test_a_redirect_to_a_private_network_is_rejected(
    web: PhotoServer, world: FetchContext, onward: str
) -> None:
    inside = {"metadata.example": ["169.254.169.254"], "localhost": ["127.0.0.1"], "10.1": ["10.0.0.1"]}
    strict = replace(
        world,
        look_up=lambda host: inside.get(host, ["127.0.0.2"]),
        is_public=lambda address: str(address) == "127.0.0.2" or is_public(address),
    )
    web.paths["/"] = webservers.redirect_to(onward)
    # Every address of 127.0.0.0/8 leads to this machine, but the server listens only on 127.0.0.1.
    assert refusal(onward, strict) == "the address is in a private network"
    onward_from_there = replace(
        strict, look_up=lambda host: inside.get(host, ["127.0.0.1"]), is_public=once_public()
    )
    assert "private network" in refusal(web.at("/"), onward_from_there)
    assert [path for path, _ in web.asked] == ["/"]


def once_public() -> Callable[[IP], bool]:
    """Treat only the first address as public. The test's server has the first address."""
    left = [True]

    def public(address: IP) -> bool:
        return (left.pop() if left else False) or is_public(address)

    return public


def test_dns_rebinding_is_prevented_by_one_lookup(web: PhotoServer, world: FetchContext) -> None:
    looked: list[str] = []

    def changing(host: str) -> list[str]:
        looked.append(host)
        return ["127.0.0.1"] if len(looked) == 1 else ["10.0.0.1"]

    web.paths["/"] = webservers.respond_with(b"picture")
    assert fetch(web.at("/", "changing.example"), replace(world, look_up=changing)) == b"picture"
    assert looked == ["changing.example"]


def test_a_host_with_any_private_address_is_rejected(web: PhotoServer, world: FetchContext) -> None:
    mixed = replace(world, look_up=lambda _: ["127.0.0.1", "192.168.0.1"])
    assert "private network" in refusal(web.at("/"), mixed)
    assert web.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1",
        "fc00::1", "fec0::1", "ff02::1", "2001:db8::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::10.0.0.1",
        "2002:0a00:0001::1", "2002:7f00:0001::", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1",
        "2001:0:0a00:0001::f5ff:fffe", "100::1", "4000::1", "192.0.0.8", "192.0.0.9", "192.88.99.1",
        "3fff::1", "2001:1::1", "2001:4:112::1",
    ],
)  # fmt: skip
def test_private_addresses_are_rejected_in_every_notation(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"]
)
def test_internet_addresses_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("ftp://pictures.example/a.jpg", "not the address of a picture"),
        ("file:///etc/passwd", "not the address of a picture"),
        ("gopher://pictures.example/", "not the address of a picture"),
        ("http://", "not the address of a picture"),
        ("http://[::1", "not the address of a picture"),
        ("http://pictures.example:99999/", "not the address of a picture"),
        ("http://pictures.example/\ud800", "not the address of a picture"),
        (f"http://pictures.example/{'a' * 2_000}", "not the address of a picture"),
        ("http://sam:secret@pictures.example/", "a user name or a password"),
        ("http://pictures.example:22/", "port 22"),
        ("http://nowhere.example/", "no such server"),
    ],
)
def test_a_rejected_url_has_a_reason(world: FetchContext, address: str, reason: str) -> None:
    assert reason in refusal(address, world)


@pytest.mark.parametrize("onward", ["http://[", "//[::1", "http://pictures.example:99999/", "gopher://a/"])
def test_a_redirect_to_an_invalid_url_is_reported(web: PhotoServer, world: FetchContext, onward: str) -> None:
    web.paths["/"] = webservers.redirect_to(onward)
    assert "address" in refusal(web.at("/"), world)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no status line",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000,
        b"HTTP/1.1 200 OK\r\n" + b"X: a\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
    ],
)
def test_a_server_without_http_does_not_answer(web: PhotoServer, world: FetchContext, answer: bytes) -> None:
    web.paths["/"] = lambda to: to.wfile.write(answer) and None
    assert refusal(web.at("/"), world) == "the server does not answer"


@pytest.mark.parametrize("drip", [webservers.send_slowly, webservers.send_headers_slowly])
def test_a_slow_server_times_out(web: PhotoServer, world: FetchContext, drip: object) -> None:
    web.paths["/"] = drip  # type: ignore[assignment]
    assert refusal(web.at("/"), replace(world, seconds=0.5)) == "the server took too long"


def test_an_endless_body_is_read_up_to_the_limit(web: PhotoServer, world: FetchContext) -> None:
    web.paths["/"] = webservers.send_without_end
    assert refusal(web.at("/"), world) == "the picture has more than 1 MB"


def test_a_content_length_over_the_limit_is_not_read(web: PhotoServer, world: FetchContext) -> None:
    web.paths["/"] = webservers.respond_with(b"", Content_Length="9000000000")
    assert refusal(web.at("/"), world) == "the picture has more than 1 MB"


def test_a_compressed_response_is_not_unpacked(web: PhotoServer, world: FetchContext) -> None:
    web.paths["/"] = webservers.respond_with_gzip_bomb()
    assert refusal(web.at("/"), world).startswith("the server sent the picture compressed")


def test_a_dns_lookup_that_hangs_times_out(web: PhotoServer, world: FetchContext) -> None:
    over = threading.Event()

    def hanging(_host: str) -> list[str]:
        over.wait(60)
        return ["127.0.0.1"]

    found = refusal(web.at("/"), replace(world, look_up=hanging, seconds=0.2))
    over.set()
    assert found == "DNS did not find the photo's server in time"


def test_an_error_status_and_a_closed_port_are_reported(web: PhotoServer, world: FetchContext) -> None:
    web.paths["/"] = webservers.respond_with(b"", 404)
    assert refusal(web.at("/"), world) == "the server answers 404"
    port = webservers.closed_port()
    silent = replace(world, ports=frozenset([port]))
    assert refusal(f"http://{HOST}:{port}/", silent) == "the server does not answer"


def test_proxy_settings_of_the_environment_are_ignored(
    web: PhotoServer, world: FetchContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{webservers.closed_port()}")
    web.paths["/"] = webservers.respond_with(b"picture")
    assert fetch(web.at("/"), world) == b"picture"


@pytest.mark.parametrize(("name", "taken"), [(HOST, True), ("another.example", False)])
def test_the_certificate_must_match_the_host(
    tmp_path: Path, world: FetchContext, name: str, taken: bool
) -> None:
    context, authorities = webservers.certificate(tmp_path, name)
    with webservers.serving(context) as web:
        web.paths["/"] = webservers.respond_with(b"picture")
        trusting = replace(world, ports=frozenset([web.port]), certificates=authorities)
        address = web.at("/", scheme="https")
        if taken:
            assert fetch(address, trusting) == b"picture"
            untrusting = replace(trusting, certificates=None)
            assert "certificate" in refusal(address, untrusting)
        else:
            assert "certificate" in refusal(address, trusting)
