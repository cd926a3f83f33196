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

from adoption.animals.allowed_values import COATS, SEXES, SIZES, STATUSES
from adoption.animals.indexed_words import words_to_index
from adoption.animals.photo_models import Photo
from adoption.animals.table_indexes import (
    WAITING,
    known_values_check,
    listed_index,
    shown_index,
    sorted_index,
)
from adoption.markdown import RENDERED, rendered_columns
from adoption.projects.models import VisibilityChange
from adoption.storage.database import Base, Identity


class AnimalCategory(Base):
    """A species group, such as Dog. All projects share the same groups."""

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
    """An animal's public fields; ``Pet`` in the API. None means "not known"."""

    __tablename__ = "animals"
    __table_args__ = (
        UniqueConstraint("project_id", "code"),
        known_values_check("status", STATUSES),
        known_values_check("sex", SEXES),
        known_values_check("size", SIZES),
        known_values_check("coat", COATS),
        CheckConstraint("fee_cents >= 0", name="fee_not_negative"),
        # Indexes for the API's lists, with and without a status filter, so that no page scans the table.
        # Each index contains every column that a list shows, so a page reads only the index.
        listed_index("project_id", "id", "name", "category_id", "status"),
        listed_index("project_id", "status", "id", "name", "category_id"),
        # Indexes for the catalogue of all projects: newest first, newest first within a species, and longest
        # waiting first.
        shown_index("id"),
        shown_index("category_id", "id"),
        shown_index("arrival_date", "id"),
        # Indexes for feeds: newly shown first, in all projects, within a species and in a project.
        shown_index("shown_at", "id"),
        shown_index("category_id", "shown_at", "id"),
        listed_index("project_id", "shown_at", "id"),
        # Indexes for the staff list, sorted by age, arrival or days waiting.
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
        # The API publishes ids. So the id of a deleted animal must not be reused.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("projects.id", ondelete="CASCADE"))
    category_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("categories.id"))
    name: Mapped[str] = mapped_column(String(200))
    status: Mapped[str] = mapped_column(String(20))
    listed: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Whether the public can see the animal. False means that only staff can."""
    published: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the project is published. ``visibility_job`` describes how this column is updated."""
    removed_at: Mapped[datetime | None]
    """When staff removed the animal. A removed animal is never listed."""
    listed_before_removal: Mapped[bool | None]
    """The value of ``listed`` just before the removal, for a later restoration; None if not removed."""
    preview_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number in each valid preview link. When the number increases, all earlier links stop working."""
    preview_made_at: Mapped[datetime | None]
    """When the newest preview link was made; None if there is no link or if the link was stopped."""
    code: Mapped[str | None] = mapped_column(String(100))
    """The shelter's own reference for the animal, unique in the project."""
    breed_primary: Mapped[str | None] = mapped_column(String(100))
    breed_secondary: Mapped[str | None] = mapped_column(String(100))
    breed_mixed: Mapped[bool] = mapped_column(default=False)
    breed_unknown: Mapped[bool] = mapped_column(default=False)
    sex: Mapped[str | None] = mapped_column(String(10))
    altered: Mapped[bool | None]
    birth_date: Mapped[date | None]
    birth_date_estimated: Mapped[bool] = mapped_column(default=False)
    age_group: Mapped[str | None] = mapped_column(String(10))
    """A key of ``age_groups.AGE_GROUPS``; None if the birth date is known."""
    size: Mapped[str | None] = mapped_column(String(10))
    coat: Mapped[str | None] = mapped_column(String(10))
    colours: Mapped[str | None] = mapped_column(String(200))
    good_with_children: Mapped[bool | None]
    good_with_dogs: Mapped[bool | None]
    good_with_cats: Mapped[bool | None]
    house_trained: Mapped[bool | None]
    declawed: Mapped[bool | None]
    shots_current: Mapped[bool | None]
    """Whether the animal's vaccinations are up to date."""
    special_needs: Mapped[bool] = mapped_column(default=False)
    special_needs_note: Mapped[str] = mapped_column(Text, default="")
    fee_cents: Mapped[int | None] = mapped_column(Integer)
    """Adoption fee in hundredths of the currency; 0 means waived, None means not shown."""
    bond_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("bonds.id", ondelete="SET NULL"), index=True
    )
    description: Mapped[str] = mapped_column(Text, default="")
    tags: Mapped[str] = mapped_column(Text, default="[]", server_default="[]")
    """A JSON array of at most 10 short texts."""
    video_url: Mapped[str | None] = mapped_column(String(500))
    """The https address of a video. Pages link to the video and never embed it."""
    arrival_date: Mapped[date | None]
    words: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The indexed words for full-text search, from ``adoption.animals.indexed_words``."""
    description_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    description_beginning: Mapped[str | None] = mapped_column(Text, deferred=True)
    needs_html: Mapped[str | None] = mapped_column(Text, deferred=True)
    """Rendered text from ``adoption.markdown``; None if not rendered yet.

    The same applies to the two columns above.
    """
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    shown_at: Mapped[datetime | None]
    """When the public could first see the animal; None if the animal was never public."""
    status_changed_at: Mapped[datetime | None]
    """When the animal got its current status."""
    revision: Mapped[int] = mapped_column(default=1, server_default="1")
    """A number that increases when the animal, its photos, its bond or its visibility changes."""

    photos: Mapped[list["Photo"]] = relationship(
        order_by="Photo.position", cascade="all, delete-orphan", passive_deletes=True
    )
    care: Mapped["CareRecord | None"] = relationship(
        back_populates="animal", cascade="all, delete-orphan", passive_deletes=True
    )


PUBLISHED = and_(
    Animal.published,
    # The table of ``VisibilityChange`` is nearly always empty. With an empty table, the database skips the
    # second condition.
    or_(~exists(VisibilityChange.project_id), Animal.project_id.not_in(select(VisibilityChange.project_id))),
)
"""Condition for the animals of published projects."""
SHOWN_CLAUSE = and_(Animal.listed, PUBLISHED)
"""Condition for the animals that the public sees. Only queries for the shelter's staff omit it."""


