"""The schemas of animals' records under ``/v1/animals``."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from adoption.animals import allowed_values
from adoption.animals.age_groups import AGE_GROUPS
from api.schemas import PetStatus, Shelter, int64


def one_of_values(values: Iterable[str]) -> Any:
    return Field(json_schema_extra={"enum": list(values)})


SpeciesName = Annotated[str, one_of_values(allowed_values.SPECIES.values())]
AgeGroup = Annotated[str, one_of_values(AGE_GROUPS)]
Sex = Annotated[str, one_of_values(allowed_values.SEXES)]
Size = Annotated[str, one_of_values(allowed_values.SIZES)]
Coat = Annotated[str, one_of_values(allowed_values.COATS)]


class Breeds(BaseModel):
    """An animal's breeds."""

    primary: Annotated[str | None, Field(description="The breed, as the shelter wrote it.")]
    secondary: Annotated[str | None, Field(description="The second breed of a cross.")]
    mixed: Annotated[bool, Field(description="Whether the animal is a mix.")]
    unknown: Annotated[bool, Field(description="Whether the shelter does not know the breed.")]


class GoodWith(BaseModel):
    """Who the animal gets on with. `null` means that it is not known."""

    children: Annotated[bool | None, Field(description="Children.")]
    dogs: Annotated[bool | None, Field(description="Other dogs.")]
    cats: Annotated[bool | None, Field(description="Other cats.")]


class AdoptionFee(BaseModel):
    """What the shelter asks for an adoption."""

    kind: Annotated[
        Literal["asked", "waived", "hidden"],
        Field(description="`asked` has an amount, `waived` is free, `hidden` is not published."),
    ]
    amount: Annotated[str | None, Field(description="A decimal number.", examples=["125.00"])]
    currency: Annotated[str, Field(description="ISO 4217.", examples=["USD"])]


class PhotoFileAddress(BaseModel):
    """A file of a photo."""

    url: Annotated[str, Field(description="Needs no key. The file never changes, so keep it.")]
    width: Annotated[int, Field(description="The width in pixels.")]
    format: Annotated[Literal["avif", "webp", "jpeg"], Field(description="The image format.")]


class AnimalPhoto(BaseModel):
    """A photo of an animal."""

    id: Annotated[int, int64("The photo's id.")]
    alt: Annotated[str | None, Field(description="What the photo shows, for people who cannot see it.")]
    width: Annotated[int, Field(description="The width of the original in pixels.")]
    height: Annotated[int, Field(description="The height of the original in pixels.")]
    files: Annotated[
        list[PhotoFileAddress],
        Field(description="Each width as AVIF and WebP, and one JPEG of at most 800 pixels."),
    ]


class ShelterLink(BaseModel):
    """The shelter of an animal."""

    id: Annotated[int, int64("The shelter's id.", examples=[17])]
    name: Annotated[str, Field(description="The shelter's name.", examples=["Elm Road Rescue"])]
    url: Annotated[str, Field(description="The address of the shelter's pages here.")]


class Animal(BaseModel):
    """An animal with all its public fields. A value that the shelter does not know is `null`."""

    # `fields` leaves out every other member.
    model_config = ConfigDict(json_schema_extra=lambda schema: schema.update(required=["id"]))

    id: Annotated[int, int64("The same id as in `GET /pets`.", examples=[1042])]
    name: Annotated[str, Field(description="The animal's name.", examples=["Biscuit"])]
    status: PetStatus
    categoryId: Annotated[int, int64("The category, from `GET /categories`.", examples=[1])]
    species: Annotated[SpeciesName, Field(description="The category as a word.")]
    code: Annotated[str | None, Field(description="The shelter's own code for the animal.")]
    breeds: Annotated[Breeds, Field(description="The breeds.")]
    ageGroup: Annotated[AgeGroup | None, Field(description="Under 1 year, under 3, under 8, or older.")]
    birthDate: Annotated[date | None, Field(description="The birth date.")]
    birthDateEstimated: Annotated[bool | None, Field(description="Whether the date is a guess.")]
    sex: Annotated[Sex | None, Field(description="The sex.")]
    altered: Annotated[bool | None, Field(description="Whether it is spayed or neutered.")]
    size: Annotated[Size | None, Field(description="The size of the grown animal.")]
    coat: Annotated[Coat | None, Field(description="The coat.")]
    colours: Annotated[list[str] | None, Field(description="The colours, main colour first.")]
    goodWith: Annotated[GoodWith, Field(description="Who it gets on with.")]
    houseTrained: Annotated[bool | None, Field(description="Whether it is house trained.")]
    declawed: Annotated[bool | None, Field(description="Whether its claws were removed.")]
    shotsCurrent: Annotated[bool | None, Field(description="Whether its vaccinations are up to date.")]
    specialNeeds: Annotated[bool, Field(description="Whether it has special needs.")]
    specialNeedsNote: Annotated[str | None, Field(description="Its special needs, in Markdown.")]
    tags: Annotated[list[str], Field(description="Short words of the shelter.")]
    videoUrl: Annotated[str | None, Field(description="The address of a video.")]
    fee: Annotated[AdoptionFee, Field(description="The adoption fee.")]
    bondedWith: Annotated[list[int], Field(description="Ids of animals that are adopted with it.")]
    summary: Annotated[str | None, Field(description="The first 200 characters of the description.")]
    description: Annotated[
        str | None, Field(description="The description in Markdown. Lists need `include=description`.")
    ]
    descriptionHtml: Annotated[
        str | None, Field(description="The description as safe HTML. Needs `include=html`.")
    ]
    language: Annotated[str, Field(description="The language of its texts (BCP 47).", examples=["en"])]
    photos: Annotated[list[AnimalPhoto], Field(description="The photos, cover first.")]
    shelter: Annotated[
        ShelterLink | Shelter, Field(description="The shelter. `include=shelter` returns all of it.")
    ]
    url: Annotated[str, Field(description="The animal's page, where people apply.")]
    arrivalDate: Annotated[date | None, Field(description="When it came to the shelter.")]
    createdAt: Annotated[datetime, Field(description="When it was added, in UTC.")]
    shownAt: Annotated[datetime | None, Field(description="When the public could first see it.")]
    statusChangedAt: Annotated[datetime | None, Field(description="When it got its current status.")]
    updatedAt: Annotated[datetime, Field(description="When it last changed.")]
    revision: Annotated[int, Field(description="A number that grows with each change.", ge=1)]


class Change(BaseModel):
    """The newest change of an animal."""

    animalId: Annotated[int, int64("The animal's id.", examples=[17])]
    change: Annotated[
        Literal["changed", "gone"],
        Field(description="`changed`: it is new or changed. `gone`: it was removed, hidden or deleted."),
    ]
    at: Annotated[
        datetime, Field(description="When it changed (RFC 3339).", examples=["2026-11-29T02:03:14Z"])
    ]
    animal: Annotated[
        Animal, Field(description="The animal, if it is not gone. Only with `include=animal`.")
    ] = None  # type: ignore[assignment]  # absent, not null
