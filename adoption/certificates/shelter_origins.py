"""Scheme, host and port of shelters' sites, with HTTPS for hosts that have a certificate."""

from datetime import UTC, datetime

from flask import current_app

from adoption.certificates.certificate_lookup import is_secured
from adoption.platform_addresses import platform_link


def canonical_origin_of(primary: str, scheme: str, port: str) -> str:
    """Return the origin of a shelter's canonical links.

    If the shelter has no primary domain, it is the platform's origin.

    ``scheme`` and ``port`` are from the address that the visitor requested.
    """
    if not primary:
        return platform_link("").rstrip("/")
    scheme, port = scheme_and_port_of(primary, scheme, port)
    return f"{scheme}://{primary}{port}"


def scheme_and_port_of(host: str, scheme: str, port: str) -> tuple[str, str]:
    """Return the scheme and port of another host of ours.

    The scheme is HTTPS if visitors get a certificate for the host.
    """
    if scheme == "http" and is_secured(host, datetime.now(UTC)):
        return "https", secured_port(port)
    return scheme, port


def secured_port(port: str) -> str:
    """Return the HTTPS port, with its colon, of a host whose port for plain HTTP is ``port``."""
    edge = current_app.config["HOMEWARD"].edge
    return f":{edge[1]}" if port and edge and edge[1] != 443 else ""
