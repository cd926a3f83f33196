"""Choices of a shelter's country (ISO 3166-1) and of the language of its texts (BCP 47).

The names are in the language of the page.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from adoption.search_words import fold_text
from adoption.translations import cached_by_language, language

if TYPE_CHECKING:
    from babel import Locale

CACHED_LANGUAGES = 4
NOT_IN_ISO_3166 = {"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"}
"""Two-letter codes that Unicode adds to the countries of ISO 3166-1."""


@cached_by_language(CACHED_LANGUAGES)
def country_names() -> dict[str, str]:
    """Return the name of each country by its code, such as ``US``, sorted by name."""
    names = page_locale().territories
    return sorted_names(names, {code for code in map(str, names) if len(code) == 2} - NOT_IN_ISO_3166)


@cached_by_language(CACHED_LANGUAGES)
def language_names() -> dict[str, str]:
    """Return the name of each language by its code, such as ``en``, sorted by name."""
    from babel.localedata import locale_identifiers

    languages = {identifier.partition("_")[0] for identifier in locale_identifiers()}
    return sorted_names(page_locale().languages, {code for code in languages if len(code) == 2})


def page_locale() -> "Locale":
    # Babel's tables take five megabytes, so only a process that shows the names loads them.
    from babel import Locale

    return Locale.parse("en_GB" if language() == "en" else language().replace("-", "_"))


def sorted_names(names: Mapping[Any, str], codes: Iterable[str]) -> dict[str, str]:
    known = ((code, names[code]) for code in codes if code in names)
    return dict(sorted(known, key=lambda each: fold_text(each[1])))
