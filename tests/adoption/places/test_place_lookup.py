import pytest
from apiflask import APIFlask

from adoption.places.distances import parse_within, whole_km, whole_miles
from adoption.places.place_lookup import find_place
from adoption.places.sphere_geometry import metres_between, unit_vector

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("text", "degrees", "label"),
    [
        ("07055", (40.8576, -74.1291), "07055"),
        (" 07055-1234 ", (40.8576, -74.1291), "07055"),
        ("00926", (18.3486, -66.0539), "00926"),
        ("99501", (61.22, -149.8578), "99501"),
        ("96813", (21.3165, -157.8451), "96813"),
        ("40.86,-74.13", (40.86, -74.13), "40.86, -74.13"),
        ("40.86, -74.13", (40.86, -74.13), "40.86, -74.13"),
        ("Passaic, NJ", (40.8568, -74.1285), "Passaic, NJ"),
        ("newark,new jersey", (40.7357, -74.1724), "Newark, NJ"),
        ("Newark NJ", (40.7357, -74.1724), "Newark, NJ"),
        ("saint louis, mo", (38.6273, -90.1979), "St. Louis, MO"),
        ("New York, NY", (40.7143, -74.006), "New York City, NY"),
        ("San Juan, PR", (18.4663, -66.1057), "San Juan, PR"),
        ("Montreal, Quebec", (45.5088, -73.5878), "Montréal, QC"),
    ],
)
def test_a_place_is_found(app: APIFlask, text: str, degrees: tuple[float, float], label: str) -> None:
    assert find_place(text) == (*degrees, label, False)


def test_a_zip_code_of_po_boxes_is_approximate(app: APIFlask) -> None:
    found = find_place("20500")  # the White House, without an area of its own
    assert (found.label, found.is_approximate) == ("20500", True)
    assert metres_between(unit_vector(*found[:2]), unit_vector(38.8977, -77.0365)) < 5_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("00000", "There is no ZIP code 00000"),
        ("91,0", "Latitude is between -90 and 90"),
        ("40,181", "longitude between -180 and 180"),
        ("", "Enter a ZIP code, or a town with its state"),
        ("Passaic", "Enter a ZIP code, or a town with its state"),
        ("1" * 400, "Enter a ZIP code, or a town with its state"),
        ("NJ", "New Jersey is a whole state. Add a town"),
        ("new york", "New York is a whole state"),
        ("Nowhere, ZZ", "There is no state “ZZ”"),
        ("Nowhere, NJ", "There is no town “Nowhere” of more than 1,000 people in New Jersey"),
        ("Passaic\tPassaic, NJ", "There is no town “Passaic Passaic”"),
    ],
)
def test_an_unknown_place_is_an_error(app: APIFlask, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        find_place(text)


@pytest.mark.parametrize(
    ("text", "km"),
    [("", 80.4672), ("25mi", 40.2336), ("40km", 40), ("500mi", 804.672), ("804km", 804)],
)
def test_a_distance_is_in_miles_or_kilometres(text: str, km: float) -> None:
    assert parse_within(text) == pytest.approx(km)


@pytest.mark.parametrize("text", ["501mi", "805km", "5", "5 miles", "0mi", "-5mi", "\u0665mi", "5mi\n"])
def test_another_distance_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="mi"):
        parse_within(text)


def test_distances_are_rounded_to_whole_numbers() -> None:
    assert (whole_miles(16_267), whole_km(16_267)) == (10, 16)
