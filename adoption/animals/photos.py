"""Addition, removal, order and descriptions of an animal's photos."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from adoption.animals import animal_and_photo_limits
from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.animal_audit import Editor
from adoption.animals.image_encoding import Picture, develop
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.animals.photo_storage import (
    remove_files_if_unused,
    store_files_for_row,
    stored_files,
    total_file_size,
)
from adoption.errors import Conflict, Invalid, NotFound
from adoption.storage.database import reading, transaction
from adoption.translations import gettext
from adoption.validation import CONTROL, ROOM, one_line

PHOTOS_MOST = 20
ALT_LONGEST = 300


def add_photo(
    project_id: int, animal_id: int, data: bytes, alt: str = "", now: datetime | None = None
) -> Photo:
    """Add a photo after the animal's other photos. ``alt`` is the photo's description.

    If the animal already has this photo, return the existing photo. Raises NotFound for an unknown animal,
    and Invalid for an invalid description. Raises Conflict if the animal has ``PHOTOS_MOST`` photos, and
    PlanLimit if the photo exceeds the plan. Raises FileRefused if the file is not a usable photo, and
    Unavailable if the files cannot be stored.
    """
    now, alt = now or datetime.now(UTC), clean_alt_text(alt)
    with reading() as session:
        find_animal(session, project_id, animal_id)
        refuse_extra_photo(session, animal_id)
    picture = develop(data)
    with stored_files(picture), transaction() as session:
        return add_stored_photo(session, project_id, animal_id, picture, alt, now)[0]


def add_stored_photo(
    session: Session,
    project_id: int,
    animal_id: int,
    picture: Picture,
    alt: str,
    now: datetime,
    by: Editor | None = None,
) -> tuple[Photo, bool]:
    """Add a photo whose files are stored. Return the photo, and whether the animal already had it.

    Raises NotFound for an unknown animal, PlanLimit if the photo exceeds the plan, and Conflict if the animal
    has ``PHOTOS_MOST`` photos.
    """
    name = find_animal(session, project_id, animal_id)
    same = select(Photo).where(Photo.animal_id == animal_id, Photo.digest == picture.digest)
    if (there := session.scalar(same)) is not None:
        if alt and not there.alt:
            there.alt = alt
            touch_animal(session, animal_id, now)
            audit_photo_change(by, session, "photo.described", animal_id, name, alt, now)
        return there, True
    refuse_extra_photo(session, animal_id)
    animal_and_photo_limits.take_photo_bytes(project_id, total_file_size(picture))
    store_files_for_row(session, picture)
    photo = Photo(**photo_columns(picture), animal_id=animal_id, alt=alt, created_at=now)
    photo.position = count_photos(session, animal_id)
    session.add(photo)
    touch_animal(session, animal_id, now)
    audit_photo_change(by, session, "photo.added", animal_id, name, alt, now)
    session.flush()
    return photo, False


def remove_photo(
    project_id: int, animal_id: int, photo_id: int, now: datetime | None = None, by: Editor | None = None
) -> None:
    """Remove a photo, and the photo's files if no other photo uses the files.

    Raises NotFound if the animal has no such photo.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        name = find_animal(session, project_id, animal_id)
        touch_animal(session, animal_id, now)
        photos = find_photos(session, animal_id)
        gone = find_photo_in(photos, photo_id)
        session.delete(gone)
        number_photos([photo for photo in photos if photo is not gone])
        audit_photo_change(by, session, "photo.removed", animal_id, name, gone.alt, now)
    remove_files_if_unused(gone.digest, gone.width)


def reorder_photos(
    project_id: int,
    animal_id: int,
    photo_ids: Sequence[int],
    now: datetime | None = None,
    by: Editor | None = None,
) -> None:
    """Set the order of the photos, cover first.

    Raises NotFound for an unknown animal. Raises Conflict unless ``photo_ids`` has each photo exactly once.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        name = find_animal(session, project_id, animal_id)
        touch_animal(session, animal_id, now)
        photos = {photo.id: photo for photo in find_photos(session, animal_id)}
        if sorted(photo_ids) != sorted(photos):
            raise Conflict(
                gettext(
                    "The order was not saved: the photos have changed since you opened the page. "
                    "Reload the page, then put the photos in order."
                )
            )
        number_photos([photos[photo_id] for photo_id in photo_ids])
        audit_photo_change(by, session, "photo.moved", animal_id, name, "", now)


MOVES = ("first", "earlier", "later")


def move_photo(by: Editor, animal_id: int, photo_id: int, to: str, now: datetime | None = None) -> int:
    """Move a photo by one position or to the front. Return the photo's new position, from 0.

    ``to`` is one of ``MOVES``. "earlier" does not move the first photo, and "later" does not move the last
    photo. Raises NotFound if the animal has no such photo.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        name = find_animal(session, by.project_id, animal_id)
        touch_animal(session, animal_id, now)
        photos = list(find_photos(session, animal_id))
        moved = find_photo_in(photos, photo_id)
        at = photos.index(moved)
        photos.remove(moved)
        photos.insert({"first": 0, "earlier": max(0, at - 1), "later": at + 1}[to], moved)
        number_photos(photos)
        audit_photo_change(by, session, "photo.moved", animal_id, name, f"to place {moved.position + 1}", now)
        return moved.position


