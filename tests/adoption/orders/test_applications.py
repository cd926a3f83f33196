"""What an application does, once it has come over the page."""

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
from adoption.audit.trail import OPERATOR
from adoption.errors import Conflict, NotFound
from adoption.mail.models import OutgoingEmail
from adoption.orders import actions, spam_review
from adoption.orders.decision_audit import StaffMember
from adoption.orders.models import Application, Order
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests import cast
from tests.applying import application_form, apply, link_in


def orders(shelter: cast.Shelter) -> list[tuple[int, str]]:
    return [(each["petId"], each["status"]) for each in shelter.get("/v1/store/orders").json]  # type: ignore[union-attr]


def letters() -> list[OutgoingEmail]:
    with reading() as session:
        return list(session.scalars(select(OutgoingEmail).order_by(OutgoingEmail.id)))


def held() -> list[str]:
    with reading() as session:
        return list(session.scalars(select(Application.held_for).order_by(Application.id)))


def status_of(animal_id: int, **columns: object) -> None:
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == animal_id).values(**columns))


def bonded(shelter: cast.Shelter, *names: str) -> list[int]:
    ids = [shelter.add(name) for name in names]
    with transaction() as session:
        bond = Bond(project_id=shelter.project_id)
        session.add(bond)
        session.flush()
        session.execute(update(Animal).where(Animal.id.in_(ids)).values(bond_id=bond.id))
    return ids


def withdraw(link: str) -> bool:
    return actions.withdraw_application(link.rpartition("/")[2])


def staff(of: cast.Shelter) -> StaffMember:
    return StaffMember(of.account_id, of.project_id, OPERATOR)


def test_an_application_is_an_order_that_the_api_shows(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    apply(client, animal)
    assert orders(shelter) == [(animal, "placed")]


def test_both_sides_are_written_to(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal))
    to_adopter, to_shelter = letters()
    assert (to_adopter.recipient, to_adopter.reply_to) == ("sam@example.org", "owner@example.org")
    assert to_adopter.subject == "Your application for Biscuit"
    assert f"\n\nhttp://localhost:8000{link}/" in to_adopter.text
    assert "Elm Road Rescue" in to_adopter.text
    assert "days" not in to_adopter.text, "nothing is promised that nobody has set"
    assert (to_shelter.recipient, to_shelter.reply_to) == ("owner@example.org", "sam@example.org")
    assert to_shelter.subject == "Sam Okafor has applied for Biscuit"
    for told in ("rents it", "children under 8, cats", "Somebody is at home all day.", "There is a garden."):
        assert told in to_shelter.text
    assert "/animals/" not in to_shelter.text, "a public page is away while the site is offline"


