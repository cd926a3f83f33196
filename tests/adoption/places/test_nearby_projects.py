import random
from math import acos, cos, degrees, radians, sin

import pytest
from apiflask import APIFlask
from sqlalchemy import insert

from adoption.places.models import ProjectPlace
from adoption.places.nearby_projects import near
from adoption.places.sphere_geometry import EARTH_METRES, metres_between, unit_vector
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests import factories

CENTRES = [(40.8576, -74.1291), (0, 0), (-17.7, 179.9), (64.5, -180), (89.9, 25), (-90, 0)]
RADII = (5, 80, 805)
AROUND_EACH = 150


def great_circle(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the distance in kilometres by the spherical law of cosines."""
    (lat, lng), (lat_2, lng_2) = one, other
    cosine = sin(radians(lat)) * sin(radians(lat_2)) + cos(radians(lat)) * cos(radians(lat_2)) * cos(
        radians(lng - lng_2)
    )
    return acos(max(-1.0, min(1.0, cosine))) * EARTH_METRES / 1000


def random_points() -> list[tuple[float, float]]:
    """Return points everywhere, and many around each centre."""
    dice = random.Random(51)
    points = [(degrees(acos(dice.uniform(-1, 1))) - 90, dice.uniform(-180, 180)) for _ in range(300)]
    for lat, lng in CENTRES:
        for _ in range(AROUND_EACH):
            reach = dice.choice((0.1, 1.5, 12))
            new_lat = max(-90, min(90, lat + dice.uniform(-reach, reach)))
            wide = min(180, reach / max(0.01, cos(radians(new_lat))))
            points.append((new_lat, (lng + dice.uniform(-wide, wide) + 180) % 360 - 180))
    return points


def test_nearby_projects_are_those_of_the_great_circle(app: APIFlask) -> None:
    made = factories.project(published=False)
    points = dict(enumerate(random_points(), made.id))
    with transaction() as session:
        others = [
            {
                "id": id_,
                "account_id": made.account_id,
                "slug": f"p{id_}",
                "name": "P",
                "created_at": factories.NOW,
            }
            for id_ in points
            if id_ != made.id
        ]
        session.execute(insert(Project), others)
        session.execute(
            insert(ProjectPlace),
            [
                {"project_id": id_, "lat": lat, "lng": lng, **unit_vector(lat, lng)._asdict()}
                for id_, (lat, lng) in points.items()
            ],
        )
    for centre in CENTRES:
        for km in RADII:
            expected = {id_ for id_, point in points.items() if great_circle(centre, point) <= km}
            found = near(*centre, km)
            assert {each.project_id for each in found} == expected, (centre, km)
            assert [each.metres for each in found] == sorted(each.metres for each in found)
            for each in found:
                assert each.metres == pytest.approx(
                    great_circle(centre, points[each.project_id]) * 1000, abs=50
                )


@pytest.mark.settings("embedded")
def test_a_distance_across_the_date_line_is_short() -> None:
    metres = metres_between(unit_vector(-17.7, 179.9), unit_vector(-17.7, -179.9))
    assert metres == pytest.approx(21_190, abs=5)
