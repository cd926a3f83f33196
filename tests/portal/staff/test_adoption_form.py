"""Questions of the adoption form, and the answers of adopters."""

import json
import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from adoption.orders.models import Application
from adoption.projects.models import Project
from adoption.storage.database import reading
from tests import factories
from tests.applying import ANSWERS, application_form, apply, link_in
from tests.cast import Colleague

pytestmark = pytest.mark.settings("embedded")

GARDEN = {"text": "Do you have a garden?", "kind": "yes_no", "is_required": "y"}
VET = {"text": "Who is your vet?", "kind": "text", "hint": "Name and town"}
WALKS = {"text": "How often can you walk a dog?", "kind": "choice", "options": "Once a day\n\nTwice a day\n"}


@pytest.fixture
def animal(owner: Colleague) -> int:
    with reading() as session:
        project = session.get_one(Project, owner.project_id)
    return factories.animal(project)


def add(owner: Colleague, **question: str) -> None:
    answer = owner.post("adoption-form/questions", question)
    assert answer.status_code == 303, answer.text


def applications() -> list[Application]:
    with reading() as session:
        return list(session.scalars(select(Application).order_by(Application.id)))


def private_page(client: FlaskClient, link: str) -> str:
    """Return the private page with the answers. The applicant's name opens it."""
    return unescape(client.post(link, data={"name": ANSWERS["name"]}).text)


def shown(client: FlaskClient, animal: int) -> str:
    return unescape(client.get(f"/animals/{animal}", follow_redirects=True).text)


def test_adopters_answer_the_questions_that_a_shelter_added(
    client: FlaskClient, owner: Colleague, animal: int
) -> None:
    for question in (GARDEN, VET, WALKS):
        add(owner, **question)
    page = shown(client, animal)
    assert re.search(r"Do you have a garden\?</legend>", page)
    assert 'Who is your vet? <span class="field-optional">(optional)' in page
    assert "Name and town" in page
    assert re.findall(r"<option>(.*?)</option>", page) == ["Once a day", "Twice a day"]
    link = link_in(apply(client, animal, own1="yes", own2="", own3="Twice a day"))
    [application] = applications()
    assert application.own_answer_pairs == [
        ("Do you have a garden?", "Yes"),
        ("Who is your vet?", ""),
        ("How often can you walk a dog?", "Twice a day"),
    ]
    for page in (private_page(client, link), owner.get(f"applications/{application.id}").text):
        pairs = dict(re.findall(r"<dt[^>]*>(.*?)</dt><dd[^>]*>(.*?)</dd>", page))
        assert pairs["Do you have a garden?"] == "Yes"
        assert pairs["Who is your vet?"] == "Not answered"


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        (GARDEN, "", "Choose an answer to “Do you have a garden?”"),
        (GARDEN, "maybe", "Choose Yes or No for “Do you have a garden?”"),
        (WALKS, "Never", "Choose one of the options for “How often can you walk a dog?”"),
        ({**VET, "is_required": "y"}, " ", "Answer “Who is your vet?”"),
        (VET, "x" * 2_001, "Shorten your answer to 2,000 characters; it has 2,001"),
    ],
)
def test_a_wrong_answer_is_explained_and_the_others_are_kept(
    client: FlaskClient, owner: Colleague, animal: int, question: dict[str, str], answer: str, sentence: str
) -> None:
    add(owner, **question)
    page = apply(client, animal, own1=answer)
    assert page.status_code == 422
    text = unescape(page.text)
    assert f'<a href="#own1">{sentence}</a>' in text
    assert "Somebody is at home all day." in text
    assert applications() == []


def test_a_question_that_is_switched_off_is_not_asked(
    client: FlaskClient, owner: Colleague, animal: int
) -> None:
    for key in ("phone", "home", "household", "why"):
        assert owner.post(f"adoption-form/questions/{key}/asked", {"asked": "no"}).status_code == 303
    page = shown(client, animal)
    assert re.findall(r'<(?:input|select|textarea)[^>]* name="(\w+)"', page.partition('id="apply"')[2]) == [
        "name",
        "email",
        "subject",
        "form",
    ]
    link = link_in(apply(client, animal))
    private = private_page(client, link)
    assert re.findall(r"<dt[^>]*>(.*?)</dt>", private) == ["Name", "Email"]
    [application] = applications()
    assert (application.home, application.household, application.why) == ("", "", "")
    assert "none of the choices ticked" not in owner.get(f"applications/{application.id}").text.lower()
    owner.post("adoption-form/questions/why/asked", {"asked": "yes"})
    assert 'name="why"' in shown(client, animal)


def test_questions_are_in_the_order_that_the_shelter_chose(
    client: FlaskClient, owner: Colleague, animal: int
) -> None:
    add(owner, **VET)
    owner.post("adoption-form/order", {"up": "own1"})
    owner.post("adoption-form/order", {"down": "phone"})
    page = shown(client, animal).partition('id="apply"')[2]
    names = re.findall(r' name="(\w+)"', page)
    assert list(dict.fromkeys(names))[2:7] == ["home", "phone", "household", "own1", "why"]
    owner.post("adoption-form/order", {"order": "own1,why,phone,home,household"})
    names = re.findall(r' name="(\w+)"', shown(client, animal).partition('id="apply"')[2])
    assert list(dict.fromkeys(names))[2:7] == ["own1", "why", "phone", "home", "household"]
    stale = owner.post("adoption-form/order", {"order": "why,phone,home"}, follow_redirects=True)
    assert "Someone else changed the form. Nothing was moved" in stale.text


