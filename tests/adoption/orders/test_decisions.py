"""Decisions of staff, with their effects on animals and other applicants."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import delete, select, update

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.models import User
from adoption.animals.models import Animal, Bond
from adoption.audit.models import AuditEntry
from adoption.mail.models import OutgoingEmail
from adoption.orders.models import Application, Order, OrderEvent
from adoption.storage.database import reading, transaction
from tests.applying import apply, link_in
from tests.cast import Colleague
from tests.deciding import (
    PATHS,
    add_animal,
    add_bonded_animals,
    animal_statuses,
    application_ref,
    apply_and_confirm,
    decide,
    emails_to_applicant,
    error_in,
    form_in_decision,
    many_applications,
    orders_of,
    subjects_to_applicant,
    take_steps,
)


def set_status(animal_id: int, status: str) -> None:
    """Set the status as staff do on the animal's page."""
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == animal_id).values(status=status))


def add_order_without_application(of: Colleague, animal_id: int) -> str:
    now = datetime.now(UTC)
    with transaction() as session:
        whole = {"project_id": of.project_id, "animal_id": animal_id, "status": "placed"}
        order = Order(**whole, created_at=now, updated_at=now)
        session.add(order)
        session.flush()
        return f"order-{order.id}"


def load_history(ref: str) -> list[tuple[str, str]]:
    with reading() as session:
        own = select(OrderEvent.event, OrderEvent.actor).join(Order, Order.id == OrderEvent.order_id)
        events = session.execute(own.where(Order.application_id == int(ref)).order_by(OrderEvent.id))
        return [(event, actor) for event, actor in events]


