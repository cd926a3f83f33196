"""The catalogue, of all published shelters or of one: the whole state is in the address."""

import hashlib
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.animals.catalogue import ORDERS, Listing
from adoption.animals.counts import Counts, counts_of
from adoption.animals.slips import forgiven
from adoption.errors import NotFound
from adoption.projects.queries import Shelter, Site, shelters_to_choose
from portal import fragments, people, words
from portal.cards import card
from portal.filters import SHOWN, SHOWN_MOST, Asked, filters_of
from portal.sites import current_site

EAGER = 4
"""Cards whose photos load at once: they are in the first view of most screens."""

PAGES_KEPT = 60


class Found(NamedTuple):
    """What an address leads to: all that its page shows, and nothing else."""

    asked: Asked
    site: Site | None
    animals: tuple[Listing, ...]
    next: Listing | None
    """The first animal that is not shown any more."""
    counts: Counts
    close: bool
    """Nothing has the words as they were written; these come close."""
    shelter: Site | None
    """The one among all whose animals are asked for."""
    shelters: tuple[Shelter, ...]
    """Those that can be chosen."""
    today: date
    root: str
    """Where the page stands, such as ``https://homeward.example/``."""


@people.get("/")
def catalogue() -> Response:
    try:
        found = find(Asked.from_address(request.args), current_site(), datetime.now(UTC).date())
    except NotFound as refusal:
        page = render_template(
            "catalogue/mistaken.html", sentence=refusal.sentence, every_species=words.SPECIES
        )
        return make_response(page, 404)
    address = url_for("portal.catalogue") + found.asked.address()
    target = fragments.asked_for()
    if target == "results":
        return fragments.varied(fragments.fragment(results(found), address))
    if target == "animal-grid":
        return fragments.varied(fragments.fragment(more(found), address))
    html, tag = (whole_page if found.asked.shown == SHOWN else whole_page.__wrapped__)(found)
    response = fragments.varied(Response(html, mimetype="text/html"))
    response.set_etag(tag)
    response.make_conditional(request)
    return response


def find(asked: Asked, site: Site | None, today: date) -> Found:
    """Raises NotFound."""
    shelter = asked.of_shelter(site)
    wanted, order = asked.wanted(site, shelter), ORDERS[asked.sort or "newest"]
    animals: list[Listing] = []
    counts, close = Counts(0, False, ()), False
    if wanted.words or not asked.q:
        animals = order(wanted, asked.place(), asked.shown + 1, today)
        if wanted.words and not animals and not asked.after:
            near = forgiven(wanted, today)
            close = near != wanted
            animals = order(near, None, asked.shown + 1, today) if close else []
            wanted = near
        counts = counts_of(wanted, today)
    shown, rest = tuple(animals[: asked.shown]), animals[asked.shown :]
    shelters = () if site else shelters_to_choose()
    return Found(
        asked,
        site,
        shown,
        rest[0] if rest else None,
        counts,
        close and bool(shown),
        shelter,
        shelters,
        today,
        f"{request.scheme}://{request.host}/",
    )


# Kept by all that is shown on it, so that what is kept can never be out of date.
@lru_cache(maxsize=PAGES_KEPT)
def whole_page(found: Found) -> tuple[bytes, str]:
    """The page, and a tag that changes when it does."""
    page = render_template(
        "catalogue/index.html", **shown_of(found), filters=filters_of(found.asked, found.counts)
    )
    encoded = page.encode()
    return encoded, hashlib.sha256(encoded).hexdigest()[:32]


def results(found: Found) -> str:
    """What a changed filter swaps: the animals, and the numbers beside each choice."""
    return render_template(
        "catalogue/_changed.html", **shown_of(found), filters=filters_of(found.asked, found.counts)
    )


def more(found: Found) -> str:
    """The cards that "show more" appends, and what then stands below them."""
    return render_template("catalogue/_more.html", **shown_of(found, skip=max(0, found.asked.shown - SHOWN)))


def shown_of(found: Found, skip: int = 0) -> dict[str, object]:
    """What the templates need; cards without the first ``skip``, of which the next takes the focus."""
    asked = found.asked
    return {
        "asked": asked,
        "site": found.site,
        "cards": [
            card(animal, found.today, eager=n < EAGER and not skip, focus=n == skip > 0)
            for n, animal in enumerate(found.animals)
            if n >= skip
        ],
        "heading": heading(found),
        "close": found.close,
        "progress": progress(found),
        "more_address": more_address(found),
        "first_new": f"animal-{found.next.id}" if found.next else "",
        "title": title(found),
        "description": "Animals in the care of shelters and rescues, waiting to be adopted.",
        "next_address": next_address(found),
        "shelters": found.shelters,
        "shelter": found.shelter,
        "canonical": f"{found.root.rstrip('/')}{url_for('portal.catalogue')}{asked.address()}",
    }


def heading(found: Found) -> str:
    """How many animals there are, in a sentence for the eye and for a screen reader."""
    species = words.SPECIES_BY_SLUG.get(found.asked.species)
    one, many = (species.one, species.plural) if species else ("animal", "animals")
    total = total_of(found)
    if found.counts.beyond and found.next:
        return f"More than {total:,} {many}"
    return words.counted(total, one, many) if total else f"No {many} match"


def total_of(found: Found) -> int:
    """How many there are: what is seen, where that is all; a count may be a little older than the page."""
    if found.next is None and not found.asked.after:
        return len(found.animals)
    return max(found.counts.total, len(found.animals) + (found.next is not None))


def title(found: Found) -> str:
    """What the page is, for a browser's tab and for whoever finds it elsewhere."""
    species = words.SPECIES_BY_SLUG.get(found.asked.species)
    if found.asked.q:
        return f"“{found.asked.q}”"
    return f"{species.label} to adopt" if species else "Find an animal"


def progress(found: Found) -> str:
    """How far into them the page reaches; empty where all are shown, and where it began in the middle."""
    if found.asked.after or not found.next:
        return ""
    total = total_of(found)
    of = f"more than {total:,}" if found.counts.beyond else f"{total:,}"
    return f"{len(found.animals)} of {of} shown"


def more_address(found: Found) -> str:
    """The same page with more cards, at the first new one; empty when it is full or all are shown."""
    shown = found.asked.shown + SHOWN
    if found.next is None or shown > SHOWN_MOST:
        return ""
    return url_for("portal.catalogue") + found.asked.address(shown=shown)


def next_address(found: Found) -> str:
    """The page that begins where a full one ends; empty when there is none."""
    if found.next is None or more_address(found):
        return ""
    last = found.animals[-1]
    place = f"{last.arrival_date or 'none'}.{last.id}" if found.asked.sort == "waiting" else str(last.id)
    return url_for("portal.catalogue") + found.asked.address(after=place, shown=SHOWN)


def revalidated(response: Response) -> Response:
    """The page, or 304 without it where the browser has this very one."""
    response.add_etag()
    response.make_conditional(request)
    return response