def describe_photo(by: Editor, animal_id: int, photo_id: int, alt: str, now: datetime | None = None) -> None:
    """Set the description of a photo.

    Raises NotFound if the animal has no such photo, and Invalid if the description is invalid.
    """
    now, alt = now or datetime.now(UTC), clean_alt_text(alt)
    with transaction() as session:
        name = find_animal(session, by.project_id, animal_id)
        touch_animal(session, animal_id, now)
        find_photo_in(find_photos(session, animal_id), photo_id).alt = alt
        audit_photo_change(by, session, "photo.described", animal_id, name, alt, now)


def find_photo_in(photos: Sequence[Photo], photo_id: int) -> Photo:
    found = next((photo for photo in photos if photo.id == photo_id), None)
    if found is None:
        raise NotFound(gettext("This animal has no such photo."))
    return found


def audit_photo_change(
    by: Editor | None, session: Session, action: str, animal_id: int, name: str, detail: str, now: datetime
) -> None:
    """Write an audit entry, unless ``by`` is None because a command made the change."""
    if by is not None:
        by.note(session, action, [(animal_id, name)], detail, now)


def find_photos(session: Session, animal_id: int) -> Sequence[Photo]:
    return session.scalars(
        select(Photo).where(Photo.animal_id == animal_id).order_by(Photo.position, Photo.id)
    ).all()


def number_photos(photos: Sequence[Photo]) -> None:
    for position, photo in enumerate(photos):
        photo.position = position


def count_photos(session: Session, animal_id: int) -> int:
    return session.scalar(select(func.count()).where(Photo.animal_id == animal_id)) or 0


def refuse_extra_photo(session: Session, animal_id: int, waiting: int = 0) -> None:
    """Raise Conflict if the animal has ``PHOTOS_MOST`` photos. ``waiting`` photos count too."""
    if count_photos(session, animal_id) + waiting >= PHOTOS_MOST:
        raise Conflict(
            gettext(
                "An animal can have at most %(limit)s photos. Remove a photo, then add this one.",
                limit=PHOTOS_MOST,
            )
        )


def find_animal(session: Session, project_id: int, animal_id: int) -> str:
    """Return the animal's name. Raises NotFound for an unknown or removed animal."""
    known = 0 < animal_id <= ID_LARGEST and 0 < project_id <= ID_LARGEST
    theirs = (Animal.project_id == project_id, Animal.id == animal_id, Animal.removed_at.is_(None))
    # The lock on the row makes changes of one animal's photos run one after another, so that each position
    # stays unique.
    name = session.scalar(select(Animal.name).where(*theirs).with_for_update()) if known else None
    if name is None:
        raise NotFound(gettext("There is no such animal in this project."))
    return name


def touch_animal(session: Session, animal_id: int, now: datetime) -> None:
    """Set the animal's update time, from which triggers see that its photos have changed."""
    session.execute(update(Animal).where(Animal.id == animal_id).values(updated_at=now))


def clean_alt_text(text: str) -> str:
    """Return a photo description in its stored form: one line, in NFC.

    Raises Invalid if it cannot be stored.
    """
    alt = text.strip()
    alt = one_line(alt) if len(alt) <= ROOM * ALT_LONGEST else alt
    if len(alt) > ALT_LONGEST:
        raise Invalid([("alt", f"must have {ALT_LONGEST} characters at most, not {len(alt):,}")])
    if CONTROL.search(alt):
        raise Invalid([("alt", "must not hold control characters")])
    return alt


def photo_columns(picture: Picture) -> dict[str, str | int]:
    known = {name: getattr(picture, name) for name in ("digest", "width", "height", "blur")}
    return known | {"bytes": total_file_size(picture)}
