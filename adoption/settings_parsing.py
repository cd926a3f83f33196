"""Parsers of settings: each parser takes the text of one setting and returns its value.

A parser raises ValueError if the text is invalid. The message continues a sentence that begins with the
setting's name.
"""

import ipaddress
import os
import re
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
HOST = re.compile(rf"{LABEL}(\.{LABEL})*(:(?P<port>[0-9]{{1,5}}))?")
BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9!_.*'()/-]*)?")
"""The pattern of a bucket's name with a prefix. The prefix has only characters that Amazon S3's guide lists
as safe."""
NOT_IN_PATHS = "?#%"
"""Characters that a path cannot contain, because they have a special meaning in URLs (RFC 3986)."""
SQLITE = f"sqlite:///FILE, whose absolute path contains none of {NOT_IN_PATHS}"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_environment(text: str) -> str:
    if text not in ENVIRONMENTS:
        raise ValueError(f"must be one of {', '.join(ENVIRONMENTS)}, not {text!r}.")
    return text


def default_platform_host(environment: str, port: int) -> str:
    if environment == "production":
        # With localhost, every URL in pages and emails would be wrong.
        raise SettingRefused(
            f"{PREFIX}PLATFORM_HOST, such as homeward.example, is required "
            f"when {PREFIX}ENVIRONMENT=production."
        )
    return f"localhost:{port}"


def parse_whole_number(text: str, least: int, most: int) -> int:
    if not (re.fullmatch(r"[0-9]{1,6}", text) and least <= int(text) <= most):
        raise ValueError(f"must be a whole number from {least} to {most}, not {text!r}.")
    return int(text)


def parse_host(text: str) -> str:
    lowered = text.lower()
    found = HOST.fullmatch(lowered)
    if not found or int(found["port"] or 1) not in range(1, 65536):
        raise ValueError(f"must be a bare host such as homeward.example or localhost:8000, not {text!r}.")
    return lowered


def parse_plain_host(text: str) -> str:
    """Return a host without a port, in lower case."""
    found = parse_host(text)
    if ":" in found:
        raise ValueError(f"must be a host without a port, not {text!r}.")
    return found


def parse_plain_hosts(text: str) -> tuple[str, ...]:
    return tuple(parse_plain_host(each.strip()) for each in text.split(","))


def parse_folder(text: str) -> Path:
    """Return the absolute path of a folder, which is created if it is missing."""
    try:
        path = Path(text).expanduser().resolve()
    except (RuntimeError, ValueError) as error:
        raise ValueError(f"must be a folder, not {text!r}.") from error
    if odd := next((letter for letter in NOT_IN_PATHS if letter in str(path)), None):
        raise ValueError(f"must be a folder whose path does not contain {odd!r}, but the path is {path}.")
    try:
        # Private to this user, because the folder contains people's addresses, notes and the secret key.
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"must be a folder that can be written: {path} ({error.strerror}).") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ValueError(f"must be a folder that can be written: {path}.")
    return path


def parse_database(url: str) -> str:
    if url.startswith("postgres://"):
        url = url.replace("postgres://", "postgresql://", 1)
    if url.startswith("postgresql://"):
        try:
            conninfo.conninfo_to_dict(url)
            make_url(url)
            return url.replace("postgresql://", "postgresql+psycopg://", 1)
        except (ArgumentError, ProgrammingError, ValueError):
            pass
    elif at := resolve_sqlite_url(url):
        return at
    raise ValueError(f"must be {SQLITE}, or postgresql://USER:PASSWORD@HOST/NAME.")


def parse_sqlite_or_redis(url: str) -> str:
    if url.startswith(("redis://", "rediss://", "unix://")):
        try:
            number = urlsplit(url).path.strip("/") if url.startswith("redis") else ""
            Redis.from_url(url)
            if number == "" or number.isdecimal():
                return url
        except (ValueError, TypeError):
            pass
    elif at := resolve_sqlite_url(url):
        return at
    raise ValueError(f"must be {SQLITE}, or redis://HOST:PORT/NUMBER.")


