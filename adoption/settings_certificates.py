"""Parsers of the settings for certificates. They raise ValueError like the parsers in settings_parsing."""

import re
import shlex
import shutil
import ssl

from adoption.errors import SettingRefused
from adoption.settings_parsing import PREFIX, split_address

DNS_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)+")
DNS_ZONE_LONGEST = 253 - 64
"""The maximum length of a zone: it leaves room for one label and its dot."""


def parse_directory(text: str) -> str:
    parts = split_address(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"must be the https address of an authority's directory, not {text!r}.")
    return text


def parse_platform_certificate(text: str, has_authority: bool) -> bool:
    """Return whether the service orders the platform's own certificate."""
    if text not in ("edge", "service"):
        raise ValueError(
            "must be 'edge' (the edge reads the certificate from files) or 'service' (this "
            f"service orders the certificate), not {text!r}."
        )
    if text == "service" and not has_authority:
        raise SettingRefused(f"{PREFIX}PLATFORM_CERTIFICATE=service needs {PREFIX}ACME_DIRECTORY.")
    return text == "service"


def parse_dns_hook(text: str) -> tuple[str, ...]:
    """Return the words of a command whose first word is an executable program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"has a quote that is not closed: {text!r}.") from error
    if words and shutil.which(words[0]) is None:
        raise ValueError(f"must begin with a program that can be run, not {words[0]!r}.")
    return tuple(words)


def parse_dns_zone(text: str, has_hook: bool) -> str:
    """Return a DNS name. Its labels can contain underscores."""
    lowered = text.lower().rstrip(".")
    if not DNS_NAME.fullmatch(lowered) or len(lowered) > DNS_ZONE_LONGEST:
        raise ValueError(f"must be a name such as _acme.homeward.example, not {text!r}.")
    if not has_hook:
        raise ValueError(f"needs {PREFIX}ACME_DNS_HOOK.")
    return lowered


def parse_certificate_file(text: str) -> str:
    try:
        ssl.create_default_context(cafile=text)
    except OSError as error:  # including a file without certificates
        raise ValueError(f"must be a readable PEM file with certificates, not {text!r}.") from error
    return text
