"""Warnings at startup about settings that are valid but do not fit together."""

import ipaddress
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from adoption.ip_addresses import is_public
from adoption.settings import Settings
from adoption.settings_parsing import PREFIX

LETS_ENCRYPT = "letsencrypt.org"
ISSUERS = {
    "acme.zerossl.com": "sectigo.com",
    "acme.sectigo.com": "sectigo.com",
    "acme.enterprise.sectigo.com": "sectigo.com",
    "dv.acme-v02.api.pki.goog": "pki.goog",
    "dv.acme-v02.test-api.pki.goog": "pki.goog",
    "acme.ssl.com": "ssl.com",
    "acme.digicert.com": "digicert.com",
}
"""The authorities' names in CAA records, from their documentation, by the host of the ACME directory."""


def warnings_of(settings: Settings, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each mismatch. A setting that is missing in ``environ`` has its default."""
    if settings.orders_certificates:
        yield from certificate_warnings(settings, environ)
    elif settings.edge:
        yield (
            f"{PREFIX}EDGE has no effect, because {PREFIX}ACME_DIRECTORY is not set: no certificates are "
            "ordered for shelters' own domains."
        )
    if settings.environment == "production":
        yield from production_warnings(settings)


def certificate_warnings(settings: Settings, environ: Mapping[str, str]) -> Iterator[str]:
    directory = urlsplit(settings.acme_directory)
    authority = directory.hostname or ""
    if not is_lets_encrypt(authority) and not environ.get(f"{PREFIX}CAA_ISSUERS", "").strip():
        name = ISSUERS.get(authority, "the name that its documentation gives for CAA records")
        yield (
            f"{PREFIX}ACME_DIRECTORY is at {authority}, but this service checks that CAA "
            f"records of shelters allow {LETS_ENCRYPT}. Set {PREFIX}CAA_ISSUERS to {name}."
        )
    if is_lets_encrypt(authority) and LETS_ENCRYPT not in settings.caa_issuers:
        yield (
            f"{PREFIX}ACME_DIRECTORY is Let's Encrypt's, but {PREFIX}CAA_ISSUERS lacks {LETS_ENCRYPT}. "
            "Shelters would be asked to allow another authority."
        )
    listener = ipaddress.ip_address(settings.internal_listen[0])
    if listener.is_unspecified or is_public(listener):
        yield (
            f"Anyone who reaches {listener} at port {settings.internal_listen[1]} gets private keys of "
            f"certificates. Set {PREFIX}INTERNAL_LISTEN to an address that only edges can reach."
        )
    if settings.environment == "production":
        if directory.hostname == "acme-staging-v02.api.letsencrypt.org":
            yield (
                f"{PREFIX}ACME_DIRECTORY is Let's Encrypt's staging server. Browsers reject its certificates."
            )
        if not settings.edge:
            yield (
                f"{PREFIX}EDGE is not set. A certificate counts as live once it is issued. Visitors "
                "are then redirected to a domain even if the edge does not show the certificate."
            )


def production_warnings(settings: Settings) -> Iterator[str]:
    if settings.mail_url.startswith("file:"):
        folder = settings.mail_url.removeprefix("file://")
        yield f"Emails are kept in {folder} and not sent. Set {PREFIX}MAIL_URL to a mail server."
    if not settings.operator_email:
        yield f"{PREFIX}OPERATOR_EMAIL is not set. Problems that only you can fix appear only in this log."
    if not settings.trusted_proxies:
        yield (
            f"{PREFIX}TRUSTED_PROXIES is not set. Behind a TLS edge or proxy, all visitors "
            "then seem to use http and to have one address, and share the limits of that "
            "address."
        )
    host = settings.platform_name
    if host == "localhost" or host.endswith(".localhost") or is_address(host):
        yield (
            f"{PREFIX}PLATFORM_HOST is {host}. Shelters' sites are hosts below it, so it must be a name in "
            "public DNS, such as homeward.example."
        )


def is_lets_encrypt(host: str) -> bool:
    return host == LETS_ENCRYPT or host.endswith(f".{LETS_ENCRYPT}")


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
