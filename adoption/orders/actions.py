"""Submitting and withdrawing applications."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Row, and_, func, or_, select
from sqlalchemy.orm import Session

from adoption.accounts.new_addresses import account_of_project, count_address
from adoption.accounts.throttles import DAY, Throttle
from adoption.animals.models import SHOWN, Animal
from adoption.errors import Conflict, NotFound
from adoption.orders import email_templates
from adoption.orders.application_cases import Ref, lock_case
from adoption.orders.application_emails import case_link, email_applicant, email_shelter
from adoption.orders.closures import close_case
from adoption.orders.history import record_step
from adoption.orders.link_secrets import emailed_link, own_token, submission_of, token_of
from adoption.orders.models import APPLICANT, Application, Order
from adoption.orders.queries import (
    OPEN,
    UNDECIDED,
    application_state,
    names_of_animals,
    select_application_by_token,
    shelter_contact,
)
from adoption.orders.spam import SpamSigns, why_held
from adoption.orders.validation import Answers
from adoption.projects.models import Project
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.tokens import hash_of

AnimalRow = Row[int, str, int, str]
"""An animal of an application: id, name, project_id, status."""


class Applied(NamedTuple):
    """The result of submitting an application."""

    token: str
    """The token of the private link."""
    names: list[str]
    """The names of its animals."""
    held: bool = False
    """Whether the shelter has to release it first. No one was emailed."""
    emailed: bool = True
    """Whether the applicant was emailed about it."""


def submit_application(
    animal_id: int,
    answers: Answers,
    form: str,
    signs: SpamSigns,
    root: str,
    project_id: int | None = None,
    now: datetime | None = None,
) -> Applied:
    """Apply for a public animal, of ``project_id`` if given, and for the animals bonded with it.

    ``root`` is the whole address of applications, which a token completes to a private link.
    The same ``form`` from the same email address is one open application however often it is sent. An
    application that looks like spam is held. So is a second one from an address with an open or held
    application for the animal; a repeated one is answered like the first, since its sender may have guessed
    the address. Raises NotFound, and Conflict if the animal has been adopted.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        known, _ = find_sent_before(session, form, answers.email)
        if known is not None:
            return repeated_result(session, known)
    held_for = why_held(answers, signs, now.timestamp())
    with transaction() as session:
        animals = lock_animals_applied_for(session, animal_id, project_id)
        # The animals are locked now, so the results of other requests are visible.
        known, submission = find_sent_before(session, form, answers.email)
        if known is not None:
            return repeated_result(session, known)
        names = [animal.name for animal in animals]
        held_for = held_for or why_no_email(session, animals[0], answers.email, now)
        application = build_application(animals[0], answers, submission, held_for, now)
        emailed = False
        if not held_for:
            emailed = hold_repeat(session, application, animals, root, now)
        session.add(application)
        session.flush()
        if not application.held_for:
            place_orders(session, application, animals, root, now)
            emailed = True
        held = bool(application.held_for) and not application.repeats
    queue.start("send_letters")
    return Applied(token_of(submission), names, held, emailed)


def why_no_email(session: Session, animal: AnimalRow, email: str, now: datetime) -> str:
    """Count the address of an applicant. Return why it is not emailed today, or "".

    Once the account's limit is reached this is the same for each address: the sender of an application must
    not learn whether the address has applied here before.
    """
    counted = count_address(account_of_project(session, animal.project_id), email, now)
    return OVER_LIMIT.format(counted.most) if counted.is_full else ""


OVER_LIMIT = "{} new addresses have been emailed today, the most of one day. Release it tomorrow."


def hold_repeat(
    session: Session, application: Application, animals: Sequence[AnimalRow], root: str, now: datetime
) -> bool:
    """Hold an application from an address with an open or held one for the animal.

    The owner of the address is reminded by email, once a day. Return whether that happened now.
    """
    first, email = animals[0], application.email
    open_one = find_open_application(session, first.id, email)
    if open_one is None:
        if has_held_application(session, animals, email):
            application.held_for = "An earlier application from this address is held as well."
        return False
    application.held_for = f"This address has an open application for {first.name} already."
    application.repeats = True
    if not REMINDERS.take(email, now.timestamp()):
        return False
    remind_applicant(session, open_one, [animal.name for animal in animals], root, now)
    return True


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
        token_hash=hash_of(token_of(submission)),
        submission=submission,
        held_for=held_for,
        created_at=now,
    )


