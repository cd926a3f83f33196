"""A shelter's animals for an iframe on its own website, and the script that adds the iframe."""

import re
from pathlib import Path

from flask import Response, current_app, render_template, request

from adoption.animals.catalogue import CatalogueFilters
from adoption.animals.catalogue_orders import newest
from adoption.projects.published_sites import Site, find_published_site
from adoption.projects.request_hosts import SLUG
from adoption.translations import gettext
from portal import portal_blueprint
from portal.animal_labels import SPECIES_BY_SLUG
from portal.animals.cards import animal_card
from portal.catalogue.filters import CatalogueParameters
from portal.dates import current_date
from portal.headers import content_security_policy
from portal.responses import with_etag
from portal.sites.hosts import current_site
from portal.sites.theme import ALWAYS

CARDS, CARDS_MOST = 12, 48
HOUR = 3_600


@portal_blueprint.get("/embed.js")
def embed_script() -> Response:
    script = Path(str(current_app.static_folder), "js", "embed.js").read_bytes()
    response = Response(script, content_type="text/javascript; charset=utf-8")
    # Other websites contain this address, so the address cannot change with the content.
    response.headers["Cache-Control"] = f"public, max-age={HOUR}"
    return with_etag(response)


@portal_blueprint.get("/embed/<slug>")
def embed(slug: str) -> Response:
    """Return the page for the iframe.

    If the address is invalid, the page has an error for the person who wrote it.
    """
    site = current_site()
    may_exist = SLUG.fullmatch(slug) and (site is None or site.slug == slug)
    shelter = find_published_site(slug) if may_exist else None
    species = request.args.get("species", "").casefold()
    limit = requested_cards(request.args.get("limit", ""))
    if shelter is None:
        return framed(
            "embed/invalid_filter.html",
            404,
            sentence=gettext("There is no shelter of this name on Homeward."),
        )
    if species and species not in SPECIES_BY_SLUG:
        sentence = gettext("The species must be one of %(values)s.", values=", ".join(SPECIES_BY_SLUG))
        return framed("embed/invalid_filter.html", 400, sentence=sentence)
    if requested_theme() is None:
        return framed("embed/invalid_filter.html", 400, sentence=gettext("The theme must be light or dark."))
    if limit is None:
        sentence = gettext("The limit must be a whole number from 1 to %(most)s.", most=CARDS_MOST)
        return framed("embed/invalid_filter.html", 400, sentence=sentence)
    return grid(shelter, species, limit)


def requested_theme() -> str | None:
    """Return the theme in the address.

    Empty if the address contains no theme, so that the reader's preferred theme applies. None if the theme is
    unknown.
    """
    theme = request.args.get("theme", "")
    return theme if theme in ("", *ALWAYS) else None


def requested_cards(text: str) -> int | None:
    """Return the limit in the address, at most ``CARDS_MOST``. The result is None if the limit is invalid."""
    if not text:
        return CARDS
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) == 0:
        return None
    return min(int(text), CARDS_MOST)


def grid(shelter: Site, species: str, limit: int) -> Response:
    category_id = SPECIES_BY_SLUG[species].category_id if species else None
    filters = CatalogueFilters(shelter.project_id, statuses=("available",), category_id=category_id)
    today = current_date(shelter.time_zone)
    animals = newest(filters, None, limit, today)
    return framed(
        "embed/grid.html",
        shelter=shelter,
        cards=[animal_card(animal, today) for animal in animals],
        all_of_them="/"
        + CatalogueParameters(species=species, shelter="" if current_site() else shelter.slug).address(),
    )


def framed(template: str, status: int = 200, **words: object) -> Response:
    page = render_template(template, theme=requested_theme() or "", **words)
    response = Response(page, status, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = content_security_policy(
        form_action="'none'", frame_ancestors="*"
    )
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    # Search engines find the animals' own pages.
    response.headers["X-Robots-Tag"] = "noindex"
    return with_etag(response) if status == 200 else response
