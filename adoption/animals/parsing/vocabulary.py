"""Words in shelters' spreadsheets, with their meanings. This module has only tables.

All words are in lower case. Sources: the import and export guides of Petfinder, RescueGroups, Adopt-a-Pet and
Shelterluv, the source of ASM3, and open data of city shelters that use Chameleon or PetPoint.
"""

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.parsing.spreadsheet_words import foreign_meanings, foreign_words
from adoption.animals.parsing.text_cleanup import plain_word

SPECIES = {
    "Dog": "dog|canine|puppy|pup|k9|doggy|hound",
    "Cat": "cat|feline|kitten|kitty",
    "Rabbit": "rabbit|bunny|bunny rabbit|bun|lagomorph",
    "Small & furry": (
        "small & furry|small furry|small&furry|small-furry|pocket pet|small animal|small mammal|small_mammal"
        "|rodent|rat|mouse"
        "|mice|hamster|gerbil|guinea pig|cavy|chinchilla|ferret|degu|prairie dog|hedgehog|sugar glider"
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

SPECIES_WORDS = {
    word: number
    for number, name in CATEGORIES.items()
    for word in [
        *(word for word, category in foreign_meanings("species").items() if category == name),
        name.lower(),
        *SPECIES[name].split("|"),
    ]
}

SEXES: dict[str, tuple[str | None, bool | None]] = {
    # Each key is a word. Each value is the sex, and whether the animal is altered.
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

SEX_CODES: dict[str, tuple[str | None, bool | None]] = {
    **dict.fromkeys(("fs", "sf", "fn", "nf", "wk"), ("female", True)),
    **dict.fromkeys(("mn", "nm", "mc", "cm", "mk"), ("male", True)),
    **dict.fromkeys(("fi", "if", "fe", "ef"), ("female", False)),
    **dict.fromkeys(("mi", "im", "me", "em"), ("male", False)),
}
"""Codes for sex and altered, such as F/S, M-N, MC (male, castrated) and ME (male, entire)."""
SEX_WORDS = {
    **foreign_meanings("sexes"),
    **dict.fromkeys(("female", "f", "girl", "fem", "bitch", "doe", "mare", "hen", "queen"), "female"),
    **dict.fromkeys(("male", "m", "boy", "stud", "buck", "stallion", "rooster", "gelding", "tom"), "male"),
}
ALTERED_WORDS = {
    **{word: answer == "yes" for word, answer in foreign_meanings("altered").items()},
    **dict.fromkeys(
        ("spayed", "spay", "neutered", "neuter", "castrated", "altered", "fixed", "desexed", "sterilized",
         "sterilised", "gelded", "gelding"),
        True,
    ),
    **dict.fromkeys(
        ("intact", "entire", "unspayed", "unneutered", "unaltered", "uncastrated", "unfixed", "undesexed"),
        False,
    ),
}  # fmt: skip
SEXES_OF_ALTERED = {
    **dict.fromkeys(("spayed", "spay", "避妊", "避妊済", "避妊済み"), "female"),
    **dict.fromkeys(("neutered", "neuter", "castrated", "gelded", "去勢", "去勢済", "去勢済み"), "male"),
}
"""The sex that each word for altered implies. The word is used only if no other word shows the sex."""
SEX_FILLERS = frozenset(["and", "is", "has", "been", "was", "the", "a", "y", "et", "und", "e", "en"])
TAKING_BACK = frozenset(["not", "non", "no", "nicht", "niet", "nao", "sin", "sem", "without"])

SIZES = {
    **foreign_meanings("sizes"),
    **dict.fromkeys(("s", "sm", "small", "toy", "extra small", "xs", "very small", "tiny"), "small"),
    **dict.fromkeys(("m", "med", "medium"), "medium"),
    **dict.fromkeys(("l", "lg", "large"), "large"),
    **dict.fromkeys(
        ("xl", "x-large", "xlarge", "x large", "extra large", "extra-large", "very large", "giant", "xxl"),
        "xlarge",
    ),
}

COATS = {
    **foreign_meanings("coats"),
    **dict.fromkeys(("hairless", "none"), "hairless"),
    **dict.fromkeys(("short", "short hair", "shorthair", "smooth"), "short"),
    **dict.fromkeys(("medium", "medium hair", "mediumhair", "medium length"), "medium"),
    **dict.fromkeys(("long", "long hair", "longhair"), "long"),
    **dict.fromkeys(("wire", "wirehair", "wirehaired", "wiry", "rough"), "wire"),
    **dict.fromkeys(("curly", "wavy", "corded"), "curly"),
}

YES = frozenset(
    ["yes", "y", "true", "t", "1", "x", "ok", "good", "on", "checked", "✓", "✔", "☑"]
) | foreign_words("yes")
NO = frozenset(["no", "n", "false", "f", "0", "none", "off", "not", "bad", "✗", "✘", "☐"]) | foreign_words(
    "no"
)
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
) | foreign_words("unknown")

BREED_WORDS = {
    "retr": "Retriever", "germ": "German", "ter": "Terrier", "terr": "Terrier", "aust": "Australian",
    "sh": "Shorthair", "lh": "Longhair", "mh": "Mediumhair", "span": "Spaniel", "smth": "Smooth",
    "min": "Miniature", "am": "American", "netherlnd": "Netherland", "wht": "White", "pinsch": "Pinscher",
    "shep": "Shepherd", "engl": "English", "eng": "English", "staff": "Staffordshire", "amer": "American",
    "dsh": "Domestic Shorthair", "dmh": "Domestic Mediumhair", "dlh": "Domestic Longhair", "std": "Standard",
}  # fmt: skip

MIXED_BREEDS = frozenset(
    ["mestizo", "mestiza", "croise", "croisee", "mischling", "meticcio", "meticcia", "mestico", "mestica",
     "srd", "sem raca definida", "vira-lata", "kruising", "bastaard", *map(plain_word, ("雑種", "ミックス"))]
)  # fmt: skip
"""Words for a mix in other languages. Such a word is stored as the breed, as the shelter wrote it."""

COLOUR_WORDS = {
    "brn": "Brown", "blk": "Black", "wht": "White", "org": "Orange", "gry": "Gray", "br": "Brown",
    "yel": "Yellow",
    "choc": "Chocolate", "crm": "Cream", "slvr": "Silver", "tri": "Tricolor", "ylw": "Yellow",
}  # fmt: skip
