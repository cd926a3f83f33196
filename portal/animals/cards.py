"""Cards of animals in lists."""

from datetime import date
from typing import NamedTuple

from flask import current_app
from markupsafe import Markup

from adoption.animals.catalogue_cards import Listing
from adoption.animals.page_paths import animal_path
from adoption.text_joining import join_names
from adoption.translations import cached_by_language, gettext
from portal.animal_labels import SEXES, SIZES, SPECIES_BY_ID, STATUSES, age_in_words, breed_in_words
from portal.nearness import Nearness

CARDS_KEPT = 1_000


class CardPhoto(NamedTuple):
    digest: str
    width: int
    height: int
    blur: str


class AnimalCard(NamedTuple):
    """The texts of a card."""

    id: int
    name: str
    address: str
    breed: str
    facts: list[str]
    shelter: str
    status: str
    badge: str
    mates: str
    """The names of the animals that must be adopted with this animal, such as "Salt and Pepper"."""
    photo: CardPhoto | None
    alt: str
    placeholder: str
    away: str
    """The distance of the shelter, such as "about 12 miles away"."""


# The key is everything that a card shows, so a cached card is never out of date.
@cached_by_language(CARDS_KEPT)
def render_card(
    animal: Listing, today: date, eager: bool = False, focus: bool = False, away: Nearness | None = None
) -> Markup:
    """Return the HTML of a card.

    With ``eager`` the photo loads at once. With ``focus`` the card gets the focus. With ``away`` it shows the
    distance of the shelter.
    """
    template = current_app.jinja_env.get_template("catalogue/_card.html")
    text = template.render(card=animal_card(animal, today, away), eager=eager, focus=focus)
    return Markup(text)  # noqa: S704 - the template escapes values


def animal_card(animal: Listing, today: date, away: Nearness | None = None) -> AnimalCard:
    birth = date.fromisoformat(animal.birth_date) if animal.birth_date else None
    age = age_in_words(birth, bool(animal.birth_date_estimated), today, animal.age_group)
    facts = [age, SEXES.get(animal.sex or "", ""), SIZES.get(animal.size or "", "")]
    breed = breed_in_words(animal)
    return AnimalCard(
        id=animal.id,
        name=animal.name,
        address=animal_path(animal.id, animal.name) + (away.query if away else ""),
        breed=breed,
        facts=[fact for fact in facts if fact],
        shelter=", ".join(part for part in (animal.shelter, animal.place) if part),
        status=animal.status,
        badge=STATUSES[animal.status],
        mates=join_names(animal.mates.split("\n")) if animal.mates else "",
        photo=card_photo(animal),
        alt=animal.alt or gettext("Photo of %(name)s, %(kind)s", name=animal.name, kind=breed),
        placeholder=SPECIES_BY_ID[animal.category_id].placeholder,
        away=away.words if away else "",
    )


def card_photo(animal: Listing) -> CardPhoto | None:
    if animal.digest is None:
        return None
    return CardPhoto(animal.digest, animal.photo_width or 0, animal.photo_height or 0, animal.blur or "")
