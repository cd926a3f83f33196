"""Which column of a spreadsheet means what: the headers of each program, as tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from adoption.errors import FileRefused


class Meaning(NamedTuple):
    """What a column says: the field of the animal that it makes, and the headers that say it, best first.

    Where several columns of a file mean one thing, the best is read and the rest are left out.
    """

    field: str
    headers: str


# Headers are compared by their letters and digits in lower case; "#" reads as "number".
MEANINGS = {
    # The animal's own code, before those of a program. An impound number is a stay's, and none.
    "code": Meaning(
        "code",
        "sheltercode animalcode code externalid rescueid animalid animalnumber arn petid"
        " animalreferencenumber"
        " referencenumber reference shelterid tagnumber id internalid internal",
    ),
    "name": Meaning("name", "name animalname petname"),
    "species": Meaning(
        "category", "species speciesname animalspecies category animaltype petfindertype type animal kind"
    ),
    "status": Meaning("status", "status adoptionstatus petstatus currentstatus stage availability"),
    "outcome": Meaning("status", "movementtype outcometype outcome activemovementtypename movementname"),
    "moved": Meaning(
        "status",
        "movementdate outcomedate outcomedatetime datetime activemovementdate dateofoutcome dateoutcome",
    ),
    "moved_time": Meaning("status", "outcometime movementtime"),
    "returned": Meaning("status", "returndate activemovementreturn returneddate"),
    "trial": Meaning("status", "istrial activemovementtrial"),
    "reserved": Meaning("status", "hasactivereserve reserved"),
    "died": Meaning("listed", "deceaseddate animaldeceaseddate dateofdeath deathdate deceased"),
    "not_for_adoption": Meaning("listed", "isnotavailableforadoption animalnotforadoption notforadoption"),
    "not_in_care": Meaning("listed", "nonshelteranimal animalnonshelter"),
    "in_custody": Meaning("listed", "incustody"),
    "listed": Meaning("listed", "listed published public"),
    "record_type": Meaning("listed", "recordtype"),
    "date_type": Meaning("listed", "datetype"),
    "kennel_status": Meaning("listed", "kennelstatus"),
    "hold": Meaning("on_hold", "ishold onhold hold holdrequest"),
    "quarantine": Meaning("in_quarantine", "isquarantine inquarantine quarantine"),
    "breed_primary": Meaning(
        "breed_primary",
        "primarybreed pribreed breed1 animalbreed1 breedprimary breedname1 breed breedname animalbreed",
    ),
    "breed_secondary": Meaning(
        "breed_secondary", "secondarybreed secbreed breed2 animalbreed2 breedsecondary breedname2"
    ),
    "mixed": Meaning("breed_mixed", "mix mixed crossbreed ismix mixedbreed breedmixed"),
    "purebred": Meaning("breed_mixed", "purebred"),
    "sex": Meaning(
        "sex", "sex gender animalsex sexname animalgender sexuponoutcome sexuponintake petsex"
    ),
    "altered": Meaning(
        "altered", "altered spayedneutered neutered fixed animalneutered spayneuter spayed sterilized desexed"
    ),
    "born": Meaning("birth_date", "birthdate dateofbirth dob animaldob birthday born bday"),
    "born_estimated": Meaning("birth_date_estimated", 
        "estimateddob birthdateestimated isestimated"),
    "age_moved": Meaning("birth_date", "ageuponoutcome ageatoutcome"),
    "age_arrived": Meaning("birth_date", "ageuponintake ageatintake"),
    "age": Meaning(
        "birth_date",
        "age animalage ageymd ageyears ageinyears approxage approximateage agegroup generalage agecategory"
        " lifestage currentage estimatedage",
    ),
    "age_months": Meaning("birth_date", "agemonths ageinmonths"),
    "age_weeks": Meaning("birth_date", "ageweeks ageinweeks"),
    "size": Meaning("size", 
        "size sizename sizepotentialgeneral sizepotential sizecurrentgeneral generalsize"),
    "coat": Meaning("coat", "coatlength hairlength coat coattype coattypename hair"),
    "colour": Meaning(
        "colours",
        "color colour colors colours animalcolor basecolour basecolourname primarycolor"
        " primarycolour colorgeneral",
    ),
    "colour_2": Meaning("colours", "secondarycolor secondarycolour color2 colour2"),
    "colour_3": Meaning("colours", "tertiarycolor tertiarycolour color3 colour3"),
    "children": Meaning(
        "good_with_children",
        "goodwithchildren goodwithkids goodwkids okwithkids kids children animalgoodwithkids"
        " okwithchildren",
    ),
    "dogs": Meaning("good_with_dogs", "goodwithdogs goodwdogs okwithdogs dogs animalgoodwithdogs"),
    "cats": Meaning("good_with_cats", "goodwithcats goodwcats okwithcats cats animalgoodwithcats"),
    "no_children": Meaning("good_with_children", "nokids nochildren"),
    "no_dogs": Meaning("good_with_dogs", "nodogs"),
    "no_cats": Meaning("good_with_cats", "nocats"),
    "house_trained": Meaning(
        "house_trained", "housetrained housebroken animalhousetrained housetraining pottytrained"
    ),
    "special_needs": Meaning("special_needs", "specialneeds hasspecialneeds"),
    "special_needs_note": Meaning("special_needs_note", 
        "specialneedsnotes specialneedsnote specialneedsdescription"),
    "fee": Meaning("fee_cents", "adoptionfee fee price adoptionprice"),
    "fee_waived": Meaning("fee_cents", "adoptionfeewaived feewaived"),
    "fee_shown": Meaning("fee_cents", "displayadoptionfee"),
    "description": Meaning(
        "description",
        "description desc dsc animaldescription kennelcardwebsitememo websitememo bio memo animalcomments"
        " descriptionnohtml publicdescription",
    ),
    "arrived": Meaning(
        "arrival_date",
        "arrivaldate intakedate intakedatetime animalentrydate dateofintake receiveddate"
        " datebroughtin entrydate"
        " mostrecententrydate datein",
    ),
    "arrived_time": Meaning("arrival_date", "intaketime"),
    "microchip": Meaning(
        "microchip", "microchip microchipnumber identichipnumber animalmicrochip chipnumber chip microchipid"
    ),
    "notes": Meaning("internal_notes", 
        "internalnotes animalhiddendetails hiddenanimaldetails hiddencomments notes"),
    "arrival_reason": Meaning(
        "arrival_details", "arrivaldetails intakereason animalreasonforentry reasonforentry entryreasonname"
    ),
}  # fmt: skip

DATES = ("born", "arrived", "moved")
"""Columns whose dates are read, and not only found filled."""

NEEDED = frozenset(["code", "name", "species", "status"])
"""A cell of these that cannot be read makes the row wrong. In all others it is left alone, and told."""

# What the export writes; each column is read back as the letters that it was.
OWN = (
    "code", "name", "species", "status", "listed", "breed_primary", "breed_secondary", "breed_mixed",
    "breed_unknown", "sex", "altered", "birth_date", "birth_date_estimated", "size", "coat", "colours",
    "good_with_children", "good_with_dogs", "good_with_cats", "house_trained", "special_needs",
    "special_needs_note", "fee", "description", "arrival_date", "microchip", "on_hold", "in_quarantine",
    "internal_notes", "surrenderer", "foster_address", "arrival_details",
)  # fmt: skip
OWN_FIELDS = {"species": "category", "fee": "fee_cents"}
"""Fields that stand under another word in the export; every other stands under its own."""


OURS = "Homeward"


class Format(NamedTuple):
    """A program's way of writing: known by ``signs``, two of them or more, with headers of its own."""

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
        },
    ),
    Format("Petfinder", "nodogs nocats nokids primarybreed displayadoptionfee arrivaldate", {}),
    Format("RescueGroups", "orgid rescueid externalid pribreed okwithdogs uptodate courtesy generalage", {}),
    Format("Adopt-a-Pet", "animal purebred goodwkids goodwcats goodwdogs hairlength", {"animal": "species"}),
    Format(
        "Shelterluv",
        "kennelcardwebsitememo incustody alteredincare agemonths ageymd attributes",
        {"type": None},
    ),
    Format("PetPoint", "animalnumber arn stage intakedatetime primarybreed", {}),
    Format("Chameleon", "kennelstatus kennelnumber impoundnumber intaketype chipstatus activitynumber", {}),
    Format(
        "PetHarbor",
        "impoundno recordtype datetype obfuscatedaddress imagealttext",
        {"memo": "petharbor_memo", "date": "arrived"},
    ),
)

