"""Time zones by their IANA names, such as ``Europe/London``."""

from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from adoption.translations import gettext, message

UTC_NAME = "UTC"
UTC_LABEL = message("UTC, the same all year")

# Babel has the months too, but its tables take five megabytes.
MONTHS = (
    *(message("January"), message("February"), message("March"), message("April")),
    *(message("May"), message("June"), message("July"), message("August")),
    *(message("September"), message("October"), message("November"), message("December")),
)


def check_time_zone(text: str) -> str:
    """Return the current name of a time zone. Raises ValueError if the time zone does not exist."""
    name = text.strip()
    current = aliases().get(name, name)
    if current not in time_zone_choices():
        raise ValueError("Choose a time zone from the list, such as United Kingdom: London")
    return current


def time_zone_or_utc(text: str) -> str:
    """Return the current name of a time zone that a browser reports; UTC if the time zone is unknown."""
    try:
        return check_time_zone(text)
    except ValueError:
        return UTC_NAME


@lru_cache(maxsize=512)
def zone_info(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def date_in(zone_name: str, when: datetime) -> str:
    """Return the date in a time zone, such as "5 December 2030"."""
    local = when.astimezone(zone_info(zone_name))
    return gettext("%(day)s %(month)s %(year)s", day=local.day, month=month_name(local), year=local.year)


def month_name(day: date) -> str:
    return gettext(MONTHS[day.month - 1])


def time_in(zone_name: str, when: datetime) -> str:
    """Return the time of day in a time zone, with the zone, such as "14:05 GMT" or "14:05 UTC+04"."""
    local = when.astimezone(zone_info(zone_name))
    # A zone without a common abbreviation has its offset instead, such as "+04".
    abbreviation = f"{local:%Z}"
    return f"{local:%H:%M} {'UTC' if abbreviation[0] in '+-' else ''}{abbreviation}"


@lru_cache(maxsize=1)
def time_zone_choices() -> dict[str, str]:
    """Return a label for each current time zone, such as "Spain: Madrid", sorted by label, UTC first."""
    # Babel's tables take five megabytes, so only a process that shows the list loads them.
    from babel import Locale
    from babel.core import get_global
    from babel.dates import get_timezone_location

    countries, known = Locale("en", "GB").territories, available_timezones()
    labels = {}
    for name, territory in get_global("zone_territories").items():
        if name in known and not name.startswith("Etc/"):
            city = get_timezone_location(name, locale="en_GB", return_city=True)
            labels[name] = f"{countries[territory]}: {city}" if territory != "001" else city
    return {UTC_NAME: UTC_LABEL} | dict(sorted(labels.items(), key=lambda each: each[1]))


@lru_cache(maxsize=1)
def aliases() -> dict[str, str]:
    """Return the current name of each renamed time zone, by old name. Browsers report old names too."""
    from babel.core import get_global

    renamed = {**get_global("zone_aliases"), "Etc/UTC": "Etc/UTC"}
    return {old: UTC_NAME if new == "Etc/UTC" else new for old, new in renamed.items()}
