"""Submission of applications."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from adoption.accounts.email_throttles import account_of_project, use_address_allowance
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.errors import Conflict, NotFound
from adoption.orders import email_templates
from adoption.orders.email_delivery import case_link, email_applicant, email_shelter
from adoption.orders.history import record_step
from adoption.orders.models import APPLICANT, Application, Order
from adoption.orders.private_link_tokens import emailed_link, own_token, token_of
from adoption.orders.private_page import names_of_animals
from adoption.orders.repeated_applications import AnimalRow, find_sent_before, hold_repeat
from adoption.orders.shelter_contacts import shelter_contact
from adoption.orders.spam_detection import SpamSigns, why_held
from adoption.orders.validation import Answers
from adoption.storage.database import reading, transaction
from adoption.token_hashes import hash_token
from adoption.translations import gettext, message


class SubmittedApplication(NamedTuple):
    token: str
    """The token of the private link."""
    names: list[str]
    """The names of the animals."""
    held: bool
    """Whether the application is held as spam. In that case, no one was emailed."""
    emailed: bool
    """Whether the applicant was emailed about the application."""


def submit_application(
    animal_id: int,
    answers: Answers,
    form: str,
    signs: SpamSigns,
    project_id: int | None = None,
    now: datetime | None = None,
) -> SubmittedApplication:
    """Apply for a public animal and the animals bonded with it.

    If ``project_id`` is given, the animal has to be of that project. The same ``form`` from the same email
    address is one open application, however often the form is sent.

    An application that looks like spam is held. An application from an address with an open or held
    application for the animal is held too. The sender of such an application gets the same response as for a
    first application, because the sender may have guessed the address.

    Raises NotFound if the animal is not public, and Conflict if the animal was adopted.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        if (sent := find_sent_before(session, form, answers.email)).application:
            return repeated_result(session, sent.application)
    held_for = why_held(answers, signs, now.timestamp())
    with transaction() as session:
        animals = lock_animals_applied_for(session, animal_id, project_id)
        # The animals are now locked, so the results of concurrent requests are visible.
        if (sent := find_sent_before(session, form, answers.email)).application:
            return repeated_result(session, sent.application)
        held_for = held_for or why_not_emailed(session, animals[0], answers.email, now)
        application = build_application(animals[0], answers, sent.submission, held_for, now)
        return add_application(session, application, animals, now)


def repeated_result(session: Session, application: Application) -> SubmittedApplication:
    ordered = session.scalars(select(Order.animal_id).where(Order.application_id == application.id))
    names = names_of_animals(session, application.animal_id, {application.animal_id, *ordered})
    held = application.is_held_as_spam
    return SubmittedApplication(own_token(application), names, held, emailed=not held)


def why_not_emailed(session: Session, animal: AnimalRow, email: str, now: datetime) -> str:
    """Count an email to the applicant. Return the reason if the email is not allowed today; otherwise "".

    Above the account's limit, the answer is the same for every address. The sender of an application must not
    learn whether the address has applied here before.
    """
    counted = use_address_allowance(account_of_project(session, animal.project_id), email, now)
    return gettext(OVER_LIMIT, number=counted.most) if counted.is_full else ""


OVER_LIMIT = message(
    "%(number)s new addresses have been emailed today, which is the daily limit. Select “Not spam” tomorrow."
)


def build_application(
    animal: AnimalRow, answers: Answers, submission: str, held_for: str, now: datetime
) -> Application:
    return Application(
        project_id=animal.project_id,
        animal_id=animal.id,
        **answers._asdict()
        | {
            "household": " ".join(answers.household),
            "asked": " ".join(answers.asked),
            "own_answers": json.dumps(answers.own_answers, ensure_ascii=False),
        },
        token_hash=hash_token(token_of(submission)),
        submission=submission,
        held_for=held_for,
        created_at=now,
    )


def add_application(
    session: Session, application: Application, animals: Sequence[AnimalRow], now: datetime
) -> SubmittedApplication:
    """Store an application. If it is not held, place its orders and send the emails."""
    names = [animal.name for animal in animals]
    emailed = not application.held_for and hold_repeat(session, application, animals, now)
    session.add(application)
    session.flush()
    if not application.held_for:
        place_orders(session, application, animals, now)
        emailed = True
    return SubmittedApplication(own_token(application), names, application.is_held_as_spam, emailed)


def lock_animals_applied_for(session: Session, animal_id: int, project_id: int | None) -> list[AnimalRow]:
    """Lock and return the animal, and the animals bonded with it that were not adopted.

    Until the end of the transaction, no one else can change the animals or apply for the animals. Raises
    NotFound if the animal is not public, and Conflict if the animal was adopted.
    """
    shown = SHOWN_CLAUSE
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
    first = next((animal for animal in animals if animal.id == animal_id), None)
    if first is None:
        raise NotFound(gettext("There is no such animal here."))
    if first.status == "sold":
        raise already_adopted(first.name)
    return [first, *(each for each in animals if each.id != animal_id and each.status != "sold")]


def already_adopted(name: str) -> Conflict:
    return Conflict(gettext("%(name)s has found a home, so no one else can apply.", name=name))


def place_orders(
    session: Session,
    application: Application,
    animals: Sequence[AnimalRow],
    now: datetime,
    by: str = APPLICANT,
) -> None:
    """Create an order for each animal, and email the applicant and the shelter."""
    orders = [
        Order(
            project_id=application.project_id,
            animal_id=animal.id,
            application_id=application.id,
            status="placed",
            created_at=now,
            updated_at=now,
        )
        for animal in animals
    ]
    session.add_all(orders)
    session.flush()
    record_step(session, orders, "placed", by, now)
    names = [animal.name for animal in animals]
    shelter = shelter_contact(session, application.project_id)
    confirmation = email_templates.application_confirmation(names, shelter, emailed_link(application))
    email_applicant(session, shelter, application, confirmation, now)
    link = case_link(session, application)
    news = email_templates.application_received(application, names, link)
    email_shelter(session, application, news, email_templates.news_without_details(link), now)
