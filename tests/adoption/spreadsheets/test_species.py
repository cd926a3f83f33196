"""Species words in spreadsheets and their categories."""

import pytest

from tests.adoption.spreadsheets.sheets import import_file, import_row, only_animal
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("written", "category"),
    [
        ("DOG", "Dog"),
        ("Puppy", "Dog"),
        ("Feline", "Cat"),
        ("House Rabbit", "Rabbit"),
        ("Guinea Pig", "Small & furry"),
        ("Small&Furry", "Small & furry"),
        ("Chickens", "Bird"),
        ("Equine", "Horse"),
        ("Farm Animal", "Barnyard"),
        ("Snake", "Reptile"),
        ("Goldfish", "Fish"),
        ("Other", "Other"),
        ("Puppies", "Dog"),
        ("Bunnies", "Rabbit"),
        ("Ponies", "Horse"),
        ("Dog.", "Dog"),
        ("Domestic Cat", "Cat"),
        ("Dog/Canine", "Dog"),
        ("Guinea-pig", "Small & furry"),
        ("Cat (domestic)", "Cat"),
        ("Chat", "Cat"),
        ("Cochon d\u2019Inde", "Small & furry"),
        ("Pocket pets", "Small & furry"),
        ("Dog/Cat", "Other"),
    ],
)
def test_a_species_word_has_a_category(shelter: Shelter, written: str, category: str) -> None:
    assert import_row(shelter, species=written)["category"] == category


def test_an_unknown_species_becomes_other_with_a_warning(shelter: Shelter) -> None:
    result = import_file(shelter, "code,name,species\nA1,Possy,OPOSSUM\n")
    animal = only_animal(shelter)
    assert (animal["category"], animal["breed_primary"]) == ("Other", "Opossum")
    assert [(note.row, note.column, note.value) for note in result.warnings] == [(2, "species", "OPOSSUM")]


def test_a_blank_species_is_rejected_unless_the_file_has_one_species(shelter: Shelter) -> None:
    file = "code,name,species\nA1,Rex,\n"
    assert [(note.row, note.column) for note in import_file(shelter, file).refused] == [(2, "species")]
    import_file(shelter, file, category="dog")
    assert only_animal(shelter)["category"] == "Dog"
