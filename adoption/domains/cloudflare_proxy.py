"""Detection of hosts behind Cloudflare's proxy, and the instructions to turn the proxy off."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

NAME_SERVERS = ".ns.cloudflare.com"
PROXIES = tuple(
    ip_network(each)
    for each in [
        "173.245.48.0/20",
        "103.21.244.0/22",
        "103.22.200.0/22",
        "103.31.4.0/22",
        "141.101.64.0/18",
        "108.162.192.0/18",
        "190.93.240.0/20",
        "188.114.96.0/20",
        "197.234.240.0/22",
        "198.41.128.0/17",
        "162.158.0.0/15",
        "104.16.0.0/13",
        "104.24.0.0/14",
        "172.64.0.0/13",
        "131.0.72.0/22",
        "2400:cb00::/32",
        "2606:4700::/32",
        "2803:f800::/32",
        "2405:b500::/32",
        "2405:8100::/32",
        "2a06:98c0::/29",
        "2c0f:f248::/32",
    ]
)
"""The addresses of Cloudflare's proxies, from https://www.cloudflare.com/ips-v4 and /ips-v6 on 11 February
2026."""


def is_proxied(name_servers: Iterable[str], addresses: Iterable[str]) -> bool:
    """Return whether the zone is at Cloudflare, and at least one of the addresses belongs to a proxy.

    If no address belongs to a proxy, the record does not use the proxy: Cloudflare calls it "DNS only".
    """
    if not any(each.endswith(NAME_SERVERS) for each in name_servers):
        return False
    found = [ip_address(each) for each in addresses]
    return any(each in network for each in found for network in PROXIES)


def turn_proxy_off(name: str) -> tuple[str, str]:
    """Return two texts about this record: how to turn the proxy off, and why."""
    fix = f"At Cloudflare, edit the record named {name}, switch “Proxy status” off and save."
    why = (
        "The orange cloud then turns grey (“DNS only”). While it is orange, visitors reach Cloudflare "
        "instead of the value of your record."
    )
    return fix, why