def test_approving_sets_the_animal_pending_and_emails_the_applicant(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    link = link_in(apply(client, biscuit))
    take_steps(owner, application_ref("sam"), "approve")
    assert orders_of(owner) == [(biscuit, "approved")]
    assert animal_statuses(biscuit) == ["pending"]
    email = emails_to_applicant("sam")[-1]
    assert email.subject == "Your application for Biscuit is approved"
    assert f"http://localhost:8000{link}/" in email.text
    assert "is approved" in client.get(link).text


def test_completing_an_adoption_emails_the_other_applicants_with_similar_animals(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit, juno, sold = (
        add_animal(owner),
        add_animal(owner, "Juno"),
        add_animal(owner, "Rex", status="sold"),
    )
    refs = [apply_and_confirm(client, biscuit, who) for who in ("sam", "kim", "lee")]
    take_steps(owner, refs[1], "approve")
    take_steps(owner, refs[0], "approve", "complete")
    assert [status for _, status in orders_of(owner)] == ["completed", "declined", "declined"]
    assert animal_statuses(biscuit) == ["sold"]
    assert subjects_to_applicant("sam")[-1] == "The adoption of Biscuit is complete"
    for who in ("kim", "lee"):
        [email] = [each for each in emails_to_applicant(who) if each.subject == "Biscuit has found a home"]
        assert email.reply_to == "owner@elm.example"
        assert f"Juno\nhttp://localhost:8000/animals/{juno}\n" in email.text
        assert f"http://localhost:8000/?shelter={owner.slug}" in email.text
        assert "Rex" not in email.text, str(sold)


def test_the_private_page_has_the_news_of_the_email(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    chosen, other = (link_in(apply(client, biscuit, email=f"{who}@example.org")) for who in ("sam", "kim"))
    take_steps(owner, application_ref("sam"), "approve", "complete")
    page, email = client.get(other).text, emails_to_applicant("kim")[-1]
    for sentence in (email.subject, email.text.split("\n\n")[1]):
        assert sentence in page
    assert "found a home with someone else" in page
    assert "was declined" not in page
    assert "has read it" not in page, "no one has opened this application"
    assert "come home with you" in client.get(chosen).text
    declined = link_in(apply(client, add_animal(owner, "Juno"), email="lee@example.org"))
    take_steps(owner, application_ref("lee"), "decline")
    assert "Your application for Juno was declined" in client.get(declined).text
    assert "found a home" not in client.get(declined).text


@pytest.mark.settings("embedded")
def test_the_email_to_other_applicants_can_be_edited_or_skipped(
    client: FlaskClient, owner: Colleague
) -> None:
    moss, juno = add_bonded_animals(owner, "Moss", "Juno")
    first = apply_and_confirm(client, moss, "sam")
    apply_and_confirm(client, moss, "kim")
    lee = int(apply_and_confirm(client, juno, "lee"))
    with transaction() as session:  # as if Lee had applied for only one of the pair
        session.execute(delete(Order).where(Order.application_id == lee, Order.animal_id == moss))
    take_steps(owner, first, "approve")
    form = form_in_decision(owner.get(f"applications/{first}/completion?seen=approved").text)
    assert "[animals] found a home" in str(form["words_to_others"])
    empty = decide(owner, first, "complete", "approved", **form | {"words_to_others": " "})
    assert empty.status_code == 422
    assert "Write the email, or untick the box above" in empty.text
    take_steps(
        owner, first, "complete", **form | {"words_to_others": "Sorry about [animals]. Our own words."}
    )
    assert [emails_to_applicant(who)[-1].text for who in ("kim", "lee")] == [
        "Sorry about Moss and Juno. Our own words.\n",
        "Sorry about Juno. Our own words.\n",
    ]
    assert subjects_to_applicant("lee")[-1] == "Juno has found a home"
    rex = add_animal(owner, "Rex")
    chosen = apply_and_confirm(client, rex, "sam2")
    apply_and_confirm(client, rex, "kim2")
    take_steps(owner, chosen, "approve")
    form = form_in_decision(owner.get(f"applications/{chosen}/completion?seen=approved").text)
    del form["tell_others"]
    take_steps(owner, chosen, "complete", **form)
    assert [status for _, status in orders_of(owner)][-2:] == ["completed", "declined"]
    assert subjects_to_applicant("kim2") == ["Your application for Rex"]


@pytest.mark.settings("embedded")
def test_completing_shows_all_other_applicants_and_asks_again_if_they_change(
    client: FlaskClient, owner: Colleague
) -> None:
    juno = add_animal(owner, "Juno")
    ref = apply_and_confirm(client, juno, "sam")
    many_applications(owner, juno, 60)
    with transaction() as session:
        session.execute(update(Application).where(Application.email == "a59@example.org").values(email=""))
    take_steps(owner, ref, "approve")
    case = owner.get(f"applications/{ref}").text
    assert case.count('class="inbox-entry') == 50
    assert "10 more, in the inbox" in case
    page = owner.get(f"applications/{ref}/completion?seen=approved").text
    for text in (
        "60 other applications will be closed.",
        "60 other applicants for Juno",
        "<bdi>Applicant 49</bdi> and 9 more.",
        "Email 59 other applicants",
    ):
        assert text in page, text
    assert "Applicant 50" not in page
    form = form_in_decision(page)
    apply_and_confirm(client, juno, "late", name="Late")
    late = owner.post(f"applications/{ref}/completion?seen=approved", form | {"words": "Our own words."})
    assert late.status_code == 409
    for text in ("the other applicants have changed", "Email 60 other applicants", "Our own words."):
        assert text in late.text, text
    assert animal_statuses(juno) == ["pending"]
    answer = owner.post(f"applications/{ref}/completion?seen=approved", form_in_decision(late.text))
    assert "61 emails sent." in owner.get(str(answer.location)).text
    with reading() as session:
        emails = session.scalars(
            select(OutgoingEmail).where(OutgoingEmail.subject == "Juno has found a home")
        ).all()
    assert len(emails) == 60


def test_other_applicants_keep_their_applications_for_other_animals(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit, juno = add_animal(owner), add_animal(owner, "Juno")
    apply_and_confirm(client, juno, "kim")
    apply_and_confirm(client, biscuit, "kim")
    take_steps(owner, apply_and_confirm(client, biscuit), "approve", "complete")
    assert orders_of(owner) == [(juno, "placed"), (biscuit, "declined"), (biscuit, "completed")]


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("steps", "what", "seen", "offered"),
    [
        ([], "approve", "placed", "has approved your application for Biscuit"),
        (["approve"], "take back", "approved", "have to review it again"),
        (["approve"], "complete", "approved", "The adoption of Biscuit is complete"),
        ([], "decline", "placed", "Thank you for applying to adopt Biscuit"),
        (["approve", "complete"], "return", "completed", "Biscuit is back with us"),
    ],
)
def test_the_email_of_each_decision_can_be_edited_or_skipped(
    client: FlaskClient, owner: Colleague, steps: list[str], what: str, seen: str, offered: str
) -> None:
    for who, tell in (("sam", "yes"), ("kim", "")):
        ref = apply_and_confirm(client, add_animal(owner), who)
        take_steps(owner, ref, *steps)
        page = owner.get(f"applications/{ref}/{PATHS[what]}?seen={seen}").text
        assert offered in page.split('name="words"')[1]
        before = len(emails_to_applicant(who))
        answer = decide(owner, ref, what, seen, words="Dear friend, our own words.", tell=tell)
        assert answer.status_code == 303
        sent = [letter.text for letter in emails_to_applicant(who)[before:]]
        assert [text.split("\n")[0] for text in sent] == (["Dear friend, our own words."] if tell else [])


@pytest.mark.settings("embedded")
def test_a_second_approval_names_the_first_and_asks_for_confirmation(
    client: FlaskClient, owner: Colleague
) -> None:
    pebble = add_animal(owner, "Pebble")
    first = apply_and_confirm(client, pebble, "rosa", name="Rosa Hart")
    second = apply_and_confirm(client, pebble, "sam", name="Sam")
    opened_before = owner.get(f"applications/{second}/approval?seen=placed").text
    take_steps(owner, first, "approve")
    warning = "Rosa Hart is already approved for Pebble."
    assert warning in owner.get(f"applications/{second}").text
    late = decide(owner, second, "approve", words="Our own words.", tell="yes")
    assert "already approved" not in opened_before
    assert late.status_code == 409
    assert warning in late.text
    assert "Approve Sam too?" in late.text
    assert "Our own words." in late.text
    assert orders_of(owner) == [(pebble, "approved"), (pebble, "placed")]
    take_steps(owner, second, "approve")
    assert orders_of(owner) == [(pebble, "approved"), (pebble, "approved")]


@pytest.mark.settings("embedded")
def test_the_history_and_notes_show_members_by_name(client: FlaskClient, owner: Colleague) -> None:
    with transaction() as session:
        session.execute(update(User).where(User.email == owner.email).values(name="Ann Carter"))
    ref = apply_and_confirm(client, add_animal(owner))
    owner.post(f"applications/{ref}/notes", {"note": "Call back."})
    take_steps(owner, ref, "approve")
    page = owner.get(f"applications/{ref}").text
    assert page.count("by Ann Carter") == 1
    assert "Ann Carter, " in page
    assert "approved by Ann Carter since you opened it" in error_in(decide(owner, ref, "decline"))


@pytest.mark.parametrize(
    ("form", "sent"),
    [
        ({"tell": "yes", "words": "Dear Sam,\r\n\r\nnot this time."}, ["Dear Sam,\n\nnot this time.\n"]),
        ({"words": "Dear Sam, not this time."}, []),
    ],
)
def test_declining_sends_the_edited_email_or_none(
    client: FlaskClient, owner: Colleague, form: dict[str, object], sent: list[str]
) -> None:
    biscuit = add_animal(owner)
    ref = apply_and_confirm(client, biscuit)
    before = len(emails_to_applicant("sam"))
    take_steps(owner, ref, "decline", **form)
    assert orders_of(owner) == [(biscuit, "declined")]
    assert [each.text for each in emails_to_applicant("sam")[before:]] == sent
    assert animal_statuses(biscuit) == ["available"]


def test_declining_an_approved_application_makes_the_animal_available(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    ref = apply_and_confirm(client, biscuit)
    take_steps(owner, ref, "approve")
    assert decide(owner, ref, "decline", "approved").status_code == 303
    assert animal_statuses(biscuit) == ["available"]


def test_undoing_the_last_approval_makes_the_animal_available(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    first, second = apply_and_confirm(client, biscuit, "sam"), apply_and_confirm(client, biscuit, "kim")
    take_steps(owner, first, "approve")
    take_steps(owner, second, "approve")
    take_steps(owner, first, "take back")
    assert (orders_of(owner)[0], animal_statuses(biscuit)) == ((biscuit, "placed"), ["pending"])
    take_steps(owner, second, "take back")
    assert animal_statuses(biscuit) == ["available"]
    assert subjects_to_applicant("sam") == [
        "Your application for Biscuit",
        "Your application for Biscuit is approved",
        "Your application for Biscuit is being reviewed again",
    ]


@pytest.mark.settings("embedded")
def test_undoing_an_approval_names_the_other_approved_applicants_first(
    client: FlaskClient, owner: Colleague
) -> None:
    moss, juno = add_bonded_animals(owner, "Moss", "Juno")
    first = apply_and_confirm(client, moss, "rosa", name="Rosa Hart")
    second = apply_and_confirm(client, juno, "sam", name="Sam")
    take_steps(owner, first, "approve")
    path = f"applications/{first}/approval/removal?seen=approved"
    before = owner.get(path).text
    assert "Others can adopt Moss and Juno again." in before
    take_steps(owner, second, "approve")
    late = owner.post(path, {**form_in_decision(before), "words": "Our own words.", "tell": "yes"})
    assert late.status_code == 409
    for text in (
        "Sam is already approved for Moss and Juno.",
        "Moss and Juno stay Adoption pending.",
        "Our own words.",
    ):
        assert text in late.text
    assert {status for _, status in orders_of(owner)} == {"approved"}
    assert owner.post(path, form_in_decision(late.text)).status_code == 303
    assert animal_statuses(moss, juno) == ["pending", "pending"]


def test_a_return_makes_the_animal_available_and_reopens_no_application(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    other = apply_and_confirm(client, biscuit, "kim")
    link = link_in(apply(client, biscuit))
    ref = application_ref("sam")
    take_steps(owner, ref, "approve", "complete", "return")
    assert orders_of(owner) == [(biscuit, "declined"), (biscuit, "completed")]
    assert animal_statuses(biscuit) == ["available"]
    assert [event for event, _ in load_history(ref)] == ["placed", "approved", "completed", "returned"]
    assert "come back to" in client.get(link).text
    assert "Returned" in owner.get(f"applications/{ref}").text
    assert decide(owner, other, "approve").status_code == 409


def test_recording_an_old_return_keeps_a_later_adoption(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    first = apply_and_confirm(client, biscuit, "sam")
    take_steps(owner, first, "approve", "complete")
    set_status(biscuit, "available")
    take_steps(owner, apply_and_confirm(client, biscuit, "kim"), "approve", "complete")
    take_steps(owner, first, "return")
    assert animal_statuses(biscuit) == ["sold"]


def test_bonded_animals_are_decided_together(client: FlaskClient, owner: Colleague) -> None:
    both = add_bonded_animals(owner, "Salt", "Pepper")
    ref, other = apply_and_confirm(client, both[1]), apply_and_confirm(client, both[0], "kim")
    for step, status in (("approve", "pending"), ("complete", "sold"), ("return", "available")):
        take_steps(owner, ref, step)
        assert animal_statuses(*both) == [status, status]
    assert [status for _, status in orders_of(owner)] == ["completed"] * 2 + ["declined"] * 2
    assert subjects_to_applicant("sam")[-1] == "The adoption of Pepper and Salt is complete"
    assert subjects_to_applicant("kim")[-1] == "Salt and Pepper have found a home"
    assert "Pepper and Salt" in owner.get(f"applications/{ref}").text
    assert "Declined" in owner.get(f"applications/{other}").text


def test_adopting_one_of_a_bonded_pair_makes_the_other_available(
    client: FlaskClient, owner: Colleague
) -> None:
    salt = add_animal(owner, "Salt")
    alone = apply_and_confirm(client, salt, "sam")
    pepper = add_animal(owner, "Pepper")
    with transaction() as session:
        bond = Bond(project_id=owner.project_id)
        session.add(bond)
        session.flush()
        session.execute(update(Animal).where(Animal.id.in_([salt, pepper])).values(bond_id=bond.id))
    take_steps(owner, apply_and_confirm(client, pepper, "kim"), "approve")
    take_steps(owner, alone, "approve", "complete")
    assert animal_statuses(salt, pepper) == ["sold", "available"]
    assert sorted(orders_of(owner)[1:]) == [(salt, "declined"), (pepper, "declined")]
    assert subjects_to_applicant("kim")[-1] == "Salt has found a home"


STEPS = {
    "placed": [],
    "approved": ["approve"],
    "completed": ["approve", "complete"],
    "returned": ["approve", "complete", "return"],
    "declined": ["decline"],
}
ALLOWED = {
    "placed": {"approve", "decline"},
    "approved": {"complete", "take back", "decline"},
    "completed": {"return"},
}


@pytest.mark.parametrize("state", STEPS)
def test_each_state_allows_only_its_own_decisions(client: FlaskClient, owner: Colleague, state: str) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    take_steps(owner, ref, *STEPS[state])
    before, written = orders_of(owner), subjects_to_applicant("sam")
    for what in PATHS.keys() - ALLOWED.get(state, set()):
        answer = decide(owner, ref, what, state)
        assert answer.status_code == 409, what
        assert error_in(answer).startswith("Nothing was changed: this application")
    assert (orders_of(owner), subjects_to_applicant("sam")) == (before, written)


def test_the_second_member_to_decide_sees_who_decided_first(
    client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    take_steps(teammate, ref, "approve")
    answer = decide(owner, ref, "decline", "placed")
    assert answer.status_code == 409
    assert "was approved by staff@elm.example since you opened it" in error_in(answer)
    assert [status for _, status in orders_of(owner)] == ["approved"]


def decide_concurrently(app: APIFlask, *calls: tuple[Colleague, str, str]) -> list[int]:
    """Make several decisions at the same time. Return the status codes of the responses, sorted."""
    together = Barrier(len(calls))
    tokens = [by.token() for by, _, _ in calls]

    def send(number: int) -> int:
        by, ref, what = calls[number]
        path = by.at(f"applications/{ref}/{PATHS[what]}?seen=placed")
        together.wait()
        status = by.client.post(
            path, data={"csrf_token": tokens[number], "tell": "yes", "words": "Hello."}
        ).status_code
        with app.app_context():
            app.extensions["homeward.driver_connections"].close()
        return status

    with ThreadPoolExecutor(len(calls)) as threads:
        return sorted(threads.map(send, range(len(calls))))


def test_two_concurrent_approvals_count_as_one(
    app: APIFlask, client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    assert decide_concurrently(app, (owner, ref, "approve"), (teammate, ref, "approve")) == [303, 409]
    assert subjects_to_applicant("sam") == [
        "Your application for Biscuit",
        "Your application for Biscuit is approved",
    ]
    assert load_history(ref) in (
        [("placed", "the applicant"), ("approved", by.email)] for by in (owner, teammate)
    )


def test_concurrent_decisions_about_one_animal_do_not_deadlock(
    app: APIFlask, client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    both = add_bonded_animals(owner, "Salt", "Pepper")
    first, second = apply_and_confirm(client, both[0], "sam"), apply_and_confirm(client, both[1], "kim")
    assert decide_concurrently(app, (owner, first, "approve"), (teammate, second, "decline")) == [303, 303]
    assert animal_statuses(*both) == ["pending", "pending"]


def test_withdrawing_an_approved_application_makes_the_animal_available(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    link = link_in(apply(client, biscuit))
    ref = application_ref("sam")
    take_steps(owner, ref, "approve")
    assert client.post(f"{link}/withdrawal").status_code == 303
    assert (orders_of(owner), animal_statuses(biscuit)) == ([(biscuit, "withdrawn")], ["available"])
    assert load_history(ref)[-1] == ("withdrawn", "the applicant")
    answer = decide(owner, ref, "complete", "approved")
    assert "was withdrawn by the applicant since you opened it" in error_in(answer)


def test_decisions_keep_a_status_that_staff_set_themselves(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    first, second = apply_and_confirm(client, biscuit, "sam"), apply_and_confirm(client, biscuit, "kim")
    set_status(biscuit, "pending")
    take_steps(owner, first, "decline")
    assert animal_statuses(biscuit) == ["pending"], "it was promised by telephone, say"
    set_status(biscuit, "sold")
    answer = decide(owner, second, "approve")
    assert answer.status_code == 409
    assert "Biscuit is marked as adopted" in error_in(answer)
    assert orders_of(owner)[1] == (biscuit, "placed")


def test_an_adoption_can_be_completed_after_the_animal_was_marked_as_adopted(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    ref, _ = apply_and_confirm(client, biscuit), apply_and_confirm(client, biscuit, "kim")
    take_steps(owner, ref, "approve")
    set_status(biscuit, "sold")
    take_steps(owner, ref, "complete")
    assert subjects_to_applicant("kim")[-1] == "Biscuit has found a home"


def test_an_order_without_an_application_can_be_decided(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    ref = add_order_without_application(owner, biscuit)
    apply_and_confirm(client, biscuit, "kim")
    assert "No application form" in owner.get("applications").text
    assert "there are no applicant details" in owner.get(f"applications/{ref}").text
    assert owner.get(f"applications/{ref}/refusal?seen=placed").status_code == 200
    take_steps(owner, ref, "approve", "complete")
    assert animal_statuses(biscuit) == ["sold"]
    assert subjects_to_applicant("kim")[-1] == "Biscuit has found a home"
    take_steps(owner, ref, "return")
    assert animal_statuses(biscuit) == ["available"]


def test_the_api_shows_each_step_with_a_new_etag(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    _, key = create_key(owner.slug)
    headers = {"Authorization": f"Bearer {key}"}
    before = client.get("/v1/store/orders", headers=headers)
    for step, status in API_STEPS:
        with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=False):
            take_steps(owner, ref, step)
            known = {"If-None-Match": before.headers["ETag"]}
            after = client.get("/v1/store/orders", headers=headers | known)
        assert after.status_code == 200
        [old], [new] = before.json, after.json  # type: ignore[misc]
        changed = {"status": status, "updatedAt": new["updatedAt"]}
        assert new == old | changed
        assert new["updatedAt"] > old["updatedAt"]
        with transaction() as session:  # back to the test's clock
            session.execute(update(Order).values(updated_at=datetime.now(UTC) - timedelta(days=1)))
        before = client.get("/v1/store/orders", headers=headers)


API_STEPS = (("approve", "approved"), ("complete", "completed"), ("return", "completed"))


def test_the_audit_log_has_each_step_without_the_applicants_name(
    client: FlaskClient, owner: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    take_steps(owner, ref, "approve", "take back", "approve", "complete", "return")
    owner.post(f"applications/{ref}/notes", {"note": "Sam sounds kind"})
    with reading() as session:
        of = select(AuditEntry).where(AuditEntry.action.startswith("application.")).order_by(AuditEntry.id)
        entries = list(session.scalars(of))
    steps = ("approved", "reopened", "approved", "completed", "returned", "noted")
    assert [entry.action for entry in entries] == [f"application.{step}" for step in steps]
    assert {(entry.actor, entry.thing) for entry in entries} == {
        (owner.email, f"Biscuit (application {ref})")
    }
    assert not any("Sam" in entry.detail for entry in entries)


def test_a_held_application_is_released_or_deleted(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    first = apply_and_confirm(client, biscuit, "sam", subject="filled in")
    second = apply_and_confirm(client, biscuit, "kim", name="www.pills.example")
    assert "There is a link in the name." in owner.get(f"applications/{second}").text
    assert owner.post(f"applications/{first}/release").status_code == 303
    assert load_history(first) == [("placed", owner.email)]
    assert owner.post(f"applications/{second}/deletion").status_code == 303
    assert owner.get(f"applications/{second}").status_code == 404
    assert owner.post(f"applications/{first}/deletion").status_code == 409
    assert orders_of(owner) == [(biscuit, "placed")]
    for what in PATHS:
        held = (
            apply_and_confirm(client, biscuit, "lee", subject="filled in")
            if what == "approve"
            else application_ref("lee")
        )
        assert decide(owner, held, what, "held").status_code == 409


def test_a_held_application_for_an_adopted_animal_is_not_released(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    ref = apply_and_confirm(client, biscuit, subject="filled in")
    set_status(biscuit, "sold")
    answer = owner.post(f"applications/{ref}/release")
    assert answer.status_code == 409
    assert "Biscuit has found a home" in error_in(answer)


def test_the_history_has_each_step_with_its_actor(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    ref, other = apply_and_confirm(client, biscuit), apply_and_confirm(client, biscuit, "kim")
    take_steps(owner, ref, "approve", "take back", "approve", "complete")
    by = owner.email
    steps = [
        ("placed", "the applicant"),
        ("approved", by),
        ("placed", by),
        ("approved", by),
        ("completed", by),
    ]
    assert load_history(ref) == steps
    assert load_history(other) == [("placed", "the applicant"), ("declined", "Homeward")]
    page = owner.get(f"applications/{ref}").text
    assert page.index("Applied") < page.index("Approval undone") < page.rindex("Approved")
