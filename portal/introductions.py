"""What a shelter says of itself above the animals of its own site."""

from typing import NamedTuple

from markupsafe import Markup

from adoption.projects.queries import Site
from portal.animals import dialled
from portal.prose import prose

SHORT = 600
"""Letters of a text that stand above the animals without pushing them out of sight."""


class Introduction(NamedTuple):
    first: Markup
    rest: Markup
    """Opened by those who want to read on; empty where the text is short."""
    dialled: str
    """The phone number of a link; empty where the text is none."""


def introduction_of(site: Site) -> Introduction:
    text = site.about.replace("\r\n", "\n").strip()
    first, _, rest = (text, "", "") if len(text) <= SHORT else text.partition("\n\n")
    return Introduction(prose(first), prose(rest.strip()), dialled(site.contact_phone))
