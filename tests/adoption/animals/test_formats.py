"""What the columns and cells of each program mean: one peculiarity a test, on rows made up for it."""

from datetime import date
from typing import Any

import pytest

from adoption.animals.spreadsheets.header_formats import recognise_header
from adoption.errors import FileRefused
from tests.adoption.animals.spreadsheet import TODAY, counts, csv_of, kept, only, take_in
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


def taken(shelter: Shelter, **cells: str) -> dict[str, Any]:
    """The animal that a row with these cells makes, in a file with a code and a species."""
    row = {"code": "A1", "species": "Dog"} | cells
    result = take_in(shelter, csv_of(list(row), list(row.values())))
    assert result.refused == []
    return only(shelter)


def asm(shelter: Shelter, **cells: str) -> dict[str, Any]:
    row = {"sheltercode": "D1", "animalname": "Rex", "speciesname": "Dog"} | cells
    assert take_in(shelter, csv_of(list(row), list(row.values()))).refused == []
    return only(shelter)


FORMATS = {
    "ShelterManager": "ID,SHELTERCODE,ANIMALNAME,SPECIESNAME,BREEDNAME,SEXNAME,DATEOFBIRTH",
    "Petfinder": "ID,Internal,AnimalName,PrimaryBreed,SecondaryBreed,Sex,Age,Desc,Type,Status,NoDogs,NoCats",
    "RescueGroups": "orgID,animalID,status,rescueID,name,species,primaryBreed,sex,dogs,cats,kids,uptodate",
    "Adopt-a-Pet": "Id,Animal,Breed,Breed2,Purebred,Name,Sex,GoodWKids,GoodWCats,GoodWDogs,HairLength",
    "Shelterluv": "Animal ID,Name,Species,Type,Primary Breed,In Custody,Kennel Card / Web Site Memo",
    "PetPoint": "Animal #,ARN,Animal Name,Species,Primary Breed,Stage,Intake Date/Time",
    "Chameleon": "Animal_Id,Animal_Type,Animal_Breed,Kennel_Number,Kennel_Status,Impound_Number,Outcome_Type",
    "PetHarbor": "impound_no,Animal_ID,Record_Type,Animal_Name,animal_type,Date,Date_Type,Memo",
    "plain": "Code,Name,Species,Breed,Born",
}
CODES = {
    "ShelterManager": "SHELTERCODE",
    "Petfinder": "ID",
    "RescueGroups": "rescueID",
    "Adopt-a-Pet": "Id",
    "Shelterluv": "Animal ID",
    "PetPoint": "Animal #",
    "Chameleon": "Animal_Id",
    "PetHarbor": "Animal_ID",
    "plain": "Code",
}


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_is_recognised_with_the_animals_own_code(form: str) -> None:
    layout = recognise_header(FORMATS[form].split(","))
    assert (layout.format, layout.codes[0].header) == (form, CODES[form])
    fields = {column.field for column in layout.columns}
    assert fields & {"name", "category"} == ({"category"} if form == "Chameleon" else {"name", "category"})


def test_columns_are_told_as_written_with_their_fields(shelter: Shelter) -> None:
    result = take_in(shelter, "SHELTERCODE,AnimalName,speciesname,Photo1\nD1,Rex,Dog,http://x\n")
    assert result.columns == {
        "SHELTERCODE": "code",
        "AnimalName": "name",
        "speciesname": "category",
        "Photo1": None,
    }


def test_a_code_column_that_is_blank_throughout_gives_way_to_the_next(shelter: Shelter) -> None:
    take_in(shelter, "orgID,animalID,rescueID,name,species\n9,55,,Rex,Dog\n")
    assert only(shelter)["code"] == "55"


def test_where_the_best_code_is_blank_the_next_stands_in(shelter: Shelter) -> None:
    header = "Animal ID,Rescue ID,Name,Species,OK with dogs,General Age\n"
    file = header + "11,R1,Rex,Dog,Yes,Adult\n12,,Tom,Cat,No,Young\n"
    result = take_in(shelter, file)
    assert [animal["code"] for animal in kept(shelter)] == ["R1", "12"]
    assert (result.columns["Rescue ID"], result.columns["Animal ID"]) == ("code", "code")
    assert counts(take_in(shelter, file.replace("Tom", "Tim"))) == (2, 0, 1, 1, 0)


# Names


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("*Padmé", "Padmé"),
        ("036", "036"),
        ("Cari&#241;o", "Cariño"),
        ("Mr.\u00a0 T", "Mr. T"),
        ("S'Mores", "S'Mores"),
        ("DJ", "DJ"),
        ("", "A1"),
        ("'=Rex", "=Rex"),
        ("'Tis", "'Tis"),
    ],
)
def test_a_name_is_kept_as_people_write_it(shelter: Shelter, written: str, name: str) -> None:
    assert taken(shelter, name=written)["name"] == name


