"""The place of each published shelter."""

from typing import Protocol

from sqlalchemy import delete
from sqlalchemy.orm import Session

from adoption.places.models import ProjectPlace
from adoption.places.place_lookup import Place, find_place
from adoption.places.sphere_geometry import unit_vector


class AddressTexts(Protocol):
    """The texts of a site that say where the shelter is."""

    city: str
    region: str
    postcode: str
    country: str


def set_project_place(session: Session, project_id: int, texts: AddressTexts) -> None:
    """Store the place of a project, from its published texts.

    If the texts have no known postal code or town, the project has no place.
    """
    session.execute(delete(ProjectPlace).where(ProjectPlace.project_id == project_id))
    if place := locate_shelter(texts):
        vector = unit_vector(place.lat, place.lng)
        session.add(ProjectPlace(project_id=project_id, lat=place.lat, lng=place.lng, **vector._asdict()))


def locate_shelter(texts: AddressTexts) -> Place | None:
    """Return the place of the postal code. If the code is unknown, return the place of the town.

    Return None if the town is unknown too.
    """
    for text in (texts.postcode, f"{texts.city}, {texts.region}"):
        try:
            return find_place(text, texts.country)
        except ValueError:
            continue
    return None
