"""Animals that staff mark as adopted by hand although people have applied for them."""

import re

import pytest
from flask.testing import FlaskClient

from tests.cast import Colleague
from tests.deciding import animal, applied, done, orders, pair, statuses, subjects
from tests.portal.staff.test_animal_changes import undo_in
from tests.staffing import form_in, kept
from tests.statements import statements


def adopted_by_row(by: Colleague, id_: int, **headers: str) -> str:
    form = {"do": "status", f"status-{id_}": "sold", "back": "?q=juno"}
    answer = by.post(f"animals/{id_}/changes", form, headers=headers)
    return answer.text if answer.status_code == 200 else f"{answer.status_code}"


def test_adopted_asks_first_and_names_everyone_who_has_applied(client: FlaskClient, owner: Colleague) -> None:
    juno = animal(owner, "Juno")
    for who in ("sam", "kim", "lee"):
        applied(client, juno, who, name=who.capitalize())
    dialog = adopted_by_row(owner, juno, **{"HX-Request": "true", "HX-Target": f"animal-{juno}"})
    page = adopted_by_row(owner, juno)
    bulk = owner.post("animals/changes", {"do": "status", "status": "sold", "id": [str(juno)]})
    for text in (dialog, page, owner.client.get(bulk.headers["Location"]).text):
        assert "3 people have applied for Juno. Tell them that Juno has found a home?" in text
        assert [name for name in ("Sam", "Kim", "Lee") if f">{name}</a>" in text] == ["Sam", "Kim", "Lee"]
    assert "<dialog" in dialog
    assert kept(juno).status == "available"


def test_the_applicants_are_told_or_left_as_staff_choose(client: FlaskClient, owner: Colleague) -> None:
    for tell, state, mails in (("no", "placed", 0), ("yes", "declined", 1)):
        juno = animal(owner, f"Juno {tell}")
        who = f"sam-{tell}"
        applied(client, juno, who)
        owner.post(f"animals/adoption?id={juno}&back=", {"tell": tell})
        assert kept(juno).status == "sold"
        assert (juno, state) in orders(owner)
        homed = [subject for subject in subjects(who) if "found a home" in subject]
        assert len(homed) == mails
        page = owner.get("animals").text
        assert (
            "1 application was closed and 1 email was sent; Undo changes only the status." in page
        ) == mails
        owner.post(undo_in(page))
        assert statuses(juno) == ["available"]
        assert (juno, state) in orders(owner)


def test_an_approved_application_is_left_open_and_said_to_be(client: FlaskClient, owner: Colleague) -> None:
    juno = animal(owner, "Juno")
    done(owner, applied(client, juno, "rosa", name="Rosa"), "approve")
    applied(client, juno, "sam", name="Sam")
    text = adopted_by_row(owner, juno)
    assert re.search(r">Rosa</a>, approved", text)
    assert "Complete adoption" in text
    owner.post(f"animals/adoption?id={juno}", {"tell": "yes"})
    assert sorted(orders(owner)) == [(juno, "approved"), (juno, "declined")]
    assert not any("found a home" in each for each in subjects("rosa"))


def test_a_pair_is_turned_away_with_one_email(client: FlaskClient, owner: Colleague) -> None:
    both = pair(owner, "Salt", "Pepper")
    applied(client, both[0])
    owner.post(f"animals/adoption?id={both[0]}&id={both[1]}", {"tell": "yes"})
    assert [each for each in subjects("sam") if "found a home" in each] == [
        "Salt and Pepper have found a home"
    ]


def test_the_form_asks_as_well_and_keeps_what_was_typed(client: FlaskClient, owner: Colleague) -> None:
    juno = animal(owner, "Juno")
    applied(client, juno, name="Sam")
    form = form_in(owner.get(f"animals/{juno}").text) | {"status": "sold", "colours": "Grey"}
    answer = owner.post(f"animals/{juno}", form)
    assert answer.status_code == 422
    assert "1 person has applied for Juno. Tell Sam that Juno has found a home?" in answer.text
    assert kept(juno).status == "available"
    again = form_in(answer.text)
    assert again["colours"] == "Grey"
    owner.post(f"animals/{juno}", again | {"tell": "yes"})
    assert (kept(juno).status, kept(juno).colours) == ("sold", "Grey")
    assert orders(owner) == [(juno, "declined")]


@pytest.mark.settings("embedded")
def test_animals_without_applications_cost_no_queries_of_their_own(
    client: FlaskClient, owner: Colleague
) -> None:
    asked_for = animal(owner, "Juno")
    applied(client, asked_for)
    many = [asked_for, *(animal(owner, f"Rex {number}") for number in range(30))]
    ids = "&".join(f"id={each}" for each in many)
    with statements() as asked:
        owner.post(f"animals/adoption?{ids}&back=", {"tell": "yes"})
    assert set(statuses(*many)) == {"sold"}
    assert orders(owner) == [(asked_for, "declined")]
    assert len([each for each in asked if each.startswith("SELECT")]) < 50
