"""IP addresses: the client's address of a request, and the public addresses to which the service may
connect."""

import ipaddress
import re

from adoption.settings import Network

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
UNICAST = ipaddress.ip_network("2000::/3")
NAT64 = ipaddress.ip_network("64:ff9b::/96")
RESERVED = [
    ipaddress.ip_network(each) for each in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "3fff::/20")
]
"""Networks that IANA reserves for protocols and documentation. Some releases of Python count parts of these
networks as public."""

WITH_A_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+")
"""The form in which some proxies write addresses, such as 192.0.2.1:443 or [2001:db8::1]:443."""


def client_address(peer: str | None, forwarded: str, trusted: tuple[Network, ...]) -> str:
    """Return the client's address. For an IPv6 address, return its /64, which belongs to one client.

    ``forwarded`` is the ``X-Forwarded-For`` header. Only the part that trusted proxies wrote is used.
    """
    hops = [part.strip() for part in forwarded.split(",")]
    try:
        address = ipaddress.ip_address(peer or "")
    except ValueError:
        address = ipaddress.ip_address("0.0.0.0")  # noqa: S104 - no address, not a bind
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


def is_within(address: str, networks: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of the networks."""
    try:
        sender = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(sender in network for network in networks)


def without_port(hop: str) -> str:
    found = WITH_A_PORT.fullmatch(hop)
    return found[1] or found[2] if found else hop


def is_public(address: IP) -> bool:
    """Return whether an address is on the internet, not on this machine or its networks.

    For an IPv6 address that contains an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64), the IPv4
    address counts.
    """
    if isinstance(address, ipaddress.IPv6Address):
        if (inner := embedded_ipv4(address)) is not None:
            return is_public(inner)
        if address not in UNICAST:
            return False
    if any(address in network for network in RESERVED):
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )


def embedded_ipv4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address contains (RFC 4291, 3056, 4380, 6052), or None."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if address in NAT64 or int(address) >> 32 == 0:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None