PHOTOS = "photos"
"""What a column of photos' addresses means. There may be many, and none of them makes a field."""
PHOTO_HEADER = re.compile(
    r"(website|primary|cover|animal|pet)?(photo|pic|picture|image|img)s?(ur[li]|link|address)?s?\d{0,2}"
    r"(ur[li]|link|address)?"
)

VARIANTS = {
    "asm_sex": "sex",
    "asm_size": "size",
    "asm_children": "children",
    "asm_dogs": "dogs",
    "asm_cats": "cats",
    "asm_house_trained": "house_trained",
    "asm_fee": "fee",
    "petharbor_memo": "description",
}
"""Another way of writing what a meaning says."""

RANKED = {
    header: (meaning, rank)
    for meaning, (_, headers) in MEANINGS.items()
    for rank, header in enumerate(headers.split())
}


class Column(NamedTuple):
    """A column that is read: its place in the row, its header as written, its meaning, how it is written."""

    place: int
    header: str
    meaning: str
    variant: str

    @property
    def field(self) -> str:
        if self.meaning == PHOTOS:
            return PHOTOS
        if self.variant.startswith("own:"):
            own = self.variant.removeprefix("own:")
            return OWN_FIELDS.get(own, own)
        return MEANINGS[self.meaning].field


@dataclass(frozen=True)
class HeaderLayout:
    """The columns of a file. ``codes`` holds all that could be the animal's code, best first; ``photos``
    those with addresses of pictures, which are read only by whoever fetches them."""

    format: str
    header: tuple[str, ...]
    columns: tuple[Column, ...]
    codes: tuple[Column, ...]
    photos: tuple[Column, ...] = ()

    @property
    def known(self) -> int:
        return len(self.columns) + bool(self.codes)

    @property
    def meanings(self) -> frozenset[str]:
        return frozenset(column.meaning for column in self.columns)

    def with_code(self, code: Column | None) -> "HeaderLayout":
        return replace(self, columns=(code, *self.columns)) if code else self

    def fields(self) -> dict[str, str | None]:
        """Every header as written, with the field that its column makes, or None where it is left out."""
        read = {column.place: column.field for column in (*self.columns, *self.photos)}
        told: dict[str, str | None] = {}
        for place, header in enumerate(self.header):
            if header:
                told[header] = told.get(header) or read.get(place)
        return told

    def refuse_repeats(self) -> None:
        """Raises FileRefused when two columns that mean something bear the same name."""
        for place, header in enumerate(self.header):
            first = self.header.index(header)
            if header and first < place and meaning_of(letters(header), self.format):
                raise FileRefused(
                    f'The header names "{header}" twice, in columns {first + 1} and {place + 1}. '
                    "Rename or remove the one that is not meant."
                )