def test_backticks_of_shelter_manager_are_apostrophes(shelter: Shelter) -> None:
    assert asm(shelter, animalname="Mango Ma`am")["name"] == "Mango Ma'am"


def test_names_in_capitals_throughout_are_brought_to_ordinary_case(shelter: Shelter) -> None:
    take_in(shelter, "code,name,species\nA1,OLD MAX,DOG\nA2,BELLA,DOG\nA3,O'MALLEY,CAT\n")
    assert [animal["name"] for animal in kept(shelter)] == ["Old Max", "Bella", "O'malley"]


def test_one_name_in_capitals_is_its_own_way(shelter: Shelter) -> None:
    take_in(shelter, "code,name,species\nA1,MAX,Dog\nA2,Bella,Dog\nA3,TIM,Cat\n")
    assert [animal["name"] for animal in kept(shelter)] == ["MAX", "Bella", "TIM"]


def test_a_row_with_neither_name_nor_code_is_refused(shelter: Shelter) -> None:
    ((row, column, _, reason, _),) = take_in(shelter, "code,name,species\n,,Dog\n").refused
    assert (row, column) == (2, "name")
    assert "neither a name nor a code" in reason


def test_a_name_beyond_the_rule_is_refused(shelter: Shelter) -> None:
    ((_, column, _, reason, _),) = take_in(shelter, f"code,name,species\nA1,{'x' * 201},Dog\n").refused
    assert (column, reason) == ("name", "must have 200 characters at most, not 201")


# Species


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
def test_a_species_word_finds_its_category(shelter: Shelter, written: str, category: str) -> None:
    assert taken(shelter, species=written)["category"] == category


def test_a_species_that_no_category_knows_is_other_and_told(shelter: Shelter) -> None:
    result = take_in(shelter, "code,name,species\nA1,Possy,OPOSSUM\n")
    animal = only(shelter)
    assert (animal["category"], animal["breed_primary"]) == ("Other", "Opossum")
    assert [(note.row, note.column, note.value) for note in result.warnings] == [(2, "species", "OPOSSUM")]


def test_a_blank_species_is_refused_unless_the_file_is_of_one(shelter: Shelter) -> None:
    file = "code,name,species\nA1,Rex,\n"
    assert [(note.row, note.column) for note in take_in(shelter, file).refused] == [(2, "species")]
    take_in(shelter, file, category="dog")
    assert only(shelter)["category"] == "Dog"


# Breeds and colours


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
def test_a_breed_is_taken_apart(
    shelter: Shelter, written: str, primary: str | None, secondary: str | None, mixed: bool, unknown: bool
) -> None:
    animal = taken(shelter, breed=written)
    assert (animal["breed_primary"], animal["breed_secondary"]) == (primary, secondary)
    assert (animal["breed_mixed"], animal["breed_unknown"]) == (mixed, unknown)


def test_breeds_in_columns_of_their_own(shelter: Shelter) -> None:
    animal = taken(shelter, PrimaryBreed="Boxer", SecondaryBreed="Pug", Mix="1")
    assert (animal["breed_primary"], animal["breed_secondary"], animal["breed_mixed"]) == (
        "Boxer",
        "Pug",
        True,
    )


def test_a_second_breed_of_mix_is_a_mix_and_no_breed(shelter: Shelter) -> None:
    animal = taken(shelter, breed1="Boxer", breed2="Mix")
    assert (animal["breed_primary"], animal["breed_secondary"], animal["breed_mixed"]) == (
        "Boxer",
        None,
        True,
    )


def test_not_purebred_is_mixed(shelter: Shelter) -> None:
    assert taken(shelter, breed="Pug", Purebred="No")["breed_mixed"] is True


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
def test_colours_are_three_at_most(shelter: Shelter, written: str, colours: str | None) -> None:
    assert taken(shelter, color=written)["colours"] == colours


def test_colours_in_columns_of_their_own(shelter: Shelter) -> None:
    assert (
        taken(shelter, primaryColor="Black", secondaryColor="", tertiaryColor="Tan")["colours"]
        == "Black, Tan"
    )


def test_petfinder_and_adopt_a_pet_have_one_colour_a_cell(shelter: Shelter) -> None:
    file = (
        "ID,AnimalName,Type,NoDogs,NoCats,Color1,Color2,Color3\n"
        'P1,Rex,Dog,0,1,"Tricolor (Brown, Black, & White)",,\n'
        "P2,Bo,Dog,0,1,Yellow / Tan / Blond / Fawn,White / Cream,\n"
        "P3,Mo,Dog,0,1,Black,White,Tan\n"
    )
    take_in(shelter, file)
    take_in(shelter, "Id,Animal,Name,GoodWKids,GoodWCats,Color\nP4,Dog,Al,,,Black - with White\n")
    assert [animal["colours"] for animal in kept(shelter)] == [
        "Tricolor (Brown / Black / White)",
        "Yellow / Tan / Blond / Fawn, White / Cream",
        "Black, White, Tan",
        "Black with White",
    ]


