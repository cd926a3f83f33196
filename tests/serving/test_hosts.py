"""What a real server makes of a ``Host`` header, whatever stands in it."""

from tests.serving.conftest import Running

HOSTS = {
    "our own": ([b"localhost"], 200),
    "our own address": ([b"127.0.0.1:80"], 200),
    "IPv6": ([b"[::1]:8000"], 200),
    "capitals, a dot and blanks": ([b" LocalHost.:8000 "], 200),
    "none at all": ([], 200),
    "nobody's": ([b"adopt.fenland.example"], 404),
    "nobody's below ours": ([b"nobody.localhost"], 404),
    "two at once": ([b"localhost", b"nobody.localhost"], 404),
    "no ASCII": ([b"\xff\xfe\x80"], 404),
    "UTF-8": (["\u00e9l\u00e9phant.localhost".encode()], 404),
    "a blank within": ([b"local host"], 404),
    "markup": ([b'"><img src=x onerror=alert(1)>'], 404),
    "empty": ([b""], 404),
    "70,000 letters": ([b"a" * 70_000], 404),
}


def test_every_host_gets_a_page(running: Running) -> None:
    for what, (hosts, expected) in HOSTS.items():
        given = b"".join(b"Host: " + host + b"\r\n" for host in hosts)
        answer = running.raw(b"GET / HTTP/1.1\r\n" + given + b"Connection: close\r\n\r\n")
        head, _, body = answer.partition(b"\r\n\r\n")
        assert int(head.split()[1]) == expected, what
        assert b"<main" in body, what
        assert b"<img src=x" not in body, what
        assert (b"x-robots-tag: noindex" in head) is (expected == 404), what
        assert b"set-cookie" not in head, what
