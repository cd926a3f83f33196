"""The application form, and the private page of an applicant."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text, update
from werkzeug.test import TestResponse

import adoption.storage.sqlite_writes
from adoption.animals.models import Animal
from adoption.mail.mime import build_message
from adoption.mail.models import OutgoingEmail
from adoption.orders import spam_detection
from adoption.orders.models import Application, Order
from adoption.orders.repeated_applications import REUSED_MOST
from adoption.projects import publication as projects
from adoption.projects.models import Project
from adoption.storage.database import db, reading, transaction
from tests import cast, factories
from tests.applying import ANSWERS, HTMX, application_form, apply, hidden_field, link_in, send_application
from tests.mailbox import link_in_email
from tests.pages import ParsedPage

pytestmark = pytest.mark.settings("embedded")

DAY = 86_400
PLATFORM_URL = "http://localhost:8000"
HOSTILE = '"><img src=x onerror=alert(1)>\r\nBcc: everyone@mail.test'
PRIVATE = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}


def errors_in(page: str) -> dict[str, str]:
    """Return the error of each field."""
    found = re.findall(r'id="([a-z]+)-error">.*?<span>(.*?)</span>', page, re.DOTALL)
    return dict(found)


def decide(status: str) -> None:
    with transaction() as session:
        session.execute(update(Order).values(status=status, updated_at=datetime.now(UTC) + timedelta(days=2)))


def test_an_empty_application_says_what_to_do(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add("Biscuit")
    blank = dict.fromkeys(ANSWERS, "")
    page = apply(client, animal, **blank)
    assert page.status_code == 422
    assert errors_in(page.text) == {
        "name": "Enter your name, so that the shelter knows who is writing",
        "email": "Enter your email address, so that the shelter can reply",
        "home": "Choose whether you own or rent your home",
        "why": "Tell us why you would like to adopt Biscuit",
    }
    assert "<title>Error: " in page.text
    assert "4 answers need another look" in page.text
    for field in ("name", "email", "home", "why"):
        assert f'<a href="#{field}">' in page.text
        assert f'id="{field}"' in page.text
    assert page.cache_control.private, "and the browser may show it again after going back"


WRONG = [
    ("email", "sam.okafor", "Enter an email address with an @, such as sam@example.org"),
    ("email", "sam@example", "Check the email address; it should look like sam@example.org"),
    ("email", "sam@example.org, kim@example.org", "Check the email address"),
    ("email", "sam@example.org\r\nBcc: kim@example.org", "Check the email address"),
    ("email", "säm@example.org", "Use an email address without accents"),
    ("email", f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org", "Check the email address"),
    ("name", "\x00", "Your name begins with a character that we cannot save"),
    ("name", "\u200b\u2060", "Enter your name"),
    ("name", "x" * 201, "Shorten your name to 200 characters; it has 201"),
    ("phone", "call me", "Enter a phone number such as"),
    ("phone", "1" * 51, "Shorten the phone number"),
    ("home", "castle", "Choose whether you own or rent your home"),
    ("why", "x" * 5_001, "Shorten this to 5,000 characters; it has 5,001"),
    ("why", "A garden\x07", "Your answer contains a character that we cannot save"),
]


@pytest.mark.parametrize(("field", "value", "sentence"), WRONG)
def test_an_invalid_answer_has_an_error_at_its_field(
    client: FlaskClient, shelter: cast.Shelter, field: str, value: str, sentence: str
) -> None:
    page = apply(client, shelter.add(), **{field: value})
    assert page.status_code == 422
    [(name, found)] = errors_in(page.text).items()
    assert name == field
    assert found.startswith(sentence)
    tied = " ".join(re.findall(r'aria-describedby="([^"]*)"', page.text)).split()
    assert f"{field}-error" in tied


def test_an_invalid_application_keeps_all_values(client: FlaskClient, shelter: cast.Shelter) -> None:
    why = "  First line.\r\n\r\n</textarea><script>alert(1)</script>"
    page = apply(client, shelter.add(), email="sam@", name=HOSTILE, phone="01632 960 144", why=why).text
    assert "&#34;&gt;&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<img src=x" not in page
    assert "<script>alert" not in page
    for kept in ('value="sam@"', 'value="01632 960 144"', "  First line.\r\n\r\n&lt;/textarea&gt;"):
        assert kept in page
    for chosen in ("young", "cats", "rent"):
        assert re.search(rf'value="{chosen}"[^>]* checked', page)
    for not_chosen in ("older", "dogs", "own"):
        assert not re.search(rf'value="{not_chosen}"[^>]* checked', page)


def test_a_corrected_form_is_the_same_submission(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    again = hidden_field(apply(client, animal, form, why="").text)
    link = link_in(apply(client, animal, again))
    assert link_in(apply(client, animal, again)) == link
    with reading() as session:
        assert session.scalars(select(Application.held_for)).all() == [""], (
            "a fast correction is no sign of a program"
        )


@pytest.mark.parametrize("case", ["missing", "forged", "of another animal", "days old", "of the future"])
def test_an_expired_form_comes_back_with_its_answers(
    client: FlaskClient, shelter: cast.Shelter, case: str
) -> None:
    animal = shelter.add()
    form = {
        "missing": lambda: "",
        "forged": lambda: application_form(client, animal)[:-2] + "xx",
        "of another animal": lambda: application_form(client, shelter.add()),
        "days old": lambda: application_form(client, animal, opened=2 * DAY + 1),
        "of the future": lambda: application_form(client, animal, opened=-DAY),
    }[case]()
    page = apply(client, animal, form)
    assert page.status_code == 422
    assert "send them again" in page.text
    assert "Somebody is at home all day.\n\nThere is a garden." in page.text
    link_in(apply(client, animal, hidden_field(page.text), why="See https://pills.example"))
    with reading() as session:
        [held_for] = session.scalars(select(Application.held_for))
    # A form that is sent within seconds looks like a bot's, unless it was open for days.
    assert bool(held_for) == (case != "days old")


def test_a_form_can_be_submitted_a_limited_number_of_times(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    answers = []
    for _ in range(REUSED_MOST + 1):
        answers.append(apply(client, animal, form))
        if answers[-1].status_code == 303:
            client.post(f"{link_in(answers[-1])}/withdrawal")
    assert [each.status_code for each in answers] == [303] * REUSED_MOST + [409]
    assert "Reload the page, then apply again" in answers[-1].text
    assert "Somebody is at home all day." in answers[-1].text


def test_htmx_gets_only_the_fragment(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add("Biscuit")
    form = application_form(client, animal)
    mistaken = apply(client, animal, form, headers=HTMX, why="")
    assert mistaken.status_code == 422
    assert "<html" not in mistaken.text
    assert mistaken.text.startswith("<title>Error: Apply to adopt Biscuit")
    assert 'id="apply"' in mistaken.text
    done = apply(client, animal, form, headers=HTMX)
    assert done.status_code == 200
    assert "What happens next" in done.text
    assert "data-focus" in done.text
    assert 'id="apply"' in done.text
    [link] = re.findall(r'href="(/applications/\w+)"', done.text)
    assert client.get(link).status_code == 200
    assert done.headers["HX-Push-Url"].startswith(f"{link}?sent"), "a reload shows no empty form"
    assert done.headers["Cache-Control"] == "no-store"


def test_htmx_gets_the_news_that_an_animal_was_adopted_as_a_fragment(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add("Biscuit")
    form = application_form(client, animal)
    with transaction() as session:
        session.execute(update(Animal).values(status="sold"))
    answer = apply(client, animal, form, headers=HTMX)
    assert answer.status_code == 422
    assert "Biscuit has found a home" in answer.text
    assert "There is a garden." in answer.text, "so that it can be used again"
    page = apply(client, animal, form)
    assert page.status_code == 409
    assert "Biscuit has found a home" in page.text


def test_htmx_gets_the_news_that_an_animal_was_removed_as_a_fragment(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    with transaction() as session:
        session.execute(update(Animal).values(listed=False))
    answer = apply(client, animal, form, headers=HTMX)
    assert answer.status_code == 422
    assert 'id="apply"' in answer.text


@pytest.mark.parametrize("headers", [None, HTMX])
def test_a_rate_limited_application_stays_in_its_form(
    client: FlaskClient,
    shelter: cast.Shelter,
    headers: dict[str, str] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    animal = shelter.add()
    with monkeypatch.context() as patched:
        patched.setattr(
            spam_detection, "SAVED_PER_ADDRESS", replace(spam_detection.SAVED_PER_ADDRESS, most=1)
        )
        link_in(apply(client, animal, email="kim@example.org"))
        answer = apply(client, animal, headers=headers, why="A garden. <b>Quiet</b>")
    assert answer.status_code == (422 if headers else 429)
    assert re.search(
        r"is still here: wait (a minute|\d+ minutes), then send the application again\.", answer.text
    )
    [notice] = [each for each in ParsedPage(answer.text).all("div", role="alert") if "data-focus" in each]
    assert "autofocus" in notice, "the form is far down the page, which no script may move"
    assert "<title>Error: " in answer.text
    assert "A garden. &lt;b&gt;Quiet&lt;/b&gt;</textarea>" in answer.text
    assert "closed" not in answer.text
    link_in(apply(client, animal, hidden_field(answer.text)))


TAKEN_AWAY = {"listed": False, "removed_at": datetime.now(UTC), "listed_before_removal": True}


@pytest.mark.parametrize("headers", [None, HTMX])
@pytest.mark.parametrize(
    ("columns", "status"), [({"status": "sold"}, 409), ({"listed": False}, 404), (TAKEN_AWAY, 410)]
)
@pytest.mark.parametrize("email", ["sam@example.org", "sam@"])
def test_the_answers_for_an_animal_that_is_no_longer_available_are_shown(
    client: FlaskClient,
    shelter: cast.Shelter,
    headers: dict[str, str] | None,
    columns: dict[str, object],
    status: int,
    email: str,
) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    with transaction() as session:
        session.execute(update(Animal).values(columns))
    typed = {"email": email, "why": "A garden. <b>Quiet</b>", "phone": "01632 960 144"}
    answer = apply(client, animal, form, headers=headers, **typed)
    assert answer.status_code == (422 if headers else status)
    assert all(text in answer.text for text in (ANSWERS["name"], email, typed["phone"]))
    assert "Your answers were not sent" in answer.text
    assert "A garden. &lt;b&gt;Quiet&lt;/b&gt;" in answer.text
    assert "Send application" not in answer.text


@contextmanager
def nobody_can_write(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the database read-only. On SQLite it is locked instead."""
    if db.engine.dialect.name == "sqlite":
        with monkeypatch.context() as patched, adoption.storage.sqlite_writes.WRITING:
            patched.setattr(adoption.storage.sqlite_writes, "BUSY_SECONDS", 0.05)
            yield
        return
    change = f'ALTER DATABASE "{db.engine.url.database}"'
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"{change} SET default_transaction_read_only = on"))
        db.engine.dispose()
        try:
            yield
        finally:
            connection.execute(text(f"{change} RESET default_transaction_read_only"))
            db.engine.dispose()


