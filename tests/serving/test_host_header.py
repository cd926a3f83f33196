"""Responses to any ``Host`` header and request line."""

from dataclasses import replace

from tests.serving.conftest import Running

HOSTS = {
    "our own": ([b"localhost"], 200),
    "our own address": ([b"127.0.0.1:80"], 200),
    "IPv6": ([b"[::1]:8000"], 200),
    "capitals and blanks": ([b" LocalHost:8000 "], 200),
    "capitals, a dot and blanks": ([b" LocalHost.:8000 "], 301),
    "none at all": ([], 400),
    "nobody's": ([b"adopt.fenland.example"], 404),
    "nobody's below ours": ([b"nobody.localhost"], 404),
    "two at once": ([b"localhost", b"nobody.localhost"], 400),
    "no ASCII": ([b"\xff\xfe\x80"], 400),
    "UTF-8": (["\u00e9l\u00e9phant.localhost".encode()], 400),
    "a blank within": ([b"local host"], 404),
    "markup": ([b'"><img src=x onerror=alert(1)>'], 404),
    "empty": ([b""], 400),
    "70,000 letters": ([b"a" * 70_000], 404),
}


def test_every_host_header_gets_a_page(running: Running) -> None:
    for what, (hosts, expected) in HOSTS.items():
        given = b"".join(b"Host: " + host + b"\r\n" for host in hosts)
        answer = running.raw(b"GET / HTTP/1.1\r\n" + given + b"Connection: close\r\n\r\n")
        head, _, body = answer.partition(b"\r\n\r\n")
        assert int(head.split()[1]) == expected, what
        assert (b"<main" in body) == (expected != 301), what
        assert b"<img src=x" not in body, what
        assert (b"x-robots-tag: noindex" in head) is (expected == 404), what
        assert b"set-cookie" not in head, what


REQUEST_LINES = {
    b"GET /v1/categories": (b"localhost", 200),
    b"get /v1/categories": (b"localhost", 405),
    b"get /": (b"localhost", 405),
    b"GET //v1/categories": (b"localhost", 404),
}
WITH_HOST = {
    b"GET http://nobody.example/v1/categories": (b"localhost", 404),
    b"GET http://localhost/v1/categories": (b"nobody.example", 200),
}


def test_a_request_line_is_parsed_as_in_http(running: Running, edge_port: int) -> None:
    key = f"Authorization: Bearer {running.keys['own']}\r\n".encode()
    for line, (host, expected) in (REQUEST_LINES | WITH_HOST).items():
        head = line + b" HTTP/1.1\r\nHost: " + host + b"\r\n" + key
        # The host in the target counts (RFC 9112, section 3.2.2). Granian drops it, and the edge does not.
        port = edge_port if line in WITH_HOST else running.port
        answer = replace(running, port=port).raw(head + b"Connection: close\r\n\r\n")
        assert int(answer.split()[1]) == expected, line
        assert (b"allow: " in answer) == (expected == 405), line
        if b"/v1/" in line:
            assert b"x-ratelimit-remaining: " in answer.lower(), line
