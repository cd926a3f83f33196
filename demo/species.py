"""Species and breeds of demo animals, with their frequencies."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DemoBreed:
    name: str
    size: str | None
    coat: str | None
    colours: tuple[str, ...]
    common: int
    """The relative frequency; 1 for a rare breed."""


@dataclass(frozen=True)
class DemoSpecies:
    """The animals of one category: their share per thousand in a mixed shelter, and their properties."""

    category_id: int
    share: int
    words: str
    """A key of ``descriptions.WORDS``."""
    breeds: tuple[DemoBreed, ...]
    lifespan: float
    """The lifespan in years."""
    fees: tuple[int, int]
    """The lowest and highest adoption fee, in hundredths of the currency."""
    mixed: float = 0.0
    chipped: float = 0.0
    trained: float = 0.0
    altered: float = 0.0
    sexed: float = 1.0
    """The chance that the sex is known. The fields above are the chances that an animal is a mix,
    microchipped, house trained and neutered."""


def parse_breeds(table: str) -> tuple[DemoBreed, ...]:
    """Return breeds from lines of ``common | name | size | coat | colours; colours``; "-" means none."""
    rows = ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())
    return tuple(
        DemoBreed(
            name,
            None if size == "-" else size,
            None if coat == "-" else coat,
            tuple(colours.split("; ")),
            int(common),
        )
        for common, name, size, coat, colours in rows
    )


DOG = parse_breeds("""
5 | Labrador retriever | large | short | Black; Yellow; Chocolate
4 | German shepherd | large | medium | Black, tan; Sable; Black
6 | Staffordshire bull terrier | medium | short | Brindle; Blue; Black, white; Red
5 | Jack Russell terrier | small | short | White, tan; White, black; White, black, tan
4 | Border collie | medium | medium | Black, white; Red, white; Blue merle
2 | Cocker spaniel | medium | medium | Golden; Black; Liver, white
1 | Springer spaniel | medium | medium | Liver, white; Black, white
4 | Greyhound | large | short | Black; Fawn; Brindle; Blue
5 | Lurcher | large | wire | Grey; Fawn; Brindle
1 | Whippet | medium | short | Fawn; Blue, white; Brindle
2 | Beagle | medium | short | Black, tan, white; Lemon, white
1 | Boxer | large | short | Fawn, white; Brindle, white
2 | Rottweiler | xlarge | short | Black, tan
3 | Siberian husky | large | medium | Grey, white; Black, white; Red, white
1 | Golden retriever | large | medium | Golden; Cream
3 | Chihuahua | small | short | Fawn; Black, tan; Chocolate
1 | Yorkshire terrier | small | long | Blue, tan
2 | Border terrier | small | wire | Grizzle; Wheaten
2 | Dachshund | small | short | Red; Black, tan; Chocolate
1 | Shih tzu | small | long | Gold, white; Black, white
1 | Miniature poodle | small | curly | Apricot; Black; Silver
1 | Patterdale terrier | small | wire | Black; Chocolate
1 | Dalmatian | large | short | White, black; White, liver
1 | Mastiff | xlarge | short | Fawn; Brindle; Apricot
1 | Pointer | large | short | White, liver; White, lemon
2 | Podenco | medium | short | Red, white; Fawn
""")

CAT = parse_breeds("""
14 | Domestic shorthair | medium | short | Tabby; Black; Black, white; Ginger; Tortoiseshell; White, grey
14 | Domestic shorthair | medium | short | Tabby, white; Black; Ginger, white; Calico; Grey; Grey tabby
14 | Domestic shorthair | small | short | Tabby; Black; Ginger; Tortoiseshell, white; Smoke
4 | Domestic longhair | medium | long | Tabby; Black; Tortoiseshell; Ginger, white; Smoke
4 | Domestic medium hair | medium | medium | Grey, white; Tabby, white; Black; Cream
1 | British shorthair | medium | short | Blue; Cream; Silver tabby
1 | Ragdoll | large | long | Seal point; Blue point
1 | Maine Coon | large | long | Brown tabby; Red tabby; Silver
1 | Siamese | medium | short | Seal point; Chocolate point
1 | Persian | medium | long | White; Cream; Blue
1 | Bengal | medium | short | Brown, black
1 | Russian Blue | medium | short | Blue
1 | Sphynx | medium | hairless | Pink; Grey, pink
1 | Devon Rex | small | curly | Black; Cream; Tortoiseshell
""")

RABBIT = parse_breeds("""
3 | Mini lop | small | short | Grey; Agouti; Orange; Butterfly
1 | French lop | large | short | Agouti; Black; Fawn
3 | Lionhead | small | long | White; Sooty fawn; Grey
1 | Netherland dwarf | small | short | Black; Chocolate; Agouti
2 | Dutch | small | short | Black, white; Blue, white; Tortoiseshell, white
1 | Rex | medium | short | Castor; Blue; Black
1 | English spot | medium | short | White, black; White, chocolate
1 | Continental giant | xlarge | short | Agouti; Steel; Black
""")

SMALL = parse_breeds("""
5 | Guinea pig | small | short | White, ginger; Black, white; Agouti; Tricolour
1 | Abyssinian guinea pig | small | wire | Brindle; White, black; Roan
1 | Peruvian guinea pig | small | long | White, ginger; Cream; Black
3 | Syrian hamster | small | short | Golden; Cream; Sable
1 | Roborovski hamster | small | short | Sandy, white
3 | Fancy rat | small | short | Hooded, black; Champagne; Agouti; Blue
2 | Gerbil | small | short | Agouti; Black; Nutmeg
1 | Chinchilla | small | short | Silver; Beige; Ebony
1 | Degu | small | short | Agouti; Blue
2 | Ferret | small | medium | Polecat; Albino; Silver
""")

BIRD = parse_breeds("""
5 | Budgerigar | small | - | Green, yellow; Blue, white; Violet; Yellow
3 | Cockatiel | small | - | Grey, yellow; Lutino; Pied
1 | Lovebird | small | - | Green, peach; Blue; Yellow
1 | Canary | small | - | Yellow; Orange; White
1 | African grey parrot | medium | - | Grey, red
1 | Zebra finch | small | - | Grey, orange
1 | Green-cheeked conure | small | - | Green, maroon; Pineapple
1 | Fantail pigeon | small | - | White; Grey, white
""")

HORSE = parse_breeds("""
1 | Welsh cob | large | - | Bay; Chestnut; Palomino
2 | Shetland pony | small | - | Chestnut; Skewbald; Black
2 | Thoroughbred | xlarge | - | Bay; Dark bay; Grey; Chestnut
1 | Connemara pony | medium | - | Grey; Dun
1 | Irish draught | xlarge | - | Grey; Bay
3 | Gypsy cob | large | - | Piebald; Skewbald
1 | Donkey | medium | - | Grey dun; Brown; Skewbald
""")

BARNYARD = parse_breeds("""
5 | Hybrid hen | small | - | Brown; White; Black
1 | Light Sussex hen | small | - | White, black
2 | Pygmy goat | small | - | Grey; Black, white; Caramel
1 | Kunekune pig | medium | - | Ginger, black; Cream; Black, white
1 | Jacob sheep | medium | - | White, black
1 | Shetland sheep | small | - | Moorit; Grey; Black
1 | Indian runner duck | small | - | Fawn, white; White; Chocolate
1 | Alpaca | large | - | White; Fawn; Brown
1 | Embden goose | small | - | White
""")

REPTILE = parse_breeds("""
4 | Bearded dragon | medium | - | Sandy; Citrus; Red
3 | Corn snake | medium | - | Orange, red; Amelanistic; Anerythristic
2 | Leopard gecko | small | - | Yellow, black; Tangerine; Mack snow
1 | Royal python | medium | - | Brown, black; Pastel; Banana
1 | Hermann's tortoise | medium | - | Yellow, black
1 | Crested gecko | small | - | Harlequin; Buckskin; Red
1 | Musk turtle | small | - | Dark brown
1 | Blue-tongued skink | medium | - | Brown, orange
""")

FISH = parse_breeds("""
2 | Fancy goldfish | small | - | Orange; Orange, white; Calico
2 | Common goldfish | medium | - | Orange; Bronze
1 | Siamese fighting fish | small | - | Blue; Red; Turquoise
1 | Koi | large | - | White, red; Gold; White, red, black
1 | Bristlenose catfish | small | - | Brown; Albino
""")

OTHER = parse_breeds("""
2 | African pygmy hedgehog | small | - | Salt and pepper; Cinnamon
1 | Sugar glider | small | - | Grey; White
1 | Giant African land snail | small | - | Brown, cream
1 | Tarantula | small | - | Black, red; Curly brown
1 | Axolotl | small | - | Leucistic; Wild type; Golden
1 | White's tree frog | small | - | Green; Blue green
1 | Hermit crab | small | - | Tan; Strawberry
""")

KINDS = (
    DemoSpecies(1, 395, "dogs", DOG, 14, (9500, 32500), mixed=0.5, chipped=0.92, trained=0.72, altered=0.8),
    DemoSpecies(2, 345, "cats", CAT, 17, (4500, 15000), mixed=0.15, chipped=0.88, trained=0.93, altered=0.85),
    DemoSpecies(3, 80, "rabbits", RABBIT, 9, (2500, 8000), mixed=0.3, chipped=0.4, trained=0.5, altered=0.75),
    DemoSpecies(4, 60, "small", SMALL, 5, (500, 4000), chipped=0.05, sexed=0.94),
    DemoSpecies(5, 35, "birds", BIRD, 14, (1000, 15000), sexed=0.55),
    DemoSpecies(6, 20, "horses", HORSE, 28, (40000, 120000), mixed=0.2, chipped=0.97, altered=0.5),
    DemoSpecies(7, 30, "barnyard", BARNYARD, 10, (500, 12000), sexed=0.96, altered=0.2),
    DemoSpecies(8, 20, "reptiles", REPTILE, 18, (2000, 15000), chipped=0.15, sexed=0.6),
    DemoSpecies(9, 8, "fish", FISH, 9, (0, 2500), sexed=0.1),
    DemoSpecies(10, 7, "others", OTHER, 7, (1000, 8000), sexed=0.5),
)
