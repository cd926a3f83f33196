"""Header conventions of shelter programs: signs of each program, and headers with a special meaning."""

from typing import NamedTuple

# The columns of our own export. An import reads each of them unchanged.
OWN = (
    "code", "name", "species", "status", "listed", "breed_primary", "breed_secondary", "breed_mixed",
    "breed_unknown", "sex", "altered", "birth_date", "birth_date_estimated", "size", "coat", "colours",
    "good_with_children", "good_with_dogs", "good_with_cats", "house_trained", "special_needs",
    "special_needs_note", "fee", "description", "arrival_date", "microchip", "on_hold", "in_quarantine",
    "internal_notes", "surrenderer", "foster_address", "arrival_details", "age_group",
)  # fmt: skip
OWN_FIELDS = {"species": "category", "fee": "fee_cents"}
"""Fields whose column in the export has another name, by the column's name."""


OURS = "Homeward"


class Format(NamedTuple):
    """A program.

    It is recognised by two or more headers in ``signs``. ``own`` has headers with a special meaning.
    """

    name: str
    signs: str
    own: dict[str, str | None]


FORMATS = (
    Format(OURS, "breedprimary breedsecondary breedmixed breedunknown goodwithchildren specialneedsnote", {}),
    Format(
        "ShelterManager",
        "sheltercode animalcode identichipnumber speciesname breedname basecolour sexname"
        " animaldob animalbreed1"
        " animalspecies nonshelteranimal activemovementtype isnotavailableforadoption"
        " estimateddob deceasedreason",
        {
            "movementtype": "asm_movement",
            "activemovementtype": "asm_movement",
            "archived": "asm_archived",
            "animalage": "asm_age",
            "sex": "asm_sex",
            "size": "asm_size",
            "goodwithkids": "asm_children",
            "goodwithdogs": "asm_dogs",
            "goodwithcats": "asm_cats",
            "animalgoodwithkids": "asm_children",
            "animalgoodwithdogs": "asm_dogs",
            "animalgoodwithcats": "asm_cats",
            "housetrained": "asm_house_trained",
            "animalhousetrained": "asm_house_trained",
            "animalsex": "asm_sex",
            "fee": "asm_fee",
            "animaltype": None,
            "notes": None,
            # Also filled for living animals.
            "deceasedreason": None,
            "deceasednotes": None,
            "animaldeceasedreason": None,
            "animaldeceasednotes": None,
            "ptsreason": None,
            "ptsreasonname": None,
        },
    ),
    Format(
        "Petfinder",
        "nodogs nocats nokids primarybreed displayadoptionfee arrivaldate",
        {
            "primarycolor": "one_colour",
            "color1": "one_colour",
            "secondarycolor": "one_colour_2",
            "color2": "one_colour_2",
            "tertiarycolor": "one_colour_3",
            "color3": "one_colour_3",
        },
    ),
    Format(
        "RescueGroups",
        "orgid rescueid externalid pribreed okwithdogs uptodate courtesy generalage",
        {"found": "not_in_care"},
    ),
    Format(
        "Adopt-a-Pet",
        "animal purebred goodwkids goodwcats goodwdogs hairlength",
        {"animal": "species", "color": "one_colour"},
    ),
    Format(
        "Shelterluv",
        "kennelcardwebsitememo incustody alteredincare agemonths ageymd attributes",
        {
            "type": None,
            "attributes": "attributes",
            "alteredbeforearrival": "shelterluv_altered",
            "alteredincare": "shelterluv_altered",
        },
    ),
    Format("PetPoint", "animalnumber arn stage intakedatetime primarybreed", {"reason": "arrival_reason"}),
    Format("Chameleon", "kennelstatus kennelnumber impoundnumber intaketype chipstatus activitynumber", {}),
    Format(
        "PetHarbor",
        "impoundno recordtype datetype obfuscatedaddress imagealttext",
        {"memo": "petharbor_memo", "date": "arrived"},
    ),
)
