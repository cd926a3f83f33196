"""Loads made-up shelters and animals, in bulk and in chunks, so that memory does not grow with them."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from random import Random
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from adoption.accounts.models import Account, Member, User
from adoption.animals.indexed_words import words_of
from adoption.animals.models import Animal, Bond, CareRecord, Photo
from adoption.animals.photos import keep, keep_for_row, row_of
from adoption.animals.search_index import tidy
from adoption.audit.models import AuditEntry
from adoption.demo.animals import Entry, Row, groups, yard
from adoption.demo.applicants import hold_some, introduce
from adoption.demo.care_notes import person
from adoption.demo.photographed_animals import SITTERS, picture_of
from adoption.demo.rows import add, fresh_ids
from adoption.demo.shelters import Shelter, shelters
from adoption.orders.models import Order
from adoption.projects.introductions import rendered_introduction
from adoption.projects.models import SITE_TEXTS, Deploy, Project, SiteWord
from adoption.projects.site_words import words_of_site
from adoption.projects.slugs import free_slugs
from adoption.storage.database import transaction

PICTURED_MOST = 1_000
"""Animals up to which a load is for looking at, with photos, and not for measuring."""
CHUNK = 5_000
"""Animals that are written in one transaction: other writers wait no longer than one of them takes."""
APPLICANTS_MOST = 20_000
"""Orders of a load that have applicants and histories; what comes beyond is for measuring alone."""
SQLITE_CACHE = "PRAGMA cache_size = -131072"
"""128 MiB. Animals of a thousand projects touch a page of each index for each; 2 MB would not hold those."""


class Loaded(NamedTuple):
    """What was added."""

    projects: list[str]
    """Their slugs."""
    animals: int
    orders: int


def load(
    animals: int = 240,
    projects: int = 6,
    seed: int = 1,
    today: date | None = None,
    progress: Callable[[int], object] | None = None,
) -> Loaded:
    """Add ``projects`` published shelters with ``animals`` animals between them, and their applications.

    The same seed on the same day gives the same rows, but for slugs that were taken and the ids. Up to
    ``CHUNK`` animals are added whole or not at all; ``progress`` is told how many each step added.
    """
    loading = Loading(animals, projects, seed, today)
    with transaction() as session:
        loading.settle(session)
        added = loading.admit(session)
    while added:
        if progress:
            progress(added)
        with transaction() as session:
            added = loading.admit(session)
    tidy()
    return Loaded(loading.slugs, loading.admitted, loading.orders)


class Loading:
    """One load under way; its two steps run within a transaction of the caller's."""

    def __init__(self, animals: int, projects: int, seed: int, today: date | None = None) -> None:
        self.today = today or datetime.now(UTC).date()
        self.midnight = datetime.combine(self.today, time(), UTC)
        self.rng = Random(seed)  # noqa: S311 - it draws names, and keeps no secret
        self.applicants = Random(f"applicants {seed}")  # noqa: S311 - as above
        self.animals, self.projects = animals, projects
        self.sitters = SITTERS if animals <= PICTURED_MOST else ()
        for sitter in self.sitters:
            keep(picture_of(sitter))
        self.slugs: list[str] = []
        self.team: list[Row] = []
        """Members of the accounts, each with its address and name."""
        self.admitted = self.orders = 0
        self.groups: Iterator[list[Entry]] = iter(())

    def settle(self, session: Session) -> None:
        """Add the shelters, each with its account, people, project and first deploy."""
        chosen = list(islice(shelters(self.rng), self.projects))
        self.slugs = free_slugs(session, [each.name for each in chosen])
        accounts = fresh_ids(session, Account, len(chosen))
        ids = fresh_ids(session, Project, len(chosen))
        born = [self.midnight - timedelta(days=self.rng.randrange(450, 3000), hours=14) for _ in chosen]
        add(session, Account, [account(*each) for each in zip(accounts, chosen, born, strict=True)])
        self.hire(session, accounts, born)
        of_each = zip(ids, accounts, self.slugs, chosen, born, strict=True)
        projects = [self.project(*each) for each in of_each]
        add(session, Project, projects)
        owners = {each["account_id"]: each for each in self.team if each["role"] == "owner"}
        add(session, Deploy, [first_deploy(each, owners[each["account_id"]]["actor"]) for each in projects])
        add(session, AuditEntry, history_of(self.team, projects))
        add(session, SiteWord, [row for project in projects for row in site_words(project)])
        yards = [yard(id_, each.categories, n) for n, (id_, each) in enumerate(zip(ids, chosen, strict=True))]
        weights = [each.weight for each in chosen]
        self.groups = groups(self.rng, self.today, self.animals, yards, weights, self.sitters)

    def project(self, id_: int, account_id: int, slug: str, shelter: Shelter, born: datetime) -> Row:
        return {
            "id": id_,
            "account_id": account_id,
            "slug": slug,
            "name": shelter.name,
            "about": shelter.about,
            "place": shelter.place,
            "contact_email": f"adopt@{slug}.example.org",
            "contact_phone": f"555-01{self.rng.randrange(100):02}",
            "colour": shelter.colour,
            "currency": shelter.currency,
            "time_zone": shelter.time_zone,
            "live_deploy": 1,
            "created_at": born,
        }

    def hire(self, session: Session, accounts: Sequence[int], born: Sequence[datetime]) -> None:
        """Give each account an owner and up to four of the staff. None of them has a password."""
        users: list[Row] = []
        members: list[Row] = []
        for account_id, slug, when in zip(accounts, self.slugs, born, strict=True):
            names = dict.fromkeys(person(self.rng) for _ in range(1 + self.rng.randrange(5)))
            for n, name in enumerate(names):
                email = f"{name.lower().replace(' ', '.')}@{slug}.example.org"
                users.append({"email": email, "name": name, "password_hash": None, "created_at": when})
                role, since = "staff" if n else "owner", when + timedelta(days=30 * n, hours=n)
                members.append({"account_id": account_id, "role": role, "created_at": since})
        for user, member, id_ in zip(users, members, fresh_ids(session, User, len(users)), strict=True):
            user["id"] = member["user_id"] = id_
        add(session, User, users)
        add(session, Member, members)
        pairs = zip(users, members, strict=True)
        self.team = [{**member, "actor": user["email"], "name": user["name"]} for user, member in pairs]

    def admit(self, session: Session) -> int:
        """Add the next animals, ``CHUNK`` or one more at most, with their records; gives how many."""
        chunk: list[list[Entry]] = []
        size = 0
        while size < CHUNK and (group := next(self.groups, None)):
            chunk.append(group)
            size += len(group)
        if not chunk:
            return 0
        if session.get_bind().dialect.name == "sqlite":
            session.execute(text(SQLITE_CACHE))
        bond(session, [group for group in chunk if len(group) > 1])
        entries = [entry for group in chunk for entry in group]
        for entry, id_ in zip(entries, fresh_ids(session, Animal, size), strict=True):
            entry.animal["id"] = entry.care["animal_id"] = id_
            for order in entry.orders:
                order["animal_id"] = id_
        add(session, Animal, [entry.animal for entry in entries])
        add(session, CareRecord, [entry.care for entry in entries])
        orders = [order for entry in entries for order in entry.orders]
        orders.sort(key=lambda order: order["created_at"])
        if self.orders < APPLICANTS_MOST:
            asked = [([each.animal for each in group], [each.orders for each in group]) for group in chunk]
            introduce(session, self.applicants, asked)
            hold_some(session, self.applicants, [entry.animal for entry in entries], self.midnight)
        else:
            add(session, Order, orders)
        hang(session, entries)
        self.admitted += size
        self.orders += len(orders)
        return size


