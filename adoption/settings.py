"""Every setting, read once from the environment and refused at the start when it is wrong."""

import difflib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adoption import settings_parsing as read
from adoption.errors import SettingRefused
from adoption.settings_parsing import PREFIX, Network
from adoption.settings_secrets import ExternalAccount, certificate_keys, external_account, secret_key

__all__ = ["NAMES", "PREFIX", "Network", "Settings"]

CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Settings:
    instance: Path
    database_url: str
    quota_url: str
    queue_url: str
    mail_url: str
    media_url: str
    """Where photos are kept: the whole path of a folder, or ``s3://BUCKET/PREFIX``."""
    secret_key: str
    environment: str
    platform_host: str
    base_url: str
    staging_base_url: str
    port: int
    workers: int
    threads: int
    trusted_proxies: tuple[Network, ...]
    keep_applications_days: int
    """How long what is personal in an application is kept after it was decided."""
    dns_servers: tuple[tuple[str, int], ...]
    """Addresses and ports that are asked for everything; empty for the system's, and each zone's own."""
    cname_target: str
    """The name that shelters' own domains lead to."""
    edge_addresses: tuple[str, ...]
    """The edge's own, for an apex whose DNS provider has no ALIAS record."""
    caa_issuers: tuple[str, ...]
    """The certificate authorities that a domain has to allow, the first of which is recommended."""
    acme_directory: str
    """Address of the authority that certificates are ordered from (RFC 8555, 7.1.1); empty for none."""
    acme_ca_bundle: str
    """The file of certificates by which that address is trusted; empty for those of the system."""
    acme_email: str
    """Whom the authority writes to; may be empty."""
    acme_external_account: ExternalAccount | None
    orders_platform_certificate: bool
    """Whether the platform's own certificate is ordered too, instead of being in files at the edge."""
    acme_dns_hook: tuple[str, ...]
    """The command that sets TXT records for DNS-01, word by word; empty for none."""
    acme_dns_zone: str
    """The name that those records of shelters' domains are below; empty without a hook."""
    certificate_keys: tuple[str, ...]
    """Fernet keys that private keys are kept under: the first seals, all open."""
    internal_listen: tuple[str, int]
    """Address and port where edges, and nobody else, get certificates."""
    edge: tuple[str, int] | None
    """Host and port of the TLS edge, to see certificates as visitors do."""
    operator_email: str
    """The address for requests for plans, shown to people as the contact. May be empty."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read ``HOMEWARD_*`` and ``PORT``.

        Raises SettingRefused, with one sentence that names the setting, for the first that is wrong.
        """
        given = {
            name.removeprefix(PREFIX): value.strip()
            for name, value in environ.items()
            if name.startswith(PREFIX) and value.strip()
        }
        refuse_misspelt(given)
        environment = read.environment(given.get("ENVIRONMENT", "development"))
        port = read.whole_number("PORT", environ.get("PORT", "").strip() or "8000", 1, 65535)
        platform_host = read.platform_host(given.get("PLATFORM_HOST", ""), environment, port)
        scheme = "http" if environment == "development" else "https"
        instance = read.folder("INSTANCE", given.get("INSTANCE", str(CHECKOUT / "instance")))
        database_url = read.database(given.get("DATABASE_URL", f"sqlite:///{instance / 'homeward.sqlite3'}"))
        threads = "1" if database_url.startswith("sqlite") else "4"
        return cls(
            instance=instance,
            database_url=database_url,
            quota_url=read.quota(given.get("QUOTA_URL", f"sqlite:///{instance / 'quotas.sqlite3'}")),
            queue_url=read.queue(given.get("QUEUE_URL", f"sqlite:///{instance / 'queue.sqlite3'}")),
            mail_url=read.mail(given.get("MAIL_URL", f"file://{instance / 'mail'}")),
            media_url=read.media(given.get("MEDIA_URL", str(instance / "media"))),
            secret_key=secret_key(given.get("SECRET_KEY"), instance, environment),
            environment=environment,
            platform_host=platform_host,
            base_url=read.v1_address("BASE_URL", given.get("BASE_URL", f"{scheme}://{platform_host}/v1")),
            staging_base_url=read.v1_address(
                "STAGING_BASE_URL",
                given.get("STAGING_BASE_URL", f"{scheme}://staging.{platform_host}/v1"),
            ),
            port=port,
            workers=read.whole_number(
                f"{PREFIX}WORKERS", given.get("WORKERS", str(os.cpu_count() or 1)), 1, 256
            ),
            threads=read.whole_number(f"{PREFIX}THREADS", given.get("THREADS", threads), 1, 64),
            trusted_proxies=read.networks("TRUSTED_PROXIES", given.get("TRUSTED_PROXIES", "")),
            keep_applications_days=read.whole_number(
                f"{PREFIX}KEEP_APPLICATIONS_DAYS", given.get("KEEP_APPLICATIONS_DAYS", "365"), 1, 36_500
            ),
            dns_servers=read.dns_servers(given.get("DNS_SERVERS", "")),
            cname_target=read.plain_host(
                "CNAME_TARGET", given.get("CNAME_TARGET", platform_host.split(":")[0])
            ),
            edge_addresses=read.addresses("EDGE_ADDRESSES", given.get("EDGE_ADDRESSES", "")),
            caa_issuers=tuple(
                read.plain_host("CAA_ISSUERS", each.strip())
                for each in given.get("CAA_ISSUERS", "letsencrypt.org").split(",")
            ),
            acme_directory=read.directory(given.get("ACME_DIRECTORY", "")),
            acme_ca_bundle=read.file_of_certificates("ACME_CA_BUNDLE", given.get("ACME_CA_BUNDLE", "")),
            acme_email=read.email_address("ACME_EMAIL", given.get("ACME_EMAIL", "")),
            acme_external_account=external_account(
                given.get("ACME_EAB_KEY_ID", ""), given.get("ACME_EAB_HMAC_KEY", "")
            ),
            orders_platform_certificate=read.platform_certificate(
                given.get("PLATFORM_CERTIFICATE", read.EDGE), "ACME_DIRECTORY" in given
            ),
            acme_dns_hook=read.dns_hook(given.get("ACME_DNS_HOOK", "")),
            acme_dns_zone=acme_dns_zone(given, platform_host),
            certificate_keys=certificate_keys(
                given.get("CERTIFICATE_KEY", ""), "ACME_DIRECTORY" in given, instance, environment
            ),
            internal_listen=read.address_and_port(
                "INTERNAL_LISTEN", given.get("INTERNAL_LISTEN", f"127.0.0.1:{port % 65_535 + 1}")
            ),
            edge=read.host_and_port("EDGE", given["EDGE"]) if "EDGE" in given else None,
            operator_email=read.email_address("OPERATOR_EMAIL", given.get("OPERATOR_EMAIL", "")),
        )

    @property
    def platform_url(self) -> str:
        """The address of the platform's own pages, with a slash at its end."""
        scheme = "http" if self.environment == "development" else "https"
        return f"{scheme}://{self.platform_host}/"

    @property
    def platform_name(self) -> str:
        """The platform's host without a port, as DNS and certificates have it."""
        return self.platform_host.partition(":")[0]

    @property
    def orders_certificates(self) -> bool:
        """Whether certificates are ordered for shelters' own domains."""
        return bool(self.acme_directory)

    @property
    def embedded(self) -> bool:
        """Whether the database is the one-file default."""
        return self.database_url.startswith("sqlite")


