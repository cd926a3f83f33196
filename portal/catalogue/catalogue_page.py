"""The catalogue page, of all published shelters or of one shelter.

The address of the page contains the filters, and the position of the first animal.
"""

import hashlib
import re
import time
from urllib.parse import urlencode

from flask import Response, make_response, render_template, request, url_for

from adoption.animals.catalogue_orders import rank_of
from adoption.errors import NotFound
from adoption.request_context import current_request
from adoption.translations import cached_by_language
from portal import animal_labels, htmx, page_rate_limits, portal_blueprint
from portal.animals.cards import render_card
from portal.catalogue.filter_chips import active_chips, age_choices
from portal.catalogue.filter_choices import filters_of
from portal.catalogue.filters import PAGE_SIZE, PAGE_SIZE_MOST, CatalogueParameters
from portal.catalogue.headings_and_titles import (
    announcement,
    heading,
    nothing_exact,
    range_in_words,
    show_found,
    title,
)
from portal.catalogue.search import CatalogueResult, search_catalogue
from portal.catalogue.social_meta import description, shared_image
from portal.catalogue.structured_data import item_list
from portal.dates import current_date
from portal.nearness import Nearness, describe_accuracy, describe_nearness, within_choices
from portal.sites.hosts import current_site

EAGER = 4
"""The number of cards whose photos load at once. Most screens show them without scrolling."""

PAGES_KEPT = 60


@portal_blueprint.get("/")
def catalogue() -> Response:
    if request.args.get("q"):
        page_rate_limits.SEARCHES.demand(current_request().client_address, time.time())
    target = htmx.target_id()
    if target is None and "" in request.args.values():
        # A form without JavaScript also sends its empty fields. An address to share has none of them.
        filled = [(name, value) for name, value in request.args.items(multi=True) if value]
        return redirect_to(url_for("portal.catalogue") + (f"?{urlencode(filled)}" if filled else ""))
    try:
        result = search_catalogue(
            CatalogueParameters.from_address(request.args), current_site(), current_date()
        )
    except NotFound as refusal:
        page = render_template(
            "catalogue/broken_link.html", sentence=refusal.sentence, every_species=animal_labels.SPECIES
        )
        return make_response(page, 404)
    address = url_for("portal.catalogue") + result.params.address()
    if target == "results":
        return htmx.vary_by_htmx(htmx.fragment(render_results(result), address))
    if target == "animal-grid":
        return htmx.vary_by_htmx(htmx.fragment(render_more(result), address))
    html, tag = (cached_catalogue if result.params.shown == PAGE_SIZE else render_whole_catalogue)(result)
    response = htmx.vary_by_htmx(Response(html, mimetype="text/html"))
    response.set_etag(tag)
    response.make_conditional(request)
    return response


def redirect_to(address: str) -> Response:
    response = make_response("", 302)
    response.headers["Location"] = address
    return htmx.vary_by_htmx(response)


def render_whole_catalogue(result: CatalogueResult) -> tuple[bytes, str]:
    """Return the page and its ETag."""
    page = render_template(
        "catalogue/index.html", **template_values(result), filters=filters_of(result.params, result.counts)
    )
    encoded = page.encode()
    return encoded, hashlib.sha256(encoded).hexdigest()[:32]


# The key is everything that the page shows, so a cached page is never out of date.
cached_catalogue = cached_by_language(PAGES_KEPT)(render_whole_catalogue)


def render_results(result: CatalogueResult) -> str:
    """Return the parts of the page that change with a filter: the animals, and the numbers of the choices."""
    return render_template(
        "catalogue/_changed.html",
        **template_values(result) | {"removed_at": removed_chip()},
        filters=filters_of(result.params, result.counts),
    )


def removed_chip() -> int | None:
    """Return the index of the chip that this request removes, or None."""
    chip = re.fullmatch(r"chip-([0-9]{1,3})", htmx.trigger_id(), re.ASCII)
    return int(chip[1]) if chip else None


def render_more(result: CatalogueResult) -> str:
    """Return the cards that "show more" appends, and the links below them."""
    return render_template(
        "catalogue/_more.html", **template_values(result, skip=max(0, result.params.shown - PAGE_SIZE))
    )


def template_values(result: CatalogueResult, skip: int = 0) -> dict[str, object]:
    """Return the values for templates. Leave out the first ``skip`` cards.

    If cards are left out, the first card gets the focus.
    """
    params, suggestions = result.params, result.suggestions
    return {
        "asked": params,
        "site": result.site,
        "cards": [
            render_card(
                animal,
                result.today,
                eager=n < EAGER and not skip,
                focus=n == skip > 0,
                away=distance_of_card(result, n),
            )
            for n, animal in enumerate(result.animals)
            if n >= skip
        ],
        "heading": heading(result),
        "show_found": show_found(result),
        "announcement": announcement(result),
        "close": nothing_exact(result) if result.close else "",
        "query": result.query,
        "chips": active_chips(params, result.query, result.shelter),
        "removed_at": None,
        "age_choices": age_choices(params, result.query),
        "named": result.named,
        "unknown": result.unknown,
        "near_error": result.place_error,
        "accuracy": describe_accuracy(result.place) if result.place else "",
        "within_choices": within_choices(params.within),
        "ways_on": suggestions,
        "similar": [render_card(animal, result.today) for animal in suggestions.similar]
        if suggestions
        else [],
        "by_best_match": bool(result.query.terms),
        "progress": range_in_words(result),
        "more_address": more_address(result),
        "first_new": f"animal-{result.next.id}" if result.next else "",
        "title": title(result),
        "description": description(result),
        "next_address": next_page_address(result),
        "shelters": result.shelters,
        "shelter": result.shelter,
        # Pages that differ only in the number or the order of their cards have one canonical address.
        "canonical": result.root + params.address(shown=PAGE_SIZE, sort=""),
        "image": shared_image(result),
        "data": item_list(result) if result.animals and not params.q else "",
    }


def distance_of_card(result: CatalogueResult, index: int) -> Nearness | None:
    """Return the distance of an animal's shelter, if the address has a place."""
    params = result.params
    return describe_nearness(result.metres[index], params.near, params.within) if result.metres else None


def more_address(result: CatalogueResult) -> str:
    """Return the address of this page with more cards.

    Empty if the page cannot have more cards, or already shows all animals.
    """
    shown = result.params.shown + PAGE_SIZE
    if result.next is None or shown > PAGE_SIZE_MOST:
        return ""
    return url_for("portal.catalogue") + result.params.address(shown=shown)


def next_page_address(result: CatalogueResult) -> str:
    """Return the address of the next page; empty if there is no next page.

    A page that can have more cards has no next page: it gets longer instead.
    """
    if result.next is None or more_address(result):
        return ""
    last, order = result.animals[-1], result.params.order(result.query)
    after = str(last.id)
    if order == "best":
        after = f"{rank_of(result.filters, last.id, result.today)}.{last.id}"
    elif order == "distance":
        after = f"near-{last.project_id}.{last.id}"
    elif order == "waiting":
        after = f"{last.arrival_date or 'none'}.{last.id}"
    return url_for("portal.catalogue") + result.params.address(after=after, shown=PAGE_SIZE)
