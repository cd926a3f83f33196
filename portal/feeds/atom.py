"""The catalogue as an Atom feed (RFC 4287). The feed and the catalogue have the same filters."""

import re
from datetime import UTC, date, datetime
from typing import NamedTuple

from flask import Response, current_app, render_template, request, url_for

from adoption.animals.catalogue import CatalogueFilters
from adoption.animals.catalogue_cards import Listing
from adoption.animals.catalogue_orders import newly_shown
from adoption.animals.query.interpreted_query import InterpretedQuery
from adoption.animals.sitemap_and_feed import FeedDetails, feed_details
from adoption.errors import NotFound
from adoption.markdown import BEGINNING_LONGEST, first_words
from adoption.projects.request_hosts import bare_host
from adoption.settings import Settings
from adoption.translations import gettext
from portal import portal_blueprint
from portal.animal_labels import SPECIES_BY_ID, SPECIES_BY_SLUG, SpeciesLabel
from portal.animals.cards import AnimalCard, animal_card
from portal.animals.photos import shared_photo_path
from portal.catalogue.filter_chips import label_of_meaning
from portal.catalogue.filters import PAGE_SIZE, CatalogueParameters, unknown_values
from portal.dates import current_date, rfc3339
from portal.nearness import place_or_error
from portal.responses import with_etag
from portal.sites.hosts import address_here, current_site

ENTRIES = 50

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow (2.2)."""

NEVER = datetime(2026, 1, 1, tzinfo=UTC)
"""The ``updated`` time of a feed without entries."""


class FeedEntry(NamedTuple):
    card: AnimalCard
    species: SpeciesLabel
    details: FeedDetails
    tag: str
    address: str
    content: str
    """The content, as HTML."""


@portal_blueprint.get("/feed.atom")
def feed() -> Response:
    """Return the feed.

    Raises NotFound for unknown filters, because a feed of all animals would be wrong.
    """
    if unknown_values(request.args):
        raise NotFound(gettext("There is no such filter. Choose one on the catalogue page."))
    params, site = CatalogueParameters.from_address(request.args), current_site()
    _, place_error = place_or_error(params.near)
    if place_error:
        raise NotFound(place_error)
    if params.after:
        raise NotFound(
            gettext("This feed is not split into pages. Remove the “after” parameter from its address.")
        )
    params = params._replace(shown=PAGE_SIZE, sort="")
    shelter = params.of_shelter(site)
    query_meaning = params.query()
    filters = params.filters(query_meaning, site, shelter)
    entries = [] if params.q and query_meaning.is_empty else feed_entries(filters, current_date())
    owner, query = (site or shelter), params.address()
    text = render_template(
        "feeds/catalogue.xml",
        title=feed_title(params, query_meaning),
        owner=owner.name if owner else "Homeward",
        tag=tag_uri(f"catalogue/{site.slug if site else ''}{query}"),
        updated=rfc3339(max((entry.details.changed_at for entry in entries), default=NEVER)),
        feed_address=address_here(url_for("portal.feed")) + query,
        address=address_here(url_for("portal.catalogue")) + query,
        entries=entries,
        instant=rfc3339,
    )
    return with_etag(Response(NO_XML.sub("", text), content_type="application/atom+xml; charset=utf-8"))


def feed_entries(filters: CatalogueFilters, today: date) -> list[FeedEntry]:
    """Return the animals with these filters that were shown last, newest first."""
    found = newly_shown(filters, ENTRIES, today)
    details = feed_details([animal.id for animal in found])
    seen = [animal for animal in found if animal.id in details]
    seen.sort(key=lambda animal: (details[animal.id].shown_at, animal.id), reverse=True)
    return [entry_of(animal, details[animal.id], today) for animal in seen]


def entry_of(animal: Listing, details: FeedDetails, today: date) -> FeedEntry:
    card = animal_card(animal, today)
    photo = address_here(shared_photo_path(card.photo)) if card.photo else ""
    content = current_app.jinja_env.get_template("feeds/_entry.html").render(
        card=card,
        address=address_here(card.address),
        photo=photo,
        beginning=first_words(details.description, BEGINNING_LONGEST, details.description_beginning),
    )
    return FeedEntry(
        card,
        SPECIES_BY_ID[animal.category_id],
        details,
        tag_uri(f"animals/{animal.id}"),
        address_here(card.address),
        content,
    )


def feed_title(params: CatalogueParameters, query: InterpretedQuery) -> str:
    """Return the title of the feed: its filters, such as "Cats, Female, Good with dogs"."""
    meanings = [each.meaning for each in query.readings]
    named = [label_of_meaning(each) for each in meanings if each.field == "category_id"]
    chosen = [SPECIES_BY_SLUG[params.species].label] if params.species else named
    labels = [label_of_meaning(each) for each in meanings if each.field != "category_id"]
    labels += [label for _, label in params.applied]
    quoted = [f"“{query.left_text}”"] if query.left_text else []
    return ", ".join([*(chosen or [gettext("Animals")]), *labels, *quoted])


def tag_uri(thing: str) -> str:
    """Return an id that does not change with the address (RFC 4151)."""
    settings: Settings = current_app.config["HOMEWARD"]
    return f"tag:{bare_host(settings.platform_host)},2026:{thing}"
