"""Meanings of spreadsheet columns, with the English headers of each meaning. This module has only tables."""

import re
from typing import NamedTuple


class ColumnMeaning(NamedTuple):
    """The field that a column with this meaning sets, and the English headers of such a column, best first.

    If several columns of a file have the same meaning, only the column with the best header is read.
    """

    field: str
    headers: str


# Headers are compared by their letters and digits, in lower case. "#" counts as "number".
MEANINGS = {
    # The shelter's own code is better than a program's code. An impound number is not a code: it identifies a
    # stay, not an animal.
    "code": ColumnMeaning(
        "code",
        "sheltercode animalcode code externalid rescueid animalid animalnumber arn petid"
        " animalreferencenumber referencenumber reference referenceno refno ref shelterid tagnumber"
        " idnumber idno animalidnumber id internalid internal",
    ),
    "name": ColumnMeaning(
        "name", "name animalname petname petsname dogname catname dogsname catsname animalsname nameofanimal"
    ),
    "species": ColumnMeaning(
        "category",
        "species speciesname animalspecies category animaltype petfindertype typeofanimal kindofanimal"
        " pettype petspecies type animal kind",
    ),
    "status": ColumnMeaning(
        "status",
        "status adoptionstatus petstatus animalstatus currentstatus listingstatus stage availability"
        " available",
    ),
    "outcome": ColumnMeaning(
        "status",
        "movementtype outcometype outcome activemovementtypename movementname exittype finaloutcome"
        " finaldisposition dischargetype",
    ),
    "moved": ColumnMeaning(
        "status",
        "movementdate outcomedate outcomedatetime datetime activemovementdate dateofoutcome dateoutcome"
        " dateout departuredate exitdate dateleft outdate leavingdate"
        " lefton dischargedate departedon exitedon",
    ),
    "moved_time": ColumnMeaning("status", "outcometime movementtime"),
    "returned": ColumnMeaning("status", "returndate activemovementreturn returneddate movementreturndate"),
    "adopted": ColumnMeaning(
        "status", "adopted isadopted adoptiondate dateadopted adopteddate dateofadoption"
    ),
    "trial": ColumnMeaning(
        "status", "istrial activemovementtrial ontrial trialadoption fostertoadopt hastrialadoption"
    ),
    "reserved": ColumnMeaning("status", "hasactivereserve reserved reservedfor reservedby"),
    "died": ColumnMeaning(
        "listed",
        "deceaseddate animaldeceaseddate dateofdeath deathdate deceased died dead animaleuthanized"
        " euthanized euthanised puttosleep isdoa doa deadonarrival diedoffshelter pts ptsdate putdown euth"
        " euthdate causeofdeath deathreason passedon dod",
    ),
    "not_for_adoption": ColumnMeaning(
        "listed", "isnotavailableforadoption animalnotforadoption notforadoption notavailableforadoption"
    ),
    "not_in_care": ColumnMeaning(
        "listed",
        "nonshelteranimal animalnonshelter nonshelter haspermanentfoster owned ownedanimal isowned"
        " notours",
    ),
    "in_custody": ColumnMeaning("listed", "incustody isactive activerecord incare inshelter active"),
    "listed": ColumnMeaning(
        "listed",
        "listed published public allowexport visible isvisible show online onwebsite onthewebsite live web"
        " onweb",
    ),
    "hides": ColumnMeaning(
        "listed",
        "donotsync donotexport transferred transferredout transferout returnedtoowner rto reclaimed lost"
        " stolen escaped missing leftshelter removed archived deleted draft suspended blocked private"
        " seized confiscated hospice sanctuary fosteronly",
    ),
    "intake_type": ColumnMeaning("listed", "intaketype animalentrytype entrytypename entrytype"),
    "available_from": ColumnMeaning(
        "listed", "availabledate dateavailable availablefrom availableon availableasof"
    ),
    "flags": ColumnMeaning("listed", "animalflags flags additionalflags"),
    "place": ColumnMeaning(
        "listed",
        "location locationname animallocation currentlocation displaylocation displaylocationname"
        " shelterlocation shelterlocationname sublocation kennel kennelname room ward area animalunit"
        " disposition",
    ),
    "record_type": ColumnMeaning("listed", "recordtype"),
    "date_type": ColumnMeaning("listed", "datetype"),
    "kennel_status": ColumnMeaning("listed", "kennelstatus"),
    "hold": ColumnMeaning(
        "on_hold",
        "ishold onhold hold holdrequest holdreason holdforname holdplacedby holdstartdate crueltycase"
        " iscrueltycase",
    ),
    "hold_until": ColumnMeaning(
        "on_hold",
        "holduntil holduntildate strayholduntil holdexpires emancipationdate dueout dueoutdate"
        " strayholdends strayperiodends",
    ),
    "quarantine": ColumnMeaning("in_quarantine", "isquarantine inquarantine quarantine"),
    "breed_primary": ColumnMeaning(
        "breed_primary",
        "primarybreed pribreed breed1 animalbreed1 breedprimary breedname1 breed breedname animalbreed"
        " breeds breedtype",
    ),
    "breed_secondary": ColumnMeaning(
        "breed_secondary", "secondarybreed secbreed breed2 animalbreed2 breedsecondary breedname2"
    ),
    "mixed": ColumnMeaning("breed_mixed", "mix mixed crossbreed ismix mixedbreed breedmixed"),
    "purebred": ColumnMeaning("breed_mixed", "purebred"),
    "sex": ColumnMeaning(
        "sex",
        "sex gender animalsex sexname animalgender sexuponoutcome sexuponintake petsex mf sexmf gendermf"
        " morf maleorfemale malefemale",
    ),
    "altered": ColumnMeaning(
        "altered",
        "altered spayedneutered neutered fixed animalneutered spayneuter spayed sterilized sterilised"
        " desexed spayedorneutered spayneutered castrated spayedneuteredyn",
    ),
    "altered_date": ColumnMeaning(
        "altered", "animalneutereddate neutereddate datespayedneutered datealtered prealtered"
    ),
    "born": ColumnMeaning(
        "birth_date",
        "birthdate dateofbirth dob animaldob birthday born bday estdob dobapprox dobest approxdob"
        " estimateddateofbirth estbirthdate estimatedbirthdate approximatebirthdate",
    ),
    "born_estimated": ColumnMeaning("birth_date_estimated", "estimateddob birthdateestimated isestimated"),
    "age_moved": ColumnMeaning("birth_date", "ageuponoutcome ageatoutcome"),
    "age_arrived": ColumnMeaning("birth_date", "ageuponintake ageatintake"),
    "age": ColumnMeaning(
        "birth_date",
        "age animalage ageymd ageyears ageinyears approxage approximateage agegroup generalage"
        " agecategory lifestage currentage estimatedage",
    ),
    "age_months": ColumnMeaning("birth_date", "agemonths ageinmonths"),
    "age_weeks": ColumnMeaning("birth_date", "ageweeks ageinweeks"),
    "size": ColumnMeaning(
        "size", "size sizename animalsize sizepotentialgeneral sizepotential sizecurrentgeneral generalsize"
    ),
    "coat": ColumnMeaning("coat", "coatlength hairlength coat coattype animalcoattype coattypename hair"),
    "colour": ColumnMeaning(
        "colours",
        "color colour colors colours animalcolor basecolour basecolourname primarycolor primarycolour"
        " colorgeneral color1 colour1 maincolor maincolour coatcolor coatcolour",
    ),
    "colour_2": ColumnMeaning("colours", "secondarycolor secondarycolour color2 colour2"),
    "colour_3": ColumnMeaning("colours", "tertiarycolor tertiarycolour color3 colour3"),
    "children": ColumnMeaning(
        "good_with_children",
        "goodwithchildren goodwithkids goodwkids okwithkids kids children animalgoodwithkids"
        " okwithchildren kidfriendly kidsfriendly childfriendly kidsok childrenok",
    ),
    "dogs": ColumnMeaning(
        "good_with_dogs", "goodwithdogs goodwdogs okwithdogs dogs animalgoodwithdogs dogfriendly dogsok"
    ),
    "cats": ColumnMeaning(
        "good_with_cats", "goodwithcats goodwcats okwithcats cats animalgoodwithcats catfriendly catsok"
    ),
    "no_children": ColumnMeaning("good_with_children", "nokids nochildren"),
    "no_dogs": ColumnMeaning("good_with_dogs", "nodogs"),
    "no_cats": ColumnMeaning("good_with_cats", "nocats"),
    "house_trained": ColumnMeaning(
        "house_trained",
        "housetrained housebroken animalhousetrained housetraining pottytrained litterboxtrained"
        " littertrained toilettrained",
    ),
    "shots_current": ColumnMeaning(
        "shots_current", "shotscurrent shots vaccinated vaccinationscurrent vaccinationsuptodate uptodate"
    ),
    "declawed": ColumnMeaning("declawed", "declawed animaldeclawed isdeclawed"),
    "tags": ColumnMeaning("tags", "tags"),
    "video": ColumnMeaning("video_url", "videourl videolink video youtube youtubelink youtubevideourl"),
    "special_needs": ColumnMeaning("special_needs", "specialneeds hasspecialneeds animalhasspecialneeds"),
    "special_needs_note": ColumnMeaning(
        "special_needs_note", "specialneedsnotes specialneedsnote specialneedsdescription"
    ),
    "attributes": ColumnMeaning("attributes", ""),
    "fee": ColumnMeaning("fee_cents", "adoptionfee fee price adoptionprice"),
    "fee_waived": ColumnMeaning("fee_cents", "adoptionfeewaived feewaived"),
    "fee_shown": ColumnMeaning("fee_cents", "displayadoptionfee"),
    "description": ColumnMeaning(
        "description",
        "description desc dsc animaldescription kennelcardwebsitememo websitememo bio memo animalcomments"
        " descriptionnohtml publicdescription about aboutme story mystory biography petdescription"
        " adoptionsummary",
    ),
    "arrived": ColumnMeaning(
        "arrival_date",
        "arrivaldate intakedate intakedatetime animalentrydate dateofintake receiveddate datebroughtin"
        " entrydate mostrecententrydate datein intake arrival dateofarrival datereceived admissiondate"
        " dateadmitted admitted dateofadmission arrivedon intakeon",
    ),
    "arrived_time": ColumnMeaning("arrival_date", "intaketime animalentrytime"),
    "microchip": ColumnMeaning(
        "microchip",
        "microchip microchipnumber identichipnumber animalmicrochip chipnumber chip microchipid"
        " microchipno chipno chipid",
    ),
    "notes": ColumnMeaning(
        "internal_notes",
        "internalnotes animalhiddendetails hiddenanimaldetails hiddencomments notes staffnotes"
        " privatenotes internalcomments staffcomments adminnotes hiddennotes comments remarks",
    ),
    "surrenderer": ColumnMeaning("surrenderer", "surrenderedby surrenderer relinquishedby broughtinby"),
    "foster_home": ColumnMeaning(
        "foster_address", "fosterparent fosterhome fosterfamily fosterer fosteraddress"
    ),
    "arrival_reason": ColumnMeaning(
        "arrival_details", "arrivaldetails intakereason animalreasonforentry reasonforentry entryreasonname"
    ),
}  # fmt: skip