def resolve_sqlite_url(url: str) -> str | None:
    """Return the URL with its file's absolute path; None if there is no file, or the path has a special
    character."""
    file = url.removeprefix("sqlite:///")
    if file == url or not file or file.startswith(":"):
        return None
    path = str(Path(file).resolve())
    return None if any(odd in path for odd in NOT_IN_PATHS) else f"sqlite:///{path}"


def parse_mail(url: str) -> str:
    try:
        parts = urlsplit(url)
        to_server = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.path in ("", "/")
        to_files = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
        alone = parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:  # the port is not a number, or is too large
        to_server = to_files = alone = False
    if alone and (to_server or to_files) and (parts.username is None) == (parts.password is None):
        return url
    # The value is not in the error, because it may contain a password.
    raise ValueError(
        "must be smtp://USER:PASSWORD@HOST:PORT, smtps://… or file:///FOLDER. Give both a "
        "user name and a password, or neither."
    )


def parse_media(url: str) -> str:
    if BUCKET.fullmatch(url):
        return url.rstrip("/")
    path = url2pathname(url.removeprefix("file://")) if url.startswith("file:///") else url
    if "://" in path:
        raise ValueError("must be a folder or s3://BUCKET/PREFIX.")
    return str(parse_folder(path))


def parse_v1_address(text: str) -> str:
    parts = split_address(text)
    ends_so = parts.path.endswith("/v1") and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not ends_so:
        raise ValueError(f"must be an http or https address that ends in /v1, not {text!r}.")
    return text


def split_address(text: str) -> SplitResult:
    """Return the parts of a URL. For an invalid URL, all parts are empty."""
    try:
        parts = urlsplit(text)
        if parts.port != 0 and not re.search(r"\s", text):
            return parts
    except ValueError:  # for example, the port is not a number
        pass
    return urlsplit("")


def parse_networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(each) for each in split_list(text))
    except ValueError as error:
        raise ValueError(
            f"must be addresses or networks, separated by commas, such as 10.0.0.0/8: {error}."
        ) from error


def split_list(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def parse_dns_servers(text: str) -> tuple[tuple[str, int], ...]:
    """Return addresses with their ports. The default port is 53."""
    found = []
    for each in split_list(text):
        at = split_port(each, "53")
        if at is None:
            raise ValueError(
                f"must be addresses with ports, separated by commas, such as 127.0.0.1:53, not {each!r}."
            )
        found.append(at)
    return tuple(found)


def parse_addresses(text: str) -> tuple[str, ...]:
    """Return public IP addresses, IPv4 first, without duplicates."""
    found = set()
    for each in split_list(text):
        try:
            address = ipaddress.ip_address(each)
        except ValueError as error:
            raise ValueError(
                "must be IP addresses, separated by commas, such as 203.0.113.9 or 2001:db8::9, "
                f"not {each!r}."
            ) from error
        if address.is_unspecified or address.is_multicast or address.is_link_local:
            raise ValueError(f"must be addresses that visitors can reach, not {each!r}.")
        found.add(address)
    return tuple(map(str, sorted(found, key=lambda each: (each.version, int(each)))))


def split_port(text: str, default_port: str = "0") -> tuple[str, int] | None:
    """Return an IP address and its port; None if either is invalid."""
    match = re.fullmatch(r"(\[(?P<six>[^]]+)\]|(?P<four>[^:]+))(:(?P<port>[0-9]{1,5}))?", text)
    if match is None:
        return None
    number = int(match["port"] or default_port)
    try:
        address = ipaddress.ip_address(match["six"] or match["four"])
    except ValueError:
        return None
    return (str(address), number) if 1 <= number <= 65_535 else None


def parse_address_and_port(text: str) -> tuple[str, int]:
    at = split_port(text)
    if at is None:
        raise ValueError(f"must be an address with a port such as 127.0.0.1:8001, not {text!r}.")
    return at


def parse_host_and_port(text: str) -> tuple[str, int]:
    """Return a host or an IP address with its port. The default port is 443."""
    at = split_port(text, "443")
    if at is not None:
        return at
    bare, _, port = parse_host(text).partition(":")
    return bare, int(port or 443)


def parse_email_address(text: str) -> str:
    if not re.fullmatch(r"[^@\s,]+@[^@\s,]+", text):
        raise ValueError(f"must be an e-mail address, not {text!r}.")
    return text
