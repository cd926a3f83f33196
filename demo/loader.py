"""Loader of demo data. It works in chunks, so that memory does not grow."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from random import Random
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from adoption.accounts.models import Account, Member, User
from adoption.animals.indexed_words import words_to_index
from adoption.animals.models import Animal, Bond, CareRecord
from adoption.animals.photo_models import Photo
from adoption.animals.photo_storage import store_files, store_files_for_row
from adoption.animals.photos import photo_columns
from adoption.animals.search_index_merge import merge_index
from adoption.audit.models import AuditEntry
from adoption.orders.models import Order
from adoption.places.project_places import set_project_place
from adoption.projects.introductions import render_introduction
from adoption.projects.models import SITE_TEXTS, Deploy, Project, SiteWord
from adoption.projects.shelter_search_index import words_of_site
from adoption.projects.slugs import free_slugs
from adoption.storage.database import transaction
from demo.animals import DemoAnimal, demo_project, generate_animals
from demo.applications import add_applications, add_held_applications
from demo.bulk_inserts import Row, insert_rows, reserve_ids
from demo.names import random_person
from demo.photographed_animals import PHOTOGRAPHED_ANIMALS, load_photo
from demo.shelters import DemoShelter, generate_shelters

PICTURED_MOST = 1_000
"""The maximum number of animals in a load with photos. Larger loads are for measurements."""
CHUNK = 5_000
"""The number of animals per transaction. Other writers wait no longer than one transaction takes."""
APPLICANTS_MOST = 20_000
"""The number of orders of a load that get applicants and histories. Further orders are for measurements
only."""
SQLITE_CACHE = "PRAGMA cache_size = -131072"
"""A cache of 128 MiB. The animals of a thousand projects touch one page of each index per project, and a
cache of 2 MB is too small for these pages."""


class LoadResult(NamedTuple):
    """The projects, animals and orders that a load added."""

    projects: list[str]
    """The slugs of the projects."""
    animals: int
    orders: int


def load_demo(
    animals: int = 240,
    projects: int = 6,
    seed: int = 1,
    today: date | None = None,
    progress: Callable[[int], object] | None = None,
) -> LoadResult:
    """Add ``projects`` published shelters with ``animals`` animals in all, and their applications.

    The same seed on the same day gives the same rows, except for ids and slugs that are already used. A load
    of at most ``CHUNK`` animals is added completely or not at all. ``progress`` is called with the number of
    animals that each step added.
    """
    loading = DemoLoader(animals, projects, seed, today)
    with transaction() as session:
        loading.add_shelters(session)
        added = loading.add_next_animals(session)
    while added:
        if progress:
            progress(added)
        with transaction() as session:
            added = loading.add_next_animals(session)
    merge_index()
    return LoadResult(loading.slugs, loading.added, loading.orders)


class DemoLoader:
    """One load in progress. Both steps run in the caller's transaction."""

    def __init__(self, animals: int, projects: int, seed: int, today: date | None = None) -> None:
        self.today = today or datetime.now(UTC).date()
        self.midnight = datetime.combine(self.today, time(), UTC)
        self.rng = Random(seed)  # noqa: S311 - it draws names, and keeps no secret
        self.applicants = Random(f"applicants {seed}")  # noqa: S311 - as above
        self.animals, self.projects = animals, projects
        self.subjects = PHOTOGRAPHED_ANIMALS if animals <= PICTURED_MOST else ()
        for subject in self.subjects:
            store_files(load_photo(subject))
        self.slugs: list[str] = []
        self.team: list[Row] = []
        """The members of the accounts, each with email address and name."""
        self.added = self.orders = 0
        self.groups: Iterator[list[DemoAnimal]] = iter(())

    def add_shelters(self, session: Session) -> None:
        """Add the shelters, each with its account, users, project and first published version."""
        chosen = list(islice(generate_shelters(self.rng), self.projects))
        self.slugs = free_slugs(session, [each.name for each in chosen])
        accounts = reserve_ids(session, Account, len(chosen))
        ids = reserve_ids(session, Project, len(chosen))
        born = [self.midnight - timedelta(days=self.rng.randrange(450, 3000), hours=14) for _ in chosen]
        insert_rows(
            session, Account, [account_row(*each) for each in zip(accounts, chosen, born, strict=True)]
        )
        self.add_teams(session, accounts, born)
        of_each = zip(ids, accounts, self.slugs, chosen, born, strict=True)
        projects = [self.project_row(*each) for each in of_each]
        insert_rows(session, Project, projects)
        owners = {each["account_id"]: each for each in self.team if each["role"] == "owner"}
        insert_rows(
            session, Deploy, [first_deploy(each, owners[each["account_id"]]["actor"]) for each in projects]
        )
        for id_, shelter in zip(ids, chosen, strict=True):
            if shelter.postcode:
                set_project_place(session, id_, session.get_one(Project, id_))
        insert_rows(session, AuditEntry, demo_audit_rows(self.team, projects))
        insert_rows(session, SiteWord, [row for project in projects for row in site_word_rows(project)])
        demo_projects = [
            demo_project(id_, each.categories, n)
            for n, (id_, each) in enumerate(zip(ids, chosen, strict=True))
        ]
        weights = [each.weight for each in chosen]
        self.groups = generate_animals(
            self.rng, self.today, self.animals, demo_projects, weights, self.subjects
        )

    def project_row(self, id_: int, account_id: int, slug: str, shelter: DemoShelter, born: datetime) -> Row:
        return {
            "id": id_,
            "account_id": account_id,
            "slug": slug,
            "name": shelter.name,
            "about": shelter.about,
            "place": shelter.place,
            "city": shelter.place,
            "region": shelter.region,
            "postcode": shelter.postcode,
            "country": shelter.country,
            "contact_email": f"adopt@{slug}.example.org",
            "contact_phone": f"555-01{self.rng.randrange(100):02}",
            "colour": shelter.colour,
            "currency": shelter.currency,
            "time_zone": shelter.time_zone,
            "live_deploy": 1,
            "created_at": born,
        }

    def add_teams(self, session: Session, accounts: Sequence[int], born: Sequence[datetime]) -> None:
        """Give each account an owner and up to four staff members, without passwords."""
        users: list[Row] = []
        members: list[Row] = []
        for account_id, slug, when in zip(accounts, self.slugs, born, strict=True):
            names = dict.fromkeys(random_person(self.rng) for _ in range(1 + self.rng.randrange(5)))
            for n, name in enumerate(names):
                email = f"{name.lower().replace(' ', '.')}@{slug}.example.org"
                users.append({"email": email, "name": name, "password_hash": None, "created_at": when})
                role, since = "staff" if n else "owner", when + timedelta(days=30 * n, hours=n)
                members.append({"account_id": account_id, "role": role, "created_at": since})
        for user, member, id_ in zip(users, members, reserve_ids(session, User, len(users)), strict=True):
            user["id"] = member["user_id"] = id_
        insert_rows(session, User, users)
        insert_rows(session, Member, members)
        pairs = zip(users, members, strict=True)
        self.team = [{**member, "actor": user["email"], "name": user["name"]} for user, member in pairs]

    def add_next_animals(self, session: Session) -> int:
        """Add the next animals, at most ``CHUNK`` + 1, with their records. Return how many were added."""
        chunk: list[list[DemoAnimal]] = []
        size = 0
        while size < CHUNK and (group := next(self.groups, None)):
            chunk.append(group)
            size += len(group)
        if not chunk:
            return 0
        if session.get_bind().dialect.name == "sqlite":
            session.execute(text(SQLITE_CACHE))
        add_bonds(session, [group for group in chunk if len(group) > 1])
        entries = [entry for group in chunk for entry in group]
        for entry, id_ in zip(entries, reserve_ids(session, Animal, size), strict=True):
            entry.animal["id"] = entry.care["animal_id"] = id_
            for order in entry.orders:
                order["animal_id"] = id_
        insert_rows(session, Animal, [entry.animal for entry in entries])
        insert_rows(session, CareRecord, [entry.care for entry in entries])
        orders = [order for entry in entries for order in entry.orders]
        orders.sort(key=lambda order: order["created_at"])
        if self.orders < APPLICANTS_MOST:
            asked = [([each.animal for each in group], [each.orders for each in group]) for group in chunk]
            add_applications(session, self.applicants, asked)
            add_held_applications(
                session, self.applicants, [entry.animal for entry in entries], self.midnight
            )
        else:
            insert_rows(session, Order, orders)
        add_photos(session, entries)
        self.added += size
        self.orders += len(orders)
        return size