def letters(header: str) -> str:
    return re.sub(r"[^a-z0-9]", "", header.lower().replace("#", "number"))


def recognise(header: Sequence[str]) -> HeaderLayout:
    """What the columns under this header mean; none of them may be known."""
    names = [letters(each) for each in header]
    signs = {form.name: len(set(form.signs.split()).intersection(names)) for form in FORMATS}
    best = max(signs, key=lambda name: signs[name])
    form = best if signs[best] >= (4 if best == OURS else 2) else "plain"
    written = tuple(each.strip().removeprefix("\ufeff") for each in header)
    read = sorted(columns_of(written, names, form))
    codes = tuple(column for _, column in read if column.meaning == "code")
    chosen: dict[str, Column] = {}
    for _, column in read:
        if column.meaning != "code":
            chosen.setdefault(column.meaning, column)
    return HeaderLayout(form, written, tuple(sorted(chosen.values())), codes, photos_of(written, names, form))


def photos_of(written: Sequence[str], names: Sequence[str], form: str) -> tuple[Column, ...]:
    if form == OURS:
        return ()
    return tuple(
        Column(place, written[place], PHOTOS, PHOTOS)
        for place, name in enumerate(names)
        if PHOTO_HEADER.fullmatch(name)
    )


def columns_of(written: Sequence[str], names: Sequence[str], form: str) -> Iterator[tuple[int, Column]]:
    """Each column that means something, with its rank among those that mean the same."""
    for place, name in enumerate(names):
        if form == OURS and written[place] in OWN:
            meaning = "code" if written[place] == "code" else f"own:{written[place]}"
            yield 0, Column(place, written[place], meaning, f"own:{written[place]}")
        elif (found := meaning_of(name, form)) and form != OURS:
            meaning, variant, rank = found
            yield rank, Column(place, written[place], meaning, variant)


def meaning_of(name: str, form: str) -> tuple[str, str, int] | None:
    own = next((each.own for each in FORMATS if each.name == form), {})
    if name in own:
        variant = own[name]
        return (VARIANTS.get(variant, variant), variant, 0) if variant else None
    if name in RANKED:
        meaning, rank = RANKED[name]
        return meaning, meaning, rank
    return None
