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
    """Parse the text of a setting. ``earlier`` names fields above it whose values the parser needs."""

    def validate(value: Any, info: ValidationInfo) -> Any:
        try:
            known = (info.data[each] for each in earlier)
            return parse(value, *known, **limits) if isinstance(value, str) else value
        except ValueError as error:
            # Not a ValidationError, which would collect all errors and show the values, some of them secret.
            alias = Settings.model_fields[str(info.field_name)].alias
            raise SettingRefused(f"{alias} {error}") from error

    return BeforeValidator(validate)


def default_from(make: Callable[[dict[str, Any]], Any], alias: str | None = None) -> Any:
    """Return a default that is made from the fields above, and parsed like a given text."""
    return Field(default_factory=make, alias=alias, validate_default=True)


Host = Annotated[str, parsed_by(parsing.parse_host)]
PlainHost = Annotated[str, parsed_by(parsing.parse_plain_host)]
SqliteOrRedis = Annotated[str, parsed_by(parsing.parse_sqlite_or_redis)]
V1Address = Annotated[str, parsed_by(parsing.parse_v1_address)]
EmailAddress = Annotated[str, parsed_by(parsing.parse_email_address)]


class Settings(BaseSettings):
    """All settings, in the order in which they are parsed.

    In the environment each is ``HOMEWARD_`` and the field's name in capitals, if it has no alias.
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
    """Host and port of the platform's own pages."""
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
    """Where photos are stored: the absolute path of a folder, or ``s3://BUCKET/PREFIX``."""
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
    """Days after the decision until the personal data in an application is deleted."""
    dns_servers: Annotated[tuple[tuple[str, int], ...], parsed_by(parsing.parse_dns_servers)] = ()
    """Addresses and ports for all DNS queries; by default the system's resolvers and each zone's servers."""
    cname_target: PlainHost = default_from(lambda above: bare_name(above["platform_host"]))
    """The CNAME target of shelters' own domains."""
    edge_addresses: Annotated[tuple[str, ...], parsed_by(parsing.parse_addresses)] = ()
    """The edge's IP addresses, for an apex whose DNS provider has no ALIAS record."""
    caa_issuers: Annotated[tuple[str, ...], parsed_by(parsing.parse_plain_hosts)] = ("letsencrypt.org",)
    """The certificate authorities that a domain has to allow. The first is recommended."""
    acme_directory: Annotated[str, parsed_by(certificates.parse_directory)] = ""
    """Address of the authority that issues certificates (RFC 8555, 7.1.1); empty for none."""
    acme_ca_bundle: Annotated[str, parsed_by(certificates.parse_certificate_file)] = ""
    """A file of root certificates to trust for that address; empty for the system's."""
    acme_email: EmailAddress = ""
    """Address that the authority emails; may be empty."""
    acme_eab_key_id: str = ""
    acme_external_account: Annotated[
        secrets.ExternalAccount | None, parsed_by(secrets.parse_external_account, "acme_eab_key_id")
    ] = default_from(lambda _: "", "HOMEWARD_ACME_EAB_HMAC_KEY")
    orders_platform_certificate: Annotated[
        bool, parsed_by(certificates.parse_platform_certificate, "acme_directory")
    ] = Field(False, alias="HOMEWARD_PLATFORM_CERTIFICATE")
    """Whether the platform's own certificate is ordered too, instead of being in files at the edge."""
    acme_dns_hook: Annotated[tuple[str, ...], parsed_by(certificates.parse_dns_hook)] = ()
    """The words of the command that sets TXT records for DNS-01; empty for none."""
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
    """Fernet keys for private keys: the first encrypts, all decrypt."""
    internal_listen: Annotated[tuple[str, int], parsed_by(parsing.parse_address_and_port)] = default_from(
        lambda above: ("127.0.0.1", above["port"] % 65_535 + 1)
    )
    """Address and port where only edges fetch certificates."""
    edge: Annotated[tuple[str, int] | None, parsed_by(parsing.parse_host_and_port)] = None
    """Host and port of the TLS edge, to check the certificates that visitors get."""
    operator_email: EmailAddress = ""
    """Address for alerts, requests for plans, and people who need help; may be empty."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read ``HOMEWARD_*`` and ``PORT``. A blank value counts as missing.

        Raise SettingRefused, with one sentence that names the setting, for the first invalid one.
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
        """Use only what ``from_environment`` passes: tests pass an environment of their own."""
        return (init_settings,)

    @property
    def platform_url(self) -> str:
        """The address of the platform's own pages, with a slash at its end."""
        return f"{scheme_in(self.environment)}://{self.platform_host}/"

    @property
    def platform_name(self) -> str:
        """The platform's host without a port, as in DNS and certificates."""
        return bare_name(self.platform_host)

    @property
    def orders_certificates(self) -> bool:
        """Whether certificates are ordered for shelters' own domains."""
        return bool(self.acme_directory)

    @property
    def embedded(self) -> bool:
        """Whether the database is the one-file default."""
        return self.database_url.startswith("sqlite")


def scheme_in(environment: str) -> str:
    return "http" if environment == "development" else "https"


def bare_name(host: str) -> str:
    return host.partition(":")[0]


ALIASES = [str(field.alias) for field in Settings.model_fields.values()]
NAMES = tuple(each.removeprefix(PREFIX) for each in ALIASES if each != "PORT")
API_KEY_OF_READER = f"{PREFIX}KEY"
"""The variable in the examples of README and API reference, which readers set to their API key."""


def refuse_misspelt(given: Mapping[str, str]) -> None:
    """Refuse a name that resembles a setting's, and warn of any other unknown name."""
    known = {alias.removeprefix(PREFIX): alias for alias in ALIASES}
    for name in sorted(set(given) - set(ALIASES) - {API_KEY_OF_READER}):
        if near := difflib.get_close_matches(name.removeprefix(PREFIX).upper(), known, n=1, cutoff=0.8):
            raise SettingRefused(f"{name} is not a setting. Did you mean {known[near[0]]}?")
        print(f"{name} is not a setting of this version; it is ignored.", file=sys.stderr)
