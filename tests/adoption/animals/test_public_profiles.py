from datetime import UTC, date, datetime
from typing import Any

import pytest
from apiflask import APIFlask

from adoption.animals.catalogue import CatalogueFilters
from adoption.animals.catalogue_orders import newest
from adoption.animals.models import Animal, CareRecord
from adoption.animals.public_profiles import Profile, profile_of
from adoption.animals.similar_animals import LOOKED_AT, similar_to
from adoption.errors import Gone, NotFound
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import factories
from tests.factories import remove_animals, restore_animals

TODAY = date(2026, 11, 28)
LATER = datetime(2026, 11, 29, 10, tzinfo=UTC)


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    texts = {"place": "Ely", "currency": "GBP", "about": "Small.", "contact_phone": "01632 960 144"}
    return factories.project("Elm Road Rescue", **texts)


@pytest.fixture
def harbour(app: APIFlask) -> Project:
    return factories.project("Harbour Cats")


def find_profile(animal_id: int, **rest: Any) -> list[str]:
    return [each.name for each in similar_to(profile_of(animal_id), today=TODAY, **rest)]


def test_a_profile_has_the_public_fields(elm_road: Project) -> None:
    born, arrived = date(2026, 9, 1), date(2026, 11, 3)
    id_ = factories.animal(elm_road, "Biscuit", birth_date=born, arrival_date=arrived, code="K11", photos=2)
    found = profile_of(id_)
    assert (found.name, found.code, found.birth_date, found.arrival_date) == (
        "Biscuit",
        "K11",
        "2026-09-01",
        "2026-11-03",
    )
    assert [photo.digest[-1] for photo in found.photos] == ["0", "1"]
    shelter = found.shelter
    assert (shelter.name, shelter.slug, shelter.place, shelter.currency, shelter.contact_phone) == (
        "Elm Road Rescue",
        "elm-road-rescue",
        "Ely",
        "GBP",
        "01632 960 144",
    )


def test_a_profile_has_the_published_texts_of_its_shelter(elm_road: Project) -> None:
    id_ = factories.animal(elm_road)
    with transaction() as session:
        session.get_one(Project, elm_road.id).place = "Not yet told"
    assert profile_of(id_).shelter.place == "Ely"


def test_a_profile_has_no_private_fields() -> None:
    private = {column.name for column in CareRecord.__table__.columns} - {"animal_id"}
    assert private
    assert not private & set(Profile._fields)


def test_a_hidden_animal_is_not_found(elm_road: Project, app: APIFlask) -> None:
    quiet = factories.project("Not Yet Open", published=False)
    hidden = [factories.animal(elm_road, listed=False), factories.animal(quiet), 9_999_999, 0, 2**63 - 1]
    for id_ in hidden:
        with pytest.raises(NotFound):
            profile_of(id_)


def test_an_animal_of_another_shelter_is_not_found_on_a_site(elm_road: Project, harbour: Project) -> None:
    id_ = factories.animal(harbour)
    assert profile_of(id_, harbour.id).id == id_
    with pytest.raises(NotFound):
        profile_of(id_, elm_road.id)
    remove_animals(harbour.id, [id_])
    with pytest.raises(NotFound):
        profile_of(id_, elm_road.id)


def test_the_error_about_a_removed_animal_has_its_species(elm_road: Project) -> None:
    id_ = factories.animal(elm_road, category_id=3)
    assert remove_animals(elm_road.id, [id_]) == [id_]
    with pytest.raises(Gone) as refusal:
        profile_of(id_)
    assert refusal.value.category_id == 3
    assert newest(CatalogueFilters(), None, 10, TODAY) == []


def test_a_removed_animal_that_was_never_public_is_not_found(elm_road: Project, app: APIFlask) -> None:
    quiet = factories.project("Not Yet Open", published=False)
    for of, listed in ((elm_road, False), (quiet, True)):
        id_ = factories.animal(of, listed=listed)
        remove_animals(of.id, [id_])
        with pytest.raises(NotFound):
            profile_of(id_)


