"""Formats of shelter programs: the headers that show the program, and headers with a special meaning."""

from typing import NamedTuple

# The columns of our own export. An import restores the value of each column.
OWN = (
    "code", "name", "species", "status", "listed", "breed_primary", "breed_secondary", "breed_mixed",
    "breed_unknown", "sex", "altered", "birth_date", "birth_date_estimated", "size", "coat", "colours",
    "good_with_children", "good_with_dogs", "good_with_cats", "house_trained", "shots_current", "declawed",
    "special_needs", "special_needs_note", "fee", "description", "tags", "video_url", "arrival_date",
    "microchip", "on_hold", "in_quarantine", "internal_notes", "surrenderer", "foster_address",
    "arrival_details", "age_group",
)  # fmt: skip
OWN_FIELDS = {"species": "category", "fee": "fee_cents"}
"""The fields whose names differ from the names of their columns in the export, by column name."""


OURS = "Homeward"


class Format(NamedTuple):
    """A program's format.

    Two or more headers in ``signs`` show that a file has this format. ``own`` has the variant of each header
    with a special meaning; None for a header that is ignored.
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
            # ShelterManager fills these columns for living animals too.
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
