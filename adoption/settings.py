"""Every setting, read once from the environment and refused at the start when it is wrong."""

import base64
import contextlib
import difflib
import ipaddress
import os
import re
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from urllib.request import url2pathname

from psycopg import ProgrammingError, conninfo
from redis import Redis
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from adoption.errors import SettingRefused

PREFIX = "HOMEWARD_"
ENVIRONMENTS = ("development", "staging", "production")
CHECKOUT = Path(__file__).resolve().parent.parent
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"{LABEL}(\.{LABEL})*(:(?P<port>[0-9]{{1,5}}))?")
BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9!_.*'()/-]*)?")
"""A bucket's name and a prefix of the characters that are safe in one, as Amazon S3's guide has them."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


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
    caa_issuers: tuple[str, ...]
    """The certificate authorities that a domain has to allow, the first of which is recommended."""
    acme_directory: str
    """Address of the authority that certificates are ordered from (RFC 8555, 7.1.1); empty for none."""
    acme_ca_bundle: str
    """The file of certificates by which that address is trusted; empty for those of the system."""
    acme_email: str
    """Whom the authority writes to; may be empty."""
    certificate_keys: tuple[str, ...]
    """Fernet keys that private keys are kept under: the first seals, all open."""
    internal_listen: tuple[str, int]
    """Address and port where edges, and nobody else, get certificates."""
    edge: tuple[str, int] | None
    """Host and port of the TLS edge, to see certificates as visitors do."""

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
        environment = given.get("ENVIRONMENT", "development")
        if environment not in ENVIRONMENTS:
            raise SettingRefused(
                f"{PREFIX}ENVIRONMENT must be one of {', '.join(ENVIRONMENTS)}, not {environment!r}."
            )
        port = whole_number("PORT", environ.get("PORT", "").strip() or "8000", 1, 65535)
        if environment == "production" and "PLATFORM_HOST" not in given:
            # Every address that is told to the outside would lead to localhost.
            raise SettingRefused(
                f"{PREFIX}PLATFORM_HOST, such as homeward.example, is required "
                f"when {PREFIX}ENVIRONMENT=production."
            )
        platform_host = host("PLATFORM_HOST", given.get("PLATFORM_HOST", f"localhost:{port}"))
        scheme = "http" if environment == "development" else "https"
        instance = folder("INSTANCE", given.get("INSTANCE", str(CHECKOUT / "instance")))
        database_url = database(given.get("DATABASE_URL", f"sqlite:///{instance / 'homeward.sqlite3'}"))
        threads = "1" if database_url.startswith("sqlite") else "2"
        return cls(
            instance=instance,
            database_url=database_url,
            quota_url=quota(given.get("QUOTA_URL", f"sqlite:///{instance / 'quotas.sqlite3'}")),
            queue_url=queue(given.get("QUEUE_URL", f"sqlite:///{instance / 'queue.sqlite3'}")),
            mail_url=mail(given.get("MAIL_URL", f"file://{instance / 'mail'}")),
            media_url=media(given.get("MEDIA_URL", str(instance / "media"))),
            secret_key=secret_key(given.get("SECRET_KEY"), instance, environment),
            environment=environment,
            platform_host=platform_host,
            base_url=v1_address("BASE_URL", given.get("BASE_URL", f"{scheme}://{platform_host}/v1")),
            staging_base_url=v1_address(
                "STAGING_BASE_URL",
                given.get("STAGING_BASE_URL", f"{scheme}://staging.{platform_host}/v1"),
            ),
            port=port,
            workers=whole_number(f"{PREFIX}WORKERS", given.get("WORKERS", str(os.cpu_count() or 1)), 1, 256),
            threads=whole_number(f"{PREFIX}THREADS", given.get("THREADS", threads), 1, 64),
            trusted_proxies=networks("TRUSTED_PROXIES", given.get("TRUSTED_PROXIES", "")),
            keep_applications_days=whole_number(
                f"{PREFIX}KEEP_APPLICATIONS_DAYS", given.get("KEEP_APPLICATIONS_DAYS", "365"), 1, 36_500
            ),
            dns_servers=dns_servers(given.get("DNS_SERVERS", "")),
            cname_target=plain_host("CNAME_TARGET", given.get("CNAME_TARGET", platform_host.split(":")[0])),
            caa_issuers=tuple(
                plain_host("CAA_ISSUERS", each.strip())
                for each in given.get("CAA_ISSUERS", "letsencrypt.org").split(",")
            ),
            acme_directory=directory(given.get("ACME_DIRECTORY", "")),
            acme_ca_bundle=readable_file("ACME_CA_BUNDLE", given.get("ACME_CA_BUNDLE", "")),
            acme_email=email_address("ACME_EMAIL", given.get("ACME_EMAIL", "")),
            certificate_keys=certificate_keys(given, instance, environment),
            internal_listen=address_and_port(
                "INTERNAL_LISTEN", given.get("INTERNAL_LISTEN", f"127.0.0.1:{port % 65_535 + 1}")
            ),
            edge=host_and_port("EDGE", given["EDGE"]) if "EDGE" in given else None,
        )

    @property
    def platform_url(self) -> str:
        """The address of the platform's own pages, with a slash at its end."""
        scheme = "http" if self.environment == "development" else "https"
        return f"{scheme}://{self.platform_host}/"

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
    "CERTIFICATE_KEY",
    "INTERNAL_LISTEN",
    "EDGE",
)


