"""One query to one DNS server, and its answer (RFC 1035)."""

import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdata
import dns.rdatatype

from adoption.domains.dns_answers import FOUND, NODATA, NXDOMAIN, DnsAnswer, failed_answer

CHAIN_LONGEST = 8
DNS_PORT = 53
AGAIN_SECONDS = 0.4
"""The first retry interval of a query over UDP, in seconds. Each further interval is twice as long.

RFC 1035, 4.2.1 recommends at least two seconds. That is too long, because a whole check has three seconds.
"""
BYTES_MOST = 16_384
"""The maximum size of an answer in bytes. No answer that we need is larger."""


class DnsServer(NamedTuple):
    address: str
    port: int = DNS_PORT


def exchange(
    question: dns.message.Message, server: DnsServer, left: Callable[[], float], name: str, kind: str
) -> DnsAnswer:
    """Query one server by UDP, and by TCP if the answer is truncated. ``left`` returns the seconds left."""
    try:
        message = by_udp_or_tcp(question, server, left)
    except TimeoutError:
        return failed_answer("The DNS server did not answer in time")
    except (OSError, EOFError):
        return failed_answer("The DNS server cannot be reached")
    except (dns.exception.DNSException, ValueError):
        return failed_answer("The DNS server's answer cannot be read")
    if not (message.flags & dns.flags.AA or question.flags & dns.flags.RD):
        return failed_answer("The DNS server is not in charge of the domain")
    return parse_answer(message, name, kind)


def by_udp_or_tcp(
    question: dns.message.Message, server: DnsServer, left: Callable[[], float]
) -> dns.message.Message:
    try:
        return by_udp(question, server, left())
    except dns.message.Truncated:
        return by_tcp(question, server, left())


def by_udp(question: dns.message.Message, server: DnsServer, seconds: float) -> dns.message.Message:
    """Return the first answer to this query. Ignore other datagrams.

    The query is repeated until the timeout. The connected socket rejects datagrams from other addresses, and
    reports a closed port immediately. Raises TimeoutError if no answer arrives in time, OSError if the
    network fails, and Truncated if the answer is truncated.
    """
    ends, patience = time.monotonic() + seconds, AGAIN_SECONDS
    with socket.socket(family(server), socket.SOCK_DGRAM) as asking:
        asking.connect(server)
        while True:
            asking.send(question.to_wire())
            with suppress(TimeoutError):
                return receive_answer(asking, question, min(ends, time.monotonic() + patience))
            if time.monotonic() >= ends:
                raise TimeoutError
            patience *= 2


def receive_answer(asking: socket.socket, question: dns.message.Message, ends: float) -> dns.message.Message:
    """Return the next datagram that answers this query.

    Raises TimeoutError at the deadline, OSError if the network fails, and Truncated if the answer is
    truncated.
    """
    while True:
        wait(asking, ends)
        if message := answer_in(asking.recv(BYTES_MOST), question):
            return message


def answer_in(wire: bytes, question: dns.message.Message) -> dns.message.Message | None:
    """Return a datagram's message; None if the message does not answer this query.

    Raises Truncated if the answer is truncated.
    """
    try:
        message = dns.message.from_wire(wire, ignore_trailing=True, raise_on_truncation=True)
    except dns.message.Truncated as cut:
        if question.is_response(cut.message()):  # type: ignore[no-untyped-call]  # dnspython gives it none
            raise
        return None
    except (dns.exception.DNSException, ValueError):
        return None
    return message if question.is_response(message) else None


def by_tcp(question: dns.message.Message, server: DnsServer, seconds: float) -> dns.message.Message:
    """Return the answer by TCP (RFC 7766).

    Raises TimeoutError after the timeout, OSError if the network fails, EOFError if the server closes the
    connection, and ValueError if the answer is too large or for another query.
    """
    ends = time.monotonic() + seconds
    with socket.socket(family(server), socket.SOCK_STREAM) as asking:
        wait(asking, ends)
        asking.connect(server)
        asking.sendall(question.to_wire(prepend_length=True))
        (length,) = struct.unpack("!H", receive_bytes(asking, 2, ends))
        if length > BYTES_MOST:
            raise ValueError("too large")
        message = dns.message.from_wire(receive_bytes(asking, length, ends), ignore_trailing=True)
    if not question.is_response(message):
        raise ValueError("not an answer to what was asked")
    return message


def receive_bytes(asking: socket.socket, length: int, ends: float) -> bytes:
    """Return ``length`` bytes from the connection.

    Raises TimeoutError at the deadline, OSError if the network fails, and EOFError if the connection ends.
    """
    pieces = b""
    while len(pieces) < length:
        wait(asking, ends)
        piece = asking.recv(length - len(pieces))
        if not piece:
            raise EOFError
        pieces += piece
    return pieces


def wait(asking: socket.socket, ends: float) -> None:
    """Set the socket's timeout to the remaining time. Raises TimeoutError if no time is left."""
    seconds = ends - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    asking.settimeout(seconds)


def family(server: DnsServer) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in server.address else socket.AF_INET


def parse_answer(message: dns.message.Message, name: str, kind: str) -> DnsAnswer:
    code = message.rcode()
    if code not in (dns.rcode.NOERROR, dns.rcode.NXDOMAIN):
        text = dns.rcode.to_text(code)
        return failed_answer(f"The DNS server answered {text}", text)
    try:
        chain = chain_in(message, name)
    except RecursionError:
        return failed_answer("The records lead round in a circle")
    values, seconds = records_in(message, name, kind)
    at_end = records_in(message, chain[-1], kind)[0] if chain else values
    if values:
        return DnsAnswer(FOUND, values, seconds, chain=chain, at_end=at_end)
    state = NXDOMAIN if code == dns.rcode.NXDOMAIN and not chain else NODATA
    return DnsAnswer(state, seconds=negative_seconds(message), chain=chain, at_end=at_end)


def chain_in(message: dns.message.Message, name: str) -> tuple[str, ...]:
    """Return the names to which CNAME records lead, in order. Raises RecursionError if the records loop."""
    chain: list[str] = []
    at = name
    while targets := records_in(message, at, "CNAME")[0]:
        at = targets[0]
        if at == name or at in chain or len(chain) == CHAIN_LONGEST:
            raise RecursionError
        chain.append(at)
    return tuple(chain)


def records_in(message: dns.message.Message, name: str, kind: str) -> tuple[tuple[str, ...], int]:
    """Return the records of exactly this name, and their lowest TTL in seconds."""
    owner, wanted = dns.name.from_text(name), dns.rdatatype.from_text(kind)
    sets = [each for each in message.answer if each.name == owner and each.rdtype == wanted]
    values = sorted({record_text(record, kind) for each in sets for record in each})
    return tuple(values), min((each.ttl for each in sets), default=0)


def record_text(record: dns.rdata.Rdata, kind: str) -> str:
    if kind in ("CNAME", "NS"):
        target: str = record.target.to_text(omit_final_dot=True)  # type: ignore[attr-defined]
        return target.lower()
    if kind == "TXT":
        return b"".join(record.strings).decode("utf-8", "replace")  # type: ignore[attr-defined]
    return record.to_text()


def negative_seconds(message: dns.message.Message) -> int:
    """Return the seconds for which resolvers may cache a negative answer (RFC 2308, 5)."""
    for each in message.authority:
        if each.rdtype == dns.rdatatype.SOA:
            return min([each.ttl, *(int(record.minimum) for record in each)])
    return 0
