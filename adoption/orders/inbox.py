"""The staff's inbox: pages of applications, and counts."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session

from adoption.accounts.models import Member, User
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.orders.application_states import OPEN, held_clause
from adoption.orders.applications_with_orders import Case, Ref
from adoption.orders.inbox_filters import BOXES, InboxFilter, position_in, select_entries
from adoption.orders.models import Application, Assignment, Order
from adoption.storage.database import reading

COUNTED_MOST = 1_000
"""The highest count that the navigation shows."""
PAGE = 25

InboxRow = tuple[Order | None, Application | None]
"""The first order of a case, and its application."""


class InboxAnimal(NamedTuple):
    id: int
    name: str
    category_id: int
    status: str
    digest: str | None
    width: int | None
    height: int | None
    blur: str | None


class InboxEntry(NamedTuple):
    ref: Ref
    position: int
    application: Application | None
    state: str
    """The state, as in ``Case.state``."""
    at: datetime
    """The time when the application was received."""
    pets: list[InboxAnimal]
    others: int
    """The number of other open applications for the animals of this application."""
    assignee: str
    """The name of the member who handles the application; empty if no one does."""


class InboxPage(NamedTuple):
    entries: list[InboxEntry]
    next: int | None
    """The value of ``InboxFilter.after`` for the next page; None on the last page."""
    previous: int | None
    """The value of ``InboxFilter.before`` for the previous page; None on the first page."""
    total: int
    """The number of entries on all pages."""
    first: int
    """The position of the page's first entry among the entries of all pages, counted from 1."""


class ListNeighbours(NamedTuple):
    """The applications before and after an application in a list."""

    previous: Ref | None
    next: Ref | None
    number: int | None
    """The application's position in the list, counted from 1; None if the list no longer has the
    application."""
    total: int


class InboxCounts(NamedTuple):
    """The counts in the navigation, each at most ``COUNTED_MOST``."""

    to_review: int
    held: int


def count_for_navigation(project_id: int) -> InboxCounts:
    with reading() as session:
        return InboxCounts(
            count_box(session, project_id, "waiting", COUNTED_MOST),
            count_box(session, project_id, "held", COUNTED_MOST),
        )


def count_boxes(project_id: int) -> dict[str, int]:
    """Return the number of undecided applications in each part of the inbox."""
    with reading() as session:
        return {box: count_box(session, project_id, box) for box in ("waiting", "approved", "held")}


def count_box(session: Session, project_id: int, box: str, most: int | None = None) -> int:
    if box == "held":
        found = select(Application.id).where(held_clause(project_id))
    else:
        case = func.coalesce(Order.application_id, -Order.id)
        of_box = and_(Order.project_id == project_id, Order.status.in_(BOXES[box]))
        found = select(case).where(of_box).distinct()
    return session.scalar(select(func.count()).select_from(found.limit(most).subquery())) or 0


def inbox_page(project_id: int, filters: InboxFilter) -> InboxPage:
    """Return a page of the inbox with at most ``PAGE`` entries."""
    with reading() as session:
        found, position = select_entries(session, project_id, filters), position_in(filters)
        total = count_entries(session, found)
        backwards = filters.before is not None
        falling = filters.oldest_first == backwards
        cursor = filters.before if backwards else filters.after
        page = found if cursor is None else found.where(position < cursor if falling else position > cursor)
        rows = session.execute(page.order_by(position.desc() if falling else position).limit(PAGE + 1)).all()
        kept = [(order, application) for order, application in rows[:PAGE]][:: -1 if backwards else 1]
        entries = inbox_entries(session, project_id, kept)
        if not entries:
            return InboxPage([], None, None, total, 0)
        first, last = entries[0].position, entries[-1].position
        ahead = position < first if filters.oldest_first else position > first
        number = count_entries(session, found.where(ahead)) + 1 if cursor is not None else 1
    following = last if number + len(entries) <= total else None
    return InboxPage(entries, following, first if number > 1 else None, total, number)


def count_entries(session: Session, found: Select[Order | None, Application | None]) -> int:
    return session.scalar(select(func.count()).select_from(found.with_only_columns(1).subquery())) or 0


