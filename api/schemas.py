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


class Error(BaseModel):
    """The reason why a request failed."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(description="For programs.", examples=["invalid_request"])]
    message: Annotated[str, Field(description="For people. Its wording may change.")]
    status: Annotated[int, Field(description="The HTTP status code of the response.", ge=400, le=599)]
