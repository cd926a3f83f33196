"""The staff's inbox: what waits, what is decided, and what is held back."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from adoption.animals.models import Animal, Photo
from adoption.database import reading
from adoption.orders.cases import Case, Ref
from adoption.orders.models import Application, Order
from adoption.orders.queries import OPEN
from adoption.search_words import folded

BOXES = {
    "waiting": ("placed",),
    "approved": ("approved",),
    "decided": ("completed", "declined", "withdrawn"),
    "all": (),
    "held": (),
}
"""The parts of the inbox, each with the statuses of the orders that are in it. ``all`` has no held ones."""

COUNTED_MOST = 100
"""Beyond so many nobody counts: the number stands in every page's navigation."""
ANIMALS_MOST = 200
PAGE = 25


class Sought(NamedTuple):
    """What is looked at: a part of the inbox, narrowed down."""

    box: str = "waiting"
    animal_id: int | None = None
    words: str = ""
    oldest_first: bool = False
    after: int | None = None
    """The ``Entry.position`` of the last one of the page before."""


class Pet(NamedTuple):
    """An animal as an entry shows it."""

    id: int
    name: str
    category_id: int
    status: str
    digest: str | None
    width: int | None
    height: int | None
    blur: str | None


class Entry(NamedTuple):
    ref: Ref
    position: int
    application: Application | None
    state: str
    """As ``Case.state``."""
    at: datetime
    """When it came."""
    pets: list[Pet]
    others: int
    """How many more have applied for one of these animals and are not decided."""


class Page(NamedTuple):
    entries: list[Entry]
    next: int | None
    """``Sought.after`` of the next page."""


def waiting(project_id: int) -> int:
    """How many applications wait to be decided, ``COUNTED_MOST`` at most."""
    with reading() as session:
        return counted(session, project_id, "waiting")


def counts(project_id: int) -> dict[str, int]:
    """How many there are in the parts of the inbox that wait for somebody, ``COUNTED_MOST`` at most each."""
    with reading() as session:
        return {box: counted(session, project_id, box) for box in ("waiting", "approved", "held")}


def counted(session: Session, project_id: int, box: str) -> int:
    if box == "held":
        found = select(Application.id).where(held(project_id))
    else:
        case = func.coalesce(Order.application_id, -Order.id)
        of_box = and_(Order.project_id == project_id, Order.status.in_(BOXES[box]))
        found = select(case).where(of_box).distinct()
    return session.scalar(select(func.count()).select_from(found.limit(COUNTED_MOST).subquery())) or 0


def held(project_id: int) -> ColumnElement[bool]:
    return and_(Application.project_id == project_id, Application.held_for != "")


def page_of(project_id: int, sought: Sought, limit: int = PAGE) -> Page:
    """A page of a part of the inbox, ``limit`` entries at most."""
    with reading() as session:
        rows = session.execute(query_of(project_id, sought).limit(limit + 1)).all()
        entries = entries_of(
            session, project_id, [(order, application) for order, application in rows[:limit]]
        )
    return Page(entries, entries[-1].position if len(rows) > limit else None)


def query_of(project_id: int, sought: Sought) -> Select[Order | None, Application | None]:
    if sought.box == "held":
        # No order is there yet: the outer join stands for none.
        found = select(Order, Application).select_from(Application)
        found = found.outerjoin(Order, Order.application_id == Application.id).where(held(project_id))
        position: ColumnElement[int] = Application.id  # type: ignore[assignment]
        of_animal = Application.animal_id == sought.animal_id
    else:
        found = leading(project_id, BOXES[sought.box])
        position = Order.id  # type: ignore[assignment]
        of_animal = or_(Order.animal_id == sought.animal_id, with_animal(sought.animal_id))
    if sought.animal_id is not None:
        found = found.where(of_animal)
    for word in folded(sought.words).split():
        found = found.where(Application.found_by.contains(word, autoescape=True))
    if sought.after is not None:
        found = found.where(position > sought.after if sought.oldest_first else position < sought.after)
    return found.order_by(position if sought.oldest_first else position.desc())


