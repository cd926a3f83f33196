"""Animals with Petfinder's fields."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.page_paths import animal_path
from adoption.animals.photo_addresses import public_photo_files
from adoption.animals.records.pages import Row
from adoption.animals.records.photos_and_bonds import RecordPhoto, photos_by_animal
from adoption.animals.sitemap_and_feed import to_the_second
from adoption.directory.shelter_records import ShelterRecord
from adoption.directory.shelters_of_records import shelters_by_id
from adoption.markdown import cut_after_word, strip_markdown
from adoption.places.distances import KM_PER_MILE
from api.animal_members import ANSWERS, age_group_of, colours, earliest_births
from api.animal_records import page_origin
from api.animal_responses import current_day
from api.directory import this_moment
from api.petfinder.animal_types import PENDING_TAG, SIZES, STATUSES, TYPE_OF_CATEGORY, UNKNOWN
from api.petfinder.shelter_ids import organization_id

COLUMNS = (
    *("id", "project_id", "category_id", "name", "status", "code", "breed_primary", "breed_secondary"),
    *("breed_mixed", "breed_unknown", "birth_date", "age_group", "sex", "altered", "size", "coat", "colours"),
    *("good_with_children", "good_with_dogs", "good_with_cats", "house_trained", "declawed", "special_needs"),
    *("shots_current", "tags", "description", "created_at", "shown_at", "status_changed_at"),
)
SHORT_DESCRIPTION = 100


class Context(NamedTuple):
    """What animals need besides their own columns."""

    shelters: Mapping[int, ShelterRecord]
    photos: Mapping[int, list[RecordPhoto]]
    metres: Mapping[int, float]
    """The distance of each shelter, by project; empty without a place."""
    is_short: bool
    """Whether descriptions are cut."""


def animals_json(rows: Sequence[Row], metres: Mapping[int, float], is_short: bool) -> list[dict[str, Any]]:
    """Return the animals of rows with ``COLUMNS``, without those whose shelter has left the directory."""
    if not rows:
        return []
    animals = [dict(zip(COLUMNS, row, strict=False)) for row in rows]
    shelters = shelters_by_id({each["project_id"] for each in animals}, this_moment(), True)
    records = {id_: each.shelter for id_, each in shelters.items()}
    context = Context(records, photos_by_animal(each["id"] for each in animals), metres, is_short)
    return [animal_json(each, context) for each in animals if each["project_id"] in records]


def animal_json(one: Mapping[str, Any], context: Context) -> dict[str, Any]:
    shelter, kind = context.shelters[one["project_id"]], TYPE_OF_CATEGORY[one["category_id"]]
    shelter_id = organization_id(shelter)
    photos = [photo_json(each) for each in context.photos.get(one["id"], ())]
    return {
        "id": one["id"],
        "organization_id": shelter_id,
        "url": page_origin(shelter) + animal_path(one["id"], one["name"]),
        "type": kind.name,
        "species": CATEGORIES[one["category_id"]],
        **appearance_json(one),
        "attributes": attributes_json(one),
        "environment": {name: ANSWERS[one[f"good_with_{name}"]] for name in ("children", "dogs", "cats")},
        "tags": orjson.loads(one["tags"]) + [PENDING_TAG] * (one["status"] == "pending"),
        "name": one["name"],
        "description": description_of(one["description"], context.is_short),
        "organization_animal_id": one["code"],
        "photos": photos,
        "primary_photo_cropped": photos[0] if photos else None,
        "videos": [],
        "status": STATUSES[one["status"]],
        "status_changed_at": instant_of(one["status_changed_at"] or one["created_at"]),
        "published_at": instant_of(one["shown_at"] or one["created_at"]),
        "distance": miles_of(context.metres.get(one["project_id"])),
        "contact": {
            "email": shelter.contact_email or None,
            "phone": shelter.contact_phone or None,
            "address": address_json(shelter),
        },
        "_links": {
            "self": {"href": f"/v2/animals/{one['id']}"},
            "type": {"href": f"/v2/types/{kind.slug}"},
            "organization": {"href": f"/v2/organizations/{shelter_id.lower()}"},
        },
    }


def appearance_json(one: Mapping[str, Any]) -> dict[str, Any]:
    shades = (*(colours(one["colours"]) or ()), None, None, None)[:3]
    age = age_group_of(earliest_births(current_day()), one["birth_date"], one["age_group"])
    return {
        "breeds": {
            "primary": one["breed_primary"],
            "secondary": one["breed_secondary"],
            "mixed": bool(one["breed_mixed"]),
            "unknown": bool(one["breed_unknown"]),
        },
        "colors": dict(zip(("primary", "secondary", "tertiary"), shades, strict=True)),
        # Some clients fail if one of these three is null.
        "age": (age or UNKNOWN).capitalize(),
        "gender": (one["sex"] or UNKNOWN).capitalize(),
        "size": SIZES.get(one["size"], UNKNOWN),
        "coat": one["coat"] and one["coat"].capitalize(),
    }


def attributes_json(one: Mapping[str, Any]) -> dict[str, bool | None]:
    """Return the answers. As at Petfinder, all but ``declawed`` are false if they are not known."""
    return {
        "spayed_neutered": bool(one["altered"]),
        "house_trained": bool(one["house_trained"]),
        "declawed": ANSWERS[one["declawed"]],
        "special_needs": bool(one["special_needs"]),
        "shots_current": bool(one["shots_current"]),
    }


def address_json(shelter: ShelterRecord) -> dict[str, str | None]:
    """Return an address. Some clients fail if the city, state, postcode or country is null."""
    return {
        "address1": shelter.street or None,
        "address2": None,
        "city": shelter.city,
        "state": shelter.region,
        "postcode": shelter.postcode,
        "country": shelter.country,
    }


def description_of(text: str, is_short: bool) -> str | None:
    plain = strip_markdown(text)
    return (cut_after_word(plain, SHORT_DESCRIPTION) if is_short else plain) or None


def instant_of(when: Any) -> str:
    """Return a time in Petfinder's format, such as 2026-11-29T02:03:14+0000."""
    return to_the_second(when).replace("Z", "+0000")


def miles_of(metres: float | None) -> float | None:
    """Return whole miles as a float, because clients expect a fraction; None without a place."""
    return None if metres is None else float(round(metres / 1000 / KM_PER_MILE))


def photo_json(photo: RecordPhoto) -> dict[str, str]:
    """Return the addresses of a photo in four sizes."""
    files = public_photo_files(photo.digest, photo.width)
    webp = sorted((each for each in files if each.format == "webp"), key=lambda each: each.width)
    jpeg = next(each for each in files if each.format == "jpeg")
    small = max((each for each in webp if each.width <= 400), key=lambda each: each.width, default=webp[0])
    return {"small": small.url, "medium": small.url, "large": jpeg.url, "full": webp[-1].url}
