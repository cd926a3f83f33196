"""Shelters as programs read them: the published projects of the directory, with their live texts."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Engine, Select, and_, case, false, func, select, tuple_
from sqlalchemy.orm import Session

from adoption.accounts.models import Account
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.batches import IDS_AT_ONCE, batches
from adoption.domains.live_domains import orders_certificates
from adoption.domains.site_lookup import PLAN_GIVES, PRIMARY, is_live_primary, live_parameters
from adoption.places.models import ProjectPlace
from adoption.places.nearby_projects import NearbyProject
from adoption.places.regions import find_region
from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.projects.shelter_search_index import has_prefix
from adoption.search_words import words_in
from adoption.storage.database import db, reading

COUNTED_EVERY = 60
"""The seconds for which the counts of animals are cached."""
NEAREST_AT_ONCE = 200
"""The number of shelters that are read at once, nearest first, until a page is full."""
BY_ID, BY_NAME, BY_DISTANCE = "id", "name", "distance"
ORDERS = (BY_ID, BY_NAME, BY_DISTANCE)
SORT_KEYS: dict[str, tuple[Any, ...]] = {
    BY_ID: (Project.id,),
    BY_NAME: (func.lower(Deploy.name), Project.id),
}
"""The columns that each order sorts by. The next page starts after the values in the last row of a page."""


class ShelterRecord(NamedTuple):
    """A published shelter, with the texts that visitors see."""

    id: int
    slug: str
    primary: str | None
    """The live primary domain of the shelter's site."""
    name: str
    about: str
    contact_email: str
    contact_phone: str
    website: str
    street: str
    city: str
    region: str
    postcode: str
    country: str
    adoption_policy: str
    language: str
    petfinder_id: str | None
    lat: float | None
    lng: float | None


class ShelterFilters(NamedTuple):
    """The filters of a list. An empty filter matches every shelter."""

    words: str = ""
    """Words of the name or the city. Each can be the beginning of a longer word."""
    region: str = ""
    country: str = ""
    nearby: Sequence[NearbyProject] | None = None
    """The projects near a place, nearest first. None if any place matches."""


class ShelterRow(NamedTuple):
    """A shelter in a list."""

    shelter: ShelterRecord
    sort_key: list[Any]


class ShelterAnimals(NamedTuple):
    """How many of a shelter's animals visitors see, by status."""

    available: int = 0
    pending: int = 0


def list_shelters(
    filters: ShelterFilters, order: str, after: Sequence[Any], limit: int, now: datetime
) -> list[ShelterRow]:
    """Return up to ``limit`` shelters of the directory that follow the sort key ``after``.

    The order by distance needs the filter ``nearby``.
    """
    if order == BY_DISTANCE:
        return list_nearest(filters, after, limit, now)
    keys = SORT_KEYS[order]
    found = select_shelters(*keys).where(*conditions_of(filters)).order_by(*keys).limit(limit)
    if after:
        found = found.where(tuple_(*keys) > tuple_(*after))
    with reading() as session:
        rows = session.execute(found, live_parameters(now)).all()
    return [ShelterRow(ShelterRecord(*row[: -len(keys)]), list(row[-len(keys) :])) for row in rows]


def list_nearest(
    filters: ShelterFilters, after: Sequence[Any], limit: int, now: datetime
) -> list[ShelterRow]:
    """Return shelters in the order of their distance."""
    waiting = [
        each for each in filters.nearby or () if not after or (each.metres, each.project_id) > tuple(after)
    ]
    rows: list[ShelterRow] = []
    for batch in batches(waiting, NEAREST_AT_ONCE):
        within = filters._replace(nearby=batch)
        found = {row.shelter.id: row for row in list_shelters(within, BY_ID, (), len(batch), now)}
        rows += [
            found[each.project_id]._replace(sort_key=[each.metres, each.project_id])
            for each in batch
            if each.project_id in found
        ]
        if len(rows) >= limit:
            break
    return rows[:limit]


