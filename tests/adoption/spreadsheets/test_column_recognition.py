"""Exports of each shelter program are recognised by their header."""

import pytest

from adoption.spreadsheets.columns.column_recognition import recognise_header
from tests.adoption.spreadsheets.sheets import count_rows, import_file, only_animal, stored_animals
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")

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
def test_each_program_is_recognised_by_its_header_with_its_code_column(form: str) -> None:
    layout = recognise_header(FORMATS[form].split(","))
    assert (layout.format, layout.codes[0].header) == (form, CODES[form])
    fields = {column.field for column in layout.columns}
    assert fields & {"name", "category"} == ({"category"} if form == "Chameleon" else {"name", "category"})


def test_the_result_lists_columns_as_written_with_their_fields(shelter: Shelter) -> None:
    result = import_file(shelter, "SHELTERCODE,AnimalName,speciesname,Photo1\nD1,Rex,Dog,http://x\n")
    assert result.columns == {
        "SHELTERCODE": "code",
        "AnimalName": "name",
        "speciesname": "category",
        "Photo1": None,
    }


def test_a_blank_code_column_is_ignored_if_there_is_another(shelter: Shelter) -> None:
    import_file(shelter, "orgID,animalID,rescueID,name,species\n9,55,,Rex,Dog\n")
    assert only_animal(shelter)["code"] == "55"


def test_a_row_with_a_blank_code_uses_the_next_code_column(shelter: Shelter) -> None:
    header = "Animal ID,Rescue ID,Name,Species,OK with dogs,General Age\n"
    file = header + "11,R1,Rex,Dog,Yes,Adult\n12,,Tom,Cat,No,Young\n"
    result = import_file(shelter, file)
    assert [animal["code"] for animal in stored_animals(shelter)] == ["R1", "12"]
    assert (result.columns["Rescue ID"], result.columns["Animal ID"]) == ("code", "code")
    assert count_rows(import_file(shelter, file.replace("Tom", "Tim"))) == (2, 0, 1, 1, 0)
