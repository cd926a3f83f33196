from datetime import date
from typing import Any

import pytest
from apiflask import APIFlask

from adoption.animals.public_profiles import profile_of
from adoption.projects.models import Project
from portal.animals.facts import companions_of, fact_table, kind_in_words, money, waiting_in_words
from portal.dates import day_in_words
from tests import factories

pytestmark = pytest.mark.settings("embedded")

TODAY = date(2026, 11, 28)


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    return factories.project(currency="GBP")


@pytest.mark.parametrize(
    ("known", "found"),
    [
        ({"sex": "male", "altered": True}, "Male, neutered"),
        ({"sex": "male", "altered": True, "category_id": 6}, "Male, gelded"),
        ({"sex": "female", "altered": False}, "Female, not spayed yet"),
        ({"sex": "female"}, "Female"),
        ({"altered": True}, "Neutered"),
        ({"altered": False}, "Not neutered yet"),
    ],
)
def test_sex_and_neutering_in_words(elm_road: Project, known: dict[str, Any], found: str) -> None:
    animal = profile_of(factories.animal(elm_road, **known))
    assert [fact.value for fact in fact_table(animal, TODAY) if fact.label == "Sex"] == [found]


@pytest.mark.parametrize(
    ("cents", "currency", "found"),
    [
        (9500, "GBP", "£95"),
        (9550, "GBP", "£95.50"),
        (125000, "USD", "US$1,250"),
        (9500, "EUR", "€95"),
        (950000, "JPY", "JP¥9,500"),
        (1, "GBP", "£0.01"),
    ],
)
def test_fees_in_words(cents: int, currency: str, found: str) -> None:
    assert money(cents, currency) == found


@pytest.mark.parametrize(("cents", "found"), [(0, ["Waived"]), (None, []), (9500, ["£95"])])
def test_a_fee_may_be_waived_or_not_shown(elm_road: Project, cents: int | None, found: list[str]) -> None:
    animal = profile_of(factories.animal(elm_road, fee_cents=cents))
    assert [fact.value for fact in fact_table(animal, TODAY) if fact.label == "Adoption fee"] == found


def test_good_with_has_three_answers(elm_road: Project) -> None:
    id_ = factories.animal(elm_road, good_with_children=True, good_with_dogs=False)
    found = [(each.who, each.answer, each.text) for each in companions_of(profile_of(id_))]
    assert found == [
        ("Children", "yes", "yes"),
        ("Other dogs", "no", "no"),
        ("Cats", "unknown", "not tested"),
    ]


@pytest.mark.parametrize(
    ("known", "found"),
    [
        ({"category_id": 2, "breed_primary": "Domestic shorthair"}, "domestic shorthair cat"),
        ({"breed_primary": "German shepherd"}, "German shepherd dog"),
        ({"breed_primary": "Beagle", "breed_mixed": True}, "Beagle cross"),
        ({"breed_unknown": True, "breed_mixed": True}, "mixed-breed dog"),
        ({"category_id": 6, "breed_primary": "Shetland pony"}, "Shetland pony"),
        ({"category_id": 3, "breed_primary": "Rabbit, lop"}, "rabbit, lop"),
        ({"category_id": 4}, "small animal"),
    ],
)
def test_breed_and_species_make_one_name(elm_road: Project, known: dict[str, Any], found: str) -> None:
    assert kind_in_words(profile_of(factories.animal(elm_road, **known))) == found


@pytest.mark.parametrize(
    ("day", "found"),
    [(date(2026, 11, 3), "3 November"), (date(2025, 2, 28), "28 February 2025")],
)
def test_a_date_of_another_year_has_the_year(day: date, found: str) -> None:
    assert day_in_words(day, TODAY) == found.replace(" ", "\xa0")


@pytest.mark.parametrize(
    ("arrival", "words"),
    [
        (date(2026, 11, 28), "new here"),
        (date(2026, 11, 23), "waiting for 5 days"),
        (date(2026, 10, 20), "waiting for 5 weeks"),
        (date(2026, 2, 1), "waiting for 9 months"),
        (date(2025, 11, 28), "waiting for a year"),
        (date(2025, 11, 14), "waiting for over a year"),
        (date(2020, 2, 29), "waiting for over 6 years"),
    ],
)
def test_waiting_times_in_words(arrival: date, words: str) -> None:
    assert waiting_in_words(arrival, TODAY) == words