def find_shelter(shelter_id: int, now: datetime) -> ShelterRecord | None:
    """Return a shelter of the directory; None if it is not published or not in the directory."""
    with reading() as session:
        row = session.execute(select_shelters().where(Project.id == shelter_id), live_parameters(now)).first()
    return None if row is None else ShelterRecord(*row)


def find_shelter_ids(petfinder_ids: Iterable[str]) -> dict[str, int]:
    """Return the ids of published shelters by their ids at Petfinder. Unknown ids are left out."""
    with reading() as session:
        found = session.execute(
            select(Project.petfinder_id, Project.id)
            .join(Deploy, LIVE)
            .where(Project.in_directory, Project.petfinder_id.in_(list(petfinder_ids)))
        )
        return {petfinder_id: id_ for petfinder_id, id_ in found if petfinder_id}


def count_shelters(filters: ShelterFilters) -> int:
    """Return the number of shelters of the directory that match the filters."""
    found = (
        select(func.count())
        .select_from(Project)
        .join(Deploy, LIVE)
        .where(Project.in_directory, *conditions_of(filters))
    )
    with reading() as session:
        return session.scalar(found) or 0


def select_shelters(*more: Any) -> Select[Any]:
    texts = [getattr(Deploy, name) for name in ShelterRecord._fields[3:-3]]
    place = (ProjectPlace.lat, ProjectPlace.lng)
    primary = and_(is_live_primary(orders_certificates()), PLAN_GIVES)
    return (
        select(Project.id, Project.slug, PRIMARY.verified_host, *texts, Project.petfinder_id, *place, *more)
        .select_from(Project)
        .join(Deploy, LIVE)
        .join(Account, Account.id == Project.account_id)
        .outerjoin(PRIMARY, primary)
        .outerjoin(ProjectPlace, ProjectPlace.project_id == Project.id)
        .where(Project.in_directory)
    )


WORDS_MOST = 8
"""The maximum number of words that a search uses. Each needs a lookup for each shelter."""


def conditions_of(filters: ShelterFilters) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if filters.words:
        # Text without a word, such as "%", finds nothing. It must not return all shelters.
        words = list(dict.fromkeys(words_in(filters.words)))[:WORDS_MOST]
        conditions += [has_prefix(word) for word in words] or [false()]
    if filters.region:
        known = find_region(filters.region)
        forms = {filters.region, *((known.code, known.name) if known else ())}
        conditions.append(func.lower(Deploy.region).in_([each.lower() for each in forms]))
    if filters.country:
        conditions.append(Deploy.country == filters.country.upper())
    if filters.nearby is not None:
        # If there are more shelters than a statement can name, only the nearest are listed.
        conditions.append(Project.id.in_([each.project_id for each in filters.nearby[:IDS_AT_ONCE]]))
    return conditions


def count_shelter_animals(ids: Iterable[int], now: datetime) -> dict[int, ShelterAnimals]:
    """Return the counts of these shelters' animals, by shelter id. The counts are up to a minute old."""
    counts = counts_of_minute(db.engine, int(now.timestamp()) // COUNTED_EVERY)
    if missing := [id_ for id_ in ids if id_ not in counts]:
        with reading() as session:
            found = count_shown_by_status(session, missing)
        counts |= {id_: found.get(id_, ShelterAnimals()) for id_ in missing}
    return counts


@lru_cache(maxsize=1)
def counts_of_minute(_engine: Engine, _minute: int) -> dict[int, ShelterAnimals]:
    """Return the cache of counts for one minute, by shelter id. The caller adds counts to the cache."""
    return {}


def count_shown_by_status(session: Session, ids: list[int]) -> dict[int, ShelterAnimals]:
    available, pending = (func.count(case((Animal.status == status, 1))) for status in ShelterAnimals._fields)
    found = (
        select(Animal.project_id, available, pending)
        .where(SHOWN_CLAUSE, Animal.project_id.in_(ids), Animal.status.in_(ShelterAnimals._fields))
        .group_by(Animal.project_id)
    )
    return {id_: ShelterAnimals(*counted) for id_, *counted in session.execute(found)}
