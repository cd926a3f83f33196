"""Breeds and colours in spreadsheets."""

import pytest

from tests.adoption.spreadsheets.sheets import import_file, import_row, stored_animals
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("written", "primary", "secondary", "mixed", "unknown"),
    [
        ("Labrador Retriever Mix", "Labrador Retriever", None, True, False),
        ("Boxer/Boston Terrier", "Boxer", "Boston Terrier", True, False),
        ("Border Collie/Mix", "Border Collie", None, True, False),
        ("Terrier / Mix", "Terrier", None, True, False),
        ("DSH/Unknown", "Domestic Shorthair", None, True, False),
        ("Shep Mix/Siberian Husky", "Shepherd", "Siberian Husky", True, False),
        ("Beagle/Beagle", "Beagle", None, False, False),
        ("PIT BULL", "Pit Bull", None, False, False),
        ("CHIHUAHUA SH", "Chihuahua Shorthair", None, False, False),
        ("MIXED BREED", "Mixed Breed", None, True, False),
        ("Labrador x Poodle", "Labrador", "Poodle", True, False),
        ("Golden Retriever/Poodle, Standard", "Golden Retriever", "Poodle, Standard", True, False),
        ("Not Provided", None, None, False, True),
        ("", None, None, False, False),
    ],
)
def test_a_breed_cell_is_split_into_primary_secondary_and_mixed(
    shelter: Shelter, written: str, primary: str | None, secondary: str | None, mixed: bool, unknown: bool
) -> None:
    animal = import_row(shelter, breed=written)
    assert (animal["breed_primary"], animal["breed_secondary"]) == (primary, secondary)
    assert (animal["breed_mixed"], animal["breed_unknown"]) == (mixed, unknown)


def test_breeds_in_separate_columns_are_read(shelter: Shelter) -> None:
    animal = import_row(shelter, PrimaryBreed="Boxer", SecondaryBreed="Pug", Mix="1")
    assert (animal["breed_primary"], animal["breed_secondary"], animal["breed_mixed"]) == (
        "Boxer",
        "Pug",
        True,
    )


def test_a_second_breed_called_mix_means_mixed(shelter: Shelter) -> None:
    animal = import_row(shelter, breed1="Boxer", breed2="Mix")
    assert (animal["breed_primary"], animal["breed_secondary"], animal["breed_mixed"]) == (
        "Boxer",
        None,
        True,
    )


def test_no_in_a_purebred_column_means_mixed(shelter: Shelter) -> None:
    assert import_row(shelter, breed="Pug", Purebred="No")["breed_mixed"] is True


@pytest.mark.parametrize(
    ("written", "colours"),
    [
        ("Black/White", "Black, White"),
        ("Black and White", "Black, White"),
        ("BRN TABBY / WHITE", "Brown Tabby, White"),
        ("Red, Tan, White, Blue", "Red, Tan, White"),
        ("Unknown", None),
        ("Tricolor (Brown, Black, & White)", "Tricolor (Brown / Black / White)"),
        ("Black - with White", "Black, White"),
    ],
)
def test_at_most_three_colours_are_read(shelter: Shelter, written: str, colours: str | None) -> None:
    assert import_row(shelter, color=written)["colours"] == colours


def test_colours_in_separate_columns_are_read(shelter: Shelter) -> None:
    assert (
        import_row(shelter, primaryColor="Black", secondaryColor="", tertiaryColor="Tan")["colours"]
        == "Black, Tan"
    )


def test_a_colour_cell_of_petfinder_or_adopt_a_pet_is_one_colour(shelter: Shelter) -> None:
    file = (
        "ID,AnimalName,Type,NoDogs,NoCats,Color1,Color2,Color3\n"
        'P1,Rex,Dog,0,1,"Tricolor (Brown, Black, & White)",,\n'
        "P2,Bo,Dog,0,1,Yellow / Tan / Blond / Fawn,White / Cream,\n"
        "P3,Mo,Dog,0,1,Black,White,Tan\n"
    )
    import_file(shelter, file)
    import_file(shelter, "Id,Animal,Name,GoodWKids,GoodWCats,Color\nP4,Dog,Al,,,Black - with White\n")
    assert [animal["colours"] for animal in stored_animals(shelter)] == [
        "Tricolor (Brown / Black / White)",
        "Yellow / Tan / Blond / Fawn, White / Cream",
        "Black, White, Tan",
        "Black with White",
    ]
