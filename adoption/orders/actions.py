"""Applications and the orders that they stand for: made, withdrawn, let through."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from flask import current_app
from sqlalchemy import Row, and_, func, or_, select
from sqlalchemy.orm import Session

from adoption import jobs
from adoption.animals.models import SHOWN, Animal
from adoption.database import reading, transaction
from adoption.errors import Conflict, NotFound
from adoption.mail import outbox
from adoption.orders import letters
from adoption.orders.fields import Answers
from adoption.orders.letters import Places
from adoption.orders.models import Application, Order
from adoption.orders.queries import OPEN, application_by, names_of, shelter_of, standing
from adoption.orders.secrets import hash_of, submission_of, token_of
from adoption.orders.spam import Counter, Signs, why_held

Asked = Row[int, str, int, str]
"""An animal that is applied for: id, name, project_id, status."""


class Applied(NamedTuple):
    """How an application was taken."""

    token: str | None
    """Of the private link; None where this address had applied before, and the link is in that mail alone."""
    names: list[str]
    """Of the animals that it is for."""


def apply(
    animal_id: int,
    answers: Answers,
    form: str,
    signs: Signs,
    places: Places,
    project_id: int | None = None,
    now: datetime | None = None,
) -> Applied:
    """Apply for an animal that the public sees, of ``project_id`` where one is given, and for its bond.

    The same ``form`` from the same email address is one open application however often it comes. An address
    that has an open or held application for the animal makes no second one. What looks like spam is held.
    Raises NotFound, and Conflict where the animal has been adopted.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        known, _ = sent_before(session, form, answers.email)
        if known is not None:
            return repeated(session, known)
    counter = Counter(current_app.extensions["homeward.quotas"], key())
    held_for = why_held(answers, signs, counter, now.timestamp())
    with transaction() as session:
        animals = applied_for(session, animal_id, project_id)
        # Those who apply for an animal take turns from here on, so what another request has done is there.
        known, submission = sent_before(session, form, answers.email)
        if known is not None:
            return repeated(session, known)
        names = [animal.name for animal in animals]
        if has_applied(session, animal_id, answers.email) or is_held(session, animals, answers.email):
            return Applied(None, names)
        application = written(animals[0], answers, submission, held_for, now)
        session.add(application)
        session.flush()
        if not held_for:
            place(session, application, animals, places, now)
    jobs.start("send_letters")
    return Applied(token_of(submission, key()), names)


def written(animal: Asked, answers: Answers, submission: str, held_for: str, now: datetime) -> Application:
    return Application(
        project_id=animal.project_id,
        animal_id=animal.id,
        **answers._asdict() | {"household": " ".join(answers.household)},
        token_hash=hash_of(token_of(submission, key())),
        submission=submission,
        held_for=held_for,
        created_at=now,
    )


def applied_for(session: Session, animal_id: int, project_id: int | None) -> list[Asked]:
    """The animal and, of those it is bonded with, all that are still to be had.

    Until the transaction ends nobody else applies for them or changes them. Raises NotFound and Conflict.
    """
    shown = SHOWN
    if project_id is not None:
        shown = and_(shown, Animal.project_id == project_id)
    bond = select(Animal.bond_id, Animal.project_id).where(Animal.id == animal_id).subquery()
    bonded = and_(Animal.bond_id == bond.c.bond_id, Animal.project_id == bond.c.project_id)
    animals = session.execute(
        select(Animal.id, Animal.name, Animal.project_id, Animal.status)
        .join(bond, or_(Animal.id == animal_id, bonded))
        .where(shown)
        .order_by(Animal.id)
        .with_for_update(of=Animal, key_share=True)
    ).all()
    asked = [animal for animal in animals if animal.id == animal_id]
    if not asked:
        raise NotFound("There is no such animal here.")
    if asked[0].status == "sold":
        raise adopted(asked[0].name)
    return [*asked, *(each for each in animals if each.id != animal_id and each.status != "sold")]


def adopted(name: str) -> Conflict:
    return Conflict(f"{name} has found a home, so nobody can apply any more.")


REUSED_MOST = 10
"""Applications of one form, each withdrawn before the next: a browser's kept page, and not a program."""