@pytest.mark.settings("embedded", "scaled")
@pytest.mark.parametrize("headers", [None, HTMX])
def test_an_application_that_cannot_be_saved_is_still_in_the_form(
    client: FlaskClient,
    shelter: cast.Shelter,
    headers: dict[str, str] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    animal = shelter.add("Biscuit")
    form = application_form(client, animal)
    with nobody_can_write(monkeypatch):
        answer = apply(client, animal, form, headers=headers)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert not answer.cache_control.no_store, "and the browser may show it again after going back"
    assert "Your answers are still here. Send them again in a few seconds." in answer.text
    assert "<title>Error: Apply to adopt Biscuit" in answer.text
    assert 'value="sam@example.org"' in answer.text
    assert "Somebody is at home all day.\n\nThere is a garden." in answer.text
    assert ("<html" in answer.text) == (headers is None)
    assert ">Try again</a>" not in answer.text
    assert hidden_field(answer.text) == form, "and so it is one application, however often it comes"
    assert shelter.get("/v1/store/orders").json == []
    link_in(apply(client, animal, hidden_field(answer.text)))


def test_a_page_with_an_application_form_is_cached_privately(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add()
    page = client.get(f"/animals/{animal}", follow_redirects=True)
    assert page.cache_control.private
    assert application_form(client, animal) != application_form(client, animal)


def test_get_of_the_applications_url_redirects_to_the_form(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    animal = shelter.add("Biscuit")
    assert client.get(f"/animals/{animal}/applications").location == f"/animals/{animal}-biscuit#apply"


def test_applying_sets_no_cookie(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    site = f"http://{shelter.slug}.localhost"
    page = client.get(f"/animals/{animal}", base_url=site, follow_redirects=True)
    sent = apply(client, animal, site=site)
    followed = client.get(sent.location)
    assert followed.status_code == 200
    assert not any("Set-Cookie" in answer.headers for answer in (page, sent, followed))


def test_the_private_page_has_no_referrer_and_is_no_store(client: FlaskClient, shelter: cast.Shelter) -> None:
    link = link_in(apply(client, shelter.add()))
    for address in (link, f"{link}?sent", f"{link}/withdrawal", "/applications/unknown"):
        page = client.get(address)
        assert {name: page.headers[name] for name in PRIVATE} == PRIVATE
        assert '<meta name="robots" content="noindex">' in page.text


STATES = {
    "placed": ["has your application and has not decided yet", "reads it", "still to come"],
    "approved": ["is approved", "has read it"],
    "completed": ["Biscuit has come home with you", "Adopted"],
    "declined": ["was declined", "This is no reflection on you or your home", "Declined"],
    "withdrawn": ["You have withdrawn your application", "Withdrawn by you"],
}


@pytest.mark.parametrize("state", STATES)
def test_the_private_page_shows_the_progress(client: FlaskClient, shelter: cast.Shelter, state: str) -> None:
    link = link_in(apply(client, shelter.add("Biscuit")))
    decide(state)
    page = client.get(link).text
    for sentence in (*STATES[state], "Biscuit"):
        assert sentence in page
    assert ("Withdraw application" in page) == (state in ("placed", "approved"))


HELD = "It has to be checked before Elm Road Rescue sees it"


@pytest.mark.parametrize("headers", [None, HTMX])
def test_the_page_after_sending_says_whether_an_email_was_sent(
    client: FlaskClient, shelter: cast.Shelter, headers: dict[str, str] | None
) -> None:
    animal, emails = shelter.add("Biscuit"), "We are emailing"

    def sent(**answers: object) -> str:
        answer = apply(client, animal, headers=headers, **answers)
        return answer.text if headers else client.get(answer.location).text

    taken = sent()
    assert "Elm Road Rescue has your application" in taken
    assert emails in taken
    reminded = sent(why="Once more")
    assert emails in reminded, "and the owner of the address is"
    assert HELD not in reminded, "its sender may have guessed the address"
    for untold in (sent(why="And again"), sent(email="kim@example.org", name="www.pills.example")):
        assert "We are emailing" not in untold
        assert "have not emailed" in untold
    with reading() as session:
        recipients = session.scalars(select(OutgoingEmail.recipient).order_by(OutgoingEmail.id)).all()
    assert recipients == ["sam@example.org", "owner@example.org", "sam@example.org"]


@pytest.mark.parametrize("page", ["", "?sent"])
def test_the_page_of_a_held_application_says_that_it_is_checked_first(
    client: FlaskClient, shelter: cast.Shelter, page: str
) -> None:
    link = link_in(apply(client, shelter.add("Biscuit"), name="www.pills.example"))
    text = client.get(f"{link}{page}").text
    assert "We received your application." in text
    assert "has to be checked before Elm Road Rescue sees it in its inbox" in text
    assert "Withdraw application" in text
    assert "has your application" not in text
    assert "emailing" not in text


@pytest.mark.parametrize("state", ["placed", "approved", "declined", "withdrawn", "completed"])
def test_a_private_link_shows_a_stranger_nothing_that_was_typed(
    client: FlaskClient, shelter: cast.Shelter, state: str
) -> None:
    link = link_in(apply(client, shelter.add("Biscuit"), phone="01632 960 144"))
    decide(state)
    strangers = [client.get(f"{link}{page}") for page in ("", "?sent", "?sent=emailed")]
    strangers += [client.post(link, data={"name": name}) for name in ("", "Sam", "Kim Lee", "%")]
    for page in strangers:
        for typed in ("Okafor", "01632 960 144", "I rent my home", "Children under 8", "There is a garden"):
            assert typed not in page.text
    wrong = strangers[-1]
    assert wrong.status_code == 422
    assert errors_in(wrong.text) == {
        "name": "This is not the name in the application. Enter your name as you wrote it in the form"
    }
    assert 'value="%"' in wrong.text
    shown = client.post(link, data={"name": "  sam  ÓKAFOR "})
    assert shown.status_code == 200
    for typed in ("Sam Okafor", "01632 960 144", "I rent my home", "There is a garden"):
        assert typed in shown.text
    assert "There is a garden" not in client.get(link).text, "each time"


@pytest.mark.parametrize(
    "typed", ["Mary O'Neill-Smith", "mary  o\u2019neill smith", "MARY ONEILL\u2010SMITH"]
)
def test_the_applicants_name_opens_the_answers_with_any_punctuation(
    client: FlaskClient, shelter: cast.Shelter, typed: str
) -> None:
    link = link_in(apply(client, shelter.add(), name="Mary O\u2019Neill-Smith"))
    assert "There is a garden." in client.post(link, data={"name": typed}).text
    assert client.post(link, data={"name": "…"}).status_code == 422


def try_name(client: FlaskClient, link: str, name: str, address: str) -> TestResponse:
    return client.post(link, data={"name": name}, environ_overrides={"REMOTE_ADDR": address})


def test_wrong_names_lock_out_a_stranger_but_not_the_applicant(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    link = link_in(apply(client, shelter.add()))
    other = link_in(apply(client, shelter.add()))
    stranger, applicant = "192.0.2.7", "198.51.100.9"
    tries = [try_name(client, link, f"Name {number}", stranger).status_code for number in range(11)]
    assert tries == [422] * 10 + [429]
    locked = try_name(client, link, "Sam Okafor", stranger)
    assert locked.status_code == 429
    assert "ask the shelter to send you a new link" in locked.text
    assert try_name(client, other, "Sam Okafor", stranger).status_code == 200
    shown = [try_name(client, link, "Sam Okafor", applicant).status_code for _ in range(11)]
    assert shown == [200] * 11, "the right name is not counted"


def test_name_guesses_from_many_addresses_are_limited_and_a_new_link_helps(
    client: FlaskClient, owner: cast.Colleague
) -> None:
    link = link_in(apply(client, factories.animal(Project(id=owner.project_id))))
    for number in range(100):
        assert try_name(client, link, f"Name {number}", f"192.0.2.{number // 5}").status_code == 422
    locked = try_name(client, link, "Sam Okafor", "198.51.100.9")
    assert locked.status_code == 429
    assert "ask the shelter to send you a new link" in locked.text
    case = re.findall(r'href="([^"]*applications/\d+)[^"]*"', owner.get("applications").text)[0]
    page = owner.get(f"{case}/private-link").text
    assert "Send Sam Okafor a new private link?" in page
    assert f"{case}/private-link" in owner.get(case).text
    assert owner.post(f"{case}/private-link").status_code == 303
    fresh = client.post(link_in_email("sam@example.org")).location
    assert fresh != link
    assert "Earlier links no longer work" in client.get(link).text
    assert client.get(link).status_code == 404
    assert try_name(client, fresh, "Sam Okafor", "198.51.100.9").status_code == 200
    assert "Sent an applicant a new private link" in owner.get("audit").text
    with transaction() as session:
        session.execute(update(Application).values(held_for="Looks odd."))
    assert owner.post(f"{case}/private-link").status_code == 409


def test_an_applicant_is_emailed_at_most_three_new_links_a_day(
    client: FlaskClient, owner: cast.Colleague
) -> None:
    apply(client, factories.animal(Project(id=owner.project_id)))
    case = re.findall(r'href="([^"]*applications/\d+)[^"]*"', owner.get("applications").text)[0]
    sent = [owner.post(f"{case}/private-link") for _ in range(4)]
    assert [answer.status_code for answer in sent] == [303, 303, 303, 409]
    assert "No link was sent" in sent[-1].text
    latest = client.post(link_in_email("sam@example.org"), follow_redirects=True)
    assert latest.status_code == 200, "the latest link still works"


@pytest.mark.parametrize("site", ["http://localhost", "http://elm-road-rescue.localhost"])
def test_the_form_says_who_gets_the_answers_and_for_how_long(
    client: FlaskClient, shelter: cast.Shelter, site: str
) -> None:
    page = client.get(f"/animals/{shelter.add()}", base_url=site, follow_redirects=True).text
    notice = " ".join(page[: page.index("sees your answers")].rpartition("<p")[2].split())
    notice += " ".join(page[page.index("sees your answers") :].partition("</p>")[0].split())
    for part in (
        "Elm Road Rescue",
        "365 days after the last change",
        "a copy of your answers, correct them or",
    ):
        assert part in notice
    assert '<a href="/privacy">Privacy</a>' in notice


@pytest.mark.parametrize("headers", [None, HTMX])
def test_a_filled_honeypot_asks_again_once_and_keeps_the_answers(
    client: FlaskClient, shelter: cast.Shelter, headers: dict[str, str] | None
) -> None:
    animal = shelter.add("Biscuit")
    asked = send_application(
        client, animal, application_form(client, animal), headers=headers, subject="autofill"
    )
    assert asked.status_code == 422
    assert "A hidden field was filled in, perhaps by your browser" in asked.text
    assert "Somebody is at home all day." in asked.text
    send_application(client, animal, hidden_field(asked.text), headers=headers)
    assert [each["petId"] for each in shelter.get("/v1/store/orders").json] == [animal]


def test_the_private_page_works_after_the_animal_is_hidden(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    link = link_in(apply(client, shelter.add("Biscuit")))
    assert 'class="animal-card"' in client.get(link).text
    with transaction() as session:
        session.execute(update(Animal).values(listed=False))
    page = client.get(link)
    assert page.status_code == 200
    assert "Biscuit" in page.text
    assert 'class="animal-card"' not in page.text


def test_withdrawing_is_confirmed_with_the_animals_name(client: FlaskClient, shelter: cast.Shelter) -> None:
    link = link_in(apply(client, shelter.add("Biscuit")))
    question = client.get(f"{link}/withdrawal").text
    assert "Withdraw your application for <bdi>Biscuit</bdi>?" in question
    assert shelter.get("/v1/store/orders?status=placed").json != []
    done = client.post(f"{link}/withdrawal")
    assert (done.status_code, done.location) == (303, link)
    assert "You have withdrawn" in client.get(link).text
    assert shelter.get("/v1/store/orders?status=placed").json == []
    assert client.get(f"{link}/withdrawal").location == link, "there is nothing left to ask"
    assert client.post(f"{link}/withdrawal").location == link


@pytest.mark.parametrize("token", ["x", "a" * 40, "A" * 40, "%00", "é", "a" * 4_000])
def test_an_unknown_private_link_is_explained(client: FlaskClient, token: str) -> None:
    for answer in (
        client.get(f"/applications/{token}"),
        client.get(f"/applications/{token}/withdrawal"),
        client.post(f"/applications/{token}/withdrawal"),
    ):
        assert answer.status_code == 404
        assert "Copy the whole link" in answer.text


@pytest.mark.parametrize("page", ["", "?sent", "/withdrawal"])
@pytest.mark.parametrize("published", [True, False])
def test_a_private_link_works_after_any_change_of_the_shelters_site(
    client: FlaskClient, shelter: cast.Shelter, neighbour: cast.Shelter, page: str, published: bool
) -> None:
    link = link_in(apply(client, shelter.add("Biscuit")))
    if not published:
        projects.unpublish_site(shelter.project_id)
    own, other = f"{shelter.slug}.localhost", f"{neighbour.slug}.localhost"
    for host in (own, other, "removed-domain.example"):
        sent_on = client.get(f"{link}{page}", headers={"Host": host})
        assert (sent_on.status_code, sent_on.location) == (302, f"{PLATFORM_URL}{link}{page}"), host
        assert {name: sent_on.headers[name] for name in PRIVATE} == PRIVATE
    answer = client.get(f"{link}{page}")
    assert answer.status_code == 200
    assert "Biscuit" in answer.text


def test_a_withdrawal_on_another_host_is_redirected_to_the_platform(
    client: FlaskClient, shelter: cast.Shelter
) -> None:
    link = link_in(apply(client, shelter.add()))
    answer = client.post(f"{link}/withdrawal", base_url=f"http://{shelter.slug}.localhost")
    assert (answer.status_code, answer.location) == (303, f"{PLATFORM_URL}{link}/withdrawal")
    assert shelter.get("/v1/store/orders?status=placed").json != []


@pytest.mark.parametrize("headers", [None, HTMX])
def test_every_email_and_page_has_the_private_link_of_the_platform(
    client: FlaskClient, shelter: cast.Shelter, headers: dict[str, str] | None
) -> None:
    site = f"http://{shelter.slug}.localhost"
    animal = shelter.add("Biscuit")
    sent = apply(client, animal, site=site, headers=headers)
    shown = sent.headers["HX-Redirect"] if headers else sent.location
    assert "?sent=emailed" in shown, "a reload shows no empty form"
    [link] = re.findall(rf"{PLATFORM_URL}(/applications/[a-z2-7]+)", shown)
    client.post(f"{link}/withdrawal")
    with reading() as session:
        texts = "\n".join(letter.text for letter in session.scalars(select(OutgoingEmail)))
    addresses = set(re.findall(r"https?://[^/\s]+", texts))
    assert addresses == {PLATFORM_URL}
    policy = client.get(f"/animals/{animal}-biscuit", base_url=site).headers["Content-Security-Policy"]
    assert f"form-action 'self' {PLATFORM_URL}" in policy, "browsers check where a form redirects to"


def test_hostile_names_are_escaped_on_pages_and_in_emails(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add(HOSTILE.partition("\r")[0])
    link = link_in(apply(client, animal, name=HOSTILE, phone="0000 <b>", why=HOSTILE))
    client.post(f"{link}/withdrawal")
    for address in (link, f"{link}?sent", f"{link}/withdrawal"):
        page = client.get(address, follow_redirects=True).text
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page
    with reading() as session:
        letters = session.scalars(select(OutgoingEmail)).all()
    assert len(letters) == 4
    for letter in letters:
        mail = build_message(letter, "no-reply@homeward.example")
        assert "Bcc" not in mail
        assert mail["To"] in ("sam@example.org", "owner@example.org")


def test_emails_never_contain_a_forged_host(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    assert apply(client, animal, form, site="http://evil.example").status_code == 404
    apply(client, animal, form, headers={"X-Forwarded-Host": "evil.example"})
    with reading() as session:
        texts = session.scalars(select(OutgoingEmail.text)).all()
    assert texts
    assert not any("evil" in text for text in texts)


def test_text_in_any_script_is_unchanged(client: FlaskClient, shelter: cast.Shelter) -> None:
    link = link_in(apply(client, shelter.add(), name="עדן 🐕‍🦺 Zoë", why="يوجد حديقة\n🌳"))
    page = client.post(link, data={"name": "עדן 🐕‍🦺 Zoë"}).text
    assert "עדן 🐕‍🦺 Zoë" in page
    assert "يوجد حديقة\n🌳" in page


CUT_SHORT = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\x00'
NO_FORMS = [
    (b"\xff\xfe=%ff&name=%ED%A0%80&why=%00", "application/x-www-form-urlencoded"),
    (b"name=a&name=b&home=own&home=rent&household=x", "application/x-www-form-urlencoded"),
    (b'{"name": 1}', "application/json"),
    (CUT_SHORT, "multipart/form-data; boundary=x"),
    (b"", "multipart/form-data"),
    (b"", None),
]


@pytest.mark.parametrize(("body", "kind"), NO_FORMS)
def test_an_invalid_request_shows_the_form(
    client: FlaskClient, shelter: cast.Shelter, body: bytes, kind: str | None
) -> None:
    answer = client.post(f"/animals/{shelter.add()}/applications", data=body, content_type=kind)
    assert answer.status_code == 422


@pytest.mark.parametrize("animal", ["0", "9" * 19, "9" * 40, "x", "-1", "٣"])
def test_applying_for_an_unknown_animal_is_404(client: FlaskClient, animal: str) -> None:
    assert client.post(f"/animals/{animal}/applications", data=ANSWERS).status_code == 404


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    answers=st.fixed_dictionaries(
        {
            field: st.text(max_size=60)
            for field in ("name", "email", "phone", "home", "household", "why", "form")
        }
    )
)
def test_any_input_gets_a_response(app: APIFlask, answers: dict[str, str]) -> None:
    client = app.test_client()
    with reading() as session:
        animal = session.scalar(select(Animal.id))
    animal = animal or cast.shelter(client).add()
    sent = {name: text.encode("utf-8", "surrogatepass") for name, text in answers.items()}
    answer = client.post(f"/animals/{animal}/applications", data=sent)
    assert answer.status_code in (303, 422)


def test_dates_in_words(client: FlaskClient, shelter: cast.Shelter) -> None:
    animal = shelter.add()
    form = application_form(client, animal)
    with time_machine.travel(time.time() + 5, tick=False):
        link = link_in(apply(client, animal, form))
    today = datetime.now(UTC)
    assert f"{today.day}\N{NO-BREAK SPACE}{today:%B}" in client.get(link).text
