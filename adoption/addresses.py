"""Who asks: the network address that a request is counted under."""

import ipaddress

from adoption.settings import Network


def client_address(peer: str | None, forwarded: str, trusted: tuple[Network, ...]) -> str:
    """The caller's address, with an IPv6 client taken as its whole /64, which one client has to itself.

    ``forwarded`` is the ``X-Forwarded-For`` header. It is believed only from a trusted proxy, and only as far
    as proxies are trusted.
    """
    hops = [part.strip() for part in forwarded.split(",")]
    address = ipaddress.ip_address(peer or "0.0.0.0")  # noqa: S104 - no address, not a bind
    while hops and any(address in network for network in trusted):
        try:
            address = ipaddress.ip_address(hops.pop())
        except ValueError:
            break
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