NAMES = (
    "INSTANCE",
    "DATABASE_URL",
    "QUOTA_URL",
    "QUEUE_URL",
    "MAIL_URL",
    "MEDIA_URL",
    "SECRET_KEY",
    "ENVIRONMENT",
    "PLATFORM_HOST",
    "BASE_URL",
    "STAGING_BASE_URL",
    "WORKERS",
    "THREADS",
    "TRUSTED_PROXIES",
    "KEEP_APPLICATIONS_DAYS",
    "DNS_SERVERS",
    "CNAME_TARGET",
    "CAA_ISSUERS",
    "ACME_DIRECTORY",
    "ACME_CA_BUNDLE",
    "ACME_EMAIL",
    "ACME_EAB_KEY_ID",
    "ACME_EAB_HMAC_KEY",
    "ACME_DNS_HOOK",
    "ACME_DNS_ZONE",
    "PLATFORM_CERTIFICATE",
    "CERTIFICATE_KEY",
    "INTERNAL_LISTEN",
    "EDGE",
    "EDGE_ADDRESSES",
    "OPERATOR_EMAIL",
)


def acme_dns_zone(given: Mapping[str, str], platform_host: str) -> str:
    """Return the zone that is given; by default one below the platform's host where there is a hook."""
    hook = given.get("ACME_DNS_HOOK", "")
    usual = f"_acme.{platform_host.partition(':')[0]}" if hook else ""
    return read.dns_zone(given["ACME_DNS_ZONE"], hook) if "ACME_DNS_ZONE" in given else usual


READERS_OWN = {"KEY"}
"""Where the reference has integrators keep their key."""


def refuse_misspelt(given: Mapping[str, str]) -> None:
    """A setting that nothing reads would be lost without a word: refuse a near miss, warn of any other."""
    for name in sorted(set(given) - set(NAMES) - READERS_OWN):
        right = {"PORT": "PORT", **{each: PREFIX + each for each in NAMES}}
        if near := difflib.get_close_matches(name.upper(), right, n=1, cutoff=0.8):
            raise SettingRefused(f"{PREFIX}{name} is not a setting. Did you mean {right[near[0]]}?")
        print(f"{PREFIX}{name} is not a setting of this version; it is ignored.", file=sys.stderr)