# Sex, size, traits


@pytest.mark.parametrize(
    ("written", "sex", "altered"),
    [
        ("Spayed Female", "female", True),
        ("Neutered Male", "male", True),
        ("Intact Male", "male", False),
        ("Unaltered", None, False),
        ("M", "male", None),
        ("N", "male", True),
        ("S", "female", True),
        ("Unknown", None, None),
        ("Female/Spayed", "female", True),
        ("Neutered Female", "female", True),
        ("Entire Male", "male", False),
        ("Castrated", "male", True),
        ("Male (Altered)", "male", True),
        ("Female - not spayed", "female", False),
        ("MC", "male", True),
        ("FN", "female", True),
        ("F/S", "female", True),
        ("♀", "female", None),
        ("♂ neutered", "male", True),
        ("hembra esterilizada", "female", True),
        ("weiblich, nicht kastriert", "female", False),
        ("去勢オス", "male", True),
    ],
)
def test_sex_and_altered_may_share_a_cell(
    shelter: Shelter, written: str, sex: str | None, altered: bool | None
) -> None:
    animal = taken(shelter, sex=written)
    assert (animal["sex"], animal["altered"]) == (sex, altered)


def test_a_column_about_altering_knows_its_own_words(shelter: Shelter) -> None:
    words = ("Spayed", "Neutered", "Altered", "Intact", "yes", "No", "not yet spayed", "unknown")
    rows = [[f"A{number}", "Dog", word] for number, word in enumerate(words)]
    result = take_in(shelter, csv_of(["code", "species", "Spayed/Neutered"], *rows))
    assert [note.value for note in result.warnings] == ["not yet spayed"]
    told = [(animal["sex"], animal["altered"]) for animal in kept(shelter)]
    assert told[:4] == [("female", True), ("male", True), (None, True), (None, False)]
    assert told[4:] == [(None, True), (None, False), (None, None), (None, None)]


@pytest.mark.parametrize(("code", "sex"), [("0", "female"), ("1", "male"), ("2", None), ("Female", "female")])
def test_shelter_manager_has_codes_for_sexes(shelter: Shelter, code: str, sex: str | None) -> None:
    assert asm(shelter, sex=code)["sex"] == sex


@pytest.mark.parametrize(
    ("code", "good"), [("0", True), ("1", False), ("2", None), ("12", None), ("Yes", True)]
)
def test_shelter_manager_says_good_with_by_a_nought(shelter: Shelter, code: str, good: bool | None) -> None:
    animal = asm(shelter, GOODWITHCATS=code, GOODWITHDOGS=code, ANIMALGOODWITHKIDS=code, housetrained=code)
    assert {animal["good_with_cats"], animal["good_with_dogs"], animal["good_with_children"]} == {good}
    assert animal["house_trained"] == good


@pytest.mark.parametrize(("code", "good"), [("1", False), ("0", True), ("", None)])
def test_petfinder_says_not_good_with(shelter: Shelter, code: str, good: bool | None) -> None:
    animal = taken(shelter, NoDogs=code, NoCats=code, NoKids=code)
    assert {animal["good_with_cats"], animal["good_with_dogs"], animal["good_with_children"]} == {good}


@pytest.mark.parametrize(
    ("word", "answer"),
    [("yes", True), ("TRUE", True), ("1", True), ("✓", True), ("N", False), ("0", False), ("unknown", None)],
)
def test_three_answers_are_kept_apart(shelter: Shelter, word: str, answer: bool | None) -> None:
    assert taken(shelter, GoodWKids=word)["good_with_children"] is answer


@pytest.mark.parametrize(
    ("word", "size"),
    [("S", "small"), ("Med.", "medium"), ("Large 61-100 lbs", "large"), ("Extra Large", "xlarge")],
)
def test_sizes(shelter: Shelter, word: str, size: str) -> None:
    assert taken(shelter, size=word)["size"] == size


def test_a_word_that_a_field_does_not_know_is_told_and_left_alone(shelter: Shelter) -> None:
    taken(shelter, size="S", coat="Long")
    result = take_in(shelter, "code,species,size,coat\nA1,Dog,bulky,furry\n")
    assert [(note.column, note.value) for note in result.warnings] == [("size", "bulky"), ("coat", "furry")]
    assert (only(shelter)["size"], only(shelter)["coat"]) == ("small", "long")