DATES = ("born", "arrived", "moved")
"""Columns whose dates are parsed with the inferred order of day and month."""

NEEDED = frozenset(["code", "name", "species"])
"""Columns in which an invalid cell causes the rejection of the row.

In all other columns, an invalid cell is skipped and reported.
"""
HIDING = frozenset(
    ["status", "outcome", "adopted", "died", "not_for_adoption", "not_in_care", "in_custody", "listed",
     "hides", "available_from", "place", "intake_type", "attributes", "flags", "hold", "hold_until",
     "quarantine", "kennel_status"]
)  # fmt: skip
"""Columns that can hide an animal. An invalid cell in such a column hides the animal too."""
HIDING_ALONE = (
    "died",
    "hides",
    "not_for_adoption",
    "not_in_care",
    "available_from",
    "hold",
    "hold_until",
    "quarantine",
)
"""Columns that can hide an animal and have no other effect."""
REPEATABLE = (HIDING | {"altered_date"}) - {"status", "outcome", "kennel_status", "flags", "attributes"}
"""Meanings that several columns of a file can have. All columns with such a meaning are read."""

PHOTOS = "photos"
"""The meaning of columns with photo URLs. A file can have many such columns. Such a column sets no field."""
PHOTO_HEADER = re.compile(
    r"(website|primary|cover|animal|pet)?(photo|pic|picture|image|img)s?(ur[li]|link|address)?s?\d{0,2}"
    r"(ur[li]|link|address)?"
)

VARIANTS = {
    "asm_movement": "outcome",
    "asm_archived": "kennel_status",
    "asm_age": "age",
    "asm_sex": "sex",
    "asm_size": "size",
    "asm_children": "children",
    "asm_dogs": "dogs",
    "asm_cats": "cats",
    "asm_house_trained": "house_trained",
    "asm_fee": "fee",
    "shelterluv_altered": "altered_date",
    "one_colour": "colour",
    "one_colour_2": "colour_2",
    "one_colour_3": "colour_3",
    "petharbor_memo": "description",
}
"""The meaning of each variant. A variant is a meaning whose cells have a special notation."""