def test_an_answer_keeps_the_wording_of_its_question(
    client: FlaskClient, owner: Colleague, animal: int
) -> None:
    add(owner, **GARDEN)
    link = link_in(apply(client, animal, own1="no"))
    owner.post("adoption-form/questions/own1", {**GARDEN, "text": "Is there a fence?"})
    assert "Do you have a garden?" in private_page(client, link)
    assert "Is there a fence?" in shown(client, animal)
    owner.post("adoption-form/questions/own1/removal")
    assert "Do you have a garden?" in private_page(client, link)
    assert "Is there a fence?" not in shown(client, animal)
    add(owner, **VET)
    assert 'name="own2"' in shown(client, animal), "a form opened earlier must not answer another question"


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({**VET, "text": " "}, "Enter the question, such as “Do you have a garden?”"),
        ({**VET, "text": "x" * 201}, "Shorten the question to 200 characters; it has 201"),
        ({**VET, "text": "who lives with YOU?"}, "Your form already has this question."),
        ({**VET, "kind": "date"}, "Choose how the question is answered"),
        ({**WALKS, "options": "Only one"}, "Enter 2 to 20 options, one on each line; you entered 1"),
        ({**WALKS, "options": "\n".join(map(str, range(21)))}, "one on each line; you entered 21"),
        (
            {**WALKS, "kind": "text"},
            "Choose “Choice from a list” to use these options, or delete the options",
        ),
        (
            {**WALKS, "kind": "yes_no"},
            "Choose “Choice from a list” to use these options, or delete the options",
        ),
        ({**VET, "hint": "x" * 301}, "Shorten the hint to 300 characters; it has 301"),
    ],
)
def test_an_invalid_question_is_explained_and_stays_in_the_form(
    owner: Colleague, question: dict[str, str], sentence: str
) -> None:
    page = owner.post("adoption-form/questions", question)
    assert page.status_code == 422
    text = unescape(page.text)
    assert sentence in text
    assert "<title>Error: " in text
    assert f'value="{question["text"]}"' in text
    assert question.get("options", "") in text


def test_a_form_has_at_most_ten_questions_of_its_own(owner: Colleague) -> None:
    for number in range(10):
        add(owner, **{**VET, "text": f"Question {number}"})
    refused = owner.post("adoption-form/questions", {**VET, "text": "One more"})
    assert refused.status_code == 409
    assert "at most 10 questions of your own. Remove a question first." in refused.text
    assert "and cannot have more" in owner.get("adoption-form").text


def test_removing_a_question_asks_first_and_names_it(owner: Colleague) -> None:
    add(owner, **VET)
    asked = unescape(owner.get("adoption-form/questions/own1/removal").text)
    assert "Remove “Who is your vet?”?" in asked
    assert "Answers that you already have stay" in asked
    assert owner.get("adoption-form/questions/phone/removal").status_code == 404
    assert owner.get("adoption-form/questions/own7").status_code == 404


def test_only_owners_change_the_form_and_only_members_see_it(
    owner: Colleague, teammate: Colleague, outsider: Colleague
) -> None:
    add(owner, **VET)
    page = teammate.get("adoption-form").text
    assert "Who is your vet?" in page
    assert "Add question" not in page
    for path in ("questions", "questions/own1", "questions/own1/removal", "questions/phone/asked", "order"):
        assert teammate.post(f"adoption-form/{path}", VET).status_code == 403, path
        assert outsider.post(f"{owner.at('adoption-form')}/{path}", VET).status_code == 404, path
    assert outsider.get(owner.at("adoption-form")).status_code == 404


def test_each_change_of_the_form_is_in_the_audit_log(owner: Colleague) -> None:
    add(owner, **VET)
    owner.post("adoption-form/questions/home/asked", {"asked": "no"})
    log = unescape(owner.get("audit").text)
    assert "Changed the adoption form" in log
    assert "Added “Who is your vet?”" in log
    assert "No longer asks “Your home”" in log


def test_answers_to_own_questions_are_exported_emailed_and_erased(
    client: FlaskClient, owner: Colleague, animal: int
) -> None:
    add(owner, **VET)
    apply(client, animal, own1="Greenfield Vets, Alderbrook")
    [application_id] = [each.id for each in applications()]
    exported = owner.post(f"applicants/{application_id}/export")
    [application] = json.loads(exported.text)["applications"]
    assert application["ownAnswers"] == [
        {"question": "Who is your vet?", "answer": "Greenfield Vets, Alderbrook"}
    ]
    owner.post(f"applicants/{application_id}/erasure")
    [erased] = applications()
    assert erased.own_answers == "[]"


def test_an_adoption_form_belongs_to_its_shelter(
    client: FlaskClient, owner: Colleague, outsider: Colleague, animal: int
) -> None:
    add(outsider, **VET)
    assert "Who is your vet?" not in shown(client, animal)
    assert application_form(client, animal)
