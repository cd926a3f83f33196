"""Functions of host names: Unicode form, registrable domain, parents, and names of DNS records."""

import idna

from adoption.public_suffix_list import suffixes


def display_host(host: str) -> str:
    """Return the host in Unicode instead of punycode, for people."""
    try:
        return str(idna.decode(host))
    except (idna.IDNAError, UnicodeError):
        return host


def registrable(host: str) -> str | None:
    """Return the registrable domain of a host, such as ``example.co.uk``; None for a public suffix."""
    found: str | None = suffixes().privatesuffix(host)
    return found


def is_apex(host: str) -> bool:
    return registrable(host) == host


def record_name(host: str, before: str = "", zone: str = "") -> str:
    """Return a record's name for a provider's form, relative to its zone.

    The zone is the registrable domain unless ``zone`` is given. ``@`` means the zone itself. ``before`` is a
    label to prepend, such as ``_homeward`` for a TXT record.
    """
    zone = zone or registrable(host) or host
    left = host.removesuffix(zone).rstrip(".")
    return ".".join(part for part in (before, left) if part) or "@"


def www_partner(host: str) -> str | None:
    """Return ``www.example.org`` for ``example.org``, and vice versa; None for other hosts."""
    if is_apex(host):
        return f"www.{host}"
    rest = host.removeprefix("www.")
    return rest if rest != host and is_apex(rest) else None


def host_and_parents(host: str) -> list[str]:
    """Return the host and all its parents, with the nearest parent first."""
    labels = host.split(".")
    return [".".join(labels[at:]) for at in range(len(labels))]


def reversed_labels(host: str) -> str:
    """Return the labels of a host in reverse, each with a dot: ``org.example.`` for ``example.org``.

    All names below the host begin with this text.
    """
    return "".join(f"{label}." for label in reversed(host.split(".")))
