"""The schemas of ``/v1``: the service validates requests with them, and the specification shows them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from adoption.animals import allowed_values
from adoption.orders import models as orders
from adoption.unicode_characters import BIDI_CONTROLS, CONTROLS, INVISIBLE, NONCHARACTERS

PetStatus = StrEnum("PetStatus", [(status, status) for status in allowed_values.STATUSES])  # type: ignore[misc]
PetStatus.__doc__ = "Whether an animal can be adopted. `sold` means that it has been adopted."

OrderStatus = StrEnum("OrderStatus", [(status, status) for status in orders.STATUSES])  # type: ignore[misc]
OrderStatus.__doc__ = "The status of an adoption application."


def int64(description: str, **rest: Any) -> Any:
    return Field(ge=1, le=2**63 - 1, description=description, json_schema_extra={"format": "int64"}, **rest)


# A pattern in ECMA-262, as JSON Schema requires: no forbidden character, and at least one visible character.
# Surrounding blanks are trimmed, including control characters that Unicode counts as blanks. The pattern
# omits characters above U+FFFF: no escape for them works in all tools.
BLANK = r"\s\u001c-\u001f\u0085"
FORBIDDEN = CONTROLS + BIDI_CONTROLS + NONCHARACTERS
NAME_PATTERN = rf"^[{BLANK}]*[^{FORBIDDEN}]*[^{FORBIDDEN}{INVISIBLE}][^{FORBIDDEN}]*[{BLANK}]*$"


class NewPet(BaseModel):
    """An animal to add. Other members are rejected."""

    model_config = ConfigDict(strict=True, extra="forbid")

    name: Annotated[
        str,
        AfterValidator(allowed_values.animal_name),
        Field(
            description="The animal's name. Blanks around it are removed.",
            examples=["Biscuit"],
            json_schema_extra={
                "minLength": 1,
                "maxLength": allowed_values.NAME_LONGEST,
                "pattern": NAME_PATTERN,
            },
        ),
    ]
    categoryId: Annotated[
        int,
        Field(
            ge=1,
            le=2**63 - 1,
            description="The id of a category, from `GET /categories`. Categories may be added.",
            examples=[1],
            json_schema_extra={"format": "int64"},
        ),
        AfterValidator(allowed_values.category_id),
    ]
    # Strict validation would reject text for an enumeration, and JSON has only text.
    status: Annotated[
        PetStatus,
        Field(
            strict=False,
            description=f"The animal's status; `{allowed_values.STATUS_OF_NEW}` if you leave it out.",
        ),
    ] = PetStatus(allowed_values.STATUS_OF_NEW)


class Pet(BaseModel):
    """An animal."""

    id: Annotated[int, int64("Unique, assigned on creation, and never used again.", examples=[1042])]
    name: Annotated[str, Field(description="The animal's name.", examples=["Biscuit"])]
    categoryId: Annotated[int, int64("The category that the animal belongs to.", examples=[1])]
    status: PetStatus


class Order(BaseModel):
    """An adoption application for an animal, without personal data of the applicant."""

    id: Annotated[int, int64("Unique, and never used again.", examples=[311])]
    petId: Annotated[int, int64("The animal that the application is for.", examples=[1042])]
    status: OrderStatus
    createdAt: Annotated[datetime, Field(description="When the application was placed, in UTC.")]
    updatedAt: Annotated[datetime, Field(description="When its status last changed, in UTC.")]


class Category(BaseModel):
    """A species group, the same for every project."""

    id: Annotated[int, int64("Never changes.", examples=[1])]
    name: Annotated[str, Field(description="The group's name, in English.", examples=["Dog"])]


def text_or_null(description: str, **rest: Any) -> Any:
    return Field(description=f"{description} `null` if unknown.", **rest)


class PostalAddress(BaseModel):
    """A shelter's address."""

    street: Annotated[str | None, text_or_null("The street and number.", examples=["12 Elm Road"])]
    city: Annotated[str | None, text_or_null("The city or town.", examples=["Passaic"])]
    region: Annotated[str | None, text_or_null("The state, province or county.", examples=["NJ"])]
    postcode: Annotated[str | None, text_or_null("The postal code.", examples=["07055"])]
    country: Annotated[str | None, text_or_null("The ISO 3166-1 code.", examples=["US"])]


class ShelterLocation(BaseModel):
    """The middle of a shelter's postal code or town, rounded to about 1 km."""

    lat: Annotated[float, Field(ge=-90, le=90, description="Degrees north.", examples=[40.86])]
    lng: Annotated[float, Field(ge=-180, le=180, description="Degrees east.", examples=[-74.13])]


class Distance(BaseModel):
    """The distance from `near`, rounded."""

    miles: Annotated[int, Field(ge=0, description="Whole miles.", examples=[10])]
    km: Annotated[int, Field(ge=0, description="Whole kilometres.", examples=[16])]


class AnimalNumbers(BaseModel):
    """How many animals of a shelter visitors see. Counted at most once a minute."""

    available: Annotated[int, Field(ge=0, description="Animals that can be adopted.", examples=[12])]
    pending: Annotated[int, Field(ge=0, description="Animals with an approved application.", examples=[3])]


class Shelter(BaseModel):
    """A published shelter of the directory."""

    id: Annotated[int, int64("Unique, and never used again.", examples=[17])]
    slug: Annotated[str, Field(description="The shelter's name in addresses.", examples=["elm-road-rescue"])]
    name: Annotated[str, Field(description="The shelter's name.", examples=["Elm Road Rescue"])]
    url: Annotated[str, Field(description="The address of the shelter's pages here.")]
    website: Annotated[str | None, text_or_null("The address of the shelter's own website.")]
    about: Annotated[str | None, text_or_null("The shelter's introduction, in Markdown.")]
    email: Annotated[str | None, text_or_null("The public email address.", examples=["adopt@elm.example"])]
    phone: Annotated[str | None, text_or_null("The public telephone number.")]
    address: PostalAddress
    location: ShelterLocation | None
    adoptionPolicy: Annotated[str | None, text_or_null("What the shelter asks of adopters.")]
    language: Annotated[str, Field(description="The language of its texts (BCP 47).", examples=["en"])]
    petfinderId: Annotated[str | None, text_or_null("The shelter's id at Petfinder.", examples=["NJ333"])]
    animals: AnimalNumbers
    distance: Annotated[Distance, Field(description="Only in lists with `near`.")] = None  # type: ignore[assignment]  # absent, not null


class Error(BaseModel):
    """The reason why a request failed."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(description="For programs.", examples=["invalid_request"])]
    message: Annotated[str, Field(description="For people. Its wording may change.")]
    status: Annotated[int, Field(description="The HTTP status code of the response.", ge=400, le=599)]
