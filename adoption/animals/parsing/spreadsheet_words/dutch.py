"""Dutch."""

from adoption.animals.parsing.spreadsheet_words.language import Language

DUTCH = Language(
    headers={
        "code": "nummer|diernummer|dier-id|dossiernummer|referentie|asielnummer|registratienummer",
        "name": "naam|naam van het dier|naam dier|roepnaam",
        "species": "soort|diersoort|soort dier",
        "breed_primary": "ras|hoofdras|ras 1",
        "breed_secondary": "tweede ras|ras 2",
        "mixed": "kruising|is kruising",
        "sex": "geslacht",
        "altered": (
            "gecastreerd|gesteriliseerd|gecastreerd/gesteriliseerd|gesteriliseerd/gecastreerd|geholpen|"
            "castratie"
        ),
        "born": "geboortedatum|geboren|geboren op|geb. datum",
        "age": "leeftijd",
        "size": "grootte|formaat|schofthoogte",
        "coat": "vacht|vachtlengte|haarlengte|vachttype",
        "colour": "kleur|hoofdkleur|vachtkleur",
        "status": "status|beschikbaarheid|adoptiestatus|plaatsingsstatus|beschikbaar",
        "reserved": "gereserveerd",
        "adopted": "geadopteerd|geplaatst|adoptiedatum|plaatsingsdatum",
        "description": "beschrijving|omschrijving|verhaal|karakterbeschrijving",
        "notes": "notities|interne notities|opmerkingen|opmerking|interne opmerkingen",
        "microchip": "chip|chipnummer|chipnr|microchip|transponder",
        "arrived": (
            "aankomstdatum|binnenkomst|datum binnenkomst|opnamedatum|datum opname|binnengekomen op|aankomst"
        ),
        "children": "kinderen|goed met kinderen|kindvriendelijk|kan met kinderen|kan bij kinderen",
        "dogs": "honden|goed met honden|kan met honden|kan bij honden|sociaal met honden",
        "cats": "katten|goed met katten|kan met katten|kan bij katten|sociaal met katten",
        "house_trained": "zindelijk|zindelijkheid",
        "special_needs": "speciale behoeften|bijzondere zorg|speciale zorg",
        "fee": "adoptiekosten|adoptiebijdrage|adoptiebedrag|plaatsingskosten|prijs|afstandsprijs",
        "photos": "foto|foto's|fotos|afbeelding|afbeeldingen|hoofdfoto",
    },
    weak=(
        "ras|soort|status|nummer|chip|honden|katten|kinderen|prijs|geboren|beschikbaar|verhaal|aankomst|"
        "kleur|formaat|transponder|geholpen|opmerking|opmerkingen"
    ),
    hiding={
        "quarantine": "quarantaine|isolatie",
        "hold": "geblokkeerd|inbeslag|vondelingtermijn|bewaartermijn|wettelijketermijn",
        "died": "overleden|overlijden|euthanas|ingeslapen|doodsoorzaak",
        "hides": (
            "nietpubliceren|nietplaatsbaar|nietbeschikbaar|niettonen|nietadopteerbaar|verborgen|verbergen"
        ),
        "listed": "publiceren|gepubliceerd|plaatsbaar|opwebsite|opdewebsite|adopteerbaar",
    },
    species={
        "Dog": "hond|teef|honden|pup|puppy|reu",
        "Cat": "kat|poes|kater|katten|kitten|kittens",
        "Rabbit": "konijn|konijnen|dwergkonijn",
        "Small & furry": "knaagdier|knaagdieren|hamster|cavia|rat|muis|fret|chinchilla|gerbil|degoe|egel",
        "Bird": "vogel|vogels|papegaai|parkiet|kanarie|kip|haan|duif|eend|gans",
        "Horse": "paard|pony|ezel|merrie|hengst",
        "Barnyard": "boerderijdier|varken|geit|schaap|koe",
        "Reptile": "reptiel|reptielen|schildpad|slang|hagedis|amfibie|kikker",
        "Fish": "vis|vissen",
        "Other": "overig|overige|anders|ander",
    },
    sexes={
        "female": "vrouwelijk|vrouw|v|vrouwtje|teef|poes|merrie",
        "male": "mannelijk|man|mannetje|reu|kater|hengst",
    },
    altered={
        "yes": "gecastreerd|gesteriliseerd|geholpen",
        "no": "intact|ongecastreerd|niet gecastreerd|niet gesteriliseerd",
    },
    statuses={
        "available": (
            "beschikbaar|ter adoptie|voor adoptie|adopteerbaar|plaatsbaar|zoekt thuis|zoekt een thuis|"
            "in gastgezin|in opvanggezin|in pleeggezin"
        ),
        "pending": "gereserveerd|onder optie|in optie|in bemiddeling|adoptie loopt|op proef",
        "sold": "geadopteerd|geplaatst|herplaatst",
        "hidden": (
            "niet beschikbaar|nog niet beschikbaar|niet plaatsbaar|overleden|dood|geëuthanaseerd|"
            "ingeslapen|overgeplaatst|terug naar eigenaar|terug bij eigenaar|vermist|binnenkort|"
            "binnenkort beschikbaar|in behandeling"
        ),
        "on_hold": "geblokkeerd|in bewaring|vondeling|in beslag genomen|on hold",
        "in_quarantine": "quarantaine|in quarantaine|isolatie|in isolatie",
    },
    sizes={
        "small": "klein|kleine|k|zeer klein",
        "medium": "middel|middelgroot|gemiddeld",
        "large": "groot|grote",
        "xlarge": "zeer groot|heel groot|reus",
    },
    coats={
        "short": "kort|kortharig|korthaar",
        "medium": "halflang|middellang",
        "long": "lang|langharig|langhaar",
        "wire": "ruw|ruwharig|draadharig",
        "curly": "krullend|gekruld",
        "hairless": "haarloos|naakt",
    },
    yes="ja|j|waar",
    no="nee|neen|onwaar|geen",
    unknown="onbekend|niet bekend|onduidelijk|weet niet|nog niet bekend",
    not_yet="niet|nog|binnenkort|vanaf|tot|na|geen|zonder",
)
