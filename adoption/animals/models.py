from datetime import date, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    and_,
    event,
    exists,
    false,
    inspect,
    or_,
    select,
    text,
    true,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from adoption.animals.indexed_words import words_to_index
from adoption.animals.validation import COATS, SEXES, SIZES, STATUSES
from adoption.markdown import RENDERED, rendered_columns
from adoption.projects.models import VisibilityChange
from adoption.storage.database import NEVER_AGAIN, Base, Identity


def known_values_check(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def listed_index(*columns: str) -> Index:
    """An index of the animals that are listed, and of no others.

    Its condition is spelt as each database's queries spell it: SQLite uses the index only then.
    """
    name = f"ix_animals_{'_'.join(columns)}_listed"
    return Index(name, *columns, sqlite_where=text("listed = 1"), postgresql_where=text("listed"))


def shown_index(*columns: str) -> Index:
    """An index of the animals that the public sees: listed, and of a published project."""
    name = f"ix_animals_{'_'.join(columns)}_shown"
    return Index(
        name,
        *columns,
        sqlite_where=text("listed = 1 AND published = 1"),
        postgresql_where=text("listed AND published"),
    )


def sorted_index(column: str) -> Index:
    """Return an index of a project's animals by a date that they have."""
    known = text(f"{column} IS NOT NULL")
    name = f"ix_animals_project_id_{column}_id"
    return Index(name, "project_id", column, "id", sqlite_where=known, postgresql_where=known)


WAITING = text("arrival_date IS NOT NULL AND status <> 'sold' AND removed_at IS NULL")


class AnimalCategory(Base):
    """A species group. The service's own, the same for every project."""

    __tablename__ = "categories"

    id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(50), unique=True)


class Bond(Base):
    """Animals that are adopted together or not at all."""

    __tablename__ = "bonds"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )


