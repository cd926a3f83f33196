"""Settings of the service, read from the environment at the start."""

import difflib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from adoption import settings_certificates as certificates
from adoption import settings_parsing as parsing
from adoption import settings_secrets as secrets
from adoption.errors import SettingRefused
from adoption.settings_parsing import PREFIX, Network

__all__ = ["NAMES", "PREFIX", "Network", "Settings"]

CHECKOUT = Path(__file__).resolve().parent.parent


def parsed_by(parse: Callable[..., Any], *earlier: str, **limits: int) -> BeforeValidator:
    """Return a validator that parses the text of a setting.

    ``earlier`` contains the names of earlier fields, whose values the parser needs.
    """

    def validate(value: Any, info: ValidationInfo) -> Any:
        try:
            known = (info.data[each] for each in earlier)
            return parse(value, *known, **limits) if isinstance(value, str) else value
        except ValueError as error:
            # Not a ValidationError, which would contain all errors and all values, including secrets.
            alias = Settings.model_fields[str(info.field_name)].alias
            raise SettingRefused(f"{alias} {error}") from error

    return BeforeValidator(validate)


def default_from(make: Callable[[dict[str, Any]], Any], alias: str | None = None) -> Any:
    """Return a default that is computed from earlier fields, and parsed like a text from the environment."""
    return Field(default_factory=make, alias=alias, validate_default=True)


Host = Annotated[str, parsed_by(parsing.parse_host)]
PlainHost = Annotated[str, parsed_by(parsing.parse_plain_host)]
SqliteOrRedis = Annotated[str, parsed_by(parsing.parse_sqlite_or_redis)]
V1Address = Annotated[str, parsed_by(parsing.parse_v1_address)]
EmailAddress = Annotated[str, parsed_by(parsing.parse_email_address)]


