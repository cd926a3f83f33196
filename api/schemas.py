"""The shapes of ``/v1``: what comes in is checked by them, and the specification document shows them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from adoption.animals import fields
from adoption.characters import BIDI_CONTROLS, CONTROLS, INVISIBLE, NONCHARACTERS
from adoption.orders import models as orders

PetStatus = StrEnum("PetStatus", [(status, status) for status in fields.STATUSES])  # type: ignore[misc]
PetStatus.__doc__ = "Whether an animal can be adopted. `sold` means that it was adopted."

OrderStatus = StrEnum("OrderStatus", [(status, status) for status in orders.STATUSES])  # type: ignore[misc]
OrderStatus.__doc__ = "How far an adoption application is."


def int64(description: str, **rest: Any) -> Any:
    return Field(ge=1, le=2**63 - 1, description=description, json_schema_extra={"format": "int64"}, **rest)


# A name without forbidden characters and with a visible one, in ECMA-262, as JSON Schema asks. Blanks around
# it are trimmed, also the control characters that Unicode counts as blanks. Characters beyond U+FFFF are left
# out: there is no escape for them that all tools read.
BLANK = r"\s\u001c-\u001f\u0085"
FORBIDDEN = CONTROLS + BIDI_CONTROLS + NONCHARACTERS
NAME_PATTERN = rf"^[{BLANK}]*[^{FORBIDDEN}]*[^{FORBIDDEN}{INVISIBLE}][^{FORBIDDEN}]*[{BLANK}]*$"


class NewPet(BaseModel):
    """An animal to add. A member that is not listed here is refused."""

    model_config = ConfigDict(strict=True, extra="forbid")

    name: Annotated[
        str,
        AfterValidator(fields.animal_name),
        Field(
            description="The animal's name, without blanks around it.",
            examples=["Biscuit"],
            json_schema_extra={"minLength": 1, "maxLength": fields.NAME_LONGEST, "pattern": NAME_PATTERN},
        ),
    ]
    categoryId: Annotated[
        int,
        Field(
            ge=min(fields.CATEGORIES),
            le=max(fields.CATEGORIES),
            description="The category that the animal belongs to, from GET /categories.",
            examples=[1],
            json_schema_extra={"format": "int64", "enum": list(fields.CATEGORIES)},
        ),
    ]
    # Strict validation takes no text for an enumeration's member; what JSON holds is text.
    status: Annotated[PetStatus, Field(strict=False)] = PetStatus(fields.STATUS_OF_NEW)


class Pet(BaseModel):
    """An animal."""

    id: Annotated[int, int64("Unique, assigned on creation, and never given again.", examples=[1042])]
    name: Annotated[str, Field(description="The animal's name.", examples=["Biscuit"])]
    categoryId: Annotated[int, int64("The category that the animal belongs to.", examples=[1])]
    status: PetStatus


class Order(BaseModel):
    """An adoption application for an animal. It tells nothing of who applied."""

    id: Annotated[int, int64("Unique, and never given again.", examples=[311])]
    petId: Annotated[int, int64("The animal that is applied for.", examples=[1042])]
    status: OrderStatus
    createdAt: Annotated[datetime, Field(description="When it was placed; UTC.")]
    updatedAt: Annotated[datetime, Field(description="When its status last changed; UTC.")]


class Category(BaseModel):
    """A species group, the same for every project."""

    id: Annotated[int, int64("Never changes.", examples=[1])]
    name: Annotated[str, Field(description="The group's name, in English.", examples=["Dog"])]


class Error(BaseModel):
    """Why a request was not done."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(description="For programs.", examples=["invalid_request"])]
    message: Annotated[str, Field(description="For people; its wording may change.")]
    status: Annotated[int, Field(description="The HTTP status code, once more.", ge=400, le=599)]


SHAPES = (NewPet, Pet, Order, Category, Error)


def components() -> dict[str, Any]:
    """All shapes as JSON Schema, by name, with the enumerations as shapes of their own."""
    shapes: dict[str, Any] = {}
    for shape in SHAPES:
        schema = shape.model_json_schema(ref_template="#/components/schemas/{model}")
        shapes |= schema.pop("$defs", {})
        shapes[shape.__name__] = without_titles(schema)
    return {name: without_titles(schema) for name, schema in shapes.items()}


def without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Pydantic titles each field by its own name; a reader has that already."""
    kept = {key: value for key, value in schema.items() if key != "title"}
    if "properties" in kept:
        kept["properties"] = {name: without_titles(one) for name, one in kept["properties"].items()}
    return kept
