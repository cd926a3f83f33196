"""The field's words as shelters' spreadsheets write them, each with what it means here. Tables alone.

All words are in lower case. Sources: the import and export guides of Petfinder, RescueGroups, Adopt-a-Pet and
Shelterluv, the source of ASM3, and open data of city shelters that use Chameleon or PetPoint.
"""

import re

SPECIES = {
    "Dog": "dog|canine|puppy|pup",
    "Cat": "cat|feline|kitten",
    "Rabbit": "rabbit|bunny|house rabbit|domestic rabbit",
    "Small & furry": (
        "small & furry|small furry|small&furry|small-furry|small animal|small mammal|small_mammal"
        "|rodent|rat|mouse"
        "|mice|hamster|gerbil|guinea pig|cavy|chinchilla|ferret|degu|hedgehog|sugar glider|domestic rat"
    ),
    "Bird": (
        "bird|avian|parrot|parakeet|budgie|budgerigar|cockatiel|cockatoo|canary|finch|macaw|conure|lovebird|dove"
        "|pigeon|chicken|hen|rooster|cockerel|duck|goose|geese|turkey|quail|peacock|poultry"
    ),
    "Horse": "horse|equine|pony|donkey|mule|burro|miniature horse",
    "Barnyard": (
        "barnyard|farm animal|farm_animal|farm|livestock|pig|hog|pot bellied pig|pot-bellied pig"
        "|potbellied pig"
        "|goat|sheep|lamb|cow|cattle|bovine|calf|llama|alpaca"
    ),
    "Reptile": (
        "reptile|snake|lizard|turtle|tortoise|terrapin|iguana|gecko|chameleon|python|boa|bearded"
        " dragon|amphibian"
        "|frog|toad|reptile_or_amphibian|reptile or amphibian"
    ),
    "Fish": "fish|goldfish|betta|koi",
    "Other": "other|exotic|scales, fins & other|scales-fins-other|scales fins & other|miscellaneous",
}

SEXES: dict[str, tuple[str | None, bool | None]] = {
    # word: sex, altered
    **dict.fromkeys(("female", "f", "girl", "fem", "mare", "hen"), ("female", None)),
    **dict.fromkeys(("male", "m", "boy", "stallion", "rooster"), ("male", None)),
    **dict.fromkeys(
        ("spayed female", "female spayed", "female (spayed)", "s", "fs", "f/s", "sf"), ("female", True)
    ),
    **dict.fromkeys(
        (
            "neutered male",
            "male neutered",
            "castrated male",
            "male (neutered)",
            "n",
            "mn",
            "m/n",
            "nm",
            "gelding",
        ),
        ("male", True),
    ),
    **dict.fromkeys(
        ("intact female", "unspayed female", "female intact", "unaltered female"), ("female", False)
    ),
    **dict.fromkeys(("intact male", "unneutered male", "male intact", "unaltered male"), ("male", False)),
    **dict.fromkeys(("unaltered", "intact"), (None, False)),
    **dict.fromkeys(("altered", "spayed/neutered", "fixed"), (None, True)),
    "spayed": ("female", True),
    "neutered": ("male", True),
    **dict.fromkeys(("unknown", "u", "unk", "?", "undetermined", "not known", "n/a"), (None, None)),
}

SIZES = {
    **dict.fromkeys(("s", "sm", "small", "toy", "extra small", "xs", "very small"), "small"),
    **dict.fromkeys(("m", "med", "medium"), "medium"),
    **dict.fromkeys(("l", "lg", "large"), "large"),
    **dict.fromkeys(
        ("xl", "x-large", "xlarge", "x large", "extra large", "extra-large", "very large", "giant"), "xlarge"
    ),
}

COATS = {
    **dict.fromkeys(("hairless", "none"), "hairless"),
    **dict.fromkeys(("short", "short hair", "shorthair", "smooth"), "short"),
    **dict.fromkeys(("medium", "medium hair", "mediumhair", "medium length"), "medium"),
    **dict.fromkeys(("long", "long hair", "longhair"), "long"),
    **dict.fromkeys(("wire", "wirehair", "wirehaired", "wiry", "rough"), "wire"),
    **dict.fromkeys(("curly", "wavy", "corded"), "curly"),
}

YES = frozenset(["yes", "y", "true", "t", "1", "x", "ok", "good", "on", "checked"])
NO = frozenset(["no", "n", "false", "f", "0", "none", "off", "not", "bad"])
NOT_KNOWN = frozenset(
    [
        "",
        "unknown",
        "u",
        "unk",
        "?",
        "-",
        "n/a",
        "na",
        "not sure",
        "not tested",
        "untested",
        "null",
        "not known",
    ]
)

# What a word for where an animal stands means: its status (None: as it was), and whether it may be seen.
AVAILABLE, PENDING, SOLD = ("available", True), ("pending", True), ("sold", True)
GONE = (None, False)
"""Not here, or not to be adopted: never seen, and no status of ours says why."""

