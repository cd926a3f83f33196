"""Names of browsers and systems, from ``User-Agent``."""

from adoption.translations import gettext

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Parts of ``User-Agent``, each with its browser.

The order matters: the ``User-Agent`` of a browser also contains the names of other browsers, and the first
matching part decides.
"""
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def browser_name(agent: str) -> str:
    """Return a name such as "Firefox on Android"."""
    browser = next((name for mark, name in BROWSERS if mark in agent), gettext("A browser"))
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    return gettext("%(browser)s on %(system)s", browser=browser, system=system) if system else browser
