"""Structured data of an animal's page for search engines: schema.org as JSON-LD."""

import json
from typing import Any

from flask import url_for
from markupsafe import Markup

from adoption.animals.page_paths import animal_path
from adoption.animals.public_profiles import Profile
from portal.animal_labels import SPECIES_BY_ID

SCHEMA = "https://schema.org"
AVAILABILITY = {"available": "InStock", "pending": "LimitedAvailability", "sold": "SoldOut"}


def animal_data(animal: Profile, address: str, description: str, image: str | None) -> Markup:
    """Return the animal and its breadcrumbs. ``address`` is the canonical address of the page."""
    graph = [subject(animal, address, description, image), breadcrumbs(animal, address)]
    return data_block({"@context": SCHEMA, "@graph": graph})


def subject(animal: Profile, address: str, description: str, image: str | None) -> dict[str, Any]:
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
        "image": image,
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