class Animal(Base):
    """An animal as the public may see it: ``Pet`` in the API. None in a column means "not known"."""

    __tablename__ = "animals"
    __table_args__ = (
        UniqueConstraint("project_id", "code"),
        known_values_check("status", STATUSES),
        known_values_check("sex", SEXES),
        known_values_check("size", SIZES),
        known_values_check("coat", COATS),
        CheckConstraint("fee_cents >= 0", name="fee_not_negative"),
        # The API's two lists, with and without a status, and never a scan at any depth.
        # They hold what is shown as well: a page is read from the index alone, however large the table is.
        listed_index("project_id", "id", "name", "category_id", "status"),
        listed_index("project_id", "status", "id", "name", "category_id"),
        # The catalogue of all projects: newest first, in all and by species, and longest waiting first.
        shown_index("id"),
        shown_index("category_id", "id"),
        shown_index("arrival_date", "id"),
        # The staff's list, by age, arrival and days waiting.
        sorted_index("birth_date"),
        sorted_index("arrival_date"),
        Index(
            "ix_animals_project_id_arrival_date_id_waiting",
            *("project_id", "arrival_date", "id"),
            sqlite_where=WAITING,
            postgresql_where=WAITING,
        ),
        Index(
            "ix_animals_project_id_removed_at",
            "project_id",
            "removed_at",
            sqlite_where=text("removed_at IS NOT NULL"),
            postgresql_where=text("removed_at IS NOT NULL"),
        ),
        # Ids are told to the outside, so a removed animal's is never given to another.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    category_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("categories.id"))
    name: Mapped[str] = mapped_column(String(200))
    status: Mapped[str] = mapped_column(String(20))
    listed: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Off: seen on the staff's pages alone."""
    published: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the project is published; ``adoption.animals.visibility`` says how it is kept so."""
    removed_at: Mapped[datetime | None]
    """When the staff took the animal away; one that is removed is not listed either."""
    listed_before_removal: Mapped[bool | None]
    """What ``listed`` goes back to when the animal is restored; None while it is not removed."""
    preview_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of each preview link to the animal. Raised to stop the links made before."""
    preview_made_at: Mapped[datetime | None]
    """When the last preview link to the animal was made; None if it was stopped since."""
    code: Mapped[str | None] = mapped_column(String(100))
    """The shelter's own reference, unique in its project."""
    breed_primary: Mapped[str | None] = mapped_column(String(100))
    breed_secondary: Mapped[str | None] = mapped_column(String(100))
    breed_mixed: Mapped[bool] = mapped_column(default=False)
    breed_unknown: Mapped[bool] = mapped_column(default=False)
    sex: Mapped[str | None] = mapped_column(String(10))
    altered: Mapped[bool | None]
    birth_date: Mapped[date | None]
    birth_date_estimated: Mapped[bool] = mapped_column(default=False)
    age_group: Mapped[str | None] = mapped_column(String(10))
    """A key of ``ages.AGE_GROUPS``, only while no birth date is known."""
    size: Mapped[str | None] = mapped_column(String(10))
    coat: Mapped[str | None] = mapped_column(String(10))
    colours: Mapped[str | None] = mapped_column(String(200))
    good_with_children: Mapped[bool | None]
    good_with_dogs: Mapped[bool | None]
    good_with_cats: Mapped[bool | None]
    house_trained: Mapped[bool | None]
    special_needs: Mapped[bool] = mapped_column(default=False)
    special_needs_note: Mapped[str] = mapped_column(Text, default="")
    fee_cents: Mapped[int | None] = mapped_column(Integer)
    """Adoption fee in hundredths of the currency; 0 is waived, None is not shown."""
    bond_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("bonds.id", ondelete="SET NULL"), index=True
    )
    description: Mapped[str] = mapped_column(Text, default="")
    arrival_date: Mapped[date | None]
    words: Mapped[str] = mapped_column(Text, default="", server_default="")
    """What a search finds the animal by: ``adoption.animals.indexed_words.words_of``."""
    description_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    description_beginning: Mapped[str | None] = mapped_column(Text, deferred=True)
    needs_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    """What ``adoption.markdown`` has made of the texts; None for those that were last saved before it did."""
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]

    photos: Mapped[list["Photo"]] = relationship(
        order_by="Photo.position", cascade="all, delete-orphan", passive_deletes=True
    )
    care: Mapped["CareRecord | None"] = relationship(
        back_populates="animal", cascade="all, delete-orphan", passive_deletes=True
    )


PUBLISHED = and_(
    Animal.published,
    # The table is nearly always empty, and the database then reads no animal's project for this.
    or_(~exists(VisibilityChange.project_id), Animal.project_id.not_in(select(VisibilityChange.project_id))),
)
"""The animals of published projects."""
SHOWN = and_(Animal.listed, PUBLISHED)
"""The animals that the public sees. Every query for anyone but the shelter itself has this condition."""


@event.listens_for(Animal, "before_insert")
@event.listens_for(Animal, "before_update")
def keep_words(_mapper: object, _connection: object, animal: Animal) -> None:
    """Whoever changes an animal as an object cannot leave the search behind."""
    animal.words = words_to_index(vars(animal))


@event.listens_for(Animal, "before_insert")
@event.listens_for(Animal, "before_update")
def keep_prose(_mapper: object, _connection: object, animal: Animal) -> None:
    """Render the texts that have changed."""
    attributes = inspect(animal).attrs
    changed = {name: getattr(animal, name) for name in RENDERED if attributes[name].history.has_changes()}
    for column, value in rendered_columns(changed).items():
        setattr(animal, column, value)


