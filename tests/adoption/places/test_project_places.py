from typing import Any

import pytest
from apiflask import APIFlask
from sqlalchemy import select, update

from adoption.places.models import ProjectPlace
from adoption.places.nearby_projects import near
from adoption.projects.models import Project
from adoption.projects.publication import publish_site, roll_back_site
from adoption.storage.database import reading, transaction
from tests import factories


def place_of(project: Project) -> tuple[float, float] | None:
    with reading() as session:
        place = session.get(ProjectPlace, project.id)
    return None if place is None else (place.lat, place.lng)


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("texts", "place"),
    [
        ({"postcode": "07055", "city": "Newark", "region": "NJ", "country": "US"}, (40.8576, -74.1291)),
        ({"postcode": "07055"}, (40.8576, -74.1291)),
        ({"postcode": "00000", "city": "Newark", "region": "New Jersey"}, (40.7357, -74.1724)),
        ({"postcode": "M5V 1A1", "city": "Montréal", "region": "QC", "country": "CA"}, (45.5088, -73.5878)),
        ({"city": "Newark"}, None),
        ({"postcode": "EH1", "country": "GB"}, None),
        ({"place": "Passaic, NJ"}, None),
    ],
)
def test_a_published_site_has_the_place_of_its_address(
    app: APIFlask, texts: dict[str, Any], place: tuple[float, float] | None
) -> None:
    assert place_of(factories.project(**texts)) == place


def test_a_place_changes_only_with_the_published_texts(app: APIFlask) -> None:
    made = factories.project(postcode="07055")
    assert [each.project_id for each in near(40.86, -74.13, 5)] == [made.id]
    for postcode, published, place in (("10001", False, "07055"), ("10001", True, "10001"), ("", True, "")):
        with transaction() as session:
            session.execute(update(Project).where(Project.id == made.id).values(postcode=postcode))
        if published:
            publish_site(made.slug)
        expected = {"07055": (40.8576, -74.1291), "10001": (40.7506, -73.9973), "": None}[place]
        assert place_of(made) == expected
    roll_back_site(made.id, 1)
    assert place_of(made) == (40.8576, -74.1291)


def test_a_site_that_cannot_be_published_keeps_its_place(app: APIFlask) -> None:
    made = factories.project(postcode="07055")
    with transaction() as session:
        session.execute(
            update(Project).where(Project.id == made.id).values(postcode="10001", contact_email="")
        )
    assert not publish_site(made.slug).succeeded
    with reading() as session:
        assert session.scalars(select(ProjectPlace.lat)).all() == [40.8576]