def add_bonds(session: Session, pairs: Sequence[Sequence[DemoAnimal]]) -> None:
    bonds = reserve_ids(session, Bond, len(pairs))
    for bond_id, pair in zip(bonds, pairs, strict=True):
        for entry in pair:
            entry.animal["bond_id"] = bond_id
            entry.animal["words"] = words_to_index(entry.animal)
    rows = [
        {"id": bond_id, "project_id": pair[0].animal["project_id"]}
        for bond_id, pair in zip(bonds, pairs, strict=True)
    ]
    insert_rows(session, Bond, rows)


def add_photos(session: Session, entries: Sequence[DemoAnimal]) -> None:
    """Add the photos of photographed animals."""
    for entry in entries:
        if entry.subject:
            picture = load_photo(entry.subject)
            store_files_for_row(session, picture)
            about = {"position": 0, "alt": entry.subject.alt, "created_at": entry.animal["created_at"]}
            session.add(Photo(**photo_columns(picture), animal_id=entry.animal["id"], **about))


def account_row(id_: int, shelter: DemoShelter, born: datetime) -> Row:
    per_minute, per_day = shelter.own_quota or (None, None)
    quota = {"per_minute": per_minute, "per_day": per_day}
    return {"id": id_, "name": shelter.name, "plan": shelter.plan, "created_at": born, **quota}


def demo_audit_rows(team: Sequence[Row], projects: Sequence[Row]) -> list[Row]:
    """Return the audit entries: who opened an account, who joined it, and who published the site."""
    sites = {project["account_id"]: project for project in projects}
    entries = []
    for member in team:
        site, is_owner = sites[member["account_id"]], member["role"] == "owner"
        entry = {key: member[key] for key in ("account_id", "user_id", "actor", "created_at")}
        entry |= {"project_id": site["id"], "address": "", "detail": ""}
        if is_owner:
            entries.append({**entry, "action": "account.opened", "thing": site["name"]})
            entries.append({**entry, "action": "site.published", "thing": "Version 1"})
        else:
            entries.append({**entry, "action": "member.joined", "thing": member["actor"]})
    return sorted(entries, key=lambda entry: entry["created_at"])


def first_deploy(project: Row, published_by: str) -> Row:
    texts = {column: project[column] for column in SITE_TEXTS if column in project}
    version = {
        "project_id": project["id"],
        "number": 1,
        "succeeded": True,
        "reason": "",
        "published_by": published_by,
    }
    return {**version, **texts, **render_introduction(texts["about"]), "created_at": project["created_at"]}


def site_word_rows(project: Row) -> list[Row]:
    words = words_of_site(project["name"], project["place"])
    return [{"word": word, "project_id": project["id"]} for word in words]
