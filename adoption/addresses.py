"""Network addresses: whom a request is counted under, and which of them a stranger's word may lead to."""

import ipaddress
import re

from adoption.settings import Network

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
UNICAST = ipaddress.ip_network("2000::/3")
NAT64 = ipaddress.ip_network("64:ff9b::/96")
NOBODYS = [
    ipaddress.ip_network(each) for each in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "3fff::/20")
]
"""Set apart by IANA for protocols and documents, of which some releases of Python take parts for public."""

WITH_A_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+")
"""An address as some proxies write it, such as 192.0.2.1:443 or [2001:db8::1]:443."""


def client_address(peer: str | None, forwarded: str, trusted: tuple[Network, ...]) -> str:
    """The caller's address, with an IPv6 client taken as its whole /64, which one client has to itself.

    ``forwarded`` is the ``X-Forwarded-For`` header. It is believed only from a trusted proxy, and only as far
    as proxies are trusted.
    """
    hops = [part.strip() for part in forwarded.split(",")]
    address = ipaddress.ip_address(peer or "0.0.0.0")  # noqa: S104 - no address, not a bind
    while hops and any(address in network for network in trusted):
        try:
            address = ipaddress.ip_address(without_port(hops.pop()))
        except ValueError:
            break
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def without_port(hop: str) -> str:
    found = WITH_A_PORT.fullmatch(hop)
    return found[1] or found[2] if found else hop


def is_public(address: IP) -> bool:
    """Whether an address is somebody's on the internet, and so none of this machine or its networks.

    An IPv4 address within an IPv6 one (mapped, compatible, 6to4, Teredo, NAT64) counts as itself.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if (inner := within(address)) is not None:
            return is_public(inner)
        if address not in UNICAST:
            return False
    if any(address in network for network in NOBODYS):
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )


def within(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that this one leads to (RFC 4291, 3056, 4380, 6052), or None."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if address in NAT64 or int(address) >> 32 == 0:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None