def leading(project_id: int, statuses: Sequence[str]) -> Select[Order, Application]:
    """One order of each case, its first, with its application."""
    before = aliased(Order)
    is_first = ~exists().where(before.application_id == Order.application_id, before.id < Order.id)
    found = select(Order, Application).outerjoin(Application, Application.id == Order.application_id)
    found = found.where(Order.project_id == project_id, is_first)
    return found.where(Order.status.in_(statuses)) if statuses else found


def with_animal(animal_id: int | None) -> ColumnElement[bool]:
    same = aliased(Order)
    return exists().where(same.application_id == Order.application_id, same.animal_id == animal_id)


def entries_of(
    session: Session, project_id: int, rows: Sequence[tuple[Order | None, Application | None]]
) -> list[Entry]:
    """The entries, with what is on them read for all at once."""
    ids = [application.id for _, application in rows if application]
    together: dict[int, list[Order]] = {}
    for each in session.scalars(select(Order).where(Order.application_id.in_(ids)).order_by(Order.id)):
        together.setdefault(each.application_id or 0, []).append(each)
    animals = {each.animal_id for orders in together.values() for each in orders}
    animals |= {order.animal_id for order, _ in rows if order}
    animals |= {application.animal_id for order, application in rows if application}
    pets = pets_of(session, project_id, animals)
    asked = asked_for(session, project_id, animals)
    entries = []
    for order, application in rows:
        orders = together.get(application.id, []) if application else [order] if order else []
        entries.append(entry(order, application, orders, pets, asked))
    return entries


def entry(
    order: Order | None,
    application: Application | None,
    orders: Sequence[Order],
    pets: dict[int, Pet],
    asked: dict[int, set[Ref]],
) -> Entry:
    ref = Ref(application.id) if application else Ref(None, order.id if order else 0)
    ids = [each.animal_id for each in orders] or [application.animal_id if application else 0]
    first = application.animal_id if application else 0
    ids.sort(key=lambda id_: (id_ != first, id_))
    others = set[Ref]().union(*(asked.get(id_, set()) for id_ in ids)) - {ref}
    came = order or application
    assert came is not None, "a row holds one of them"  # noqa: S101
    state = Case(ref, application, orders, ()).state
    own = [pets[id_] for id_ in ids if id_ in pets]
    return Entry(ref, came.id, application, state, came.created_at, own, len(others))


def pets_of(session: Session, project_id: int, ids: set[int]) -> dict[int, Pet]:
    cover = and_(Photo.animal_id == Animal.id, Photo.position == 0)
    rows = session.execute(
        select(
            Animal.id,
            Animal.name,
            Animal.category_id,
            Animal.status,
            Photo.digest,
            Photo.width,
            Photo.height,
            Photo.blur,
        )
        .outerjoin(Photo, cover)
        .where(Animal.project_id == project_id, Animal.id.in_(ids))
    )
    return {row.id: Pet._make(row) for row in rows}


def asked_for(session: Session, project_id: int, ids: set[int]) -> dict[int, set[Ref]]:
    """The open cases of each of these animals."""
    rows = session.execute(
        select(Order.animal_id, Order.application_id, Order.id)
        .where(Order.project_id == project_id, Order.animal_id.in_(ids), Order.status.in_(OPEN))
        .order_by(Order.id)
    )
    found: dict[int, set[Ref]] = {}
    for animal_id, application_id, order_id in rows:
        ref = Ref(None, order_id) if application_id is None else Ref(application_id)
        found.setdefault(animal_id, set()).add(ref)
    return found


def animals_asked_for(project_id: int, chosen: int | None) -> list[tuple[int, str]]:
    """The animals that somebody waits for, by name, ``ANIMALS_MOST`` at most; ``chosen`` is among them."""
    wanted = select(Order.animal_id).where(Order.project_id == project_id, Order.status.in_(OPEN))
    with reading() as session:
        rows = session.execute(
            select(Animal.id, Animal.name)
            .where(Animal.project_id == project_id)
            .where(or_(Animal.id.in_(wanted), Animal.id == chosen))
            .order_by((Animal.id != chosen) if chosen else Animal.name, Animal.name, Animal.id)
            .limit(ANIMALS_MOST)
        )
        return sorted(((row.id, row.name) for row in rows), key=lambda row: row[1].casefold())
