"""A shelter's introduction on its own site."""

from typing import NamedTuple

from markupsafe import Markup

from adoption.markdown import as_typed
from adoption.projects.introductions import load_introduction, split_introduction
from adoption.projects.published_sites import Site
from portal.markdown import html_of_markdown
from portal.phone_links import tel_number


class Introduction(NamedTuple):
    first: Markup
    rest: Markup
    """The text below "read more". Empty if the text is short."""
    policy: Markup
    """The adoption policy."""
    tel_number: str
    """The phone number for a link. Empty if the text is not exactly one phone number."""


def introduction_of(site: Site) -> Introduction:
    first, rest = split_introduction(site.about)
    html = load_introduction(site.project_id)
    return Introduction(
        html_of_markdown(first, html.first),
        html_of_markdown(rest, html.rest),
        Markup(as_typed(site.adoption_policy)),  # noqa: S704 - escaped
        tel_number(site.contact_phone),
    )
