"""Rival applications: the other applications for the animals of an application."""

import hashlib
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from adoption.errors import Conflict
from adoption.orders.application_states import OPEN
from adoption.orders.applications_with_orders import Case, Ref, find_case
from adoption.orders.models import Application, Order
from adoption.text_joining import join_names
from adoption.translations import gettext


class OtherApplicant(NamedTuple):
    ref: Ref
    name: str
    """The applicant's name; empty if it is unknown."""
    email: str
    is_confirmed: bool
    """Whether the applicant has confirmed the email address."""


class OtherApplicants(NamedTuple):
    """The open applications of other people for the same animals, earliest first."""

    found: list[OtherApplicant]

    @property
    def emailed(self) -> list[OtherApplicant]:
        """The applicants who have an email address."""
        return [each for each in self.found if each.email]

    @property
    def fingerprint(self) -> str:
        """A text that changes whenever the other applicants change; empty without other applicants."""
        refs = " ".join(str(each.ref) for each in self.found)
        return hashlib.sha256(refs.encode()).hexdigest()[:16] if refs else ""


class OtherApplicantsChanged(Conflict):
    """The other applicants have changed since the page was loaded."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Nothing was changed: the other applicants have changed since you opened this page. "
                "Check them below, then decide."
            )
        )


def find_other_applicants(session: Session, project_id: int, case: Case) -> OtherApplicants:
    """Return all other applicants for the animals of a case."""
    sibling = aliased(Order)
    is_completed = select(sibling.id).where(
        sibling.application_id == Order.application_id, sibling.status == "completed"
    )
    rows = session.execute(
        select(Order.application_id, Order.id, Application.name, Application.email, Application.confirmed_at)
        .outerjoin(Application, Application.id == Order.application_id)
        .where(Order.project_id == project_id, Order.status.in_(OPEN), ~is_completed.exists())
        .where(Order.animal_id.in_([animal.id for animal in case.animals]))
        .where(Order.id.not_in([order.id for order in case.orders]))
        .order_by(Order.id)
    )
    found: dict[Ref, OtherApplicant] = {}
    for application_id, order_id, name, email, confirmed_at in rows:
        ref = Ref.of_order(application_id, order_id)
        if ref != case.ref:
            found.setdefault(ref, OtherApplicant(ref, name or "", email or "", confirmed_at is not None))
    return OtherApplicants(list(found.values()))


class RivalCase(NamedTuple):
    """An approved or completed application that is for some of the same animals."""

    ref: Ref
    who: str
    """The applicant's name; empty if it is unknown."""
    names: list[str]
    """The names of the animals that both applications are for."""
    at: datetime
    """The time when the application was approved or completed."""

    def __str__(self) -> str:
        animals = join_names(self.names)
        if not self.who:
            return gettext("Another applicant is already approved for %(animals)s", animals=animals)
        return gettext("%(name)s is already approved for %(animals)s", name=self.who, animals=animals)


def find_rivals(session: Session, project_id: int, case: Case, state: str = "approved") -> list[RivalCase]:
    """Return the other applications in this state for an animal of ``case``, earliest first."""
    rows = session.execute(
        select(Order.application_id, Order.id)
        .where(Order.project_id == project_id, Order.status == state)
        .where(Order.animal_id.in_([animal.id for animal in case.animals]))
        .where(Order.id.not_in([order.id for order in case.orders]))
        .order_by(Order.id)
    )
    found = []
    for ref in dict.fromkeys(Ref.of_order(*row) for row in rows):
        if ref == case.ref:
            continue
        rival = find_case(session, project_id, ref)
        if rival.state != state or rival.closed_at is None:
            continue
        shared = {animal.id for animal in rival.animals}
        names = [animal.name for animal in case.animals if animal.id in shared]
        found.append(RivalCase(ref, rival.applicant, names, rival.closed_at))
    return found
