"""The inbox of applications, and the page of an application."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption.animals.models import Animal
from adoption.mail.mime import build_message
from adoption.mail.models import OutgoingEmail
from adoption.orders import inbox
from adoption.orders.inbox_filters import InboxFilter
from adoption.orders.models import Application, Order
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from tests.applying import ANSWERS, application_form, apply, link_in
from tests.cast import Colleague
from tests.deciding import (
    add_animal,
    add_bonded_animals,
    application_ref,
    apply_and_confirm,
    decide,
    error_in,
    many_applications,
    take_steps,
)
from tests.statements import recorded_statements

NASTY = '"><img src=x onerror=alert(1)>'


def shown(page: str) -> list[str]:
    """Return the applicants in a list, in the order of the page."""
    return [unescape(who) for who in re.findall(r'class="inbox-who"><a[^>]*>(.*?)</a>', page)]


def box(of: Colleague, query: str = "") -> list[str]:
    answer = of.get(f"applications?{query}")
    assert answer.status_code == 200
    return shown(answer.text)


def test_the_inbox_shows_applicant_animal_and_text(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner, photos=1)
    apply_and_confirm(client, biscuit, "kim", name="Kim")
    apply_and_confirm(client, biscuit, name="Sam", why="There is a garden. " * 20)
    page = owner.get("applications").text
    assert shown(page) == ["Sam", "Kim"]
    assert page.count('for <bdi class="strong">Biscuit</bdi> <span class="soft">· 1 other<span') == 2
    assert page.count(f"/projects/{owner.slug}/photos/") == 2, "also of an animal that visitors do not see"
    assert "/media/" not in page
    assert "There is a garden. There is" in page
    assert "There is a garden. " * 12 not in page
    assert page.count("To review") >= 3


def test_each_part_of_the_inbox_has_its_applications(client: FlaskClient, owner: Colleague) -> None:
    for who in ("placed", "approved", "completed", "declined", "returned"):
        ref = apply_and_confirm(client, add_animal(owner, who.title()), who, name=who)
        steps = {"approved": ["approve"], "completed": ["approve", "complete"], "declined": ["decline"]}
        take_steps(
            owner, ref, *steps.get(who, []), *(["approve", "complete", "return"] if who == "returned" else [])
        )
    apply_and_confirm(client, add_animal(owner), "held", name="held", subject="filled in")
    assert box(owner) == ["placed"]
    assert box(owner, "box=approved") == ["approved"]
    assert box(owner, "box=held") == ["held"]
    assert box(owner, "box=decided") == ["returned", "declined", "completed"]
    assert box(owner, "box=all&order=oldest") == ["placed", "approved", "completed", "declined", "returned"]
    assert box(owner, "box=no-such-box") == ["placed"]


def test_the_number_of_open_applications_is_on_every_page(client: FlaskClient, owner: Colleague) -> None:
    assert "to review</span>" not in owner.get("animals").text
    both = add_bonded_animals(owner, "Salt", "Pepper")
    apply_and_confirm(client, both[0])
    apply_and_confirm(client, both[0], "kim")
    apply_and_confirm(client, both[0], "lee", subject="filled in")
    assert '2<span class="visually-hidden"> to review</span>' in owner.get("animals").text


def test_an_application_for_a_pair_is_one_entry(client: FlaskClient, owner: Colleague) -> None:
    both = add_bonded_animals(owner, "Salt", "Pepper")
    apply_and_confirm(client, both[1], name="Sam")
    for query in ("", f"animal={both[0]}", f"animal={both[1]}"):
        assert box(owner, query) == ["Sam"]
    assert 'for <bdi class="strong">Pepper and Salt</bdi>' in owner.get("applications").text


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("zoe", ["Zoë Müller"]),
        ("ZOË", ["Zoë Müller"]),
        ("mull zo", ["Zoë Müller"]),
        ("kim@", ["Kim 100% O'Neill"]),
        ("100%", ["Kim 100% O'Neill"]),
        ("o'neill", ["Kim 100% O'Neill"]),
        ("_", []),
        ("%", ["Kim 100% O'Neill"]),
        ("nobody", []),
    ],
)
def test_the_inbox_search_ignores_case_and_accents(
    client: FlaskClient, owner: Colleague, asked: str, found: list[str]
) -> None:
    biscuit = add_animal(owner)
    apply_and_confirm(client, biscuit, "sam", name="Zoë Müller")
    apply_and_confirm(client, biscuit, "kim", name="Kim 100% O'Neill")
    answer = owner.client.get(owner.at("applications"), query_string={"q": asked})
    assert shown(answer.text) == found
    if not found:
        assert "No application matches" in answer.text


def test_the_inbox_is_filtered_by_animal(client: FlaskClient, owner: Colleague) -> None:
    biscuit, juno = add_animal(owner), add_animal(owner, "Juno")
    apply_and_confirm(client, biscuit, name="Sam")
    apply_and_confirm(client, juno, "kim", name="Kim")
    assert box(owner, f"animal={juno}") == ["Kim"]
    assert '<bdi class="strong">Juno (Dog)</bdi>' in owner.get(f"applications?animal={juno}").text
    assert box(owner, "animal=99999999999999999999") == ["Kim", "Sam"]


@pytest.mark.parametrize("order", ["", "oldest"])
def test_inbox_pages_have_no_gaps_when_applications_arrive(
    client: FlaskClient, owner: Colleague, order: str
) -> None:
    biscuit = add_animal(owner)
    many_applications(owner, biscuit, 60)
    seen: list[str] = []
    path = f"applications?order={order}"
    while path:
        page = owner.get(path).text
        seen += shown(page)
        apply_and_confirm(client, biscuit, f"late{len(seen)}", name="Late")
        following = re.search(r'href="([^"]*after=\d+[^"]*)">Next page', page)
        path = unescape(following[1]) if following else ""
    names = [f"Applicant {number}" for number in range(60)]
    assert [name for name in seen if name != "Late"] == (names if order else names[::-1])


def test_the_inbox_needs_a_constant_number_of_statements(
    app: object, owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    biscuit = add_animal(owner)
    many_applications(owner, biscuit, 30)
    with recorded_statements() as asked:
        monkeypatch.setattr(inbox, "PAGE", 2)
        inbox.inbox_page(owner.project_id, InboxFilter())
        of_two = len(asked)
        monkeypatch.setattr(inbox, "PAGE", 25)
        inbox.inbox_page(owner.project_id, InboxFilter())
    assert (of_two, len(asked)) == (6, 12)


@pytest.mark.parametrize("part", ["waiting", "approved", "held", "decided", "all"])
def test_an_empty_part_of_the_inbox_is_explained(owner: Colleague, part: str) -> None:
    page = owner.get(f"applications?box={part}").text
    assert 'class="empty-state"' in page
    assert "See your animals" in page


def test_htmx_gets_only_the_inbox_and_an_announcement(client: FlaskClient, owner: Colleague) -> None:
    apply_and_confirm(client, add_animal(owner))
    headers = {"HX-Request": "true", "HX-Target": "inbox"}
    answer = owner.get("applications?q=sam&animal=", headers=headers)
    assert answer.headers["HX-Push-Url"] == f"/projects/{owner.slug}/applications?q=sam"
    part = answer.text
    assert "<html" not in part
    assert 'hx-swap-oob="innerHTML">1 application<' in part


def test_an_application_shows_all_answers(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner), phone="01632 960 144")
    other = apply_and_confirm(client, named_animal(ref), "kim", name="Kim")
    page = owner.get(f"applications/{ref}").text
    for found in (
        *ANSWERS["why"].split("\n\n"),  # type: ignore[attr-defined]
        "Rents their home",
        "Children under 8 and cats",
        'href="mailto:sam@example.org"',
        'href="tel:01632960144"',
        f"/applications/{other}",
    ):
        assert found in page
    assert shown(page) == ["Kim"]


def named_animal(ref: str) -> int:
    with reading() as session:
        return session.get_one(Application, int(ref)).animal_id


def test_other_applications_from_the_same_address_are_shown(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    first = apply_and_confirm(client, biscuit, name="Sam")
    second = apply_and_confirm(client, biscuit, name="Sam again")
    assert "Sam again" in shown(owner.get(f"applications/{first}").text)
    assert "Sam" in shown(owner.get(f"applications/{second}").text)


def test_notes_are_private(client: FlaskClient, owner: Colleague, teammate: Colleague) -> None:
    link = link_in(apply(client, add_animal(owner)))
    ref = application_ref("sam")
    assert (
        teammate.post(f"applications/{ref}/notes", {"note": "Sounds <b>kind</b>.\r\nCall again."}).status_code
        == 303
    )
    page = owner.get(f"applications/{ref}").text
    assert "Sounds &lt;b&gt;kind&lt;/b&gt;.\nCall again." in page
    assert "staff@elm.example, " in page
    assert "kind" not in client.get(link).text
    with reading() as session:
        assert not any("kind" in letter.text for letter in session.scalars(select(OutgoingEmail)))


@pytest.mark.parametrize("note", ["", "  ", "x" * 2001, "bell\x07"])
def test_an_invalid_note_is_rejected_and_stays_in_the_form(
    client: FlaskClient, owner: Colleague, note: str
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    answer = owner.post(f"applications/{ref}/notes", {"note": note})
    assert answer.status_code == 422
    assert "The note was not added" in answer.text
    assert 'aria-invalid="true"' in answer.text
    if note.startswith("x"):
        assert note in answer.text


@pytest.mark.parametrize("words", ["", "x" * 5001, "bell\x07"])
def test_an_invalid_email_text_is_rejected_and_stays_in_the_form(
    client: FlaskClient, owner: Colleague, words: str
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    answer = decide(owner, ref, "decline", tell="yes", words=words)
    assert answer.status_code == 422
    assert "There is a problem" in answer.text
    assert words[:40] in answer.text
    assert "?seen=placed" in answer.text
    assert box(owner) == ["Sam Okafor"]


def test_declining_offers_a_polite_email(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    page = owner.get(f"applications/{ref}/refusal?seen=placed").text
    for found in (
        "Thank you for applying to adopt Biscuit",
        "With kind regards,\nElm Road Rescue",
        "checked",
    ):
        assert found in page


def test_each_confirmation_names_applicant_and_animal(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    apply_and_confirm(client, named_animal(ref), "kim")
    take_steps(owner, ref, "approve")
    for path, asked in (
        ("completion", "Complete the adoption of Biscuit by Sam Okafor?"),
        ("approval/removal", "Undo the approval of Sam Okafor?"),
    ):
        page = owner.get(f"applications/{ref}/{path}?seen=approved").text
        assert asked in page
    page = owner.get(f"applications/{ref}/completion").text
    assert "1 other application will be closed." in page
    assert "Email the other applicant<small>" in page


def test_another_tenants_application_is_not_found(
    client: FlaskClient, owner: Colleague, outsider: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    held = apply_and_confirm(client, add_animal(owner), "kim", subject="filled in")
    for path in (ref, f"{ref}/completion", f"{ref}/return", f"{ref}/refusal", f"{held}/deletion"):
        assert outsider.get(f"applications/{path}").status_code == 404
    for path in ("approval", "approval/removal", "completion", "return", "refusal", "notes"):
        assert outsider.post(f"applications/{ref}/{path}?seen=placed", {"note": "N"}).status_code == 404
    for path in ("release", "deletion"):
        assert outsider.post(f"applications/{held}/{path}").status_code in (404, 409)
        assert "Okafor" not in outsider.post(f"applications/{held}/{path}").text
    assert outsider.get(f"applicants/{ref}").status_code == 404
    assert box(outsider, f"animal={named_animal(ref)}") == []
    assert box(owner) == ["Sam Okafor"]
    assert box(owner, "box=held") == ["Sam Okafor"]


@pytest.mark.parametrize(
    "ref", ["0", "-1", "order-0", "99999999999999999999", "1.0", "order-", "x", "\u0661"]
)
def test_an_invalid_application_url_is_404(owner: Colleague, ref: str) -> None:
    assert owner.get(f"applications/{ref}").status_code == 404


def test_an_order_with_an_application_has_no_page_under_the_orders_id(
    client: FlaskClient, owner: Colleague
) -> None:
    apply_and_confirm(client, add_animal(owner))
    with reading() as session:
        order = session.scalar(select(Order.id))
    assert owner.get(f"applications/order-{order}").status_code == 404


def test_hostile_names_of_applicants_are_escaped_everywhere(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner, NASTY)
    form = application_form(client, biscuit)
    link = link_in(apply(client, biscuit, form, name=NASTY, why=NASTY, phone="01632 960 144"))
    apply_and_confirm(client, biscuit, "kim", name=NASTY)
    ref = application_ref("sam")
    owner.post(f"applications/{ref}/notes", {"note": NASTY})
    pages = [
        "applications",
        f"applications/{ref}",
        f"applications/{ref}/refusal",
        "applications?q=%22%3E%3Cimg",
    ]
    take_steps(owner, ref, "approve")
    pages += [f"applications/{ref}/completion", f"applications/{ref}/approval/removal"]
    pages += [f"applicants/{ref}", f"applicants/{ref}/erasure"]
    for path in pages:
        assert "<img src=x" not in owner.get(path).text, path
    take_steps(owner, ref, "complete")
    assert "<img src=x" not in owner.get(f"applications/{ref}").text
    assert "<img src=x" not in client.get(link).text
    with reading() as session:
        mails = [
            build_message(letter, "no-reply@localhost") for letter in session.scalars(select(OutgoingEmail))
        ]
    assert len(mails) > 4
    assert {mail.get_content_type() for mail in mails} == {"text/plain"}


def test_a_late_decision_shows_the_current_state(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    take_steps(owner, ref, "approve")
    answer = decide(owner, ref, "approve")
    assert "was approved by owner@elm.example since you opened it. Check it" in error_in(answer)
    assert "Complete adoption" in answer.text


def test_a_removed_animal_keeps_its_applications(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    with transaction() as session:
        session.execute(update(Animal).values(listed=False, removed_at=datetime.now(UTC)))
    assert box(owner) == ["Sam Okafor"]
    take_steps(owner, ref, "decline")


def test_another_project_of_the_account_has_an_inbox_of_its_own(
    client: FlaskClient, owner: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    now = datetime.now(UTC)
    with transaction() as session:
        session.add(Project(account_id=owner.account_id, slug="second", name="Second", created_at=now))
    assert shown(owner.get("/projects/second/applications").text) == []
    page = owner.get(f"/projects/second/applicants/{ref}").text
    assert f'href="/projects/{owner.slug}/applications/' in page, "what is kept is the whole account's"


@pytest.mark.settings("embedded")
def test_each_email_to_the_shelter_about_an_application_links_to_it_on_the_platform(
    client: FlaskClient, owner: Colleague
) -> None:
    site = f"http://{owner.slug}.localhost"
    link = link_in(apply(client, add_animal(owner), site=site))
    ref = application_ref("sam")
    withdrawn = client.post(f"/applications/{link.rpartition('/')[2]}/withdrawal")
    assert withdrawn.status_code == 303
    with reading() as session:
        to_shelter = (
            select(OutgoingEmail)
            .where(OutgoingEmail.reply_to == "sam@example.org")
            .order_by(OutgoingEmail.id)
        )
        sent = [letter.text for letter in session.scalars(to_shelter)]
    assert len(sent) == 2
    for text in sent:
        first = re.findall(r"https?://\S+", text)[0]
        assert first == f"http://localhost:8000/projects/{owner.slug}/applications/{ref}"
        assert "Sam Okafor" in owner.get(first.removeprefix("http://localhost:8000")).text