def test_a_restored_animal_is_unchanged(elm_road: Project) -> None:
    shown, held = factories.animal(elm_road, "Shown"), factories.animal(elm_road, "Held", listed=False)
    assert remove_animals(elm_road.id, [shown, held]) == [shown, held]
    assert restore_animals(elm_road.id, [shown, held], LATER) == [shown, held]
    assert profile_of(shown).name == "Shown"
    with pytest.raises(NotFound):
        profile_of(held)
    with reading() as session:
        animal = session.get_one(Animal, shown)
        assert (animal.removed_at, animal.listed_before_removal, animal.updated_at) == (None, None, LATER)


def test_removing_or_restoring_twice_changes_nothing(elm_road: Project) -> None:
    id_ = factories.animal(elm_road)
    assert restore_animals(elm_road.id, [id_]) == []
    assert remove_animals(elm_road.id, [id_, id_], LATER) == [id_]
    assert remove_animals(elm_road.id, [id_]) == []
    with reading() as session:
        assert session.get_one(Animal, id_).removed_at == LATER
    restore_animals(elm_road.id, [id_])
    assert profile_of(id_).id == id_


def test_another_project_cannot_remove_or_restore_an_animal(elm_road: Project, harbour: Project) -> None:
    id_ = factories.animal(harbour)
    assert remove_animals(elm_road.id, [id_]) == []
    assert profile_of(id_).name == "Biscuit"
    remove_animals(harbour.id, [id_])
    assert restore_animals(elm_road.id, [id_]) == []


def test_impossible_ids_are_ignored(elm_road: Project) -> None:
    id_ = factories.animal(elm_road)
    assert remove_animals(elm_road.id, [-1, 0, 2**63, 10**30, id_, *range(id_ + 1, id_ + 40_000)]) == [id_]


def test_bonded_animals_are_shown_if_they_are_public(elm_road: Project) -> None:
    bond = factories.bond(elm_road)
    biscuit = factories.animal(elm_road, "Biscuit", bond_id=bond)
    factories.animal(elm_road, "Crumble", bond_id=bond, status="pending")
    factories.animal(elm_road, "Hidden", bond_id=bond, listed=False)
    factories.animal(elm_road, "Stranger", bond_id=factories.bond(elm_road))
    assert [mate.name for mate in profile_of(biscuit).mates] == ["Crumble"]


def test_similar_animals_are_available_and_of_the_same_species(elm_road: Project, harbour: Project) -> None:
    bond = factories.bond(elm_road)
    id_ = factories.animal(elm_road, "Biscuit", bond_id=bond)
    factories.animal(elm_road, "Mate", bond_id=bond)
    factories.animal(elm_road, "Cat", category_id=2)
    factories.animal(elm_road, "Hidden", listed=False)
    for status in ("pending", "sold"):
        factories.animal(harbour, status, status=status)
    factories.animal(harbour, "Dog")
    assert find_profile(id_) == ["Dog"]


def test_the_most_similar_animals_come_first(elm_road: Project, harbour: Project) -> None:
    young, old = date(2025, 3, 1), date(2012, 3, 1)
    id_ = factories.animal(elm_road, "Biscuit", size="small", birth_date=young)
    factories.animal(elm_road, "Same shelter", size="large", birth_date=old)
    factories.animal(elm_road, "Same in all", size="small", birth_date=date(2025, 1, 1))
    factories.animal(harbour, "Same size", size="small", birth_date=old)
    factories.animal(harbour, "Unknown")
    assert find_profile(id_) == ["Same in all", "Same shelter", "Same size", "Unknown"]
    assert find_profile(id_, limit=1) == ["Same in all"]
    assert find_profile(id_, project_id=elm_road.id) == ["Same in all", "Same shelter"]


def test_similar_animals_are_found_among_many_newer_animals(elm_road: Project, harbour: Project) -> None:
    factories.animal(elm_road, "Old friend")
    id_ = factories.animal(elm_road, "Biscuit")
    with transaction() as session:
        session.add_all(
            Animal(
                project_id=harbour.id,
                name=f"Number {n}",
                category_id=1,
                status="sold" if n % 2 else "available",
                created_at=LATER,
                updated_at=LATER,
            )
            for n in range(LOOKED_AT + 20)
        )
    assert find_profile(id_)[0] == "Old friend"
    assert len(find_profile(id_)) == 4


def test_the_only_animal_of_a_shelter_has_no_similar_animals(elm_road: Project) -> None:
    assert find_profile(factories.animal(elm_road)) == []