class Photo(Base):
    """A picture of an animal. The files are in the photo store, under the digest of their content."""

    __tablename__ = "photos"
    __table_args__ = (
        Index("ix_photos_animal_id_position", "animal_id", "position"),
        Index(
            "ix_photos_id_wants_shared",
            "id",
            sqlite_where=text("wants_shared = 1"),
            postgresql_where=text("wants_shared"),
        ),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    animal_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("animals.id", ondelete="CASCADE"))
    position: Mapped[int]
    """From 0, without gaps; the first is the cover."""
    digest: Mapped[str] = mapped_column(String(64), index=True)
    width: Mapped[int]
    height: Mapped[int]
    """In pixels, as it stands upright."""
    alt: Mapped[str] = mapped_column(String(300), default="")
    blur: Mapped[str] = mapped_column(Text, default="")
    """A tiny picture as a ``data:`` address, shown until the real one has come."""
    bytes: Mapped[int | None] = mapped_column(BigInteger)
    """Of all its files together; None for photos that were stored before these were counted."""
    wants_shared: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the queue is to make the file that is shown where a page is shared."""
    created_at: Mapped[datetime]


class PhotoUpload(Base):
    """A photo that was sent and is processed by the queue.

    A table of its own, so that no query for photos can bring one along that is not ready.
    """

    __tablename__ = "photo_uploads"
    __table_args__ = (
        Index("ix_photo_uploads_account_id_finished_at_id", "account_id", "finished_at", "id"),
        NEVER_AGAIN,
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    account_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("accounts.id", ondelete="CASCADE"))
    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), index=True
    )
    user_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("users.id", ondelete="SET NULL"), index=True
    )
    """Who sent it; None for one that an import has fetched."""
    file_name: Mapped[str] = mapped_column(String(100), default="")
    file_key: Mapped[str] = mapped_column(String(100))
    """The name of the file in the store, until it is processed."""
    alt: Mapped[str] = mapped_column(String(300), default="")
    created_at: Mapped[datetime]
    claimed_at: Mapped[datetime | None]
    """When a worker began with it."""
    attempts: Mapped[int] = mapped_column(default=0)
    finished_at: Mapped[datetime | None]
    photo_id: Mapped[int | None] = mapped_column(BigInteger)
    """The photo that it became."""
    is_repeat: Mapped[bool] = mapped_column(default=False)
    """Whether the animal had this photo already."""
    failure: Mapped[str] = mapped_column(Text, default="")
    """Why it, or its description, could not be added, as a sentence."""

    @property
    def has_become_photo(self) -> bool:
        return self.photo_id is not None and not self.failure


class CareRecord(Base):
    """What only the shelter knows of an animal.

    A table of its own, so that no query for the public's columns can bring it along.
    """

    __tablename__ = "care_records"

    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), primary_key=True
    )
    microchip: Mapped[str | None] = mapped_column(String(50))
    on_hold: Mapped[bool] = mapped_column(default=False)
    in_quarantine: Mapped[bool] = mapped_column(default=False)
    internal_notes: Mapped[str] = mapped_column(Text, default="")
    surrenderer: Mapped[str] = mapped_column(Text, default="")
    foster_address: Mapped[str] = mapped_column(Text, default="")
    arrival_details: Mapped[str] = mapped_column(Text, default="")

    animal: Mapped[Animal] = relationship(back_populates="care")


class BulkChange(Base):
    """A change of one or several animals in the list, with what is needed to undo it."""

    __tablename__ = "bulk_changes"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    change: Mapped[str] = mapped_column(String(20))
    """One of ``bulk.CHANGES``, or ``details``."""
    value: Mapped[str] = mapped_column(String(20))
    """What it was set to; empty for ``details``."""
    before: Mapped[str] = mapped_column(Text)
    """By the id of each animal, each changed column with its old and new value: a JSON object."""
    created_at: Mapped[datetime]
    undone_at: Mapped[datetime | None]


class AnimalEntry(Base):
    """An animal that an entry of the audit log is about."""

    __tablename__ = "animal_entries"

    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), primary_key=True
    )
    entry_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("audit_entries.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class IdempotencyKey(Base):
    """The first answer to a createPet that bore an ``Idempotency-Key``, to be given again for 24 hours."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (Index("ix_idempotency_keys_project_id_created_at", "project_id", "created_at"),)

    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the request's body, as its meaning and not its letters."""
    animal_id: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(200))
    category_id: Mapped[int] = mapped_column(BigInteger)
    status: Mapped[str] = mapped_column(String(20))
    created_at: Mapped[datetime]