def bond(session: Session, pairs: Sequence[Sequence[Entry]]) -> None:
    bonds = fresh_ids(session, Bond, len(pairs))
    for bond_id, pair in zip(bonds, pairs, strict=True):
        for entry in pair:
            entry.animal["bond_id"] = bond_id
            entry.animal["words"] = words_of(entry.animal)
    rows = [
        {"id": bond_id, "project_id": pair[0].animal["project_id"]}
        for bond_id, pair in zip(bonds, pairs, strict=True)
    ]
    add(session, Bond, rows)


def hang(session: Session, entries: Sequence[Entry]) -> None:
    """Give those who sat for a photograph theirs."""
    for entry in entries:
        if entry.sitter:
            picture = picture_of(entry.sitter)
            keep_for_row(session, picture)
            about = {"position": 0, "alt": entry.sitter.alt, "created_at": entry.animal["created_at"]}
            session.add(Photo(**row_of(picture), animal_id=entry.animal["id"], **about))


def account(id_: int, shelter: Shelter, born: datetime) -> Row:
    per_minute, per_day = shelter.own_quota or (None, None)
    quota = {"per_minute": per_minute, "per_day": per_day}
    return {"id": id_, "name": shelter.name, "plan": shelter.plan, "created_at": born, **quota}


def history_of(team: Sequence[Row], projects: Sequence[Row]) -> list[Row]:
    """Return what the audit logs say: who opened the account, joined it and published the site."""
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
    texts = {column: project[column] for column in SITE_TEXTS}
    told = {
        "project_id": project["id"],
        "number": 1,
        "succeeded": True,
        "reason": "",
        "published_by": published_by,
    }
    return {**told, **texts, **rendered_introduction(texts["about"]), "created_at": project["created_at"]}


def site_words(project: Row) -> list[Row]:
    words = words_of_site(project["name"], project["place"])
    return [{"word": word, "project_id": project["id"]} for word in words]
