"""Public suffixes of domain registries: the list of ICANN's part of publicsuffix.org."""

from functools import cache

from publicsuffixlist import PublicSuffixList


@cache
def icann_suffixes() -> PublicSuffixList:
    """Return the suffixes of registries, without those of hosting services."""
    return PublicSuffixList(accept_unknown=False, only_icann=True)