def lock_animals_applied_for(session: Session, animal_id: int, project_id: int | None) -> list[AnimalRow]:
    """Lock and return the animal, and the animals bonded with it that are not adopted.

    Until the transaction ends no one else can apply for them or change them. Raises NotFound and Conflict.
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
        raise already_adopted(asked[0].name)
    return [*asked, *(each for each in animals if each.id != animal_id and each.status != "sold")]


def already_adopted(name: str) -> Conflict:
    return Conflict(f"{name} has found a home, so no one else can apply.")


REUSED_MOST = 10
"""How many applications one form may make, each withdrawn before the next. Programs would make more."""


def find_sent_before(session: Session, form: str, email: str) -> tuple[Application | None, str]:
    """Return the open application that this form has made, or None, and the id of the submission.

    Browsers can show a cached page with its form again. If its application is closed, that is a new
    submission. Raises Conflict for a form that was used too often.
    """
    submission = submission_of(form, email)
    for _ in range(REUSED_MOST):
        known = session.scalar(select(Application).where(Application.submission == submission))
        if known is None:
            return None, submission
        orders = session.scalars(select(Order).where(Order.application_id == known.id)).all()
        if application_state(known, orders)[0] in UNDECIDED:
            return known, submission
        submission = submission_of(submission, email)
    raise Conflict("This form has been used too often. Reload the page, then apply again.")


def repeated_result(session: Session, application: Application) -> Applied:
    ordered = session.scalars(select(Order.animal_id).where(Order.application_id == application.id))
    names = names_of_animals(session, application.animal_id, {application.animal_id, *ordered})
    held = bool(application.held_for) and not application.repeats
    return Applied(own_token(application), names, held, emailed=not held)


REMINDERS = Throttle("application-reminders", 1, DAY)


def find_open_application(session: Session, animal_id: int, email: str) -> Application | None:
    """Return the open application for the animal from this address.

    ``sam+dogs@`` and ``sam@`` are two addresses: what a mail host does with the part before the ``@`` is its
    own business (RFC 5321, 2.3.11), and at some hosts they are two people. The staff see both applications.
    """
    asked = (
        select(Application)
        .join(Order, Application.id == Order.application_id)
        .where(Order.animal_id == animal_id, Order.status.in_(OPEN))
        .where(func.lower(Application.email) == email.lower())
    )
    return session.scalar(asked.limit(1))


def remind_applicant(
    session: Session, application: Application, names: list[str], root: str, now: datetime
) -> None:
    """Email an applicant that their earlier application is still open."""
    shelter = shelter_contact(session, application.project_id)
    link = emailed_link(application, root)
    told = email_templates.already_applied(names, shelter.name, bool(shelter.contact_email), link)
    email_applicant(session, shelter, application, told, now)


def has_held_application(session: Session, animals: Sequence[AnimalRow], email: str) -> bool:
    """Return whether an application from this address for one of the animals is held."""
    asked = (
        select(Application.id)
        .where(Application.animal_id.in_([animal.id for animal in animals]), Application.held_for != "")
        .where(func.lower(Application.email) == email.lower())
    )
    return session.scalar(asked.limit(1)) is not None


def place_orders(
    session: Session,
    application: Application,
    animals: Sequence[AnimalRow],
    root: str,
    now: datetime,
    by: str = APPLICANT,
) -> None:
    """Create an order for each animal, and email the applicant and the shelter."""
    whole = {"project_id": application.project_id, "application_id": application.id, "status": "placed"}
    orders = [Order(**whole, animal_id=each.id, created_at=now, updated_at=now) for each in animals]
    session.add_all(orders)
    session.flush()
    record_step(session, orders, "placed", by, now)
    names = [animal.name for animal in animals]
    shelter = shelter_contact(session, application.project_id)
    link = emailed_link(application, root)
    told = email_templates.application_confirmation(names, shelter.name, bool(shelter.contact_email), link)
    email_applicant(session, shelter, application, told, now)
    case = case_link(session, application)
    news = email_templates.application_received(application, names, case)
    email_shelter(session, application, news, email_templates.news_without_details(case), now)


def withdraw_application(token: str, now: datetime | None = None) -> bool:
    """Withdraw an open application and email the shelter. Return False if it was not open.

    Raises NotFound.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        found = session.scalar(select_application_by_token(token))
        if found is None:
            raise NotFound("This link leads to no application.")
        case = lock_case(session, found.project_id, Ref(found.id))
        application = case.application
        if application is None or case.state not in UNDECIDED:
            return False
        close_case(session, case, "withdrawn", APPLICANT, now)
        if case.orders:
            link = case_link(session, application)
            zone = session.get_one(Project, found.project_id).time_zone
            told = email_templates.withdrawal(application, case.names, link, zone)
            without_details = email_templates.withdrawal_without_details(link)
            email_shelter(session, application, told, without_details, now)
            shelter = shelter_contact(session, application.project_id)
            receipt = email_templates.withdrawal_receipt(
                case.names, shelter.name, bool(shelter.contact_email)
            )
            email_applicant(session, shelter, application, receipt, now)
        application.held_for = ""  # with neither a hold nor an order it reads as withdrawn
    queue.start("send_letters")
    return True
