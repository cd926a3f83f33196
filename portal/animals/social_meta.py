"""Link previews of an animal's page in messengers and search engines."""

from typing import NamedTuple

from markupsafe import Markup

from adoption.animals.page_paths import animal_path
from adoption.animals.photo_variants import social_media_size
from adoption.animals.public_profiles import Profile, ProfilePhoto
from adoption.markdown import first_words
from adoption.translations import gettext
from portal.animals.facts import kind_in_words
from portal.animals.photos import shared_photo_path
from portal.animals.structured_data import animal_data
from portal.sites.hosts import address_here, canonical_origin

DESCRIPTION_LONGEST = 160
"""The maximum characters of a description. Search engines show no more."""


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
    """The address of this page, for people who share the page."""
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
    data = animal_data(animal, address, description, image and image.address)
    return SocialPreview(title, description, address, address_here(path), image, data)


def social_photo_alt(animal: Profile, photo: ProfilePhoto) -> str:
    return photo.alt or gettext("Photo of %(name)s, %(kind)s", name=animal.name, kind=kind_in_words(animal))


def image_of(photo: ProfilePhoto, alt: str) -> Image:
    return Image(address_here(shared_photo_path(photo)), *social_media_size(photo.width, photo.height), alt)
