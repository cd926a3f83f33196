"""The photographed animals of the demo, with descriptions of their photos."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from adoption.animals.image_encoding import Picture, develop

PICTURES = Path(__file__).parent / "pictures"


class PhotographedAnimal(NamedTuple):
    name: str
    file: str
    alt: str
    category_id: int
    days_old: int
    """The animal's age in days on arrival."""
    breed: str
    size: str
    coat: str | None
    colours: str
    sex: str | None

    @property
    def look(self) -> dict[str, Any]:
        """The animal's appearance in the photo, by column."""
        return {
            "name": self.name,
            "breed_primary": self.breed,
            "breed_secondary": None,
            "breed_mixed": False,
            "breed_unknown": False,
            "sex": self.sex,
            "size": self.size,
            "coat": self.coat,
            "colours": self.colours,
        }


PHOTOGRAPHED_ANIMALS = (
    PhotographedAnimal(
        "Juno",
        "juno.webp",
        "Juno, a black and tan German shepherd, stands in a meadow with pricked ears and her tongue out",
        1,
        1_130,
        "German shepherd",
        "large",
        "medium",
        "Black, tan",
        "female",
    ),
    PhotographedAnimal(
        "Clementine",
        "clementine.webp",
        "The face of Clementine, a ginger tabby cat with wide green eyes, from very near",
        2,
        1_540,
        "Domestic shorthair",
        "medium",
        "short",
        "Ginger tabby",
        "female",
    ),
    PhotographedAnimal(
        "Domino",
        "domino.webp",
        "Domino, a white kitten with tabby patches, lies on a pink blanket and hugs a ball of wool",
        2,
        80,
        "Domestic shorthair",
        "small",
        "short",
        "White, tabby",
        "male",
    ),
    PhotographedAnimal(
        "Marigold",
        "hens.webp",
        "Marigold, a brown hen, looks into the camera between two others in the grass",
        7,
        600,
        "Hybrid hen",
        "small",
        None,
        "Brown",
        "female",
    ),
    PhotographedAnimal(
        "Rio",
        "rio.webp",
        "Rio, a scarlet macaw with blue and yellow wings, sits upright on a stone",
        5,
        2_900,
        "Scarlet macaw",
        "large",
        None,
        "Red, yellow, blue",
        None,
    ),
    PhotographedAnimal(
        "Heath",
        "heath.webp",
        "Heath, a black horse with a white blaze and white hind feet, stands on open grassland beside a foal",
        6,
        3_300,
        "Nokota horse",
        "large",
        None,
        "Black",
        "male",
    ),
    PhotographedAnimal(
        "Truffle",
        "truffle.webp",
        "Truffle, a young grey pig with black spots, walks across the grass",
        7,
        210,
        "Pig",
        "medium",
        None,
        "Grey, black",
        "female",
    ),
)
"""The photographed animals. The catalogue shows the first one first."""


@cache
def load_photo(subject: PhotographedAnimal) -> Picture:
    """Return the animal's photo. Each process caches the photo, because processing takes half a second."""
    return develop((PICTURES / subject.file).read_bytes())
