"""Link previews and structured data of an animal's page."""

import json
from typing import Any, NamedTuple

from flask import url_for
from markupsafe import Markup

from adoption.animals.photo_variants import social_media_size
from adoption.animals.public_profiles import Profile, ProfilePhoto
from adoption.markdown import first_words
from adoption.translations import gettext
from portal.animal_labels import SPECIES_BY_ID
from portal.animals.cards import animal_path
from portal.animals.facts import kind_in_words
from portal.animals.photos import shared_photo_path
from portal.sites.hosts import address_here, canonical_origin

DESCRIPTION_LONGEST = 160
"""The most characters of a description that search engines show."""

SCHEMA = "https://schema.org"
AVAILABILITY = {"available": "InStock", "pending": "LimitedAvailability", "sold": "SoldOut"}


class Image(NamedTuple):
    address: str
    width: int
    height: int
    alt: str


class SocialPreview(NamedTuple):
    title: str
    """The title, such as "Biscuit, domestic shorthair cat in Ely"."""
    description: str
    address: str
    """The canonical address."""
    here: str
    """The address of this page, for sharing."""
    image: Image | None
    data: Markup
    """The structured data, as JSON-LD."""


def social_preview(animal: Profile) -> SocialPreview:
    kind, place = kind_in_words(animal), animal.shelter.place
    title = (
        gettext("%(name)s, %(kind)s in %(place)s", name=animal.name, kind=kind, place=place)
        if place
        else gettext("%(name)s, %(kind)s", name=animal.name, kind=kind)
    )
    words = {"name": animal.name, "kind": kind, "shelter": animal.shelter.name}
    description = first_words(animal.description, DESCRIPTION_LONGEST, animal.description_beginning) or (
        gettext("%(name)s, %(kind)s, is in the care of %(shelter)s and looks for a home.", **words)
        if animal.is_open
        else gettext("%(name)s, %(kind)s, was in the care of %(shelter)s and has found a home.", **words)
    )
    path = animal_path(animal.id, animal.name)
    address = canonical_origin(animal.shelter.slug) + path
    image = image_of(animal.photos[0], social_photo_alt(animal, animal.photos[0])) if animal.photos else None
    data = {
        "@context": SCHEMA,
        "@graph": [subject(animal, address, description, image), breadcrumbs(animal, address)],
    }
    return SocialPreview(title, description, address, address_here(path), image, data_block(data))


def social_photo_alt(animal: Profile, photo: ProfilePhoto) -> str:
    return photo.alt or gettext("Photo of %(name)s, %(kind)s", name=animal.name, kind=kind_in_words(animal))


def image_of(photo: ProfilePhoto, alt: str) -> Image:
    return Image(address_here(shared_photo_path(photo)), *social_media_size(photo.width, photo.height), alt)


def subject(animal: Profile, address: str, description: str, image: Image | None) -> dict[str, Any]:
    """Return the animal as schema.org data.

    Schema.org has no type for pets. Adoption sites use ``Product`` with an ``Offer``. Search engines reject a
    ``Product`` without an ``Offer``, so an animal whose fee is not shown is a ``WebPage``.
    """
    offers = offer(animal, address)
    values: dict[str, Any] = {
        "@id": f"{address}#animal",
        "url": address,
        "name": animal.name,
        "description": description,
        "image": image and image.address,
    }
    if offers is None:
        values |= {"@type": "WebPage"}
    else:
        species = SPECIES_BY_ID[animal.category_id].label
        values |= {"@type": "Product", "category": species, "color": animal.colours, "sku": animal.code}
        values["offers"] = offers
    return {name: value for name, value in values.items() if value}


def offer(animal: Profile, address: str) -> dict[str, Any] | None:
    """Return the fee as an offer.

    The result is None if the shelter does not show the fee, because an offer needs a price.
    """
    if animal.fee_cents is None:
        return None
    shelter = animal.shelter
    seller = {
        "@type": "AnimalShelter",
        "name": shelter.name,
        "address": shelter.place,
        "telephone": shelter.contact_phone,
        "email": shelter.contact_email,
    }
    return {
        "@type": "Offer",
        "url": address,
        "price": f"{animal.fee_cents // 100}.{animal.fee_cents % 100:02}",
        "priceCurrency": shelter.currency,
        "availability": f"{SCHEMA}/{AVAILABILITY[animal.status]}",
        "seller": {name: value for name, value in seller.items() if value},
    }


def breadcrumbs(animal: Profile, address: str) -> dict[str, Any]:
    species = SPECIES_BY_ID[animal.category_id]
    root = address.removesuffix(animal_path(animal.id, animal.name))
    all_of_them = root + url_for("portal.catalogue", species=species.slug)
    crumbs = [(species.label, all_of_them), (animal.name, address)]
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": item}
            for position, (name, item) in enumerate(crumbs, start=1)
        ],
    }


def data_block(data: dict[str, Any]) -> Markup:
    """Return the data as JSON for a ``script`` element. No value in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - no character with a meaning in HTML is left
