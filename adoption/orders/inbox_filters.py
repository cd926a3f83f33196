"""The parts and filters of the inbox."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, exists, or_, select
from sqlalchemy.orm import Session, aliased

from adoption.orders.animals_with_applications import list_animals, match_animals
from adoption.orders.application_states import held_clause
from adoption.orders.models import Application, Assignment, Order
from adoption.search_words import fold_text

BOXES = {
    "waiting": ("placed",),
    "approved": ("approved",),
    "decided": ("completed", "declined", "withdrawn"),
    "all": (),
    "held": (),
}
"""The parts of the inbox, with the statuses of their orders. ``all`` does not include held applications."""

UNASSIGNED = 0
"""The value of ``InboxFilter.assignee`` for applications without an assignee."""


class InboxFilter(NamedTuple):
    """The part of the inbox to show, and the filters."""

    box: str = "waiting"
    animal_id: int | None = None
    words: str = ""
    """Words for the search. Each word must be in the applicant's name or email address, or in an animal's
    name or code."""
    oldest_first: bool = False
    after: int | None = None
    """The value of ``InboxEntry.position`` for the last entry of the previous page."""
    before: int | None = None
    """The value of ``InboxEntry.position`` for the first entry of the next page."""
    pet: str = ""
    """A part of an animal's name or code."""
    assignee: int | None = None
    """The id of the assigned member, or ``UNASSIGNED``."""


def select_entries(
    session: Session, project_id: int, filters: InboxFilter
) -> Select[Order | None, Application | None]:
    """Return a query for all entries, unsorted.

    An entry is the first order of a case, with its application.
    """
    if filters.box == "held":
        # A held application has no order yet, so the outer join yields None as its order.
        found = select(Order, Application).select_from(Application)
        found = found.outerjoin(Order, Order.application_id == Application.id).where(held_clause(project_id))
    else:
        found = first_orders(project_id, BOXES[filters.box])
        if filters.assignee is not None:
            found = found.where(assigned_to_clause(filters.assignee))
    if filters.animal_id is not None:
        found = found.where(for_animals_clause(filters.box, [filters.animal_id]))
    words = fold_text(filters.words).split()
    animals = list_animals(session, project_id) if words or filters.pet else []
    if filters.pet:
        found = found.where(
            for_animals_clause(filters.box, [each.id for each in match_animals(animals, filters.pet)])
        )
    for word in words:
        of_name = for_animals_clause(filters.box, [each.id for each in animals if word in each.found_by])
        found = found.where(or_(Application.found_by.contains(word, autoescape=True), of_name))
    return found


def position_in(filters: InboxFilter) -> ColumnElement[int]:
    """Return the column for sorting the entries."""
    return Application.id if filters.box == "held" else Order.id  # type: ignore[return-value]


def first_orders(project_id: int, statuses: Sequence[str]) -> Select[Order, Application]:
    """Return a query for the first order of each case, with the case's application."""
    before = aliased(Order)
    is_first = ~exists().where(before.application_id == Order.application_id, before.id < Order.id)
    found = select(Order, Application).outerjoin(Application, Application.id == Order.application_id)
    found = found.where(Order.project_id == project_id, is_first)
    return found.where(Order.status.in_(statuses)) if statuses else found


def assigned_to_clause(member_id: int) -> ColumnElement[bool]:
    own = exists().where(Assignment.order_id == Order.id)
    return ~own if member_id == UNASSIGNED else own.where(Assignment.member_id == member_id)


def for_animals_clause(box: str, ids: Sequence[int]) -> ColumnElement[bool]:
    # The ids are part of the SQL text, because databases limit the number of parameters.
    among: BindParameter[list[int]] = bindparam(None, list(ids), expanding=True, literal_execute=True)
    if box == "held":
        return Application.animal_id.in_(among)
    same = aliased(Order)
    of_case = exists().where(same.application_id == Order.application_id, same.animal_id.in_(among))
    return or_(Order.animal_id.in_(among), of_case)