STATUSES: dict[str, tuple[str | None, bool]] = {
    **dict.fromkeys(
        (
            "available", "adoptable", "a", "active", "available for adoption", "for adoption", "ready",
            "available - in foster", "available in foster", "in foster", "in foster care", "foster", "yes",
        ),
        AVAILABLE,
    ),
    **dict.fromkeys(
        (
            "pending", "adoption pending", "p", "reserved", "application pending", "on trial", "trial",
            "trial adoption", "foster to adopt", "adoption in progress", "pending adoption", "reservation",
        ),
        PENDING,
    ),
    **dict.fromkeys(("sold", "adopted", "x", "adoption", "healthy in home", "rehomed", "adopted out"), SOLD),
    **dict.fromkeys(
        (
            "f", "found", "unavailable", "not available", "not for adoption", "inactive", "deleted",
            "removed",
            "hidden", "draft", "transferred", "deceased", "dead", "died", "euthanized", "euthanised",
            "reclaimed",
            "returned to owner", "rto", "escaped", "stolen", "missing", "permanent foster", "sanctuary",
            "lost",
            "passed away", "rainbow bridge", "rip", "impounded", "stray", "evaluate", "no", "released",
            "closed",
            "coming soon", "not yet available", "not available yet", "not adoptable", "returned to guardian",
        ),
        GONE,
    ),
}  # fmt: skip

HOLDS = ("h", "hold", "on hold", "stray hold", "hold - stray", "bite hold", "medical hold", "court hold")
QUARANTINES = ("q", "quarantine", "in quarantine", "bite quarantine", "isolation")

# How a stay ended, or the newest movement. "back" is what a date of return makes of it.
OUTCOMES: dict[str, tuple[str | None, bool]] = {
    **STATUSES,
    **dict.fromkeys(("adoption", "adopted", "rto-adopt", "adoption - offsite"), SOLD),
    **dict.fromkeys(("foster", "fostered", "retailer", "none", "in care"), AVAILABLE),
    **dict.fromkeys(("trial adoption", "trial", "foster to adopt", "reservation", "reserved"), PENDING),
    **dict.fromkeys(
        (
            "transfer", "transferred", "transfer out", "reclaimed", "reclaim", "return to owner",
            "returned to owner", "return to owner/guardian", "rto", "escaped", "stolen", "missing", "lost",
            "lost in care", "died", "died in care", "dead", "euthanasia", "euthanized", "euthanised",
            "shelter euthanasia", "owner requested euthanasia", "disposal", "released to wild",
            "released", "tnr",
            "return to field", "rtf", "snr", "permanent foster", "closed", "treatment", "service out",
            "relocate",
        ),
        GONE,
    ),
}  # fmt: skip

NO_HOLD = frozenset(
    ["adop rescu", "adoption", "available", "released from quarantine", "released", "expired", "ended",
     "lifted", "cleared", "no hold"]
)  # fmt: skip
"""Words of a hold column, Chameleon's among them, that keep nothing from adopters."""

ADOPTABLE_KENNELS = frozenset(
    ["available", "adoptable", "foster", "reserved", "adopted", "released from quarantine"]
)
NOT_ADOPTABLE_KENNELS = frozenset(
    ["unavailable", "impounded", "lab", "pre-lab", "quarantine", "hold", "missing", "stray"]
)

NOT_YET = re.compile(
    r"\b(not|no|never|soon|until|after|from|later|unavailable|stray|bite|court|cruelty|evaluat\w*|deceased|dead|died"
    r"|euthan\w*|returned|removed|cancel\w*|fail\w*|previously|was|except|rescue only|impound\w*|isolation)\b"
)
"""Words that take back what a status begins with, such as in "Available soon"."""

NOW = frozenset(["now", "immediately", "today", "available", "ready"])

BREED_WORDS = {
    "retr": "Retriever", "germ": "German", "ter": "Terrier", "terr": "Terrier", "aust": "Australian",
    "sh": "Shorthair", "lh": "Longhair", "mh": "Mediumhair", "span": "Spaniel", "smth": "Smooth",
    "min": "Miniature", "am": "American", "netherlnd": "Netherland", "wht": "White", "pinsch": "Pinscher",
    "shep": "Shepherd", "engl": "English", "eng": "English", "staff": "Staffordshire", "amer": "American",
    "dsh": "Domestic Shorthair", "dmh": "Domestic Mediumhair", "dlh": "Domestic Longhair", "std": "Standard",
}  # fmt: skip

COLOUR_WORDS = {
    "brn": "Brown", "blk": "Black", "wht": "White", "org": "Orange", "gry": "Gray", "br": "Brown",
    "yel": "Yellow",
    "choc": "Chocolate", "crm": "Cream", "slvr": "Silver", "tri": "Tricolor", "ylw": "Yellow",
}  # fmt: skip
