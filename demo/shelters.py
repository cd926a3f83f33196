"""The shelters of the demo: six written by hand, and any number of generated ones."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import NamedTuple

from demo.names import PLACES

EVERY = ()
"""The categories of a shelter that takes animals of every category."""


class DemoShelter(NamedTuple):
    name: str
    place: str
    about: str
    plan: str
    own_quota: tuple[int, int] | None
    """The requests per minute and per day, for a plan with an individual quota."""
    categories: tuple[int, ...]
    """The ids of the categories that the shelter takes, or ``EVERY``."""
    weight: float
    """The shelter's share of all animals, relative to other shelters."""
    colour: str = ""
    """The colour of the shelter's own site; empty for the default colour."""
    time_zone: str = "Europe/London"
    currency: str = "GBP"
    country: str = "GB"
    region: str = ""
    postcode: str = ""
    """A real ZIP code, so that visitors can search near it; empty for shelters outside the United States."""


SIX = (
    DemoShelter(
        "Riverside Animal Rescue",
        "Alderbrook",
        "We have taken in animals beside the old lock since 1987. Forty kennels, two catteries, one very "
        "loud goose, and sixty volunteers who know every animal by name. Come on any afternoon but Tuesday.",
        "business",
        None,
        EVERY,
        5.0,
        "#1f5f8b",
    ),
    DemoShelter(
        "Tilbrook Cats",
        "Eastmarsh",
        "Eleven foster homes and no building at all. Each of our cats lives on somebody's sofa, so we can "
        "tell you how they are with the vacuum cleaner, the neighbours and your mother.",
        "free",
        None,
        (2,),
        2.6,
        "#8a3ffc",
    ),
    DemoShelter(
        "Hollybush Farm Sanctuary",
        "Netherby Moor",
        "Thirty acres of moorland for animals that were meant to be useful and would rather not be. We "
        "rehome to people with grass, good fences and patience.",
        "pro",
        None,
        (6, 7),
        0.7,
        "#6b4f1d",
    ),
    DemoShelter(
        "City of Caldermouth Animal Services",
        "Caldermouth",
        "The city's own shelter. Strays found within the boundary come to us first, wait seven days for "
        "their owners, and then wait for you. Open daily from ten until four.",
        "enterprise",
        (3_000, 500_000),
        EVERY,
        4.4,
        time_zone="America/New_York",
        currency="USD",
        country="US",
        region="NY",
        postcode="10001",
    ),
    DemoShelter(
        "Second Spring Dogs",
        "Wychford",
        "Older dogs, worried dogs, dogs that nobody came for. We take our time with every one of them, and "
        "we take any dog back at any age, whatever happens.",
        "pro",
        None,
        (1,),
        2.4,
        "#b3261e",
    ),
    DemoShelter(
        "The Hutch and Perch Trust",
        "Little Tarrow",
        "Rabbits, guinea pigs, birds and everything with scales. Small animals are not small undertakings: "
        "we will talk you through housing, feeding and vets before you fall in love.",
        "free",
        None,
        (3, 4, 5, 8, 9, 10),
        1.8,
        "#2e7d32",
    ),
)

KINDS = (
    ("Animal Rescue", EVERY),
    ("Humane Society", EVERY),
    ("Animal Shelter", EVERY),
    ("Dogs and Cats Home", (1, 2)),
    ("Cat Rescue", (2,)),
    ("Greyhound Trust", (1,)),
    ("Small Animal Rescue", (3, 4)),
    ("Animal Sanctuary", EVERY),
    ("Strays Project", (1, 2)),
    ("Pet Adoption Centre", EVERY),
)

BEGINNINGS = (
    "A handful of neighbours began {name} in a garage in {place}, and it outgrew the garage in a week.",
    "{name} has looked after the lost and left behind of {place} for longer than most of us can remember.",
    "We are a small rescue on the edge of {place} with a big field and an understanding landlord.",
    "{name} is run by volunteers, most of whom came for one animal and stayed.",
    "Every animal at {name} has a person who walks, feeds and worries about it in particular.",
)
WAYS = (
    "Visits are by appointment, so that nobody is rushed, least of all the animals.",
    "We home-check gently, and we are on the telephone for good.",
    "Come and meet us at the weekend; the kettle is always on.",
    "Nothing is put to sleep here for want of a home.",
    "Most of our animals live in foster homes, so ask us anything.",
)
PLANS = ("free",) * 12 + ("pro",) * 5 + ("business",) * 2 + ("enterprise",)


def generate_shelters(rng: Random) -> Iterator[DemoShelter]:
    """Yield shelters without end. The first four cover all plans."""
    yield from SIX
    for number in count():
        place = PLACES[number % len(PLACES)]
        kind, categories = rng.choice(KINDS)
        name = f"{place} {kind}"
        about = f"{rng.choice(BEGINNINGS)} {rng.choice(WAYS)}".format(name=name, place=place)
        plan = rng.choice(PLANS)
        own_quota = (rng.randrange(1, 10) * 1_000, 500_000) if plan == "enterprise" else None
        yield DemoShelter(name, place, about, plan, own_quota, categories, 0.4 + rng.expovariate(1.0))