def test_special_needs_in_words_are_their_own_note(shelter: Shelter) -> None:
    animal = taken(shelter, specialNeeds="Needs a daily tablet")
    assert (animal["special_needs"], animal["special_needs_note"]) == (True, "Needs a daily tablet")


@pytest.mark.parametrize(
    ("written", "cents"),
    [
        ("$125.00", 12500),
        ("1.250,00 €", 125000),
        ("1,250", 125000),
        ("80 USD", 8000),
        ("80,-", 8000),
        (".50", 50),
        ("R$ 125", 12500),
        ("¥12,000", 1200000),
        ("12000円", 1200000),
        ("kostenlos", 0),
        ("waived", 0),
        ("0", 0),
        ("", None),
        ("Not shown", None),
    ],
)
def test_fees(shelter: Shelter, written: str, cents: int | None) -> None:
    assert taken(shelter, adoption_fee=written)["fee_cents"] == cents


def test_a_fee_with_a_point_before_three_digits_is_reported(shelter: Shelter) -> None:
    result = take_in(shelter, 'code,species,fee\nA1,Dog,12.345\nA2,Dog,1.250 €\nA3,Dog,"1.250,00"\n')
    assert [animal["fee_cents"] for animal in kept(shelter)] == [1234500, 125000, 125000]
    assert [note.row for note in result.warnings] == [2, 3]


def test_a_fee_in_prose_is_told_and_not_shown(shelter: Shelter) -> None:
    result = take_in(shelter, "code,species,fee\nA1,Dog,From $50 up to $75\n")
    assert [note.column for note in result.warnings] == ["fee"]
    assert only(shelter)["fee_cents"] is None


def test_petfinder_waives_and_hides_fees_in_columns_of_their_own(shelter: Shelter) -> None:
    assert taken(shelter, adoption_fee="90", adoption_fee_waived="1")["fee_cents"] == 0
    assert taken(shelter, adoption_fee="90", display_adoption_fee="0")["fee_cents"] is None


def test_shelter_manager_keeps_fees_in_hundredths(shelter: Shelter) -> None:
    assert asm(shelter, fee="12500")["fee_cents"] == 12500


# Descriptions and what is private


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<p>Hi!</p><p>I am <b>Rex</b>.<br>Ask &amp; see</p>", "Hi!\n\nI am Rex.\nAsk & see"),
        ("<ul><li>calm</li><li>old</li></ul>", "- calm\n- old"),
        ("one\r\n\r\n\r\n\r\ntwo", "one\n\ntwo"),
        (
            "see <https://example.org/rex> or <sam@example.org>",
            "see <https://example.org/rex> or <sam@example.org>",
        ),
        (
            "First line\nsecond, with <b>one</b> word<o:p></o:p>\n\nlast",
            "First line\nsecond, with one word\n\nlast",
        ),
        ("5 < 6 &quot;yes&quot;", '5 < 6 "yes"'),
        ("<style>p {}</style><script>x()</script>Hi<!-- no -->", "Hi"),
    ],
)
def test_descriptions_become_plain_paragraphs(shelter: Shelter, written: str, text: str) -> None:
    assert taken(shelter, description=written)["description"] == text


def test_a_petharbor_memo_is_left_without_the_place_of_pick_up(shelter: Shelter) -> None:
    memo = (
        "Received on: 555-0100<p></p> Found Near: 1 ELM RD, KENT<p></p> Description: Black Cat<p></p> "
        "Age: 5 YEARS<p></p> Current Location: Shelter<p></p>Hi! I am Rex.<p></p>Adoption Fee: $30.00<p></p>"
    )
    header = ["impound_no", "Animal_ID", "Record_Type", "animal_type", "Memo"]
    take_in(shelter, csv_of(header, ["K1", "A1", "ADOPTABLE", "Cat", memo]))
    assert only(shelter)["description"] == "Hi! I am Rex."


def test_microchip_and_hidden_comments_go_where_only_the_shelter_sees_them(shelter: Shelter) -> None:
    animal = asm(
        shelter,
        identichipnumber="981020023666391",
        animalhiddendetails="bites postmen",
        intakereason="Moving",
    )
    assert (animal["microchip"], animal["internal_notes"]) == ("981020023666391", "bites postmen")
    assert (animal["arrival_details"], animal["description"]) == ("Moving", "")


def test_a_number_that_a_spreadsheet_rounded_is_not_kept(shelter: Shelter) -> None:
    result = take_in(shelter, "code,species,microchip\nA1,Dog,9.8102E+14\n1.2E+05,Dog,\n")
    assert [(note.row, note.column) for note in result.warnings] == [(2, "microchip")]
    assert [(note.row, note.column) for note in result.refused] == [(3, "code")]


