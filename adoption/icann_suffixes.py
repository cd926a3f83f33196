"""Public suffixes of domain registries: the ICANN section of the Public Suffix List."""

from functools import cache

from publicsuffixlist import PublicSuffixList


@cache
def icann_suffixes() -> PublicSuffixList:
    """Return the suffixes of registries, without the suffixes of hosting services."""
    return PublicSuffixList(accept_unknown=False, only_icann=True)
