"""The Public Suffix List, with or without the suffixes of hosting services."""

from functools import cache

from publicsuffixlist import PublicSuffixList


@cache
def suffixes() -> PublicSuffixList:
    """Return all suffixes: of registries, and of hosting services such as ``github.io``."""
    return PublicSuffixList()


@cache
def icann_suffixes() -> PublicSuffixList:
    """Return the suffixes of registries, without the suffixes of hosting services."""
    return PublicSuffixList(accept_unknown=False, only_icann=True)
