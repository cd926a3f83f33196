"""The other applicants for an application's animals. Completing the application closes theirs."""

import hashlib
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from adoption.errors import Conflict
from adoption.orders.application_cases import Case, Ref
from adoption.orders.models import Application, Order
from adoption.orders.queries import OPEN
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
        """A text that changes whenever the other applicants change; empty if there are none."""
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