# Where the animal stands


@pytest.mark.parametrize(
    ("written", "status", "listed", "on_hold"),
    [
        ("A", "available", True, None),
        ("Adoptable", "available", True, None),
        ("Adoption Pending", "pending", True, None),
        ("X", "sold", True, None),
        ("Adopted", "sold", True, None),
        ("H", "available", False, True),
        ("Hold - Stray", "available", False, True),
        ("F", "available", False, None),
        ("Euthanized", "available", False, None),
    ],
)
def test_status_words(
    shelter: Shelter, written: str, status: str, listed: bool, on_hold: bool | None
) -> None:
    animal = taken(shelter, status=written)
    assert (animal["status"], animal["listed"], animal["on_hold"]) == (status, listed, on_hold)


@pytest.mark.parametrize(
    ("movement", "returned", "status", "listed"),
    [
        ("Adoption", "", "sold", True),
        ("Adoption", "2024-02-03", "available", True),
        ("Adoption", "0000-00-00", "sold", True),
        ("Foster", "", "available", True),
        ("Transfer", "", "available", False),
        ("Reclaimed", "", "available", False),
        ("Reclaimed", "2024-02-03", "available", True),
        ("Escaped", "", "available", False),
        ("Stolen", "", "available", False),
        ("", "", "sold", True),  # by ShelterManager's manual
        ("0", "", "pending", True),
        ("2", "", "available", True),
        ("5", "", "available", False),
    ],
)
def test_a_movement_tells_status(
    shelter: Shelter, movement: str, returned: str, status: str, listed: bool
) -> None:
    animal = asm(shelter, movementtype=movement, movementdate="2024-01-02", returndate=returned)
    assert (animal["status"], animal["listed"]) == (status, listed)


def test_a_trial_adoption_is_pending(shelter: Shelter) -> None:
    assert asm(shelter, movementtype="Adoption", istrial="1")["status"] == "pending"


def test_death_counts_by_its_date_and_not_by_the_reason_beside_it(shelter: Shelter) -> None:
    assert (
        asm(shelter, movementtype="Foster", deceaseddate="", deceasedreason="Died in care")["listed"] is True
    )
    assert (
        asm(shelter, movementtype="Foster", deceaseddate="2024-01-02", deceasedreason="")["listed"] is False
    )


def test_an_animal_that_died_after_it_came_back_is_not_shown(shelter: Shelter) -> None:
    died = asm(shelter, movementtype="Adoption", returndate="2024-01-02", deceaseddate="2024-01-03")
    assert died["listed"] is False


@pytest.mark.parametrize("column", ["ANIMALNOTFORADOPTION", "ANIMALNONSHELTER"])
def test_not_for_adoption_is_not_listed(shelter: Shelter, column: str) -> None:
    assert asm(shelter, **{column: "1"})["listed"] is False
    assert asm(shelter, **{column: "0"})["listed"] is True


@pytest.mark.parametrize(
    ("column", "word", "on_hold", "in_quarantine", "listed"),
    [
        ("IsHold", "1", True, False, False),
        ("IsHold", "0", None, None, True),
        ("IsQuarantine", "yes", False, True, False),
        ("Hold_Request", "QUARANTINE", False, True, False),
        ("Hold_Request", "ADOP RESCU", None, None, True),
        ("Hold_Request", "DD/AGG", True, False, False),
    ],
)
def test_holds_hide_an_animal(
    shelter: Shelter, column: str, word: str, on_hold: bool | None, in_quarantine: bool | None, listed: bool
) -> None:
    animal = taken(shelter, **{column: word})
    assert (animal["on_hold"], animal["in_quarantine"], animal["listed"]) == (on_hold, in_quarantine, listed)


def test_an_unknown_outcome_hides_the_animal_and_is_told(shelter: Shelter) -> None:
    result = take_in(shelter, "Animal_Id,Animal_Type,Outcome_Type\nA1,DOG,OTHERWISE\n")
    assert [(note.row, note.column) for note in result.warnings] == [(2, "Outcome_Type")]
    assert only(shelter)["listed"] is False


def test_a_kennel_that_is_not_available_hides_an_animal_that_is_in_it(shelter: Shelter) -> None:
    file = "Animal_Id,Animal_Type,Kennel_Status,Outcome_Type\nA1,DOG,IMPOUNDED,\nA2,DOG,AVAILABLE,\n"
    take_in(shelter, file)
    assert [animal["listed"] for animal in kept(shelter)] == [False, True]


PETHARBOR = "impound_no,Animal_ID,Record_Type,Animal_Name,animal_type,Date,Date_Type\n"


