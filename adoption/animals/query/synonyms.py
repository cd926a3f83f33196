"""Synonyms for the search: what people type for breeds, coats, colours and yes-or-no columns.

Each line is ``what shelters write | what people type``. On both sides, commas separate alternatives.
"""

from adoption.animals.query.filter_words import Phrase, phrases_in
from adoption.search_words import words_in

BREEDS = """
german shepherd, alsatian | gsd, alsatian, german shep, shep, pastor aleman
labrador | lab, labrador retriever, labby, labrador dog
golden retriever | goldie, golden lab
yorkshire terrier | yorkie, yorky
staffordshire bull terrier | staffy, staffie, staff, sbt
american staffordshire terrier | amstaff
pit bull, pitbull | pitbull, pittie, pitty, pibble, apbt
bull terrier | bully, ebt
french bulldog | frenchie, frenchy
bulldog | british bulldog
dachshund | doxie, doxy, sausage dog, wiener dog, weiner dog, wiener, teckel, salchicha
dachshund | daschund, dashund, dashound, daushund
jack russell | jrt, jack russel, parson russell
border collie | bc, collie dog
siberian husky, husky | huskie
chihuahua | chi, chihuahua dog
rottweiler | rottie, rotti
dobermann, doberman | dobie, dobe, doberman pinscher
pomeranian | pom, pommie
poodle | poo
cockapoo | cockerpoo, spoodle
cavalier king charles spaniel | cavalier, ckcs, king charles
cocker spaniel | cocker
springer spaniel | springer
west highland white terrier | westie, westy
scottish terrier | scottie
cairn terrier | cairn
boston terrier | boston
shetland sheepdog | sheltie
old english sheepdog | oes
australian shepherd | aussie
australian cattle dog | heeler, blue heeler, acd
rhodesian ridgeback | ridgeback
bernese mountain dog | berner
great dane | dane
newfoundland | newfie
st bernard, saint bernard | saint bernard, st bernard
schnauzer | schnauz
weimaraner | weim
hungarian vizsla, vizsla | vizla
english springer spaniel | ess
greyhound | grey hound, galgo, greys
whippet | whip
basset hound | basset
bichon frise | bichon
lhasa apso | lhasa
shih tzu | shihtzu, shitzu, shih zu
patterdale terrier | patterdale
miniature pinscher | minpin, min pin
domestic shorthair, european shorthair | dsh, moggy, moggie, domestic short hair, common european
domestic longhair | dlh, domestic long hair
domestic medium hair | dmh, domestic mediumhair
british shorthair | bsh, british blue
maine coon | coonie
siamese | meezer
persian | persian cat
ragdoll | raggie
sphynx, sphinx | sphinx, hairless cat, naked cat
russian blue | russian
guinea pig, cavy | guinea pig, cavy, piggie, cuy, cobaya
hamster | hammy
budgerigar, budgie | budgie, budgerigar, parakeet
cockatiel | tiel
lop | lop eared, lop ear
netherland dwarf | nethie
longhair, long hair | long haired, longhaired
shorthair, short hair | short haired, shorthaired
hen, chicken | hen, chicken, poultry, gallina
bearded dragon | beardie
tortoise | tortuga
mix | mixed breed, crossbreed, cross breed, mutt, mongrel, mestizo, mestiza
"""

LOOKS = """
black | negro, negra
white | blanco, blanca
brown, chocolate | brown, marron
grey, gray, blue | grey, gray, gris
ginger, orange, marmalade | ginger, orange, marmalade, naranja
tortoiseshell, tortie | tortie, torty, tortoiseshell, tortoise shell
calico, tricolour | calico, tricolor, tricolour, tri colour, tri color
tuxedo | tuxedo, tux
black white | black and white
tabby | tiger striped, atigrado
cream, golden, yellow | blonde, blond
"""

COLUMNS = """
housetrained | house trained, housetrained, house broken, housebroken, potty trained
housetrained | toilet trained, litter trained
specialneeds | special need, special needs
bonded | bonded, bonded pair, pair bonded, bonded together, pair
"""
"""The yes-or-no columns. Each line has the column's word in the index, then the phrases that people type."""

Words = tuple[tuple[str, ...], ...]


def parse_synonyms(table: str) -> dict[Phrase, Words]:
    """Return what shelters write for each phrase that people type. The phrases are keys of word stems."""
    found: dict[Phrase, Words] = {}
    for line in table.strip().splitlines():
        written, _, typed = line.partition("|")
        ways = tuple(tuple(words_in(way)) for way in written.split(","))
        found |= dict.fromkeys(phrases_in(typed), ways)
    return found


BREED_NAMES, LOOK_NAMES, COLUMN_NAMES = (
    parse_synonyms(BREEDS),
    parse_synonyms(LOOKS),
    parse_synonyms(COLUMNS),
)
NO_COLUMNS = {"bond"}
"""Words that do not mean a column, although a phrase in ``COLUMNS`` has the same stem.

Such a word is usually the name of an animal.
"""
