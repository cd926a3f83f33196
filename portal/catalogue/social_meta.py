"""The description and picture of the catalogue, for search engines and messengers."""

from adoption.animals.photo_variants import social_media_size
from adoption.markdown import first_words
from adoption.projects.introductions import load_introduction
from adoption.translations import gettext
from portal.animals.cards import animal_card, card_photo
from portal.animals.photos import shared_photo_path
from portal.animals.social_meta import Image
from portal.catalogue.search import CatalogueResult


def description(result: CatalogueResult) -> str:
    shelter = result.site or result.shelter
    if shelter is None:
        return gettext("Animals in the care of shelters and rescues, waiting to be adopted.")
    beginning = load_introduction(shelter.project_id).beginning
    if words := first_words(shelter.about, 160, beginning):
        return words
    if not shelter.place:
        return gettext("Animals waiting to be adopted at %(shelter)s.", shelter=shelter.name)
    return gettext(
        "Animals waiting to be adopted at %(shelter)s in %(place)s.",
        shelter=shelter.name,
        place=shelter.place,
    )


def shared_image(result: CatalogueResult) -> Image | None:
    """Return the first photo of a shelter or species, or None for the default picture."""
    animal = next((each for each in result.animals if each.digest), None)
    if animal is None or not (result.site or result.shelter or result.params.species):
        return None
    photo, card = card_photo(animal), animal_card(animal, result.today)
    if photo is None:
        return None
    address = result.root.rstrip("/") + shared_photo_path(photo)
    return Image(address, *social_media_size(photo.width, photo.height), card.alt)
