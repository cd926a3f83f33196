"""Previews of a site or an animal for people with a signed link.

A link shows the draft texts of the site and the public fields of animals, never the care record. The link
expires after ``GOOD_FOR`` or when staff stop the link. Animals on hold or in quarantine have no preview,
because the hold can have a legal reason and anyone can forward a link. Links to such animals are paused until
the hold ends.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, String, and_, cast, exists, or_, select, update
from sqlalchemy.orm import Session, aliased

from adoption.accounts import signed_links
from adoption.animals.catalogue_cards import LISTINGS, Listing
from adoption.animals.models import Animal, CareRecord
from adoption.animals.photo_models import Photo
from adoption.animals.public_profiles import DATES, OF_ANIMAL, PHOTOS, Profile, ProfilePhoto
from adoption.audit import trail
from adoption.audit.actors import Actor
from adoption.errors import NotFound
from adoption.projects.models import Project
from adoption.projects.published_sites import Site
from adoption.storage.database import reading, transaction
from adoption.translations import gettext

PURPOSE = "draft preview"
GOOD_FOR = timedelta(days=7)
STOPPED = "This link has expired or was stopped by the shelter. Ask the shelter for a new one."
ANIMALS_MOST = 48
"""The maximum of animals in the preview of a site."""
ON_HOLD = exists().where(CareRecord.animal_id == Animal.id, or_(CareRecord.on_hold, CareRecord.in_quarantine))
CAN_BE_PREVIEWED = and_(Animal.removed_at.is_(None), ~ON_HOLD)


class DraftPreview(NamedTuple):
    """The content that a preview link gives access to."""

    project_id: int
    slug: str
    site: Site
    """The site with its draft texts."""
    animal_id: int | None
    """The animal that the link shows; None for a link to the site."""
    expires_at: datetime


def make_link(project: Project, animal_id: int | None, by: Actor, now: datetime | None = None) -> str:
    """Return the token of a new link. Raises NotFound if the animal cannot be previewed."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        name = project.name if animal_id is None else previewable_name(session, project.id, animal_id)
        number = change_links(session, project.id, animal_id, preview_made_at=now)
        action = "site.preview-made" if animal_id is None else "animal.preview-made"
        trail.record(session, by, action, project.account_id, project.id, name, now=now)
    return signed_links.sign_content(PURPOSE, [project.id, animal_id, number], now)


def stop_links(project: Project, animal_id: int | None, by: Actor, now: datetime | None = None) -> None:
    """Stop all links to the site or to an animal. Raises NotFound if the animal is unknown."""
    now = now or datetime.now(UTC)
    raised = {"preview_made_at": None, "preview_number": table_of(animal_id).preview_number + 1}
    name = what_is_shown(project, animal_id)
    with transaction() as session:
        change_links(session, project.id, animal_id, **raised)
        action = "site.preview-stopped" if animal_id is None else "animal.preview-stopped"
        trail.record(session, by, action, project.account_id, project.id, name, now=now)


def what_is_shown(project: Project, animal_id: int | None) -> str:
    """Return the name of the site or animal, even if the animal is on hold or removed.

    Raises NotFound if the animal is unknown.
    """
    if animal_id is None:
        return project.name
    with reading() as session:
        name = session.scalar(select(Animal.name).where(of_row(project.id, animal_id)))
    if name is None:
        raise NotFound("There is no such animal here.")
    return name


def table_of(animal_id: int | None) -> type[Project] | type[Animal]:
    """Return the table with the current link number of the site or of an animal."""
    return Project if animal_id is None else Animal


def of_row(project_id: int, animal_id: int | None) -> ColumnElement[bool]:
    if animal_id is None:
        return Project.id == project_id
    return and_(Animal.project_id == project_id, Animal.id == animal_id)


def change_links(session: Session, project_id: int, animal_id: int | None, **columns: Any) -> int:
    """Update the columns about preview links. Return the number that a new link contains."""
    table, wanted = table_of(animal_id), of_row(project_id, animal_id)
    session.execute(update(table).where(wanted).values(**columns))
    number = session.scalar(select(table.preview_number).where(wanted))
    if number is None:
        raise NotFound("There is no such animal here.")
    return number


