"""Applications, a colleague, and pages whose addresses are emailed. The tests of all forms use them."""

import itertools
from datetime import UTC, datetime
from io import BytesIO

from flask import Flask
from sqlalchemy import select, update

from adoption.accounts import invitations, signed_links
from adoption.accounts.authentication import password_resets
from adoption.accounts.models import Member, User
from adoption.accounts.password_hashes import hash_password
from adoption.accounts.project_access import find_project_access
from adoption.accounts.sign_ups import SignUp
from adoption.animals.models import Animal
from adoption.audit.actors import OPERATOR
from adoption.imports.uploads import upload_spreadsheet
from adoption.orders.models import Application, Order
from adoption.projects.adoption_forms import OwnQuestion, add_question
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import factories
from tests.applying import apply, link_in
from tests.browser.site import OWNER, PASSWORD

STAFF = "staff@larchfield.example"
DECISIONS = {
    "approval": "placed",
    "refusal": "placed",
    "approval/removal": "approved",
    "completion": "approved",
    "return": "completed",
    "deletion": "declined",
}
"""The pages of decisions, each with the status of the application that it decides."""
SPREADSHEET = b"Call name,Kind,Born\nTeasel,Cat,4/5/2020\nOlive,Dog,1/2/2021\n"
ANIMAL_STATUSES = {"approved": "pending", "completed": "sold"}


def seed_forms(app: Flask, host: str) -> dict[str, str]:
    """Add the data to the shelter of ``OWNER``. Return the addresses of pages by name."""
    with reading() as session:
        owner = session.scalars(select(User).where(User.email == OWNER)).one()
        of_owner = select(Project).join(Member, Member.account_id == Project.account_id)
        project = session.scalars(of_owner.where(Member.user_id == owner.id)).one()
    add_colleague(project)
    # The test chooses another kind of question, which has no options.
    garden = OwnQuestion("Do you have a garden?", "choice", "A yard counts.", "A garden\nA yard")
    add_question(project.id, garden, OPERATOR)
    file = upload_spreadsheet(project.id, "intake.csv", BytesIO(SPREADSHEET), OPERATOR)
    places = seed_applications(app, project, f"http://{host}")
    return places | {"import": f"/projects/{project.slug}/imports/{file.id}"} | seed_links(project, owner)


def add_colleague(project: Project) -> None:
    now = datetime.now(UTC)
    with transaction() as session:
        user = User(email=STAFF, password_hash=hash_password(PASSWORD), created_at=now)
        session.add(user)
        session.flush()
        session.add(Member(account_id=project.account_id, user_id=user.id, role="staff", created_at=now))


def seed_applications(app: Flask, project: Project, root: str) -> dict[str, str]:
    """Add an application for each page of a decision, one open application, and one held application."""
    client, numbers = app.test_client(), itertools.count(1)
    inbox = f"/projects/{project.slug}/applications"

    def applied(status: str, **answers: object) -> int:
        animal_id = factories.animal(project, f"Sorrel {next(numbers)}")
        email = f"applicant{animal_id}@example.org"
        link = link_in(apply(client, animal_id, site=root, email=email, **answers))
        with transaction() as session:
            found = select(Application.id).where(Application.email == email)
            application_id = session.scalars(found).one()
            orders = update(Order).where(Order.application_id == application_id)
            session.execute(orders.values(status=status))
            # Staff's own texts are emailed only to applicants who have confirmed their address.
            confirmed = update(Application).where(Application.id == application_id)
            session.execute(confirmed.values(confirmed_at=datetime.now(UTC)))
            if status in ANIMAL_STATUSES:
                animal = update(Animal).where(Animal.id == animal_id)
                session.execute(animal.values(status=ANIMAL_STATUSES[status]))
        private_pages.append(link)
        return application_id

    private_pages: list[str] = []
    places = {
        f"case-{page}": f"{inbox}/{applied(status)}/{page}?seen={status}"
        for page, status in DECISIONS.items()
    }
    places["case"] = f"{inbox}/{applied('placed')}"
    places["application"] = private_pages[-1]
    applied("placed", subject="filled in")
    for _ in range(2):
        applied("placed")
    return {"inbox-held": f"{inbox}?box=held", **places, "inbox": inbox}


def seed_links(project: Project, owner: User) -> dict[str, str]:
    """Return the pages whose address is only in an email."""
    now = datetime.now(UTC)
    with reading() as session:
        place = find_project_access(session, owner.id, project.slug)
    invitations.invite(place, "new@larchfield.example", "staff", OPERATOR, make_token=lambda: "invited" * 6)
    wish = SignUp("begun@example.org", "Begun Rescue", "Sam Okafor")
    return {
        "invitation": f"/invitations/{'invited' * 6}",
        "sign-up-finish": f"/sign-up/{signed_links.sign_content('sign-up', wish, now)}",
        "password-new": "/password" + password_resets.reset_link(owner, now).partition("/password")[2],
    }