def test_reports_of_lost_animals_are_refused_and_found_ones_not_shown(shelter: Shelter) -> None:
    rows = (
        "K1,A1,LOST,Riley,Dog,04/13/2017 12:00:00 AM,Date Lost\n"
        "K2,A2,FOUND,,Dog,04/13/2017 12:00:00 AM,Date Found\n"
        "K3,A3,FOUND,,Cat,04/19/2017 12:00:00 AM,Received on\n"
        "K4,A4,FOUND,,Dead Cat,04/19/2017 12:00:00 AM,Received on\n"
        "K5,A5,ADOPTABLE,Bo,Cat,04/19/2017 12:00:00 AM,Received on\n"
    )
    result = take_in(shelter, PETHARBOR + rows)
    assert [(note.row, note.column) for note in result.refused] == [(2, "Record_Type"), (3, "Date_Type")]
    assert [(animal["code"], animal["listed"]) for animal in kept(shelter)] == [
        ("A3", False),
        ("A4", False),
        ("A5", True),
    ]


# Dates and ages


@pytest.mark.parametrize(
    "written",
    [
        "2020-02-29",
        "2020-02-29 13:30:00",
        "2020-02-29T13:30:00Z",
        "2/29/2020",
        "29.2.2020",
        "29/02/20",
        "20200229",
        "Feb 29, 2020",
        "29 February 2020",
        "29-Feb-20",
        "02/29/2020 12:00:00 AM",
        "43890",
    ],
)
def test_days_are_read_in_the_ways_they_are_written(shelter: Shelter, written: str) -> None:
    assert taken(shelter, **{"Birth Date": written})["birth_date"] == date(2020, 2, 29)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("31/02/2020", "there is no 31 February. Write dates as year-month-day, such as 2020-02-28"),
        ("29/02/2021", "there is no 29 February 2021. Write dates as year-month-day, such as 2020-02-28"),
        ("2020-13-01", "there is no month 13. Write dates as year-month-day, such as 2020-02-28"),
        ("0000-00-00", "the date is not known, so it is left blank"),
        ("Unknown", "the date is not known, so it is left blank"),
        ("N/A", "the date is not known, so it is left blank"),
        ("soon", "this is not a date that we know. Write dates as year-month-day, such as 2020-02-28"),
        ("2024-07-01", "this day is in the future, so it is left blank"),
    ],
)
def test_a_birth_date_that_does_not_exist_is_left_as_it_was_and_reported(
    shelter: Shelter, written: str, reason: str
) -> None:
    header = ["code", "species", "dateofbirth"]
    take_in(shelter, csv_of(header, ["A1", "Dog", "2020-01-31"]))
    result = take_in(shelter, csv_of(header, ["A1", "Dog", written], ["A2", "Cat", written]))
    assert (result.refused, [note[1:4] for note in result.warnings]) == (
        [],
        [("dateofbirth", written, reason)] * 2,
    )
    assert [animal["birth_date"] for animal in kept(shelter)] == [date(2020, 1, 31), None]


@pytest.mark.parametrize(
    ("written", "born"),
    [
        ("2019", date(2019, 7, 1)),
        ("May 2019", date(2019, 5, 15)),
        ("2019-05", date(2019, 5, 15)),
        ("05/2019", date(2019, 5, 15)),
    ],
)
def test_a_year_or_a_month_is_an_estimated_birth_date(shelter: Shelter, written: str, born: date) -> None:
    result = take_in(shelter, csv_of(["code", "species", "dateofbirth"], ["A1", "Dog", written]))
    animal = only(shelter)
    assert (animal["birth_date"], animal["birth_date_estimated"]) == (born, True)
    assert "this is only a" in result.warnings[0].reason


def test_a_year_of_two_digits_is_never_before_any_animal_of_a_shelter(shelter: Shelter) -> None:
    rows = [["A1", "Dog", "20-02-28"], ["A2", "Dog", "21-11-30"]]
    result = take_in(shelter, csv_of(["code", "species", "dob"], *rows))
    assert [each["birth_date"] for each in kept(shelter)] == [date(2020, 2, 28), date(2021, 11, 30)]
    assert [note.row for note in result.warnings] == [2, 3]


def test_an_arrival_date_that_cannot_be_is_told_and_left_alone(shelter: Shelter) -> None:
    taken(shelter, IntakeDate="2024-01-02")
    result = take_in(shelter, "code,species,IntakeDate\nA1,Dog,31/02/2020\n")
    assert [(note.row, note.column, note.value) for note in result.warnings] == [
        (2, "IntakeDate", "31/02/2020")
    ]
    assert only(shelter)["arrival_date"] == date(2024, 1, 2)


