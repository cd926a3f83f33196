"""Decisions about applications by signed-in staff, through the pages."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.animals.models import Animal
from adoption.mail.models import OutgoingEmail
from adoption.orders.models import Application, Order
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import factories
from tests.applying import apply, link_in
from tests.cast import Colleague
from tests.mailbox import link_in_email

PATHS = {
    "approve": "approval",
    "take back": "approval/removal",
    "complete": "completion",
    "return": "return",
    "decline": "refusal",
}


def add_animal(of: Colleague, name: str = "Biscuit", **rest: Any) -> int:
    return factories.animal(Project(id=of.project_id), name, **rest)


def add_bonded_animals(of: Colleague, *names: str) -> list[int]:
    bond = factories.bond(Project(id=of.project_id))
    return [add_animal(of, name, bond_id=bond) for name in names]


def apply_and_confirm(
    client: FlaskClient, animal_id: int, who: str = "sam", confirms: bool = True, **answers: object
) -> str:
    """Apply as ``who``@example.org. Return the application's id in URLs.

    If ``confirms``, confirm the email address too.
    """
    link_in(apply(client, animal_id, email=f"{who}@example.org", **answers))
    if confirms and emails_to_applicant(who):
        open_emailed_link(client, who)
    return application_ref(who)


def open_emailed_link(client: FlaskClient, who: str) -> TestResponse:
    """Open the link in the last email to ``who``@example.org, and confirm. Return the private page."""
    page = client.post(link_in_email(f"{who}@example.org", "/applications/"), follow_redirects=True)
    assert page.status_code == 200
    return page


def many_applications(of: Colleague, animal_id: int, number: int) -> None:
    """Add applications without the form. The applicants are ``Applicant 0``, ``Applicant 1`` and so on."""
    now = datetime.now(UTC)
    with transaction() as session:
        for n in range(number):
            own = {"token_hash": f"t{n}", "submission": f"s{n}", "created_at": now, "home": "own", "why": "W"}
            made = Application(
                project_id=of.project_id,
                animal_id=animal_id,
                name=f"Applicant {n}",
                email=f"a{n}@example.org",
                **own,
            )
            session.add(made)
            session.flush()
            session.add(
                Order(
                    project_id=of.project_id,
                    animal_id=animal_id,
                    application_id=made.id,
                    status="placed",
                    created_at=now,
                    updated_at=now,
                )
            )


def application_ref(who: str) -> str:
    with reading() as session:
        of = select(Application.id).where(Application.email == f"{who}@example.org")
        return str(session.scalars(of.order_by(Application.id.desc())).first())


def decide(by: Colleague, ref: str, what: str, seen: str = "placed", **form: object) -> TestResponse:
    """Send a decision with ``form``. By default, ``form`` has the email that the decision's page offers."""
    path = f"applications/{ref}/{PATHS[what]}?seen={seen}"
    return by.post(path, form or form_in_decision(by.get(path).text))


def form_in_decision(page: str) -> dict[str, object]:
    """Return the fields of an unchanged decision form."""
    texts = re.findall(r'<textarea [^>]*name="(words\w*)".*?>\n(.*?)</textarea>', page, re.DOTALL)
    form: dict[str, object] = {name: unescape(text) for name, text in texts}
    form |= dict.fromkeys(re.findall(r'name="(tell\w*)" value="yes" checked', page), "yes")
    return form | dict(re.findall(r'name="(known|others)" value="([^"]*)"', page))


def take_steps(by: Colleague, ref: str, *steps: str, **form: object) -> None:
    """Take the steps in their order. Each step must succeed."""
    seen = {"approve": "placed", "complete": "approved", "take back": "approved", "return": "completed"}
    for what in steps:
        answer = decide(by, ref, what, seen.get(what, "placed"), **form)
        assert answer.status_code == 303, error_in(answer)


def error_in(answer: TestResponse) -> str:
    """Return the error on the page."""
    found = re.search(r'role="alert".*?<p class="strong">(.*?)</p>', answer.text, re.DOTALL)
    return found[1] if found else answer.text[:500]


def orders_of(of: Colleague) -> list[tuple[int, str]]:
    """Return the animal and status of each order, sorted by id."""
    with reading() as session:
        found = select(Order.animal_id, Order.status).where(Order.project_id == of.project_id)
        return [(row[0], row[1]) for row in session.execute(found.order_by(Order.id))]


def animal_statuses(*animals: int) -> list[str]:
    with reading() as session:
        found = dict(session.execute(select(Animal.id, Animal.status)).all())
    return [found[each] for each in animals]


def emails_to_applicant(to: str) -> list[OutgoingEmail]:
    with reading() as session:
        of = (
            select(OutgoingEmail)
            .where(OutgoingEmail.recipient == f"{to}@example.org")
            .order_by(OutgoingEmail.id)
        )
        return list(session.scalars(of))


def subjects_to_applicant(to: str) -> list[str]:
    return [letter.subject for letter in emails_to_applicant(to)]