def find_neighbours(project_id: int, filters: InboxFilter, ref: Ref) -> ListNeighbours | None:
    """Return the neighbours of an application in a list; None if the project has no such application."""
    with reading() as session:
        if filters.box == "held":
            own_id = ref.application_id
        else:
            own = Order.id == ref.order_id if ref.order_id else Order.application_id == ref.application_id
            own_id = session.scalar(select(func.min(Order.id)).where(Order.project_id == project_id, own))
        if own_id is None:
            return None
        found, position = select_entries(session, project_id, filters), position_in(filters)
        older = session.execute(found.where(position < own_id).order_by(position.desc()).limit(1)).first()
        newer = session.execute(found.where(position > own_id).order_by(position).limit(1)).first()
        ends = (older, newer) if filters.oldest_first else (newer, older)
        previous, following = (ref_of_row(*row) if row else None for row in ends)
        ahead = position <= own_id if filters.oldest_first else position >= own_id
        is_listed = count_entries(session, found.where(position == own_id)) > 0
        number = count_entries(session, found.where(ahead)) if is_listed else None
        return ListNeighbours(previous, following, number, count_entries(session, found))


def ref_of_row(order: Order | None, application: Application | None) -> Ref:
    return Ref(application.id) if application else Ref(None, order.id if order else 0)


def inbox_entries(session: Session, project_id: int, rows: Sequence[InboxRow]) -> list[InboxEntry]:
    """Return the entries for these rows. The further data of all entries is loaded together."""
    ids = [application.id for _, application in rows if application]
    together: dict[int, list[Order]] = {}
    for each in session.scalars(select(Order).where(Order.application_id.in_(ids)).order_by(Order.id)):
        together.setdefault(each.application_id or 0, []).append(each)
    animals = {each.animal_id for orders in together.values() for each in orders}
    animals |= {order.animal_id for order, _ in rows if order}
    animals |= {application.animal_id for order, application in rows if application}
    pets = inbox_animals(session, project_id, animals)
    open_refs = open_refs_by_animal(session, project_id, animals)
    names = load_assignees(session, [order.id for order, _ in rows if order])
    entries = []
    for order, application in rows:
        orders = together.get(application.id, []) if application else [order] if order else []
        name = names.get(order.id, "") if order else ""
        entries.append(build_entry(order, application, orders, pets, open_refs)._replace(assignee=name))
    return entries


def build_entry(
    order: Order | None,
    application: Application | None,
    orders: Sequence[Order],
    pets: dict[int, InboxAnimal],
    open_refs: dict[int, set[Ref]],
) -> InboxEntry:
    ref = ref_of_row(order, application)
    ids = [each.animal_id for each in orders] or [application.animal_id if application else 0]
    first = application.animal_id if application else 0
    ids.sort(key=lambda id_: (id_ != first, id_))
    others = set[Ref]().union(*(open_refs.get(id_, set()) for id_ in ids)) - {ref}
    row = order or application
    assert row is not None, "a row has one of them"  # noqa: S101
    state = Case(ref, application, orders, ()).state
    own = [pets[id_] for id_ in ids if id_ in pets]
    return InboxEntry(ref, row.id, application, state, row.created_at, own, len(others), "")


def load_assignees(session: Session, order_ids: Sequence[int]) -> dict[int, str]:
    """Return the names of the members who handle these orders, by order id."""
    found = (
        select(Assignment.order_id, User)
        .join(Member, Member.id == Assignment.member_id)
        .join(User, User.id == Member.user_id)
        .where(Assignment.order_id.in_(order_ids))
    )
    return {order_id: user.display_name for order_id, user in session.execute(found)}


def inbox_animals(session: Session, project_id: int, ids: set[int]) -> dict[int, InboxAnimal]:
    cover: ColumnElement[bool] = and_(Photo.animal_id == Animal.id, Photo.position == 0)
    of_animal = (Animal.id, Animal.name, Animal.category_id, Animal.status)
    rows = session.execute(
        select(*of_animal, Photo.digest, Photo.width, Photo.height, Photo.blur)
        .outerjoin(Photo, cover)
        .where(Animal.project_id == project_id, Animal.id.in_(ids))
    )
    return {row.id: InboxAnimal._make(row) for row in rows}


def open_refs_by_animal(session: Session, project_id: int, ids: set[int]) -> dict[int, set[Ref]]:
    """Return the refs of the open cases, by animal id."""
    rows = session.execute(
        select(Order.animal_id, Order.application_id, Order.id)
        .where(Order.project_id == project_id, Order.animal_id.in_(ids), Order.status.in_(OPEN))
        .order_by(Order.id)
    )
    found: dict[int, set[Ref]] = {}
    for animal_id, application_id, order_id in rows:
        found.setdefault(animal_id, set()).add(Ref.of_order(application_id, order_id))
    return found
