"""GET /v1/categories."""

from tests import cast

PUBLISHED = {
    1: "Dog",
    2: "Cat",
    3: "Rabbit",
    4: "Small & furry",
    5: "Bird",
    6: "Horse",
    7: "Barnyard",
    8: "Reptile",
    9: "Fish",
    10: "Other",
}


def test_the_published_categories_never_change(shelter: cast.Shelter) -> None:
    assert shelter.get("/v1/categories").json == [
        {"id": id_, "name": name} for id_, name in PUBLISHED.items()
    ]


def test_categories_are_the_same_for_every_account(shelter: cast.Shelter, neighbour: cast.Shelter) -> None:
    assert shelter.get("/v1/categories").data == neighbour.get("/v1/categories").data


def test_an_animal_can_have_each_category(shelter: cast.Shelter) -> None:
    ids = [category["id"] for category in shelter.get("/v1/categories").json]
    animals = [shelter.add(category=id_) for id_ in ids]
    assert [shelter.get(f"/v1/pets/{animal}").json["categoryId"] for animal in animals] == ids