READERS_OWN = {"KEY"}
"""Where the reference has integrators keep their key."""


def refuse_misspelt(given: Mapping[str, str]) -> None:
    """A setting that nothing reads would be lost without a word: refuse a near miss, warn of any other."""
    for name in sorted(set(given) - set(NAMES) - READERS_OWN):
        near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.8)
        if near:
            raise SettingRefused(f"{PREFIX}{name} is not a setting. Did you mean {PREFIX}{near[0]}?")
        print(f"{PREFIX}{name} is not a setting of this version; it is ignored.", file=sys.stderr)


def whole_number(name: str, text: str, least: int, most: int) -> int:
    if not (re.fullmatch(r"[0-9]{1,6}", text) and least <= int(text) <= most):
        raise SettingRefused(f"{name} must be a whole number from {least} to {most}, not {text!r}.")
    return int(text)


def host(name: str, text: str) -> str:
    lowered = text.lower()
    found = HOST.fullmatch(lowered)
    if not found or int(found["port"] or 1) not in range(1, 65536):
        raise SettingRefused(
            f"{PREFIX}{name} must be a bare host such as homeward.example or localhost:8000, not {text!r}."
        )
    return lowered


def folder(name: str, text: str) -> Path:
    try:
        path = Path(text).expanduser().resolve()
    except (RuntimeError, ValueError) as error:
        raise SettingRefused(f"{PREFIX}{name} must be a folder, not {text!r}.") from error
    if "?" in str(path):
        raise SettingRefused(f"{PREFIX}{name} must be a folder without a question mark in its path: {path}.")
    try:
        # What is kept here is for nobody else on the machine: addresses of people, notes, the secret key.
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingRefused(
            f"{PREFIX}{name} must be a folder that can be written: {path} ({error.strerror})."
        ) from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise SettingRefused(f"{PREFIX}{name} must be a folder that can be written: {path}.")
    return path


def database(url: str) -> str:
    if url.startswith("postgres://"):
        url = url.replace("postgres://", "postgresql://", 1)
    if url.startswith("postgresql://"):
        try:
            conninfo.conninfo_to_dict(url)
            make_url(url)
            return url.replace("postgresql://", "postgresql+psycopg://", 1)
        except (ArgumentError, ProgrammingError, ValueError):
            pass
    elif at := sqlite_file(url):
        return at
    raise SettingRefused(
        f"{PREFIX}DATABASE_URL must be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."
    )


def quota(url: str) -> str:
    return sqlite_or_redis("QUOTA_URL", url)


def queue(url: str) -> str:
    return sqlite_or_redis("QUEUE_URL", url)


def sqlite_or_redis(name: str, url: str) -> str:
    if url.startswith(("redis://", "rediss://", "unix://")):
        try:
            number = urlsplit(url).path.strip("/") if url.startswith("redis") else ""
            Redis.from_url(url)
            if number == "" or number.isdecimal():
                return url
        except (ValueError, TypeError):
            pass
    elif at := sqlite_file(url):
        return at
    raise SettingRefused(f"{PREFIX}{name} must be sqlite:///FILE or redis://HOST:PORT/NUMBER.")


def mail(url: str) -> str:
    try:
        parts = urlsplit(url)
        to_server = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.path in ("", "/")
        to_files = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
        alone = parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:  # the port is no number, or too large for one
        to_server = to_files = alone = False
    if alone and (to_server or to_files) and (parts.username is None) == (parts.password is None):
        return url
    # Not repeated: it may hold a password.
    raise SettingRefused(
        f"{PREFIX}MAIL_URL must be smtp://USER:PASSWORD@HOST:PORT, smtps://… or file:///FOLDER; "
        "the name and the password may be left out together."
    )


def media(url: str) -> str:
    if BUCKET.fullmatch(url):
        return url.rstrip("/")
    path = url2pathname(url.removeprefix("file://")) if url.startswith("file:///") else url
    if "://" in path:
        raise SettingRefused(f"{PREFIX}MEDIA_URL must be a folder or s3://BUCKET/PREFIX.")
    return str(folder("MEDIA_URL", path))


def sqlite_file(url: str) -> str | None:
    """The address with its file's whole path; None where it names no file."""
    file = url.removeprefix("sqlite:///")
    if file == url or not file or file.startswith(":") or "?" in file:
        return None
    return f"sqlite:///{Path(file).resolve()}"