def works_until(project_id: int, animal_id: int | None, now: datetime | None = None) -> datetime | None:
    """Return the expiry of the newest link; None if there is no link.

    The link to an animal on hold or in quarantine is paused. Staff can still stop the link.
    """
    made = select(table_of(animal_id).preview_made_at).where(of_row(project_id, animal_id))
    with reading() as session:
        made_at = session.scalar(made if animal_id is None else made.where(Animal.removed_at.is_(None)))
    expires_at = made_at and made_at + GOOD_FOR
    return expires_at if expires_at and expires_at > (now or datetime.now(UTC)) else None


def previewable_name(session: Session, project_id: int, animal_id: int) -> str:
    found = select(Animal.name).where(
        Animal.project_id == project_id, Animal.id == animal_id, CAN_BE_PREVIEWED
    )
    name = session.scalar(found)
    if name is None:
        raise NotFound("Animals that are removed, on hold or in quarantine cannot be previewed.")
    return name


def open_link(token: str, now: datetime | None = None) -> DraftPreview:
    """Return the content of a link.

    Raises NotFound if the link has expired or was stopped, or if the link's project no longer exists.
    """
    now = now or datetime.now(UTC)
    (project_id, animal_id, number), made_at = signed_links.read_signed_with_time(
        PURPOSE, token, GOOD_FOR, now
    )
    with reading() as session:
        project = session.get(Project, project_id)
        current = session.scalar(
            select(table_of(animal_id).preview_number).where(of_row(project_id, animal_id))
        )
    if project is None or number != current:
        raise NotFound(STOPPED)
    site = Site(project.id, *(getattr(project, name) for name in Site._fields[1:]))
    return DraftPreview(project.id, project.slug, site, animal_id, made_at + GOOD_FOR)


def shown_by(preview: DraftPreview) -> ColumnElement[bool]:
    """Return the condition for the animals that a link shows.

    A link to the site shows the listed animals. A link to an animal shows this animal, even if it is hidden,
    and the listed animals of its bond.
    """
    of_project = and_(Animal.project_id == preview.project_id, CAN_BE_PREVIEWED)
    if preview.animal_id is None:
        return and_(of_project, Animal.listed)
    other = aliased(Animal)
    bond = select(other.bond_id).where(other.id == preview.animal_id).scalar_subquery()
    return and_(of_project, or_(Animal.id == preview.animal_id, and_(Animal.listed, Animal.bond_id == bond)))


def listings(preview: DraftPreview, *conditions: ColumnElement[bool], limit: int) -> list[Listing]:
    """Return the animals that a link shows and that meet the conditions, newest first."""
    columns: list[Any] = list(LISTINGS.selected_columns)
    for name, column in (("shelter", Project.name), ("place", Project.place)):
        columns[Listing._fields.index(name)] = column
    query = (
        select(*columns)
        .select_from(Animal)
        .join(Project, Project.id == Animal.project_id)
        .outerjoin(Photo, and_(Photo.animal_id == Animal.id, Photo.position == 0))
        .where(shown_by(preview), *conditions)
        .order_by(Animal.id.desc())
        .limit(limit)
    )
    with reading() as session:
        return [Listing._make(row) for row in session.execute(query)]


def profile_in(preview: DraftPreview, animal_id: int) -> Profile:
    """Return an animal that a link shows, as visitors would see it.

    Raises NotFound if the link does not show this animal.
    """
    columns = [
        cast(getattr(Animal, name), String) if name in DATES else getattr(Animal, name) for name in OF_ANIMAL
    ]
    with reading() as session:
        row = session.execute(select(*columns).where(shown_by(preview), Animal.id == animal_id)).first()
    if row is None:
        raise NotFound(gettext(signed_links.LINK_EXPIRED))
    animal = dict(zip(OF_ANIMAL, row, strict=True))
    together = and_(Animal.bond_id == animal["bond_id"], Animal.id != animal_id)
    return Profile(
        **animal,
        shelter=preview.site,
        photos=tuple(map(ProfilePhoto._make, PHOTOS.rows(animal_id=animal_id))),
        mates=tuple(listings(preview, together, limit=ANIMALS_MOST)) if animal["bond_id"] else (),
    )


def shows_photo(preview: DraftPreview, digest: str) -> bool:
    """Return whether a link shows an animal with this photo."""
    found = select(Photo.id).join(Animal, Animal.id == Photo.animal_id)
    with reading() as session:
        return session.scalar(found.where(Photo.digest == digest, shown_by(preview)).limit(1)) is not None