def test_months_are_read_in_the_larger_languages(shelter: Shelter) -> None:
    dates = {
        "3. März 2021": date(2021, 3, 3), "15 de mayo de 2020": date(2020, 5, 15),
        "3 août 2019": date(2019, 8, 3),
        "12 maggio 2021": date(2021, 5, 12), "3 set 2020": date(2020, 9, 3), "3 mrt 2020": date(2020, 3, 3),
        "Sept 4, 2020": date(2020, 9, 4), "2020年5月3日": date(2020, 5, 3),
    }  # fmt: skip
    rows = [[f"A{n}", "Dog", text] for n, text in enumerate(dates)]
    take_in(shelter, csv_of(["code", "species", "dob"], *rows))
    assert [each["birth_date"] for each in kept(shelter)] == list(dates.values())


def test_one_telling_date_decides_its_whole_column(shelter: Shelter) -> None:
    take_in(shelter, "code,species,born\nA1,Dog,4/5/2020\nA2,Dog,25/12/2020\nA3,Dog,1/2/2021\n")
    assert [animal["birth_date"] for animal in kept(shelter)] == [
        date(2020, 5, 4),
        date(2020, 12, 25),
        date(2021, 2, 1),
    ]


def test_a_column_that_leaves_the_order_open_is_asked_about(shelter: Shelter) -> None:
    file = "code,species,born,arrived\nA1,Dog,4/5/2020,2024-01-01\n"
    with pytest.raises(FileRefused) as refusal:
        take_in(shelter, file)
    assert '"born"' in refusal.value.sentence
    assert "with the day or the month first" in refusal.value.sentence
    take_in(shelter, file, day_first=True)
    assert only(shelter)["birth_date"] == date(2020, 5, 4)
    take_in(shelter, file, day_first=False)
    assert only(shelter)["birth_date"] == date(2020, 4, 5)


def test_a_column_that_contradicts_itself_is_asked_about(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match='"born"'):
        take_in(shelter, "code,species,born\nA1,Dog,25/12/2020\nA2,Dog,12/25/2020\nA3,Dog,4/5/2020\n")


@pytest.mark.parametrize(
    ("age", "born"),
    [
        ("3 years", date(2017, 1, 1)),
        ("9 years 2 months.", date(2010, 11, 1)),
        ("6 WEEKS", date(2019, 11, 20)),
        ("1 year 1 month", date(2018, 12, 1)),
        ("1/2/0", date(2018, 11, 1)),
        ("NO AGE", None),
        ("Adult", None),
    ],
)
def test_an_age_counts_back_from_its_own_day(shelter: Shelter, age: str, born: date | None) -> None:
    animal = taken(shelter, age_upon_outcome=age, outcome_type="Adoption", datetime="2020-01-01")
    assert animal["birth_date_estimated"] is (born is not None)
    assert animal["birth_date"] == born


def test_an_age_without_a_day_counts_back_from_the_day_of_the_import(shelter: Shelter) -> None:
    file = "code,species,age,intakedate\nD1,Dog,10 weeks,\nD2,Dog,3 years,2020-01-01\n"
    take_in(shelter, file)
    assert [each["birth_date"] for each in kept(shelter)] == [date(2024, 4, 6), date(2020, 1, 1)]


def test_an_age_never_drifts_from_week_to_week(shelter: Shelter) -> None:
    file = "code,name,species,age,born\nA1,Rex,Dog,2 years,\n"
    take_in(shelter, file)
    assert only(shelter)["birth_date"] == date(2022, 6, 15)
    later = TODAY.replace(month=9)
    assert counts(take_in(shelter, file, now=later)) == (1, 0, 0, 1, 0)


def test_a_birth_date_outranks_an_age(shelter: Shelter) -> None:
    animal = taken(shelter, age="2 years", born="2020-03-04")
    assert (animal["birth_date"], animal["birth_date_estimated"]) == (date(2020, 3, 4), False)


def test_an_age_of_no_animal_is_told(shelter: Shelter) -> None:
    result = take_in(shelter, "code,species,age\nA1,Dog,900 years\n")
    assert [note.column for note in result.warnings] == ["age"]


MONTHS_BY_AGE = {
    "2y3m": 27, "2yr3mo": 27, "2Years4Months": 28, "1,5 years": 18, "1/2 year": 6, "½ year": 6,
    "2½ years": 30, "1 1/2 years": 18, "3yo": 36, "3YO": 36, "7 y/o": 84, "six months": 6,
    "Adult (3 years)": 36,
    "2 Jahre alt": 24, "2 años y 3 meses": 27, "2 ans": 24, "2 anni": 24, "um ano": 12,
    "1 jaar en 2 maanden": 14, "2歳3ヶ月": 27, "３歳": 36,
}  # fmt: skip
REPORTED_MONTHS_BY_AGE = {
    "3": 36, "0.5": 6, "Approx 5": 60, "10+ years": 120, "10 Months - 1 Year": 11, "2-3 years": 30,
    "<1 year": 6, "3 years or older": 36, "2 a 3 años": 30,
}  # fmt: skip
NOT_AN_AGE = (
    "-1 years",
    "unknown",
    "?",
    "45",
    "2020",
    "2 years, 10 kg",
    "Adult/Senior",
    "1 year 2 years",
    "soon",
)


