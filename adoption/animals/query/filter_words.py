"""Words of a query that mean a filter, as a table.

Each line is ``filters | words``. A filter is ``species``, ``age``, ``sex`` or ``size`` with a value. Commas
separate the words or phrases. Plurals need no entry.
"""

from typing import NamedTuple

from adoption.search_words import stem_of, words_in

TABLE = """
species 1 | dog, doggy, doggie, doggo, pooch, canine, perro, perra, perrito, chien, hund, 🐶, 🐕, 犬, 狗
species 2 | cat, kitty, feline, gato, gata, chat, katze, 🐱, 🐈, 猫, 貓
species 3 | rabbit, bunny, conejo, coneja, 🐰, 🐇, 兎, 兔
species 4 | small animal, small pet, small furry, small and furry, rodent, roedor
species 5 | bird, pajaro, ave, 🐦, 鳥
species 6 | horse, equine, caballo, 🐴, 🐎, 馬
species 7 | farm animal, barnyard, livestock
species 8 | reptile, 🦎
species 9 | fish, pez, peces, 🐟, 🐠
species 1 age baby | puppy, pup, puppers, cachorro, cachorra, cachorrito
species 2 age baby | kitten, gatito, gatita
species 3 age baby | baby rabbit, baby bunny, gazapo
species 6 age baby | foal
age baby | baby, newborn, infant, bebe
age young | young, young adult, adolescent, teenager, teenage, joven
age adult | adult, grown, grown up, adulto, adulta
age senior | senior, old, older, elderly, veteran, viejo, vieja, anciano, anciana
sex female | female, girl, hembra
sex male | male, boy, macho
size small | small, little, tiny, small sized, pequeño, pequeña
size medium | medium, medium sized, mid sized, midsize, mediano, mediana
size large | large, big, large sized, grande
size xlarge | extra large, xlarge, xl, giant, huge, very large, gigante
"""

COMPANIONS = """
children | kid, child, children, toddler, family, niño, niña
dogs | dog, perro
cats | cat, gato
"""
"""Companions, each with the words that people type after "good with" or before "friendly"."""

GETS_ON = (
    "good with", "great with", "fine with", "ok with", "okay with", "safe with", "safe for", "good for",
    "friendly with", "likes", "loves", "gets along with", "gets on with", "live with",
    "living with", "good around", "used to", "bueno con",
)  # fmt: skip
BETWEEN_COMPANIONS = {"and", "or", "other", "y", "small", "young", "older", "the"}
FRIENDLY = {"friendly", "safe", "tolerant"}

BREEDS_WITH_SUCH_WORDS = (
    "old english", "old time", "giant schnauzer", "flemish giant", "continental giant", "small munsterlander",
    "large munsterlander", "prairie dog", "sugar baby", "french giant", "checkered giant", "mini rex",
    "little lion", "large black", "polar bear", "clown fish", "cat fish", "bird eating", "cat eye",
)  # fmt: skip
"""Breeds whose names contain a filter word. In such a name, the word is not a filter."""

NEGATIONS = {"not", "no", "non", "without", "except", "never", "sin"}
"""Words such as "not". The next words are not searched for, because a search cannot exclude animals."""
NEGATION_ENDS = {"and", "but"}
ENDING_SIGNS = ",;."

NOISE = """
a an the and or of for to in near at with from by on who that which is are has my me i we our some any please
want wants looking find search adopt adopting adoption adoptable rehome rehoming pet pets animal animals
around breed is still available do does have has you need needs home can there
de del la el los las un una en con para
"""
"""Words that describe no animal. These words are ignored if the query has other words."""

KINDS = """
4 | hamster, gerbil, guinea pig, cavy, rat, mouse, mice, ferret, chinchilla, degu, hedgehog
5 | parrot, budgie, canary, cockatiel, finch, parakeet, cockatoo, macaw, pigeon, dove, lovebird
6 | pony, donkey, mule, cob, mare, stallion, gelding
7 | goat, sheep, pig, cow, hen, chicken, rooster, cockerel, duck, goose, geese, turkey, lamb, alpaca, llama
8 | snake, gecko, tortoise, turtle, lizard, iguana, python, chameleon, bearded dragon, terrapin
9 | goldfish, koi, guppy, betta, tetra
10 | frog, axolotl, tarantula, spider, snail, crab
"""
"""Names of animals in each species group. Each line has the group's category id, then the names.

These names are never corrected as typos. The page offers the species group as a filter.
"""

Phrase = tuple[str, ...]


class FilterMeaning(NamedTuple):
    """A filter and its value, as in ``catalogue.CatalogueFilters``."""

    field: str
    value: str | int


def phrase_stems(phrase: str) -> Phrase:
    """Return a phrase as word stems. Singular and plural have the same stem."""
    return tuple(stem_of(word) for word in words_in(phrase))


def phrases_in(line: str) -> list[Phrase]:
    return [phrase_stems(phrase) for phrase in line.split(",")]


def read_table() -> dict[Phrase, tuple[FilterMeaning, ...]]:
    found: dict[Phrase, tuple[FilterMeaning, ...]] = {}
    for line in TABLE.strip().splitlines():
        filters, _, phrases = line.partition("|")
        pairs = filters.split()
        meanings = tuple(
            FilterMeaning("category_id", int(value)) if field == "species" else FilterMeaning(field, value)
            for field, value in zip(pairs[::2], pairs[1::2], strict=True)
        )
        found |= dict.fromkeys(phrases_in(phrases), meanings)
    return found


def read_lines(table: str) -> dict[Phrase, str]:
    """Parse lines of the form "value | phrases". Return the value of each phrase."""
    lines = [line.partition("|") for line in table.strip().splitlines()]
    return {phrase: value.strip() for value, _, phrases in lines for phrase in phrases_in(phrases)}


MEANINGS = read_table()
NOISE_WORDS = frozenset(NOISE.split())
COMPANION_WORDS = {phrase[0]: value for phrase, value in read_lines(COMPANIONS).items()}
KIND_WORDS = {phrase: int(value) for phrase, value in read_lines(KINDS).items()}
GETS_ON_PHRASES = tuple(map(phrase_stems, GETS_ON))
BREED_PHRASES = {phrase_stems(phrase) for phrase in BREEDS_WITH_SUCH_WORDS}
LONGEST = max(map(len, (*MEANINGS, *BREED_PHRASES, *KIND_WORDS)))
