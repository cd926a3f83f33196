"""Applications: submitting, repeating, holding, releasing and withdrawing."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from adoption.animals.models import Animal, Bond
from adoption.audit.actors import OPERATOR
from adoption.errors import Conflict, NotFound
from adoption.orders import spam_review, withdrawals
from adoption.orders.application_audit import StaffMember
from adoption.orders.models import Application, Order
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import cast
from tests.applying import application_form, apply, link_in, load_hold_reasons
from tests.mailbox import stored_emails


def list_orders(shelter: cast.Shelter) -> list[tuple[int, str]]:
    return [(each["petId"], each["status"]) for each in shelter.get("/v1/store/orders").json]  # type: ignore[union-attr]


def update_animal(animal_id: int, **columns: object) -> None:
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == animal_id).values(**columns))


def add_bonded_animals(shelter: cast.Shelter, *names: str) -> list[int]:
    ids = [shelter.add(name) for name in names]
    with transaction() as session:
        bond = Bond(project_id=shelter.project_id)
        session.add(bond)
        session.flush()
        session.execute(update(Animal).where(Animal.id.in_(ids)).values(bond_id=bond.id))
    return ids


def withdraw(link: str) -> bool:
    return withdrawals.withdraw_application(link.rpartition("/")[2])


def staff_member(of: cast.Shelter) -> StaffMember:
    return StaffMember(of.account_id, of.project_id, OPERATOR)


def test_the_api_lists_an_application_as_an_order(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    apply(client, animal)
    assert list_orders(shelter) == [(animal, "placed")]


def test_applicant_and_shelter_are_emailed(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal))
    to_adopter, to_shelter = stored_emails()
    assert (to_adopter.recipient, to_adopter.reply_to) == ("sam@example.org", "owner@example.org")
    assert to_adopter.subject == "Your application for Biscuit"
    assert f"\n\nhttp://localhost:8000{link}/" in to_adopter.text
    assert "Elm Road Rescue" in to_adopter.text
    assert "days" not in to_adopter.text, "no deadline is promised"
    assert (to_shelter.recipient, to_shelter.reply_to) == ("owner@example.org", "sam@example.org")
    assert to_shelter.subject == "Sam Okafor has applied for Biscuit"
    for text in ("rents it", "children under 8, cats", "Somebody is at home all day.", "There is a garden."):
        assert text in to_shelter.text
    assert "/animals/" not in to_shelter.text, "the public page is missing while the site is offline"


def test_the_confirmation_email_contains_nothing_that_was_typed(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    apply(client, shelter.add(), name="Buy pills today", why="Buy pills today")
    assert "pills" not in stored_emails()[0].subject + stored_emails()[0].text


def test_several_people_can_apply_for_one_animal(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    for email in ("sam@example.org", "kim@example.org"):
        link_in(apply(client, animal, email=email))
    assert list_orders(shelter) == [(animal, "placed")] * 2


def test_the_token_of_a_private_link_is_not_stored(client: FlaskClient, shelter: cast.Shelter) -> None:
    token = link_in(apply(client, shelter.add())).rpartition("/")[2]
    assert len(token) * 5 >= 160, "each character is five bits"
    with reading() as session:
        [application] = session.scalars(select(Application))
    assert token not in {str(value) for value in vars(application).values()}


def test_a_form_submitted_twice_creates_one_application(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    first, second = (link_in(apply(client, animal, form)) for _ in range(2))
    assert first == second
    assert list_orders(shelter) == [(animal, "placed")]
    assert len(stored_emails()) == 2


def test_a_form_submitted_again_after_the_adoption_leads_to_its_private_link(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    link = link_in(apply(client, animal, form))
    update_animal(animal, status="sold")
    assert link_in(apply(client, animal, form)) == link


@pytest.mark.parametrize("same_form", [True, False])
def test_two_concurrent_submissions_create_one_application(
    app: APIFlask, client: FlaskClient, shelter: cast.Shelter, same_form: bool
) -> None:
    animal = shelter.add()
    forms = (
        [application_form(client, animal)] * 2
        if same_form
        else [application_form(client, animal) for _ in range(2)]
    )
    together = Barrier(2)

    def send(form: str) -> str:
        together.wait()
        answer = apply(app.test_client(), animal, form)
        with app.app_context():
            app.extensions["homeward.driver_connections"].close()
        assert answer.status_code == 303
        return str(answer.location)

    with ThreadPoolExecutor(2) as threads:
        led_to = set(threads.map(send, forms))
    assert list_orders(shelter) == [(animal, "placed")]
    assert len(stored_emails()) == len(led_to) + 1, "the second gets a reminder"
    assert len(led_to) == (1 if same_form else 2), "only the same form leads to the private link"
    assert len(load_hold_reasons()) == len(led_to)


def test_a_cached_form_submitted_by_two_people_is_two_applications(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    links = {
        link_in(apply(client, animal, form, email=email)) for email in ("a@example.org", "b@example.org")
    }
    assert len(links) == 2


def test_the_response_does_not_reveal_that_an_address_has_applied(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal, why="A quiet house."))
    with time_machine.travel(datetime.now(UTC), tick=False):  # the pages show times with seconds
        again = apply(client, animal, email="SAM@example.org", why="Let me in.")
        stranger = apply(client, animal, email="kim@example.org", why="Let me in.")
        assert again.location != f"{link}?sent"
        pages = [client.get(answer.location).text for answer in (again, stranger)]
    plain = [re.sub("[a-z2-7]{40}|sam@example.org|kim@example.org", "", page, flags=re.I) for page in pages]
    assert plain[0] == plain[1], "the same page for a guessed address as for a new one"
    assert "A quiet house." not in pages[0]
    assert list_orders(shelter) == [(animal, "placed")] * 2
    assert load_hold_reasons() == ["", "This address has an open application for Biscuit already.", ""]


def test_an_applicant_who_applies_again_gets_one_reminder_a_day(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal))
    for _ in range(3):
        apply(client, animal, why="Buy pills today")
    reminders = [each for each in stored_emails() if each.subject == "You have already applied for Biscuit"]
    assert [each.recipient for each in reminders] == ["sam@example.org"]
    assert f"http://localhost:8000{link}/" in reminders[0].text
    assert "pills" not in reminders[0].text


def test_an_applicant_can_apply_again_after_withdrawing(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    withdraw(link_in(apply(client, animal)))
    link_in(apply(client, animal))
    assert list_orders(shelter) == [(animal, "withdrawn"), (animal, "placed")]


def test_a_cached_form_can_apply_again_after_withdrawing(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    links = []
    for _ in range(3):
        links.append(link_in(apply(client, animal, form)))
        assert link_in(apply(client, animal, form)) == links[-1]
        withdraw(links[-1])
    assert len(set(links)) == 3
    assert list_orders(shelter) == [(animal, "withdrawn")] * 3


def test_one_application_is_for_all_bonded_animals(client: FlaskClient, shelter: cast.Shelter) -> None:
    biscuit, crumble, juno = add_bonded_animals(shelter, "Biscuit", "Crumble", "Juno")
    update_animal(juno, status="sold")
    link = link_in(apply(client, crumble))
    assert sorted(list_orders(shelter)) == [(biscuit, "placed"), (crumble, "placed")]
    assert stored_emails()[1].subject == "Sam Okafor has applied for Crumble and Biscuit"
    apply(client, biscuit)
    assert load_hold_reasons()[1], "the pair has been applied for"
    withdraw(link)
    assert sorted(list_orders(shelter)) == [(biscuit, "withdrawn"), (crumble, "withdrawn")]


def test_a_bond_with_another_shelters_animal_is_ignored(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    biscuit, _ = add_bonded_animals(shelter, "Biscuit", "Crumble")
    stranger = neighbour.add()
    with transaction() as session:
        bond_id = session.scalar(select(Animal.bond_id).where(Animal.id == biscuit))
        session.execute(update(Animal).where(Animal.id == stranger).values(bond_id=bond_id))
    apply(client, biscuit)
    assert list_orders(neighbour) == []


def test_a_pending_animal_can_be_applied_for(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    update_animal(animal, status="pending")
    link_in(apply(client, animal))


@pytest.mark.parametrize(
    ("columns", "status"),
    [
        ({"status": "sold"}, 409),
        ({"listed": False}, 404),
        ({"listed": False, "removed_at": datetime.now(UTC), "listed_before_removal": True}, 410),
    ],
)
def test_adopted_hidden_and_removed_animals_cannot_be_applied_for(
    client: FlaskClient, shelter: cast.Shelter, columns: dict[str, object], status: int
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    update_animal(animal, **columns)
    assert apply(client, animal, form).status_code == status
    assert list_orders(shelter) == []
    assert stored_emails() == []


def test_an_unpublished_shelter_gets_no_applications(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    with transaction() as session:
        session.execute(update(Project).values(live_deploy=None))
    assert apply(client, animal, form).status_code == 404
    assert stored_emails() == []


def test_a_shelters_site_accepts_applications_only_for_its_own_animals(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    own, other = shelter.add(), neighbour.add()
    site = f"http://{shelter.slug}.localhost"
    link_in(apply(client, own, site=site))
    form = application_form(client, other)
    assert apply(client, other, form, site=site).status_code == 404
    assert list_orders(neighbour) == []


def test_a_withdrawal_emails_the_shelter_once(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal))
    [before] = shelter.get("/v1/store/orders").json  # type: ignore[misc]
    later = datetime.now(UTC) + timedelta(minutes=5)
    token = link.rpartition("/")[2]
    assert withdrawals.withdraw_application(token, now=later)
    assert not withdrawals.withdraw_application(token)
    [after] = shelter.get("/v1/store/orders").json  # type: ignore[misc]
    assert (after["status"], after["createdAt"]) == ("withdrawn", before["createdAt"])
    assert after["updatedAt"] > before["updatedAt"]
    *_, news, receipt = stored_emails()
    assert len(stored_emails()) == 4
    assert receipt.recipient == "sam@example.org"
    assert receipt.subject == "You have withdrawn your application for Biscuit"
    assert receipt.sender_name == "Elm Road Rescue"
    assert (news.recipient, news.reply_to) == ("owner@example.org", "sam@example.org")
    assert news.subject == "Sam Okafor has withdrawn the application for Biscuit"


def test_two_concurrent_withdrawals_count_as_one(
    app: APIFlask, client: FlaskClient, shelter: cast.Shelter
) -> None:
    link = link_in(apply(client, shelter.add()))
    together = Barrier(2)

    def send(_number: int) -> bool:
        with app.app_context():
            together.wait()
            done = withdraw(link)
            app.extensions["homeward.driver_connections"].close()
            return done

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(send, range(2))) == [False, True]
    assert len(stored_emails()) == 4


@pytest.mark.parametrize("decided", ["completed", "declined"])
def test_a_decided_application_cannot_be_withdrawn(
    client: FlaskClient, shelter: cast.Shelter, decided: str
) -> None:
    animal = shelter.add()
    link = link_in(apply(client, animal))
    with transaction() as session:
        session.execute(update(Order).values(status=decided))
    assert not withdraw(link)
    assert list_orders(shelter) == [(animal, decided)]


def test_a_released_application_is_emailed_once_with_the_same_link(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    link = link_in(apply(client, animal, subject="filled in"))
    assert (list_orders(shelter), stored_emails()) == ([], [])
    with reading() as session:
        [held_one] = session.scalars(select(Application.id))
    for _ in range(2):
        spam_review.release_application(staff_member(shelter), held_one)
    assert list_orders(shelter) == [(animal, "placed")]
    assert len(stored_emails()) == 2
    assert link in stored_emails()[0].text, "the link that the browser showed still works"
    assert load_hold_reasons() == [""]


def test_another_shelters_held_application_is_not_found(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    apply(client, shelter.add(), subject="filled in")
    with reading() as session:
        [held_one] = session.scalars(select(Application.id))
    with pytest.raises(NotFound):
        spam_review.release_application(staff_member(neighbour), held_one)


def test_a_held_application_is_not_released_if_a_later_one_is_open(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    apply(client, animal, subject="filled in")
    link_in(apply(client, animal, email="kim@example.org"))
    with transaction() as session:
        first = session.scalar(select(func.min(Application.id)))
        session.execute(update(Application).values(email="Sam@Example.org"))
    with pytest.raises(Conflict):
        spam_review.release_application(staff_member(shelter), first or 0)
    assert len(list_orders(shelter)) == 1


def test_only_one_of_two_held_applications_of_an_address_is_released(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    for email in ("sam@example.org", "kim@example.org"):
        apply(client, animal, email=email, subject="filled in")
    with transaction() as session:
        first, second = session.scalars(select(Application.id).order_by(Application.id))
        session.execute(update(Application).values(email="sam@example.org"))
    spam_review.release_application(staff_member(shelter), first)
    with pytest.raises(Conflict):
        spam_review.release_application(staff_member(shelter), second)
    assert list_orders(shelter) == [(animal, "placed")]


@pytest.mark.parametrize("again", [{"email": "SAM@example.org"}, {"subject": "filled in"}])
def test_a_second_application_from_an_address_with_a_held_application_is_held(
    client: FlaskClient, shelter: cast.Shelter, again: dict[str, str]
) -> None:
    biscuit, crumble = add_bonded_animals(shelter, "Biscuit", "Crumble")
    apply(client, biscuit, subject="filled in")
    for animal in (biscuit, crumble):
        link_in(apply(client, animal, **again))
    assert all(load_hold_reasons())
    assert (list_orders(shelter), stored_emails()) == ([], [])
    link_in(apply(client, shelter.add()))
    link_in(apply(client, biscuit, email="kim@example.org"))


def test_an_applicant_can_apply_again_after_withdrawing_a_held_application(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    withdraw(link_in(apply(client, animal, subject="filled in")))
    link_in(apply(client, animal))
    assert list_orders(shelter) == [(animal, "placed")]


def test_withdrawing_a_held_application_emails_no_one(client: FlaskClient, shelter: cast.Shelter) -> None:
    link = link_in(apply(client, shelter.add(), subject="filled in"))
    assert withdraw(link)
    assert "You have withdrawn" in client.get(link).text
    assert (list_orders(shelter), stored_emails()) == ([], [])
