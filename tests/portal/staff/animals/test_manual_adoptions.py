"""Animals that staff mark as adopted although they have applications."""

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from adoption.mail.models import OutgoingEmail
from adoption.storage.database import reading
from tests.cast import Colleague
from tests.deciding import (
    add_animal,
    add_bonded_animals,
    animal_statuses,
    apply_and_confirm,
    orders_of,
    subjects_to_applicant,
    take_steps,
)
from tests.portal.staff.animals.test_bulk_changes import undo_in
from tests.staffing import form_in, stored_animal
from tests.statements import recorded_statements


def adopted_by_row(by: Colleague, id_: int, **headers: str) -> str:
    form = {"do": "status", f"status-{id_}": "sold", "back": "?q=juno"}
    answer = by.post(f"animals/{id_}/changes", form, headers=headers)
    return answer.text if answer.status_code == 200 else by.client.get(answer.headers["Location"]).text


def offered(page: str) -> dict[str, str]:
    """Return the form fields of the email that the question offers."""
    return {name: value for name, value in form_in(page).items() if name.endswith("_others")}


def emails_to(who: str) -> list[str]:
    """Return the texts of the emails about an adopted animal."""
    letters = select(OutgoingEmail.text).where(OutgoingEmail.recipient == f"{who}@example.org")
    with reading() as session:
        found = session.scalars(letters.where(OutgoingEmail.subject.contains("found a home")))
        return [text.strip() for text in found]


@pytest.mark.settings("embedded")
def test_the_email_to_applicants_can_be_edited_or_skipped_and_is_validated(
    client: FlaskClient, owner: Colleague
) -> None:
    juno, moss = add_animal(owner, "Juno"), add_animal(owner, "Moss")
    for each in (juno, moss):
        apply_and_confirm(client, each, "sam")
    apply_and_confirm(client, juno, "kim")
    path = f"animals/adoption?id={juno}&id={moss}&back="
    asked = owner.get(path).text
    assert "Email 3 applicants" in asked
    assert "[animals] found a home" in offered(asked)["words_to_others"]
    empty = owner.post(path, {"tell": "yes", "tell_others": "yes", "words_to_others": " "})
    assert empty.status_code == 422
    assert 'href="#words_to_others"' in empty.text
    assert animal_statuses(juno, moss) == ["available", "available"]
    edited = {"tell": "yes", "tell_others": "yes", "words_to_others": "Zq words about [animals]."}
    owner.post(path, edited)
    assert animal_statuses(juno, moss) == ["sold", "sold"]
    assert sorted(emails_to("sam")) == ["Zq words about Juno.", "Zq words about Moss."]
    assert emails_to("kim") == ["Zq words about Juno."]
    rex = add_animal(owner, "Rex")
    apply_and_confirm(client, rex, "lee")
    owner.post(f"animals/adoption?id={rex}", {"tell": "yes", "words_to_others": "Zq unsent"})
    assert (rex, "declined") in orders_of(owner)
    assert emails_to("lee") == []
    assert "1 application was closed. No email was sent" in owner.get("animals").text


