"""robots.txt and sitemaps, for all shelters or for one shelter."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache

from flask import Response, url_for
from markupsafe import escape

from adoption.animals import sitemap_and_feed
from adoption.animals.page_paths import animal_path
from adoption.animals.sitemap_and_feed import SitemapEntry
from adoption.domains.site_lookup import projects_at_own_domain
from adoption.errors import NotFound
from adoption.request_context import current_request
from adoption.translations import gettext
from portal import portal_blueprint
from portal.animal_labels import SPECIES_BY_ID
from portal.catalogue.filters import CatalogueParameters
from portal.responses import with_etag
from portal.sites.hosts import address_here, current_site, origin

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
SLUGS_KEPT = 5_000


@portal_blueprint.get("/robots.txt")
def robots() -> Response:
    rules = ("User-agent: *", "Disallow: /applications/", "Disallow: /v1", "Allow: /")
    text = "\n".join([*rules, "", f"Sitemap: {address_here(url_for('portal.sitemap'))}", ""])
    return Response(text, content_type="text/plain; charset=utf-8")


@portal_blueprint.get("/sitemap.xml")
def sitemap() -> Response:
    """Return the sitemap index or one of its parts (sitemaps.org/protocol.html).

    Part 0 lists the catalogue. The other parts list animals.
    """
    parts = [0]
    if has_canonical_animals():
        site = current_site()
        parts += sitemap_and_feed.parts_of_sitemap(site.project_id if site else None)
    addresses = (address_here(url_for("portal.sitemap_part", part=str(part))) for part in parts)
    return xml("sitemapindex", (f"<sitemap><loc>{escape(address)}</loc></sitemap>" for address in addresses))


@portal_blueprint.get("/sitemap-<part>.xml")
def sitemap_part(part: str) -> Response:
    site = current_site()
    project_id = site.project_id if site else None
    if part == "0":
        addresses = map(address_here, catalogue_pages(project_id))
        return xml("urlset", (f"<url><loc>{escape(address)}</loc></url>" for address in addresses))
    if re.fullmatch("[1-9][0-9]{0,8}", part):
        root = str(escape(f"{origin()}/"))
        stops = sitemap_and_feed.sitemap_entries(int(part), project_id) if has_canonical_animals() else []
        elsewhere = set() if site else projects_at_own_domain(datetime.now(UTC))
        if stops:
            return xml("urlset", (url_of(stop, root) for stop in stops if stop.project_id not in elsewhere))
    raise NotFound(gettext("There is no such part of the sitemap."))


def has_canonical_animals() -> bool:
    """Return whether this host is the host in the canonical addresses of animals.

    Such a host is the platform's host or the shelter's primary domain.
    """
    served = current_request().served
    return served is None or bool(served.primary)


def catalogue_pages(project_id: int | None) -> list[str]:
    """Return the addresses of the catalogue, of each species with animals, and of the platform's pages."""
    catalogue = url_for("portal.catalogue")
    species = [SPECIES_BY_ID[category] for category in sitemap_and_feed.categories_with_animals(project_id)]
    shelters = [] if current_site() else [url_for("portal.shelters"), url_for("portal.how_adoption_works")]
    return [
        catalogue,
        *shelters,
        *(catalogue + CatalogueParameters(species=each.slug).address() for each in species),
    ]


def url_of(stop: SitemapEntry, root: str) -> str:
    address = f"{root}animals/{stop.id}{slug_of_name(stop.name)}"
    return f"<url><loc>{address}</loc><lastmod>{stop.changed}</lastmod></url>"


@lru_cache(maxsize=SLUGS_KEPT)
def slug_of_name(name: str) -> str:
    """Return the part of an animal's address after its id.

    The result is cached: many animals share a name, and making a slug is slow.
    """
    return str(escape(animal_path(0, name).removeprefix("/animals/0")))


def xml(tag: str, lines: Iterable[str]) -> Response:
    """Return an XML document. Texts in it are escaped."""
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{tag} xmlns="{NAMESPACE}">'
    text = "\n".join([head, *lines, f"</{tag}>\n"])
    return with_etag(Response(text, content_type="application/xml; charset=utf-8"))