def test_an_age_is_read_in_every_common_way_to_write_it(shelter: Shelter) -> None:
    ages = {**MONTHS_BY_AGE, **REPORTED_MONTHS_BY_AGE, **dict.fromkeys(NOT_AN_AGE)}
    rows = [[f"A{n}", "Dog", text] for n, text in enumerate(ages)]
    result = take_in(shelter, csv_of(["code", "species", "age"], *rows))
    born = {text: animal["birth_date"] for text, animal in zip(ages, kept(shelter), strict=True)}
    today = TODAY.date()
    assert {
        text: day and (today.year - day.year) * 12 + today.month - day.month for text, day in born.items()
    } == ages
    assert {note.value for note in result.warnings} == {*REPORTED_MONTHS_BY_AGE, *NOT_AN_AGE}


def test_an_age_group_is_kept_until_a_birth_date_is_known(shelter: Shelter) -> None:
    words = {
        "Adult": "adult",
        "Young Adult": "young",
        "cachorro": "baby",
        "成犬": "adult",
        "Anziano": "senior",
    }
    rows = [[f"A{n}", "Dog", text] for n, text in enumerate(words)]
    result = take_in(shelter, csv_of(["code", "species", "age"], *rows))
    assert [each["age_group"] for each in kept(shelter)] == list(words.values())
    assert (result.warnings, {each["birth_date"] for each in kept(shelter)}) == ([], {None})
    take_in(shelter, csv_of(["code", "species", "dob"], ["A0", "Dog", "2020-01-31"]))
    again = take_in(shelter, csv_of(["code", "species", "age"], *rows))
    assert counts(again) == (5, 0, 0, 5, 0)
    assert [each["age_group"] for each in kept(shelter)] == [None, *list(words.values())[1:]]


def test_a_header_can_say_the_unit_of_bare_ages(shelter: Shelter) -> None:
    result = take_in(shelter, csv_of(["code", "species", "Age (months)"], ["A1", "Dog", "18"]))
    assert (only(shelter)["birth_date"], result.warnings) == (date(2022, 12, 15), [])


def test_the_order_of_dates_that_a_column_shows_is_stronger_than_the_callers(shelter: Shelter) -> None:
    rows = [["1", "Dog", "03/04/2020", "25/05/2024"], ["2", "Dog", "05/06/2021", "01/02/2024"]]
    take_in(shelter, csv_of(["code", "species", "dob", "intake date"], *rows), day_first=False)
    assert [(each["birth_date"], each["arrival_date"]) for each in kept(shelter)] == [
        (date(2020, 3, 4), date(2024, 5, 25)),
        (date(2021, 5, 6), date(2024, 2, 1)),
    ]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("written", "kept_as"),
    [
        ('="985112000000001"', "985112000000001"),
        ("'985112000000001", "985112000000001"),
        ("985112000000001.0", "985112000000001"),
        ("9.85E+14", None),
        ("9,85E+14", None),
        ("9.85112E14", None),
        ("yes", None),
    ],
)
def test_a_microchip_number_is_read_in_every_spelling_or_reported(
    shelter: Shelter, written: str, kept_as: str | None
) -> None:
    result = take_in(shelter, csv_of(["code", "species", "microchip"], ['="0012"', "Dog", written]))
    assert (only(shelter)["code"], only(shelter)["microchip"]) == ("0012", kept_as)
    assert [note.column for note in result.warnings] == ([] if kept_as else ["microchip"])


@pytest.mark.settings("embedded")
def test_an_apostrophe_that_keeps_a_number_or_a_formula_as_text_is_no_text(shelter: Shelter) -> None:
    header = ["code", "name", "species", "dob", "fee", "description"]
    take_in(shelter, csv_of(header, ["'00123", "'36", "Dog", "'2020-02-28", "'125.50", "'\uff1d1+1"]))
    take_in(shelter, csv_of(header, ["A2", "'Tis", "Dog", "", "", "'quoted' text"]))
    first, second = kept(shelter)
    assert (first["code"], first["name"], first["birth_date"]) == ("00123", "36", date(2020, 2, 28))
    assert (first["fee_cents"], first["description"]) == (12550, "\uff1d1+1")
    assert (second["name"], second["description"]) == ("'Tis", "'quoted' text")