class Settings(BaseSettings):
    """All settings, in the order in which they are parsed.

    The environment variable of a setting is its alias. Without an alias, it is ``HOMEWARD_`` and the field's
    name in capitals.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        validate_default=False,
        alias_generator=lambda name: PREFIX + name.upper(),
    )

    environment: Annotated[str, parsed_by(parsing.parse_environment)] = "development"
    port: Annotated[int, parsed_by(parsing.parse_whole_number, least=1, most=65_535)] = Field(
        8000, alias="PORT"
    )
    platform_host: Host = default_from(
        lambda above: parsing.default_platform_host(above["environment"], above["port"])
    )
    """The host and port of the platform's own pages."""
    instance: Annotated[Path, parsed_by(parsing.parse_folder)] = default_from(
        lambda _: str(CHECKOUT / "instance")
    )
    database_url: Annotated[str, parsed_by(parsing.parse_database)] = default_from(
        lambda above: f"sqlite:///{above['instance']}/homeward.sqlite3"
    )
    quota_url: SqliteOrRedis = default_from(lambda above: f"sqlite:///{above['instance']}/quotas.sqlite3")
    queue_url: SqliteOrRedis = default_from(lambda above: f"sqlite:///{above['instance']}/queue.sqlite3")
    mail_url: Annotated[str, parsed_by(parsing.parse_mail)] = default_from(
        lambda above: f"file://{above['instance']}/mail"
    )
    media_url: Annotated[str, parsed_by(parsing.parse_media)] = default_from(
        lambda above: f"{above['instance']}/media"
    )
    """The store for photos: the absolute path of a folder, or ``s3://BUCKET/PREFIX``."""
    secret_key: Annotated[str, parsed_by(secrets.parse_secret_key)] = default_from(
        lambda above: secrets.default_secret_key(above["instance"], above["environment"])
    )
    base_url: V1Address = default_from(
        lambda above: f"{scheme_in(above['environment'])}://{above['platform_host']}/v1"
    )
    staging_base_url: V1Address = default_from(
        lambda above: f"{scheme_in(above['environment'])}://staging.{above['platform_host']}/v1"
    )
    workers: Annotated[int, parsed_by(parsing.parse_whole_number, least=1, most=256)] = os.cpu_count() or 1
    threads: Annotated[int, parsed_by(parsing.parse_whole_number, least=1, most=64)] = default_from(
        lambda above: 1 if above["database_url"].startswith("sqlite") else 4
    )
    trusted_proxies: Annotated[tuple[Network, ...], parsed_by(parsing.parse_networks)] = ()
    keep_applications_days: Annotated[int, parsed_by(parsing.parse_whole_number, least=1, most=36_500)] = 365
    """The number of days from the decision until the personal data in an application is deleted."""
    dns_servers: Annotated[tuple[tuple[str, int], ...], parsed_by(parsing.parse_dns_servers)] = ()
    """The addresses and ports of DNS servers for all queries. By default, the system's resolvers and each
    zone's servers are asked."""
    cname_target: PlainHost = default_from(lambda above: bare_name(above["platform_host"]))
    """The target of CNAME records of shelters' own domains."""
    edge_addresses: Annotated[tuple[str, ...], parsed_by(parsing.parse_addresses)] = ()
    """The edge's IP addresses, for an apex whose DNS provider has no ALIAS record."""
    caa_issuers: Annotated[tuple[str, ...], parsed_by(parsing.parse_plain_hosts)] = ("letsencrypt.org",)
    """The certificate authorities that a domain has to allow. The first is recommended."""
    acme_directory: Annotated[str, parsed_by(certificates.parse_directory)] = ""
    """The URL of the directory of the certificate authority (RFC 8555, 7.1.1); empty without an authority."""
    acme_ca_bundle: Annotated[str, parsed_by(certificates.parse_certificate_file)] = ""
    """The file of root certificates to trust for ``acme_directory``; empty for the system's certificates."""
    acme_email: EmailAddress = ""
    """The email address for messages of the authority; empty for none."""
    acme_eab_key_id: str = ""
    acme_external_account: Annotated[
        secrets.ExternalAccount | None, parsed_by(secrets.parse_external_account, "acme_eab_key_id")
    ] = default_from(lambda _: "", "HOMEWARD_ACME_EAB_HMAC_KEY")
    orders_platform_certificate: Annotated[
        bool, parsed_by(certificates.parse_platform_certificate, "acme_directory")
    ] = Field(False, alias="HOMEWARD_PLATFORM_CERTIFICATE")
    """Whether the service also orders the platform's own certificate. Otherwise the edge has it in files."""
    acme_dns_hook: Annotated[tuple[str, ...], parsed_by(certificates.parse_dns_hook)] = ()
    """The words of the command that sets TXT records for DNS-01; empty without a command."""
    acme_dns_zone: Annotated[str, parsed_by(certificates.parse_dns_zone, "acme_dns_hook")] = Field(
        default_factory=lambda above: (
            f"_acme.{bare_name(above['platform_host'])}" if above["acme_dns_hook"] else ""
        )
    )
    """The zone of the TXT records for shelters' domains; empty without a hook."""
    certificate_keys: Annotated[
        tuple[str, ...],
        parsed_by(secrets.parse_certificate_keys, "acme_directory", "instance", "environment"),
    ] = default_from(lambda _: "", "HOMEWARD_CERTIFICATE_KEY")
    """The Fernet keys for private keys of certificates. The first key encrypts, and all keys decrypt."""
    internal_listen: Annotated[tuple[str, int], parsed_by(parsing.parse_address_and_port)] = default_from(
        lambda above: ("127.0.0.1", above["port"] % 65_535 + 1)
    )
    """The address and port at which only edges fetch certificates."""
    edge: Annotated[tuple[str, int] | None, parsed_by(parsing.parse_host_and_port)] = None
    """The host and port of the TLS edge, for checks of the certificates that visitors get."""
    operator_email: EmailAddress = ""
    """The operator's email address, for alerts, requests for plans and requests for help; may be empty."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read ``HOMEWARD_*`` and ``PORT``. A blank value counts as missing.

        If a setting is invalid, raises SettingRefused, with a sentence that names the first invalid setting.
        """
        given = {
            name: text.strip()
            for name, text in environ.items()
            if text.strip() and (name == "PORT" or name.startswith(PREFIX))
        }
        refuse_misspelt(given)
        return cls.model_validate(given)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *others: PydanticBaseSettingsSource,
        **named: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use only the values that ``from_environment`` passes, because tests pass their own environment."""
        return (init_settings,)

    @property
    def platform_url(self) -> str:
        """The URL of the platform's own pages, with a slash at the end."""
        return f"{scheme_in(self.environment)}://{self.platform_host}/"

    @property
    def platform_name(self) -> str:
        """The platform's host without the port, as in DNS and certificates."""
        return bare_name(self.platform_host)

    @property
    def orders_certificates(self) -> bool:
        """Whether certificates are ordered for shelters' own domains."""
        return bool(self.acme_directory)

    @property
    def embedded(self) -> bool:
        """Whether the database is SQLite, the default."""
        return self.database_url.startswith("sqlite")


def scheme_in(environment: str) -> str:
    return "http" if environment == "development" else "https"


def bare_name(host: str) -> str:
    return host.partition(":")[0]


ALIASES = [str(field.alias) for field in Settings.model_fields.values()]
NAMES = tuple(each.removeprefix(PREFIX) for each in ALIASES if each != "PORT")
API_KEY_OF_READER = f"{PREFIX}KEY"
"""The environment variable for the API key in the examples of the README and the API reference."""


def refuse_misspelt(given: Mapping[str, str]) -> None:
    """Refuse a name that resembles the name of a setting. Warn of any other unknown name."""
    known = {alias.removeprefix(PREFIX): alias for alias in ALIASES}
    for name in sorted(set(given) - set(ALIASES) - {API_KEY_OF_READER}):
        if near := difflib.get_close_matches(name.removeprefix(PREFIX).upper(), known, n=1, cutoff=0.8):
            raise SettingRefused(f"{name} is not a setting. Did you mean {known[near[0]]}?")
        print(f"{name} is not a setting of this version; it is ignored.", file=sys.stderr)
