"""The catalogue of all published shelters: the whole state is in the address."""

import re
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import NamedTuple

from flask import Response, current_app, make_response, render_template, request
from markupsafe import Markup

from adoption.animals.catalogue import ID_LARGEST, Listing, newest_listings
from adoption.errors import NotFound
from portal import people
from portal.words import (
    SEXES,
    SIZES,
    SPECIES,
    SPECIES_BY_ID,
    SPECIES_BY_SLUG,
    STATUSES,
    Species,
    age_in_words,
    breed_in_words,
    counted,
)

SHOWN = 24
CARDS_KEPT = 2_000


class Card(NamedTuple):
    """An animal as the catalogue shows it, in words."""

    name: str
    breed: str
    facts: list[str]
    shelter: str
    status: str
    badge: str
    placeholder: str


class Asked(NamedTuple):
    """What the address asks for."""

    species: Species | None
    after: int | None
    """The id of the last animal that was shown; the next ones are older."""

    @classmethod
    def from_address(cls) -> "Asked":
        """Raises NotFound for a species or a place that there is not; other parameters are not looked at."""
        slug, after = request.args.get("species", ""), request.args.get("after", "")
        if slug and slug not in SPECIES_BY_SLUG:
            raise NotFound("There is no such species here. Choose one of these.")
        if after and not (re.fullmatch("[0-9]{1,19}", after) and 0 < int(after) <= ID_LARGEST):
            raise NotFound("This link is broken. Start again from the newest.")
        return cls(SPECIES_BY_SLUG.get(slug), int(after) if after else None)


@people.get("/")
def catalogue() -> Response:
    try:
        asked = Asked.from_address()
    except NotFound as refusal:
        page = render_template(
            "catalogue/mistaken.html", picker=species_picker(None), sentence=refusal.sentence
        )
        return make_response(page, 404)
    category = asked.species.category_id if asked.species else None
    found = newest_listings(category, asked.after, SHOWN + 1)
    today = datetime.now(UTC).date()
    page = render_template(
        "catalogue/index.html",
        picker=species_picker(asked.species.slug if asked.species else ""),
        asked=asked,
        heading=heading(asked, len(found)),
        cards=[card(animal, today) for animal in found[:SHOWN]],
        next_after=found[SHOWN - 1].id if len(found) > SHOWN else None,
        more=SHOWN,
    )
    return revalidated(make_response(page))


def revalidated(response: Response) -> Response:
    """The page, or 304 without it where the browser has this very one."""
    response.add_etag()
    response.make_conditional(request)
    return response


# Both are kept by all that they show, so that what is kept can never be out of date.
@lru_cache(maxsize=CARDS_KEPT)
def card(animal: Listing, today: date) -> Markup:
    return fragment("catalogue/_card.html", card=card_of(animal, today))


@cache
def species_picker(chosen: str | None) -> Markup:
    return fragment("catalogue/_species.html", species=SPECIES, chosen=chosen)


def fragment(template: str, **words: object) -> Markup:
    text = current_app.jinja_env.get_template(template).render(**words)
    return Markup(text)  # noqa: S704 - the template has escaped what is in it


def card_of(animal: Listing, today: date) -> Card:
    birth = date.fromisoformat(animal.birth_date) if animal.birth_date else None
    age = age_in_words(birth, bool(animal.birth_date_estimated), today)
    facts = [age, SEXES.get(animal.sex or "", ""), SIZES.get(animal.size or "", "")]
    return Card(
        name=animal.name,
        breed=breed_in_words(animal),
        facts=[fact for fact in facts if fact],
        shelter=", ".join(part for part in (animal.shelter, animal.place) if part),
        status=animal.status,
        badge=STATUSES[animal.status],
        placeholder=SPECIES_BY_ID[animal.category_id].placeholder,
    )


def heading(asked: Asked, found: int) -> str:
    """How many there are where the page shows all of them, otherwise which ones it shows."""
    one, many = (asked.species.one, asked.species.plural) if asked.species else ("animal", "animals")
    if asked.after:
        return f"More {many}" if found else f"No more {many}"
    if found > SHOWN:
        return f"The newest {many}"
    return counted(found, one, many) if found else f"No {many} are waiting now"
