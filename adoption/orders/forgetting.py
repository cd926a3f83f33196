"""What is personal in applications is erased: when its time is over, or when somebody asks."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Select, and_, delete, exists, or_, select
from sqlalchemy.orm import Session

from adoption.database import transaction
from adoption.errors import NotFound
from adoption.mail.models import Letter
from adoption.orders.cases import Ref, taken_up
from adoption.orders.deciding import Desk, close
from adoption.orders.disclosure import of_address, record_for
from adoption.orders.models import Application, ApplicationNote, Order
from adoption.orders.queries import OPEN

AT_ONCE = 200
"""Applications that are erased in one transaction: other writers wait no longer than one of them takes."""


def erase(desk: Desk, email: str, now: datetime | None = None) -> int:
    """Erase everything personal of an applicant; gives in how many applications.

    What is open is withdrawn first, and nobody is written to. Raises NotFound.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        rows = session.execute(of_address(desk.account_id, email)).all()
        if not rows:
            raise NotFound("Nothing is kept of this address.")
        for application, project in sorted(rows, key=lambda row: (row[1].id, row[0].id)):
            case = taken_up(session, project.id, Ref(application.id))
            close(session, case, "withdrawn", desk.by.name, now)
        applications = [application for application, _ in rows]
        forget(session, applications, now)
        record_for(session, desk, "applicant.erased", applications, now)
        return len(rows)


def forget(session: Session, applications: Iterable[Application], now: datetime) -> None:
    """Erase what is personal in applications that are decided: their orders and history stay."""
    ids = []
    for application in applications:
        application.name = application.email = application.phone = ""
        application.home = application.household = application.why = application.held_for = ""
        application.forgotten_at = now
        ids.append(application.id)
    session.execute(delete(ApplicationNote).where(ApplicationNote.application_id.in_(ids)))
    session.execute(delete(Letter).where(Letter.application_id.in_(ids)))


def purge(keep: timedelta, now: datetime | None = None) -> int:
    """Erase what is personal in applications that were decided ``keep`` ago or earlier; gives how many.

    One that has been held for so long has been decided too: nobody is going to let it through.
    """
    now = now or datetime.now(UTC)
    erased = 0
    while some := purge_some(now - keep, now):
        erased += some
    return erased


def purge_some(before: datetime, now: datetime) -> int:
    with transaction() as session:
        due = session.scalars(due_before(before).limit(AT_ONCE).with_for_update(skip_locked=True)).all()
        forget(session, due, now)
        return len(due)


def due_before(before: datetime) -> Select[Application]:
    own = Order.application_id == Application.id
    goes_on = exists().where(own, or_(Order.status.in_(OPEN), Order.updated_at > before))
    old = and_(Application.forgotten_at.is_(None), Application.created_at <= before)
    return select(Application).where(old, ~goes_on).order_by(Application.id)
