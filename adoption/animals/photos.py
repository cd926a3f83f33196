"""The photos of an animal: added, removed, put in order; and who may see one."""

import logging
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from adoption.animals.catalogue import ID_LARGEST
from adoption.animals.models import SHOWN, Animal, Photo
from adoption.animals.photo_store import the_store
from adoption.animals.pictures import Picture, develop, names_of
from adoption.database import Prepared, reading, transaction
from adoption.errors import Conflict, Invalid, NotFound, Unavailable

log = logging.getLogger("homeward.photos")

PHOTOS_MOST = 20
ALT_LONGEST = 300

_seen = (
    select(Photo.id)
    .join(Animal, Animal.id == Photo.animal_id)
    .where(Photo.digest == bindparam("digest"), SHOWN)
    .limit(1)
)
SEEN = Prepared(_seen)
SEEN_IN_PROJECT = Prepared(_seen.where(Animal.project_id == bindparam("project_id")))


def is_shown(digest: str, project_id: int | None = None) -> bool:
    """Whether the public may see this picture: an animal that it sees has it, of this project or of any."""
    if project_id is None:
        return SEEN.first(digest=digest) is not None
    return SEEN_IN_PROJECT.first(digest=digest, project_id=project_id) is not None


def add_photo(
    project_id: int, animal_id: int, data: bytes, alt: str = "", now: datetime | None = None
) -> Photo:
    """Add a photo behind the others; its files are there before it is. ``alt`` says what is to be seen.

    The same picture once more is the photo that is there already. Raises NotFound, Invalid for the text,
    Conflict for one too many, FileRefused, Unavailable.
    """
    now, alt = now or datetime.now(UTC), photo_alt(alt)
    with reading() as session:
        find_animal(session, project_id, animal_id)
        refuse_one_too_many(session, animal_id)
    picture = develop(data)
    try:
        keep(picture)
        with transaction() as session:
            touch_animal(session, project_id, animal_id, now)
            same = select(Photo).where(Photo.animal_id == animal_id, Photo.digest == picture.digest)
            if (there := session.scalar(same)) is not None:
                return there
            refuse_one_too_many(session, animal_id)
            keep_for_row(session, picture)
            photo = Photo(**row_of(picture), animal_id=animal_id, alt=alt, created_at=now)
            photo.position = count_of(session, animal_id)
            session.add(photo)
            return photo
    except BaseException:
        clear_away(picture.digest, picture.width)
        raise


def remove_photo(project_id: int, animal_id: int, photo_id: int, now: datetime | None = None) -> None:
    """Remove a photo, and its files where no other animal has the same picture. Raises NotFound."""
    with transaction() as session:
        touch_animal(session, project_id, animal_id, now or datetime.now(UTC))
        photos = photos_of(session, animal_id)
        gone = next((photo for photo in photos if photo.id == photo_id), None)
        if gone is None:
            raise NotFound("This animal has no such photo.")
        session.delete(gone)
        put_in_order([photo for photo in photos if photo is not gone])
    clear_away(gone.digest, gone.width)


def reorder_photos(
    project_id: int, animal_id: int, photo_ids: Sequence[int], now: datetime | None = None
) -> None:
    """Put the photos in this order, the cover first. Raises NotFound; Conflict unless each is named once."""
    with transaction() as session:
        touch_animal(session, project_id, animal_id, now or datetime.now(UTC))
        photos = {photo.id: photo for photo in photos_of(session, animal_id)}
        if sorted(photo_ids) != sorted(photos):
            raise Conflict("The photos have changed meanwhile. Reload the page, then put them in order.")
        put_in_order([photos[photo_id] for photo_id in photo_ids])


def photos_of(session: Session, animal_id: int) -> Sequence[Photo]:
    return session.scalars(
        select(Photo).where(Photo.animal_id == animal_id).order_by(Photo.position, Photo.id)
    ).all()


def put_in_order(photos: Sequence[Photo]) -> None:
    for position, photo in enumerate(photos):
        photo.position = position


def count_of(session: Session, animal_id: int) -> int:
    return session.scalar(select(func.count()).where(Photo.animal_id == animal_id)) or 0


def refuse_one_too_many(session: Session, animal_id: int) -> None:
    if count_of(session, animal_id) >= PHOTOS_MOST:
        raise Conflict(f"An animal has {PHOTOS_MOST} photos at most. Remove one, then add this one.")


def find_animal(session: Session, project_id: int, animal_id: int) -> None:
    """Raises NotFound; a removed animal is not there either."""
    known = 0 < animal_id <= ID_LARGEST and 0 < project_id <= ID_LARGEST
    theirs = (Animal.project_id == project_id, Animal.id == animal_id, Animal.removed_at.is_(None))
    # Those who change the photos of one animal take turns, so that each sees the positions of the last.
    if not known or session.scalar(select(Animal.id).where(*theirs).with_for_update()) is None:
        raise NotFound("There is no such animal in this project.")


def touch_animal(session: Session, project_id: int, animal_id: int, now: datetime) -> None:
    """Find the animal, which changes with its photos. Raises NotFound."""
    find_animal(session, project_id, animal_id)
    session.execute(update(Animal).where(Animal.id == animal_id).values(updated_at=now))


def photo_alt(text: str) -> str:
    """A text for those who do not see the photo, as it is kept: one line, in NFC. Raises Invalid."""
    alt = " ".join(unicodedata.normalize("NFC", text).split())
    if len(alt) > ALT_LONGEST:
        raise Invalid([("alt", f"must have {ALT_LONGEST} characters at most, not {len(alt):,}")])
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in alt):
        raise Invalid([("alt", "must not hold control characters")])
    return alt


def row_of(picture: Picture) -> dict[str, str | int]:
    return {name: getattr(picture, name) for name in ("digest", "width", "height", "blur")}


def keep(picture: Picture) -> None:
    """Have the picture's files in the store, as far as others who remove it leave them there."""
    store = the_store()
    store.keep({name: content for name, content in picture.files.items() if not store.has(name)})


def keep_for_row(session: Session, picture: Picture) -> None:
    """Have them there for a row that this transaction adds, where nobody takes them away any more."""
    take_turn(session, picture.digest)
    keep(picture)


def clear_away(digest: str, width: int) -> None:
    """Remove a picture's files unless a row refers to them."""
    try:
        with transaction() as session:
            take_turn(session, digest)
            if session.scalar(select(Photo.id).where(Photo.digest == digest).limit(1)) is None:
                the_store().drop(names_of(digest, width))
    except (Unavailable, SQLAlchemyError) as error:
        # Nobody can reach them, and whoever adds the picture again will use them.
        log.warning("files of a removed photo stay: %s", error)


def take_turn(session: Session, digest: str) -> None:
    """Hold the files of this picture alone until the transaction ends; SQLite has one writer anyway."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(int(digest[:15], 16))))