@pytest.mark.settings("embedded")
def test_the_edit_form_keeps_the_edited_email_after_an_error(client: FlaskClient, owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    apply_and_confirm(client, juno, "sam")
    path = f"animals/{juno}"
    asked = form_in(owner.post(path, form_in(owner.get(path).text) | {"status": "sold"}).text)
    assert "found a home" in asked["words_to_others"]
    edited = asked | {"tell": "yes", "words_to_others": "Zq words about [animals]."}
    assert owner.post(path, edited | {"words_to_others": ""}).status_code == 422
    failed = owner.post(path, edited | {"name": ""})
    assert failed.status_code == 422
    again = form_in(owner.post(path, form_in(failed.text) | {"name": "Juno"}).text)
    assert again["words_to_others"] == "Zq words about [animals]."
    assert owner.post(path, again | {"tell": "yes"}).status_code == 303
    assert emails_to("sam") == ["Zq words about Juno."]


def test_a_manual_adoption_names_all_applicants_first(client: FlaskClient, owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    for who in ("sam", "kim", "lee"):
        apply_and_confirm(client, juno, who, name=who.capitalize())
    dialog = adopted_by_row(owner, juno, **{"HX-Request": "true", "HX-Target": f"animal-{juno}"})
    page = adopted_by_row(owner, juno)
    bulk = owner.post("animals/changes", {"do": "status", "status": "sold", "id": [str(juno)]})
    for text in (dialog, page, owner.client.get(bulk.headers["Location"]).text):
        assert "3 people have applied for Juno. Tell them that Juno has found a home?" in text
        assert [name for name in ("Sam", "Kim", "Lee") if f">{name}</a>" in text] == ["Sam", "Kim", "Lee"]
    assert "<dialog" in dialog
    assert stored_animal(juno).status == "available"


def test_applicants_are_declined_only_if_staff_choose(client: FlaskClient, owner: Colleague) -> None:
    for tell, state, mails in (("no", "placed", 0), ("yes", "declined", 1)):
        juno = add_animal(owner, f"Juno {tell}")
        who = f"sam-{tell}"
        apply_and_confirm(client, juno, who)
        path = f"animals/adoption?id={juno}&back="
        owner.post(path, offered(owner.get(path).text) | {"tell": tell})
        assert stored_animal(juno).status == "sold"
        assert (juno, state) in orders_of(owner)
        homed = [subject for subject in subjects_to_applicant(who) if "found a home" in subject]
        assert len(homed) == mails
        page = owner.get("animals").text
        assert ("1 application was closed. 1 email was sent. Undo changes only the status." in page) == mails
        owner.post(undo_in(page))
        assert animal_statuses(juno) == ["available"]
        assert (juno, state) in orders_of(owner)


def test_a_manual_adoption_leaves_an_approved_application_open(client: FlaskClient, owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    take_steps(owner, apply_and_confirm(client, juno, "rosa", name="Rosa"), "approve")
    apply_and_confirm(client, juno, "sam", name="Sam")
    text = adopted_by_row(owner, juno)
    assert re.search(r">Rosa</a>, approved", text)
    assert "Complete adoption" in text
    owner.post(f"animals/adoption?id={juno}", {"tell": "yes"})
    assert sorted(orders_of(owner)) == [(juno, "approved"), (juno, "declined")]
    assert not any("found a home" in each for each in subjects_to_applicant("rosa"))


def test_applicants_for_a_pair_are_declined_with_one_email(client: FlaskClient, owner: Colleague) -> None:
    both = add_bonded_animals(owner, "Salt", "Pepper")
    apply_and_confirm(client, both[0])
    path = f"animals/adoption?id={both[0]}&id={both[1]}"
    owner.post(path, offered(owner.get(path).text) | {"tell": "yes"})
    assert [each for each in subjects_to_applicant("sam") if "found a home" in each] == [
        "Salt and Pepper have found a home"
    ]


def test_the_edit_form_asks_about_applicants_and_keeps_its_values(
    client: FlaskClient, owner: Colleague
) -> None:
    juno = add_animal(owner, "Juno")
    apply_and_confirm(client, juno, name="Sam")
    form = form_in(owner.get(f"animals/{juno}").text) | {"status": "sold", "colours": "Grey"}
    answer = owner.post(f"animals/{juno}", form)
    assert answer.status_code == 422
    assert "1 person has applied for Juno. Tell Sam that Juno has found a home?" in answer.text
    assert stored_animal(juno).status == "available"
    again = form_in(answer.text)
    assert again["colours"] == "Grey"
    owner.post(f"animals/{juno}", again | {"tell": "yes"})
    assert (stored_animal(juno).status, stored_animal(juno).colours) == ("sold", "Grey")
    assert orders_of(owner) == [(juno, "declined")]


@pytest.mark.settings("embedded")
def test_animals_without_applications_cost_no_queries_of_their_own(
    client: FlaskClient, owner: Colleague
) -> None:
    asked_for = add_animal(owner, "Juno")
    apply_and_confirm(client, asked_for)
    many = [asked_for, *(add_animal(owner, f"Rex {number}") for number in range(30))]
    ids = "&".join(f"id={each}" for each in many)
    with recorded_statements() as asked:
        owner.post(f"animals/adoption?{ids}&back=", {"tell": "yes"})
    assert set(animal_statuses(*many)) == {"sold"}
    assert orders_of(owner) == [(asked_for, "declined")]
    assert len([each for each in asked if each.startswith("SELECT")]) < 50
