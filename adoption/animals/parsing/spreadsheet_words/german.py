"""German."""

from adoption.animals.parsing.spreadsheet_words.language import Language

GERMAN = Language(
    headers={
        "code": "nummer|tiernummer|tier-nr|nr|tier-id|kennung|bestandsnummer|interne nummer|aktenzeichen",
        "name": "name|tiername|rufname",
        "species": "tierart|art|spezies|gattung",
        "breed_primary": "rasse|hauptrasse|rasse 1",
        "breed_secondary": "zweite rasse|nebenrasse|rasse 2",
        "mixed": "mischling|ist mischling|mix",
        "sex": "geschlecht",
        "altered": "kastriert|sterilisiert|kastration|kastriert/sterilisiert|kastriert?|kastrationsstatus",
        "born": "geburtsdatum|geboren|geboren am|geb. am|geb. datum|geb.|geburtstag|wurfdatum",
        "age": "alter|alter ca",
        "size": "größe|groesse|schulterhöhe",
        "coat": "fell|felllänge|fellänge|haarlänge|fellart",
        "colour": "farbe|fellfarbe|hauptfarbe",
        "status": "status|stand|vermittlungsstatus|vermittlungsstand|verfügbarkeit|verfügbar",
        "reserved": "reserviert",
        "adopted": "vermittelt|vermittelt am|vermittlungsdatum",
        "description": "beschreibung|vermittlungstext|steckbrief|geschichte|charakterbeschreibung",
        "notes": "notizen|interne notizen|bemerkung|bemerkungen|anmerkung|anmerkungen|kommentar",
        "microchip": "chip|chipnummer|chip-nr|mikrochip|transponder|transpondernummer|mikrochipnummer",
        "arrived": (
            "aufnahmedatum|aufnahme|ankunft|ankunftsdatum|eingangsdatum|eingang|zugang|im tierheim seit|"
            "aufgenommen am"
        ),
        "children": (
            "kinder|kinderlieb|kinderfreundlich|verträglich mit kindern|kinderverträglich|für kinder geeignet"
        ),
        "dogs": "hunde|hundeverträglich|verträglich mit hunden|verträglich hunde",
        "cats": "katzen|katzenverträglich|verträglich mit katzen|verträglich katzen",
        "house_trained": "stubenrein",
        "special_needs": "besondere bedürfnisse|handicap|einschränkungen",
        "fee": "schutzgebühr|schutzgebuehr|vermittlungsgebühr|vermittlungsgebuehr|preis|abgabepreis|gebühr",
        "photos": "foto|fotos|bild|bilder|titelbild|fotolink",
    },
    weak=(
        "art|name|mix|stand|alter|status|hunde|katzen|kinder|chip|nummer|nr|bild|preis|handicap|"
        "kommentar|geschichte|aufnahme|gebühr|verfügbar|zugang|größe|transponder"
    ),
    hiding={
        "quarantine": "quarantane|quarantaene|isolation|isolier",
        "hold": "gesperrt|sperre|beschlagnahmt|sicherstellung|fundfrist",
        "died": "verstorben|gestorben|todesdatum|sterbedatum|eingeschlafert|eingeschlaefert|euthanas",
        "hides": (
            "nichtveroffentlich|nichtveroeffentlich|nichtvermitt|nichtzuvermitteln|unverkauflich|"
            "nichtverfugbar|nichtanzeigen|versteckt|verborgen|unvermittelbar"
        ),
        "listed": "veroffentlich|veroeffentlich|zurvermittlung|aufderwebsite|onlinestellen|vermittelbar",
    },
    species={
        "Dog": "hund|hündin|hunde|rüde|welpe|welpen",
        "Cat": "katze|kater|katzen|kätzchen|kitten",
        "Rabbit": "kaninchen|hase|zwergkaninchen",
        "Small & furry": (
            "kleintier|kleintiere|nager|nagetier|hamster|meerschweinchen|ratte|maus|frettchen|chinchilla|"
            "degu|rennmaus|igel"
        ),
        "Bird": "vogel|vögel|papagei|wellensittich|sittich|kanarienvogel|huhn|hahn|taube|ente|gans",
        "Horse": "pferd|pony|esel|stute|hengst|wallach",
        "Barnyard": "nutztier|schwein|ziege|schaf|kuh|rind|hoftier",
        "Reptile": "reptil|reptilien|schildkröte|schlange|echse|amphibie|frosch",
        "Fish": "fisch|fische",
        "Other": "sonstige|sonstiges|andere|anderes|exot",
    },
    sexes={
        "female": "weiblich|weibl|w|hündin|kätzin|katze|stute",
        "male": "männlich|maennlich|männl|maennl|rüde|kater|hengst",
    },
    altered={"yes": "kastriert|kastrat|sterilisiert|kastr", "no": "unkastriert|intakt|nicht kastriert"},
    statuses={
        "available": (
            "verfügbar|verfuegbar|zu vermitteln|in vermittlung|zur vermittlung|vermittelbar|"
            "sucht ein zuhause|sucht zuhause|auf pflegestelle|pflegestelle|frei"
        ),
        "pending": "reserviert|in reservierung|vorgemerkt|vermittlung läuft|auf probe",
        "sold": "vermittelt|adoptiert|zuhause gefunden",
        "hidden": (
            "nicht verfügbar|nicht verfuegbar|nicht vermittelbar|nicht zu vermitteln|verstorben|"
            "gestorben|tot|eingeschläfert|euthanasiert|abgegeben|verlegt|an besitzer zurück|"
            "zurück an besitzer|entlaufen|in kürze|bald|in behandlung|inaktiv|gnadenhof|dauerpflege"
        ),
        "on_hold": "gesperrt|fundtier|fundfrist|beschlagnahmt|sichergestellt",
        "in_quarantine": "quarantäne|in quarantäne|isolation|isolierstation",
    },
    sizes={
        "small": "klein|sehr klein|k",
        "medium": "mittel|mittelgroß|mittelgross",
        "large": "groß|gross",
        "xlarge": "sehr groß|sehr gross|riesig",
    },
    coats={
        "short": "kurz|kurzhaar|kurzhaarig",
        "medium": "mittel|halblang|halblanghaar",
        "long": "lang|langhaar|langhaarig",
        "wire": "rauhaar|drahthaar|rau",
        "curly": "lockig|gelockt",
        "hairless": "haarlos|nackt",
    },
    yes="ja|j|wahr",
    no="nein|falsch|keine|kein",
    unknown="unbekannt|nicht bekannt|unklar|k.a.|keine angabe|noch nicht bekannt",
    not_yet="nicht|noch|bald|ab|bis|nach|erst|kein|ohne",
)