@event.listens_for(Animal, "before_insert")
@event.listens_for(Animal, "before_update")
def update_derived_columns(_mapper: object, _connection: object, animal: Animal) -> None:
    """Before the ORM saves an animal, update its search words and render its changed texts."""
    animal.words = words_to_index(vars(animal))
    attributes = inspect(animal).attrs
    changed = {name: getattr(animal, name) for name in RENDERED if attributes[name].history.has_changes()}
    for column, value in rendered_columns(changed).items():
        setattr(animal, column, value)


class CareRecord(Base):
    """Private fields of an animal, for the shelter only.

    Care records have their own table, so that no query for public columns can return private fields.
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
    """A change of one or several animals in the staff list, with the data to undo it."""

    __tablename__ = "bulk_changes"

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
    project_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("projects.id", ondelete="CASCADE"), index=True
    )
    change: Mapped[str] = mapped_column(String(20))
    """A key of ``bulk_changes.CHANGES``, or ``details``."""
    value: Mapped[str] = mapped_column(String(20))
    """The new value of the property; empty for ``details``."""
    before: Mapped[str] = mapped_column(Text)
    """JSON object that maps each animal id to the changed columns. Each column has its old and new value."""
    created_at: Mapped[datetime]
    undone_at: Mapped[datetime | None]


class AnimalEntry(Base):
    """Link between an entry of the audit log and one of the entry's animals."""

    __tablename__ = "animal_entries"

    animal_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("animals.id", ondelete="CASCADE"), primary_key=True
    )
    entry_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("audit_entries.id", ondelete="CASCADE"), primary_key=True, index=True
    )
