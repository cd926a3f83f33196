"""The origins of web pages that can use a publishable key (RFC 6454).

An origin is a scheme, a host and a port, such as ``https://adopt.example.org``. In ``https://*.example.org``
the star matches any single label. The check protects a quota, not data: programs can send any ``Origin``.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

import idna

from adoption.errors import Invalid
from adoption.public_suffix_list import suffixes
from adoption.translations import gettext, message, ngettext

ORIGINS_MOST = 20
ORIGIN_LONGEST = 300
ANY_LABEL, ANY_PORT = "*.", "http://localhost:*"
LOCAL_HOSTS = ("localhost", "127.0.0.1")
UNSAFE = re.compile(r"[^\w.:/*-]")

NO_ORIGIN = message(
    "%(address)s is not the address of a website. Enter an address such as https://adopt.example.org."
)
NO_SCHEME = message("Begin %(address)s with https://, as in https://%(address)s.")
NOT_HTTPS = message(
    "%(address)s is not encrypted. Enter the address with https:// if the website supports https."
)
TOO_MUCH = message("Remove what follows the host in %(address)s: enter %(origin)s.")
BAD_STAR = message(
    "In %(address)s the star must be the first part of the host, as in "
    "https://*.example.org. The star means any one part."
)
SHARED_ENDING = message(
    "%(address)s would allow the websites of many owners. Enter a domain of yours, as in https://*.example.org."
)


def read_origins(texts: Iterable[str], is_development: bool) -> list[str]:
    """Return the origins as browsers send them, each once.

    Raises Invalid if an origin is invalid, or if there are no origins or too many. The error has a reason for
    each invalid origin.
    """
    given = [text.strip() for text in texts if text.strip()]
    origins, reasons = dict[str, None](), []
    for text in given:
        try:
            origins[normalise_origin(text, is_development)] = None
        except ValueError as error:
            reasons.append(str(error))
    if not given:
        reasons = [gettext("Enter the address of the website, such as https://adopt.example.org.")]
    elif len(origins) > ORIGINS_MOST:
        reasons.append(
            ngettext(
                "Enter %(num)s website at most. One line such as https://*.example.org covers many.",
                "Enter %(num)s websites at most. One line such as https://*.example.org covers many.",
                ORIGINS_MOST,
            )
        )
    if reasons:
        raise Invalid([("origins", " ".join(reasons[:3]))])
    return list(origins)


def normalise_origin(text: str, is_development: bool) -> str:
    """Return an origin as browsers send it. Raises ValueError with a sentence that says how to fix it."""
    if is_development and text.lower() == ANY_PORT:
        return ANY_PORT
    parts = split_origin(text)
    host = normalise_host(parts, text)
    is_local = is_development and parts.scheme == "http" and host in LOCAL_HOSTS
    if parts.scheme != "https" and not is_local:
        raise origin_error(NOT_HTTPS if parts.scheme == "http" else NO_ORIGIN, text)
    port = "" if parts.port in (None, 443 if parts.scheme == "https" else 80) else f":{parts.port}"
    origin = f"{parts.scheme}://{host}{port}"
    if parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise origin_error(TOO_MUCH, text, origin)
    return origin


def split_origin(text: str) -> SplitResult:
    if "//" not in text and "." in text and not UNSAFE.search(text):
        raise origin_error(NO_SCHEME, text)
    try:
        parts = urlsplit(text)
        if len(text) > ORIGIN_LONGEST or not parts.hostname or parts.port == 0:
            raise origin_error(NO_ORIGIN, text)
    except ValueError as error:
        raise origin_error(NO_ORIGIN, text) from error
    return parts


def normalise_host(parts: SplitResult, text: str) -> str:
    """Return the host in punycode and lower case. A star is kept as the first label."""
    host = (parts.hostname or "").removesuffix(".")
    star = ANY_LABEL if host.startswith(ANY_LABEL) else ""
    rest = host.removeprefix(star)
    if "*" in rest:
        raise origin_error(BAD_STAR, text)
    try:
        rest = idna.encode(rest, uts46=True, std3_rules=True).decode()
    except (idna.IDNAError, UnicodeError, IndexError) as error:
        raise origin_error(NO_ORIGIN, text) from error
    if star and ("." not in rest or suffixes().publicsuffix(rest) == rest):
        raise origin_error(SHARED_ENDING, text)
    return star + rest


def origin_error(sentence: str, text: str, origin: str = "") -> ValueError:
    shown = text if len(text) <= 60 else text[:60] + "…"
    return ValueError(gettext(sentence, address=shown, origin=origin))


@lru_cache(1_000)  # the pages of one website send the same origin
def is_origin_allowed(origin: str, allowed: str) -> bool:
    """Return whether a browser's ``Origin`` is one of the ``allowed`` origins, separated by spaces."""
    return any(
        re.fullmatch(re.escape(each).replace(r"\*", "[0-9a-z_-]+"), origin) for each in allowed.split()
    )