def test_a_letter_to_an_address_says_nothing_that_its_sender_typed(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    apply(client, shelter.add(), name="Buy pills today", why="Buy pills today")
    assert "pills" not in letters()[0].subject + letters()[0].text


def test_several_people_may_apply_for_one_animal(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    for email in ("sam@example.org", "kim@example.org"):
        link_in(apply(client, animal, email=email))
    assert orders(shelter) == [(animal, "placed")] * 2


def test_the_secret_of_a_link_is_kept_nowhere(client: FlaskClient, shelter: cast.Shelter) -> None:
    token = link_in(apply(client, shelter.add())).rpartition("/")[2]
    assert len(token) * 5 >= 160, "each letter stands for five bits"
    with reading() as session:
        [application] = session.scalars(select(Application))
    assert token not in {str(value) for value in vars(application).values()}


def test_a_form_that_is_sent_again_is_one_application(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    first, second = (link_in(apply(client, animal, form)) for _ in range(2))
    assert first == second
    assert orders(shelter) == [(animal, "placed")]
    assert len(letters()) == 2


def test_a_form_that_was_kept_leads_to_its_link_after_all_is_decided(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    link = link_in(apply(client, animal, form))
    status_of(animal, status="sold")
    assert link_in(apply(client, animal, form)) == link


@pytest.mark.parametrize("same_form", [True, False])
def test_two_at_once_make_one_application(
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
            app.extensions["homeward.reader"].close()
        assert answer.status_code == 303
        return str(answer.location)

    with ThreadPoolExecutor(2) as threads:
        led_to = set(threads.map(send, forms))
    assert orders(shelter) == [(animal, "placed")]
    assert len(letters()) == len(led_to) + 1, "the second is told of by a reminder"
    assert len(led_to) == (1 if same_form else 2), "only the holder of the form learns the private link"
    assert len(held()) == len(led_to)


def test_one_form_that_two_people_were_shown_is_two_applications(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    links = {
        link_in(apply(client, animal, form, email=email)) for email in ("a@example.org", "b@example.org")
    }
    assert len(links) == 2


def test_whoever_applies_with_an_address_that_has_applied_is_answered_as_the_first_was(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal, why="A quiet house."))
    with time_machine.travel(datetime.now(UTC), tick=False):  # the pages show times, in seconds
        again = apply(client, animal, email="SAM@example.org", why="Let me in.")
        stranger = apply(client, animal, email="kim@example.org", why="Let me in.")
        assert again.location != f"{link}?sent"
        pages = [client.get(answer.location).text for answer in (again, stranger)]
    plain = [re.sub("[a-z2-7]{40}|sam@example.org|kim@example.org", "", page, flags=re.I) for page in pages]
    assert plain[0] == plain[1], "who guesses an address does not learn that it has applied"
    assert "A quiet house." not in pages[0]
    assert orders(shelter) == [(animal, "placed")] * 2
    assert held() == ["", "This address has an open application for Biscuit already.", ""]


def test_an_address_that_has_applied_is_reminded_once_a_day(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal))
    for _ in range(3):
        apply(client, animal, why="Buy pills today")
    reminders = [each for each in letters() if each.subject == "You have already applied for Biscuit"]
    assert [each.recipient for each in reminders] == ["sam@example.org"]
    assert f"http://localhost:8000{link}/" in reminders[0].text
    assert "pills" not in reminders[0].text


def test_one_may_apply_again_after_withdrawing(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    withdraw(link_in(apply(client, animal)))
    link_in(apply(client, animal))
    assert orders(shelter) == [(animal, "withdrawn"), (animal, "placed")]


def test_a_form_that_the_browser_kept_applies_again_after_withdrawing(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    links = []
    for _ in range(3):
        links.append(link_in(apply(client, animal, form)))
        assert link_in(apply(client, animal, form)) == links[-1]
        withdraw(links[-1])
    assert len(set(links)) == 3
    assert orders(shelter) == [(animal, "withdrawn")] * 3


def test_bonded_animals_are_applied_for_together(client: FlaskClient, shelter: cast.Shelter) -> None:
    biscuit, crumble, juno = bonded(shelter, "Biscuit", "Crumble", "Juno")
    status_of(juno, status="sold")
    link = link_in(apply(client, crumble))
    assert sorted(orders(shelter)) == [(biscuit, "placed"), (crumble, "placed")]
    assert letters()[1].subject == "Sam Okafor has applied for Crumble and Biscuit"
    apply(client, biscuit)
    assert held()[1], "the pair has been applied for"
    withdraw(link)
    assert sorted(orders(shelter)) == [(biscuit, "withdrawn"), (crumble, "withdrawn")]


def test_a_bond_across_shelters_is_none(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    biscuit, _ = bonded(shelter, "Biscuit", "Crumble")
    stranger = neighbour.add()
    with transaction() as session:
        bond_id = session.scalar(select(Animal.bond_id).where(Animal.id == biscuit))
        session.execute(update(Animal).where(Animal.id == stranger).values(bond_id=bond_id))
    apply(client, biscuit)
    assert orders(neighbour) == []


def test_an_adoption_that_is_pending_may_fall_through(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    status_of(animal, status="pending")
    link_in(apply(client, animal))


@pytest.mark.parametrize(
    ("columns", "status"),
    [
        ({"status": "sold"}, 409),
        ({"listed": False}, 404),
        ({"listed": False, "removed_at": datetime.now(UTC), "listed_before_removal": True}, 410),
    ],
)
def test_nobody_applies_for_an_animal_that_is_not_to_be_had(
    client: FlaskClient, shelter: cast.Shelter, columns: dict[str, object], status: int
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    status_of(animal, **columns)
    assert apply(client, animal, form).status_code == status
    assert orders(shelter) == []
    assert letters() == []


def test_nobody_applies_to_a_shelter_that_is_not_published(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    with transaction() as session:
        session.execute(update(Project).values(live_deploy=None))
    assert apply(client, animal, form).status_code == 404
    assert letters() == []


def test_a_shelters_site_takes_applications_for_its_own_animals_alone(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    own, other = shelter.add(), neighbour.add()
    site = f"http://{shelter.slug}.localhost"
    link_in(apply(client, own, site=site))
    form = application_form(client, other)
    assert apply(client, other, form, site=site).status_code == 404
    assert orders(neighbour) == []


def test_a_withdrawal_tells_the_shelter_once(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add("Biscuit")
    link = link_in(apply(client, animal))
    [before] = shelter.get("/v1/store/orders").json  # type: ignore[misc]
    later = datetime.now(UTC) + timedelta(minutes=5)
    token = link.rpartition("/")[2]
    assert actions.withdraw_application(token, now=later)
    assert not actions.withdraw_application(token)
    [after] = shelter.get("/v1/store/orders").json  # type: ignore[misc]
    assert (after["status"], after["createdAt"]) == ("withdrawn", before["createdAt"])
    assert after["updatedAt"] > before["updatedAt"]
    *_, told, receipt = letters()
    assert len(letters()) == 4
    assert receipt.recipient == "sam@example.org"
    assert receipt.subject == "You have withdrawn your application for Biscuit"
    assert receipt.sender_name == "Elm Road Rescue"
    assert (told.recipient, told.reply_to) == ("owner@example.org", "sam@example.org")
    assert told.subject == "Sam Okafor has withdrawn the application for Biscuit"


def test_two_withdrawals_at_once_are_one(app: APIFlask, client: FlaskClient, shelter: cast.Shelter) -> None:
    link = link_in(apply(client, shelter.add()))
    together = Barrier(2)

    def send(_number: int) -> bool:
        with app.app_context():
            together.wait()
            done = withdraw(link)
            app.extensions["homeward.reader"].close()
            return done

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(send, range(2))) == [False, True]
    assert len(letters()) == 4


@pytest.mark.parametrize("decided", ["completed", "declined"])
def test_what_is_decided_is_not_withdrawn(client: FlaskClient, shelter: cast.Shelter, decided: str) -> None:
    animal = shelter.add()
    link = link_in(apply(client, animal))
    with transaction() as session:
        session.execute(update(Order).values(status=decided))
    assert not withdraw(link)
    assert orders(shelter) == [(animal, decided)]


def test_a_held_application_is_let_through_as_if_it_came_now(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    link = link_in(apply(client, animal, subject="filled in"))
    assert (orders(shelter), letters()) == ([], [])
    with reading() as session:
        [held_one] = session.scalars(select(Application.id))
    for _ in range(2):
        spam_review.release_application(staff(shelter), held_one)
    assert orders(shelter) == [(animal, "placed")]
    assert len(letters()) == 2
    assert link in letters()[0].text, "the link that was shown then is still the one"
    assert held() == [""]


def test_a_held_application_is_another_shelters_business(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter
) -> None:
    apply(client, shelter.add(), subject="filled in")
    with reading() as session:
        [held_one] = session.scalars(select(Application.id))
    with pytest.raises(NotFound):
        spam_review.release_application(staff(neighbour), held_one)


def test_a_held_application_gives_way_to_one_that_came_after_it(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    apply(client, animal, subject="filled in")
    link_in(apply(client, animal, email="kim@example.org"))
    with transaction() as session:
        first = session.scalar(select(func.min(Application.id)))
        session.execute(update(Application).values(email="Sam@Example.org"))
    with pytest.raises(Conflict):
        spam_review.release_application(staff(shelter), first or 0)
    assert len(orders(shelter)) == 1


def test_two_held_applications_do_not_hold_each_other_back(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    for email in ("sam@example.org", "kim@example.org"):
        apply(client, animal, email=email, subject="filled in")
    with transaction() as session:
        first, second = session.scalars(select(Application.id).order_by(Application.id))
        session.execute(update(Application).values(email="sam@example.org"))
    spam_review.release_application(staff(shelter), first)
    with pytest.raises(Conflict):
        spam_review.release_application(staff(shelter), second)
    assert orders(shelter) == [(animal, "placed")]


@pytest.mark.parametrize("again", [{"email": "SAM@example.org"}, {"subject": "filled in"}])
def test_what_comes_from_an_address_whose_application_is_held_is_held_too(
    client: FlaskClient, shelter: cast.Shelter, again: dict[str, str]
) -> None:
    biscuit, crumble = bonded(shelter, "Biscuit", "Crumble")
    apply(client, biscuit, subject="filled in")
    for animal in (biscuit, crumble):
        link_in(apply(client, animal, **again))
    assert all(held())
    assert (orders(shelter), letters()) == ([], [])
    link_in(apply(client, shelter.add()))
    link_in(apply(client, biscuit, email="kim@example.org"))


def test_one_may_apply_again_after_withdrawing_what_was_held(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    withdraw(link_in(apply(client, animal, subject="filled in")))
    link_in(apply(client, animal))
    assert orders(shelter) == [(animal, "placed")]


def test_a_held_application_can_be_withdrawn_and_nobody_hears_of_it(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    link = link_in(apply(client, shelter.add(), subject="filled in"))
    assert withdraw(link)
    assert "You have withdrawn" in client.get(link).text
    assert (orders(shelter), letters()) == ([], [])