def v1_address(name: str, text: str) -> str:
    parts = parts_of(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or not parts.path.endswith("/v1"):
        raise SettingRefused(
            f"{PREFIX}{name} must be an http or https address that ends in /v1, not {text!r}."
        )
    return text


def parts_of(text: str) -> SplitResult:
    """The parts of an address; none of them where it is none."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")


def networks(name: str, text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(each.strip()) for each in text.split(",") if each.strip())
    except ValueError as error:
        raise SettingRefused(
            f"{PREFIX}{name} must list addresses or networks such as 10.0.0.0/8, with commas: {error}."
        ) from error


def dns_servers(text: str) -> tuple[tuple[str, int], ...]:
    """Addresses with their ports, which are 53 where none is told."""
    found = []
    for each in filter(None, map(str.strip, text.split(","))):
        at = address_in(each, "53")
        if at is None:
            raise SettingRefused(
                f"{PREFIX}DNS_SERVERS must list addresses with ports such as 127.0.0.1:53, "
                f"with commas, not {each!r}."
            )
        found.append(at)
    return tuple(found)


def address_in(text: str, port: str = "0") -> tuple[str, int] | None:
    """An IP address and a port, which is ``port`` where none is told; None where it is none."""
    match = re.fullmatch(r"(\[(?P<six>[^]]+)\]|(?P<four>[^:]+))(:(?P<port>[0-9]{1,5}))?", text)
    if match is None:
        return None
    number = int(match["port"] or port)
    try:
        address = ipaddress.ip_address(match["six"] or match["four"])
    except ValueError:
        return None
    return (str(address), number) if 1 <= number <= 65_535 else None


def address_and_port(name: str, text: str) -> tuple[str, int]:
    at = address_in(text)
    if at is None:
        raise SettingRefused(
            f"{PREFIX}{name} must be an address with a port such as 127.0.0.1:8001, not {text!r}."
        )
    return at


def host_and_port(name: str, text: str) -> tuple[str, int]:
    """A host's name or address with a port; 443 where none is told."""
    at = address_in(text, "443")
    if at is not None:
        return at
    bare, _, port = host(name, text).partition(":")
    return bare, int(port or 443)


def directory(text: str) -> str:
    parts = parts_of(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise SettingRefused(
            f"{PREFIX}ACME_DIRECTORY must be the https address of an authority's directory, not {text!r}."
        )
    return text


def readable_file(name: str, text: str) -> str:
    if text and not os.access(text, os.R_OK):
        raise SettingRefused(f"{PREFIX}{name} must be a file that can be read, not {text!r}.")
    return text


def email_address(name: str, text: str) -> str:
    if text and not re.fullmatch(r"[^@\s,]+@[^@\s,]+", text):
        raise SettingRefused(f"{PREFIX}{name} must be an e-mail address, not {text!r}.")
    return text


def plain_host(name: str, text: str) -> str:
    """A host without a port, in small letters."""
    found = host(name, text)
    if ":" in found:
        raise SettingRefused(f"{PREFIX}{name} must be a host without a port, not {text!r}.")
    return found


def secret_key(given: str | None, instance: Path, environment: str) -> str:
    """The given key, or outside production one that is made on the first start and kept in ``instance``."""
    if given:
        if len(given) < 32:
            raise SettingRefused(f"{PREFIX}SECRET_KEY must have 32 characters or more.")
        return given
    if environment == "production":
        raise SettingRefused(f"{PREFIX}SECRET_KEY is required when {PREFIX}ENVIRONMENT=production.")
    key = kept_secret(instance / "secret_key", secrets.token_urlsafe(48))
    if len(key) < 32:
        raise SettingRefused(
            f"{PREFIX}SECRET_KEY is kept in {instance / 'secret_key'}, which is too short. Remove that file."
        )
    return key


def certificate_keys(given: Mapping[str, str], instance: Path, environment: str) -> tuple[str, ...]:
    """The given keys; where none is needed, none, and outside production one that is kept as above."""
    keys = tuple(filter(None, map(str.strip, given.get("CERTIFICATE_KEY", "").split(","))))
    if not keys and "ACME_DIRECTORY" in given:
        if environment == "production":
            raise SettingRefused(
                f"{PREFIX}CERTIFICATE_KEY is required when {PREFIX}ENVIRONMENT=production "
                f"and {PREFIX}ACME_DIRECTORY is set."
            )
        fresh = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
        keys = (kept_secret(instance / "certificate_key", fresh),)
    if not all(map(is_fernet_key, keys)):
        # Not repeated: it is a secret.
        raise SettingRefused(
            f"{PREFIX}CERTIFICATE_KEY must be a Fernet key, 32 bytes in URL-safe base64; several with "
            "commas, the newest first."
        )
    return keys


def is_fernet_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, altchars=b"-_", validate=True)) == 32
    except ValueError:
        return False


def kept_secret(file: Path, fresh: str) -> str:
    """What the file holds; on the first start that is ``fresh``."""
    try:
        if not file.exists():
            # Whole from its first moment on, for whoever else starts now.
            own = file.with_name(f"{file.name}.{os.getpid()}")
            with os.fdopen(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
                opened.write(fresh)
            with contextlib.suppress(FileExistsError):
                file.hardlink_to(own)
            own.unlink()
        return file.read_text()
    except OSError as error:
        raise SettingRefused(
            f"{PREFIX}INSTANCE must be a folder that can be written: {file.parent} ({error.strerror})."
        ) from error
