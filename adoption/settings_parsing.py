"""What one setting may be: a function for each kind takes the text and gives the value.

All of them raise SettingRefused, with one sentence that names the setting.
"""

import ipaddress
import os
import re
import shlex
import shutil
import ssl
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
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
DNS_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)+")
DNS_ZONE_LONGEST = 253 - 64
"""What is left for a zone beside one label and its dot."""
HOST = re.compile(rf"{LABEL}(\.{LABEL})*(:(?P<port>[0-9]{{1,5}}))?")
BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9!_.*'()/-]*)?")
"""A bucket's name and a prefix of the characters that are safe in one, as Amazon S3's guide has them."""
NOT_IN_PATHS = "?#%"
"""Letters that mean something else in the addresses that are made of a path (RFC 3986)."""
SQLITE = f"sqlite:///FILE without any of {NOT_IN_PATHS} in its whole path"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def environment(text: str) -> str:
    if text not in ENVIRONMENTS:
        raise SettingRefused(f"{PREFIX}ENVIRONMENT must be one of {', '.join(ENVIRONMENTS)}, not {text!r}.")
    return text


def platform_host(given: str, environment: str, port: int) -> str:
    if not given and environment == "production":
        # Without it every address in pages and emails would lead to localhost.
        raise SettingRefused(
            f"{PREFIX}PLATFORM_HOST, such as homeward.example, is required "
            f"when {PREFIX}ENVIRONMENT=production."
        )
    return host("PLATFORM_HOST", given or f"localhost:{port}")


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
    if odd := next((letter for letter in NOT_IN_PATHS if letter in str(path)), None):
        raise SettingRefused(f"{PREFIX}{name} must be a folder without {odd} in its path: {path}.")
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
    raise SettingRefused(f"{PREFIX}DATABASE_URL must be {SQLITE}, or postgresql://USER:PASSWORD@HOST/NAME.")


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
    raise SettingRefused(f"{PREFIX}{name} must be {SQLITE}, or redis://HOST:PORT/NUMBER.")


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
    """The address with its file's whole path; None where it names none, or one that no address can."""
    file = url.removeprefix("sqlite:///")
    if file == url or not file or file.startswith(":"):
        return None
    path = str(Path(file).resolve())
    return None if any(odd in path for odd in NOT_IN_PATHS) else f"sqlite:///{path}"


def v1_address(name: str, text: str) -> str:
    parts = parts_of(text)
    ends_so = parts.path.endswith("/v1") and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not ends_so:
        raise SettingRefused(
            f"{PREFIX}{name} must be an http or https address that ends in /v1, not {text!r}."
        )
    return text


def parts_of(text: str) -> SplitResult:
    """The parts of an address; none of them where it is none."""
    try:
        parts = urlsplit(text)
        if parts.port != 0 and not re.search(r"\s", text):
            return parts
    except ValueError:  # the port is no number, for one
        pass
    return urlsplit("")


def networks(name: str, text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(each.strip()) for each in text.split(",") if each.strip())
    except ValueError as error:
        raise SettingRefused(
            f"{PREFIX}{name} must list addresses or networks such as 10.0.0.0/8, with commas: {error}."
        ) from error


def dns_servers(text: str) -> tuple[tuple[str, int], ...]:
    """Return addresses with their ports, 53 by default."""
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


def addresses(name: str, text: str) -> tuple[str, ...]:
    """Return IP addresses of the internet, IPv4 first, each once."""
    found = set()
    for each in filter(None, map(str.strip, text.split(","))):
        try:
            address = ipaddress.ip_address(each)
        except ValueError as error:
            raise SettingRefused(
                f"{PREFIX}{name} must list IP addresses such as 203.0.113.9 or 2001:db8::9, with commas, "
                f"not {each!r}."
            ) from error
        if address.is_unspecified or address.is_multicast or address.is_link_local:
            raise SettingRefused(f"{PREFIX}{name} must list addresses that visitors can reach, not {each!r}.")
        found.add(address)
    return tuple(map(str, sorted(found, key=lambda each: (each.version, int(each)))))


def address_in(text: str, port: str = "0") -> tuple[str, int] | None:
    """Return an IP address and its port, ``port`` by default. None for another text."""
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
    """Return a host's name or address with its port, 443 by default."""
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


EDGE, SERVICE = "edge", "service"


def platform_certificate(text: str, has_authority: bool) -> bool:
    """Return whether the service orders the platform's own certificate."""
    if text not in (EDGE, SERVICE):
        raise SettingRefused(
            f"{PREFIX}PLATFORM_CERTIFICATE must be {EDGE} (the edge has it in files) or {SERVICE} "
            f"(ordered from the authority), not {text!r}."
        )
    if text == SERVICE and not has_authority:
        raise SettingRefused(f"{PREFIX}PLATFORM_CERTIFICATE={SERVICE} needs {PREFIX}ACME_DIRECTORY.")
    return text == SERVICE


def dns_hook(text: str) -> tuple[str, ...]:
    """Return the words of a command, the first of which is a program that can be run."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SettingRefused(f"{PREFIX}ACME_DNS_HOOK has a quote that is not closed: {text!r}.") from error
    if words and shutil.which(words[0]) is None:
        raise SettingRefused(
            f"{PREFIX}ACME_DNS_HOOK must begin with a program that can be run, not {words[0]!r}."
        )
    return tuple(words)


def dns_zone(text: str, hook: str) -> str:
    """Return a name in DNS, whose labels may have underscores."""
    lowered = text.lower().rstrip(".")
    if not DNS_NAME.fullmatch(lowered) or len(lowered) > DNS_ZONE_LONGEST:
        raise SettingRefused(
            f"{PREFIX}ACME_DNS_ZONE must be a name such as _acme.homeward.example, not {text!r}."
        )
    if not hook:
        raise SettingRefused(f"{PREFIX}ACME_DNS_ZONE needs {PREFIX}ACME_DNS_HOOK.")
    return lowered


def file_of_certificates(name: str, text: str) -> str:
    try:
        if text:
            ssl.create_default_context(cafile=text)
    except OSError as error:  # what is no certificate is one too
        raise SettingRefused(
            f"{PREFIX}{name} must be a file of certificates, PEM, that can be read, not {text!r}."
        ) from error
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
