"""The catalogue as an Atom feed (RFC 4287), with the same filters in its address."""

import re
from datetime import UTC, date, datetime
from typing import NamedTuple

from flask import Response, current_app, render_template, request, url_for

from adoption.animals.catalogue import CatalogueFilters, newest
from adoption.animals.listings import Listing
from adoption.animals.query.parser import InterpretedQuery
from adoption.animals.sitemap_and_feed import FeedDetails, feed_details
from adoption.errors import NotFound
from adoption.markdown import BEGINNING_LONGEST
from adoption.projects.hosts import bare_host
from adoption.settings import Settings
from portal import people
from portal.animals.cards import AnimalCard, animal_card
from portal.animals.photos import shared
from portal.catalogue.filters import SHOWN, CatalogueRequest, unknown_values
from portal.catalogue.search_chips import label_of_meaning
from portal.dates import current_date, rfc3339
from portal.labels import SPECIES_BY_ID, SPECIES_BY_SLUG, SpeciesLabel
from portal.markdown import first_words
from portal.responses import revalidated
from portal.sites.hosts import current_site, origin

ENTRIES = 50

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold in any way (2.2)."""

NEVER = datetime(2026, 1, 1, tzinfo=UTC)
"""When a feed changed in which nothing has ever been."""


class FeedEntry(NamedTuple):
    card: AnimalCard
    species: SpeciesLabel
    news: FeedDetails
    tag: str
    address: str
    content: str
    """HTML."""


@people.get("/feed.atom")
def feed() -> Response:
    """Raises NotFound for filters that there are not: a feed of everything would be no answer."""
    if unknown_values(request.args):
        raise NotFound("There is no such filter. Choose one on the catalogue page.")
    asked, site = CatalogueRequest.from_address(request.args), current_site()
    if asked.after:
        raise NotFound("A feed has no pages. Leave “after” out of its address.")
    asked = asked._replace(shown=SHOWN, sort="")
    shelter = asked.of_shelter(site)
    understood = asked.query()
    wanted = asked.wanted(understood, site, shelter)
    entries = [] if asked.q and understood.is_empty else feed_entries(wanted, current_date())
    owner, query = (site or shelter), asked.address()
    text = render_template(
        "feeds/catalogue.xml",
        title=feed_title(asked, understood),
        owner=owner.name if owner else "Homeward",
        tag=tag_uri(f"catalogue/{site.slug if site else ''}{query}"),
        updated=rfc3339(max((entry.news.updated_at for entry in entries), default=NEVER)),
        feed_address=absolute_feed_address(url_for("portal.feed")) + query,
        address=absolute_feed_address(url_for("portal.catalogue")) + query,
        entries=entries,
        instant=rfc3339,
    )
    return revalidated(Response(NO_XML.sub("", text), content_type="application/atom+xml; charset=utf-8"))


def feed_entries(wanted: CatalogueFilters, today: date) -> list[FeedEntry]:
    """Return the newest animals of the catalogue with these filters and words."""
    found = newest(wanted, None, ENTRIES, today)
    news = feed_details([animal.id for animal in found])
    return [entry_of(animal, news[animal.id], today) for animal in found if animal.id in news]


def entry_of(animal: Listing, news: FeedDetails, today: date) -> FeedEntry:
    card = animal_card(animal, today)
    photo = absolute_feed_address(shared(card.photo)) if card.photo else ""
    content = current_app.jinja_env.get_template("feeds/_entry.html").render(
        card=card,
        address=absolute_feed_address(card.address),
        photo=photo,
        beginning=first_words(news.description, BEGINNING_LONGEST, news.description_beginning),
    )
    return FeedEntry(
        card,
        SPECIES_BY_ID[animal.category_id],
        news,
        tag_uri(f"animals/{animal.id}"),
        absolute_feed_address(card.address),
        content,
    )


def feed_title(asked: CatalogueRequest, query: InterpretedQuery) -> str:
    """Return what the feed contains, such as "Cats, Female, Good with dogs"."""
    meanings = [each.meaning for each in query.readings]
    named = [label_of_meaning(each) for each in meanings if each.field == "category_id"]
    chosen = [SPECIES_BY_SLUG[asked.species].label] if asked.species else named
    labels = [label_of_meaning(each) for each in meanings if each.field != "category_id"]
    labels += [label for _, label in asked.applied]
    quoted = [f"“{query.left_text}”"] if query.left_text else []
    return ", ".join([*(chosen or ["Animals"]), *labels, *quoted])


def tag_uri(thing: str) -> str:
    """A name for the thing that never changes, whatever its address becomes (RFC 4151)."""
    settings: Settings = current_app.config["HOMEWARD"]
    return f"tag:{bare_host(settings.platform_host)},2026:{thing}"


def absolute_feed_address(path: str) -> str:
    return origin() + path
