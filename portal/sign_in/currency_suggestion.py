"""The currency that a browser's language suggests."""

from flask import request

from adoption.projects.currencies import CURRENCIES, DEFAULT_CURRENCY


def suggested_currency() -> str:
    """Return the currency for a visitor's region.

    The regions come from the browser's preferred languages. The first region that has a supported
    currency decides. Without such a region, return the default currency.
    """
    # Babel's tables need several megabytes. Only a process that shows this form loads them.
    from babel.numbers import get_territory_currencies

    for language in request.accept_languages.values():
        territory = territory_of(language)
        for currency in get_territory_currencies(territory) if territory else []:
            if currency in CURRENCIES:
                return str(currency)
    return DEFAULT_CURRENCY


def territory_of(language: str) -> str | None:
    """Return the region of a language tag such as ``en-GB``.

    A tag without a region, such as ``de``, gets its most likely region.
    """
    from babel.core import Locale, UnknownLocaleError, get_global

    try:
        locale = Locale.parse(language, sep="-")
    except (ValueError, TypeError, UnknownLocaleError):
        return None
    likely = str(get_global("likely_subtags").get(locale.language, ""))
    return locale.territory or likely.rpartition("_")[2] or None
