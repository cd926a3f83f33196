"""Paths of animals' pages."""

from functools import lru_cache

from slugify import slugify


def animal_path(animal_id: int, name: str) -> str:
    """Return the path of an animal's page. The id in the path is enough to find the animal."""
    slug = slug_of_name(name)
    return f"/animals/{animal_id}-{slug}" if slug else f"/animals/{animal_id}"


@lru_cache(10_000)  # making a slug takes as long as making the rest of a record
def slug_of_name(name: str) -> str:
    return slugify(name, max_length=60)