def sent_before(session: Session, form: str, email: str) -> tuple[Application | None, str]:
    """The open application that this form has made, or None and the name of the submission that it is now.

    Browsers show a kept page again, and so the same form: one whose application is over counts anew. Raises
    Conflict for one that was used too often.
    """
    submission = submission_of(form, email)
    for _ in range(REUSED_MOST):
        known = session.scalar(select(Application).where(Application.submission == submission))
        if known is None:
            return None, submission
        orders = session.scalars(select(Order).where(Order.application_id == known.id)).all()
        if standing(known, orders)[0] in OPEN:
            return known, submission
        submission = submission_of(submission, email)
    raise Conflict("This form has been used too often. Open the page anew, then apply again.")


def repeated(session: Session, application: Application) -> Applied:
    ordered = session.scalars(select(Order.animal_id).where(Order.application_id == application.id))
    ids = {application.animal_id, *ordered}
    return Applied(token_of(application.submission, key()), names_of(session, application.animal_id, ids))


def has_applied(session: Session, animal_id: int, email: str) -> bool:
    """Whether somebody with this address has an application for the animal that is not decided."""
    earlier = (
        select(Order.id)
        .join(Application, Application.id == Order.application_id)
        .where(Order.animal_id == animal_id, Order.status.in_(OPEN))
        .where(func.lower(Application.email) == email.lower())
    )
    return session.scalar(earlier.limit(1)) is not None


def is_held(session: Session, animals: Sequence[Asked], email: str) -> bool:
    """Whether an application from this address, for one of the animals, waits for the staff."""
    earlier = (
        select(Application.id)
        .where(Application.animal_id.in_([animal.id for animal in animals]), Application.held_for != "")
        .where(func.lower(Application.email) == email.lower())
    )
    return session.scalar(earlier.limit(1)) is not None


def place(
    session: Session, application: Application, animals: Sequence[Asked], places: Places, now: datetime
) -> None:
    """Make an order for each animal, and write to both sides."""
    whole = {"project_id": application.project_id, "application_id": application.id, "status": "placed"}
    for animal in animals:
        session.add(Order(**whole, animal_id=animal.id, created_at=now, updated_at=now))
    names = [animal.name for animal in animals]
    shelter = shelter_of(session, application.project_id)
    link = f"{places.applications}{token_of(application.submission, key())}"
    told = letters.confirmation(names, shelter.name, bool(shelter.contact_email), link)
    outbox.write(session, application.email, *told, reply_to=shelter.contact_email, now=now)
    tell_shelter(session, application, letters.news(application, names, places.animal), now)


def tell_shelter(session: Session, application: Application, told: tuple[str, str], now: datetime) -> None:
    shelter = shelter_of(session, application.project_id)
    if shelter.contact_email:
        outbox.write(session, shelter.contact_email, *told, reply_to=application.email, now=now)


def withdraw(token: str, places: Places, project_id: int | None = None, now: datetime | None = None) -> bool:
    """Take back what is not decided of an application, and tell the shelter; False where nothing was open.

    Raises NotFound.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        application = session.scalar(application_by(token, project_id).with_for_update())
        if application is None:
            raise NotFound("This link leads to no application.")
        orders = session.scalars(
            select(Order).where(Order.application_id == application.id, Order.status.in_(OPEN))
        ).all()
        if not orders and not application.held_for:
            return False
        for order in orders:
            order.status, order.updated_at = "withdrawn", now
        if orders:
            ids = {order.animal_id for order in orders}
            names = names_of(session, application.animal_id, ids)
            tell_shelter(session, application, letters.withdrawal(application, names, places.animal), now)
        application.held_for = ""  # with neither a hold nor an order it reads as withdrawn
    jobs.start("send_letters")
    return True


def release(project_id: int, application_id: int, places: Places, now: datetime | None = None) -> None:
    """Let a held application through, as if it had come now. One that is not held stays as it is.

    Raises NotFound, also where the animal is no longer shown, and Conflict where it has been adopted or the
    same address has an open application for it.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        application = session.scalar(
            select(Application)
            .where(Application.project_id == project_id, Application.id == application_id)
            .with_for_update()
        )
        if application is None:
            raise NotFound("There is no such application.")
        if not application.held_for:
            return
        animals = applied_for(session, application.animal_id, project_id)
        if has_applied(session, application.animal_id, application.email):
            raise Conflict(
                f"{application.name} has applied for {animals[0].name} again, and that one stands."
            )
        application.held_for = ""
        # The service's key may be another than when it came, and nobody has the link yet.
        application.token_hash = hash_of(token_of(application.submission, key()))
        place(session, application, animals, places, now)
    jobs.start("send_letters")


def key() -> str:
    return str(current_app.config["SECRET_KEY"])
