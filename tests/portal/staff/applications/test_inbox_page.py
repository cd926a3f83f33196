"""The inbox as a work list: totals, age, assignment, neighbours, filters and bulk declines."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import delete, select, update

from adoption.accounts.models import Member, User
from adoption.mail.models import OutgoingEmail
from adoption.orders.models import Application, Order, OrderEvent
from adoption.storage.database import reading, transaction
from tests.cast import Colleague
from tests.deciding import (
    add_animal,
    add_bonded_animals,
    animal_statuses,
    apply_and_confirm,
    decide,
    emails_to_applicant,
    form_in_decision,
    many_applications,
    orders_of,
    subjects_to_applicant,
    take_steps,
)
from tests.portal.staff.applications.test_inbox_and_application_page import box, shown

pytestmark = pytest.mark.settings("embedded")


def member(of: Colleague) -> int:
    with reading() as session:
        own = select(Member.id).join(User, User.id == Member.user_id).where(User.email == of.email)
        return session.scalars(own.where(Member.account_id == of.account_id)).one()


def notices(page: str) -> str:
    found = re.findall(r'<div class="notice staff-notice".*?</div>', page, re.DOTALL)
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", " ".join(found))))


def result(by: Colleague, answer: object) -> str:
    """Send a form. Return the notice on the next page."""
    return notices(by.get(answer.location).text)  # type: ignore[attr-defined]


def test_applications_are_assigned_from_the_list_and_from_their_page(
    client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    biscuit = add_animal(owner)
    first, second = (
        apply_and_confirm(client, biscuit, "sam", name="Sam"),
        apply_and_confirm(client, biscuit, "kim", name="Kim"),
    )
    mate = member(teammate)
    answer = owner.post("applications/assignees", {"case": f"{first}:placed", "assignee": str(mate)})
    assert "1 application assigned to" in result(owner, answer)
    assert owner.post(f"applications/{second}/assignee", {"assignee": str(member(owner))}).status_code == 303
    assert box(owner, "who=me") == ["Kim"]
    assert box(teammate, "who=me") == ["Sam"]
    assert box(owner, f"who={mate}") == ["Sam"]
    assert box(owner, "who=none") == []
    assert teammate.email in owner.get("applications").text.split('class="inbox-assignee"')[2]
    assert f"Assigned to {teammate.email}" in owner.get(f"applications/{first}").text
    with transaction() as session:
        session.execute(delete(Member).where(Member.id == mate))
    assert box(owner, "who=none") == ["Sam"]


def test_only_members_of_the_account_can_be_assigned(
    client: FlaskClient, owner: Colleague, outsider: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    stranger = str(member(outsider))
    assert owner.post(f"applications/{ref}/assignee", {"assignee": stranger}).status_code == 422
    answer = owner.post("applications/assignees", {"case": f"{ref}:placed", "assignee": stranger})
    assert "Nothing was changed" in result(owner, answer)
    assert outsider.post("applications/assignees", {"case": f"{ref}:placed"}).status_code == 422
    assert outsider.post(f"applications/{ref}/assignee").status_code == 404
    assert box(owner, "who=none") == ["Sam Okafor"]


def test_previous_and_next_links_follow_the_filtered_list_even_after_a_decision(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit, juno = add_animal(owner), add_animal(owner, "Juno")
    refs = [apply_and_confirm(client, biscuit, who) for who in ("ada", "bea")]
    apply_and_confirm(client, juno, "other")
    refs.append(apply_and_confirm(client, biscuit, "cam"))
    page = owner.get(f"applications?animal={biscuit}&order=oldest").text
    middle = unescape(re.findall(rf'href="([^"]*applications/{refs[1]}\?[^"]*)"', page)[0])

    def links(text: str) -> list[str]:
        return re.findall(r'applications/(\d+)\?[^"]*" rel="(?:prev|next)"', text)

    opened = owner.get(middle).text
    assert links(opened) == [refs[0], refs[2]]
    assert "2 of 3" in opened
    form = unescape(re.findall(r'href="([^"]*/refusal\?[^"]*)"', opened)[0])
    asked = owner.get(form).text
    action = unescape(re.findall(r'action="([^"]*/refusal\?[^"]*)"', asked)[0])
    after = owner.post(action, {"words": ""})
    assert f"animal={biscuit}" in str(after.location)
    assert links(owner.get(str(after.location)).text) == [refs[0], refs[2]]


def test_the_list_shows_the_total_and_the_position(owner: Colleague) -> None:
    many_applications(owner, add_animal(owner), 130)
    page = owner.get("applications").text
    assert "1 to 25 of 130 applications" in page
    assert 'To review <span class="inbox-count">130</span>' in page
    following = unescape(re.findall(r'href="([^"]*after=[^"]*)"', page)[0])
    second = owner.get(following).text
    assert "26 to 50 of 130 applications" in second
    back = unescape(re.findall(r'href="([^"]*before=[^"]*)"', second)[0])
    assert shown(owner.get(back).text) == shown(page)


def test_the_list_shows_waiting_times_and_marks_long_waits(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    for who, days in (("new", 0), ("some", 3), ("long", 9)):
        ref = apply_and_confirm(client, biscuit, who)
        with transaction() as session:
            at = datetime.now(UTC) - timedelta(days=days)
            session.execute(update(Order).where(Order.application_id == int(ref)).values(created_at=at))
    page = owner.get("applications").text
    assert re.findall(r'<p class="inbox-wait"( data-late)?>.*?(Waiting \d+ days)</p>', page) == [
        (" data-late", "Waiting 9 days"),
        ("", "Waiting 3 days"),
    ]


def test_a_bulk_decline_skips_applications_that_changed_meanwhile(
    client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    biscuit, juno = add_animal(owner), add_animal(owner, "Juno")
    refs = [
        apply_and_confirm(client, animal_id, who, name=who.title())
        for animal_id, who in ((biscuit, "ada"), (juno, "bea"), (juno, "cam"))
    ]
    cases = [f"{ref}:placed" for ref in refs]
    question = str(owner.post("applications/refusals?q=a", {"case": cases}).location)
    page = owner.get(question).text
    for found in (
        "Decline 3 applications?",
        ">Ada</bdi> for <bdi>Biscuit",
        ">Cam</bdi> for <bdi>Juno",
        '<label for="words">Email text</label>',
    ):
        assert found in page
    assert orders_of(owner) == [(biscuit, "placed"), (juno, "placed"), (juno, "placed")]
    take_steps(teammate, refs[2], "approve")
    form = {"case": cases, "decided": "yes", **form_in_decision(page)}
    messages = result(owner, owner.post("applications/refusals", form))
    assert "2 applications declined. 2 emails sent, so this cannot be undone." in messages
    assert f"Cam was skipped: it was approved by {teammate.email}." in messages
    assert "Undo" not in messages
    again = result(owner, owner.post("applications/refusals", form))
    assert "Nothing was declined." in again
    assert ">Cam</bdi>" in owner.get(question).text
    assert ">Ada</bdi>" not in owner.get(question).text, "after going back, only open ones are asked about"
    assert f"Ada was skipped: it was declined by {owner.email}." in again
    assert orders_of(owner) == [(biscuit, "declined"), (juno, "declined"), (juno, "approved")]
    assert subjects_to_applicant("ada").count("Your application for Biscuit") == 2, (
        "a confirmation and one refusal"
    )
    assert "applying to adopt Biscuit" in emails_to_applicant("ada")[-1].text
    assert "[animals]" not in emails_to_applicant("bea")[-1].text


def test_a_decline_can_be_undone_only_if_no_email_was_sent(client: FlaskClient, owner: Colleague) -> None:
    biscuit = add_animal(owner)
    refs = [apply_and_confirm(client, biscuit, who) for who in ("ada", "bea")]
    take_steps(owner, refs[1], "approve")
    cases = [f"{refs[0]}:placed", f"{refs[1]}:approved"]
    answer = owner.post("applications/refusals", {"case": cases, "decided": "yes"})
    page = owner.get(str(answer.location)).text
    assert (orders_of(owner), animal_statuses(biscuit)) == ([(biscuit, "declined")] * 2, ["available"])
    undo = unescape(re.findall(r'action="([^"]*reopening[^"]*)"', page)[0])
    assert "2 applications changed back" in result(owner, owner.post(undo))
    assert (orders_of(owner), animal_statuses(biscuit)) == (
        [(biscuit, "placed"), (biscuit, "approved")],
        ["pending"],
    )
    assert "Decline undone" in owner.get(f"applications/{refs[0]}").text
    assert "stays as it is: it was put back to review" in result(owner, owner.post(undo))
    take_steps(owner, refs[0], "decline")
    assert "because the applicant has been emailed" in result(owner, owner.post(undo))
    assert orders_of(owner)[0] == (biscuit, "declined")


def test_an_undone_decline_never_approves_two_people_for_one_animal(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    refs = [apply_and_confirm(client, biscuit, who, name=who.title()) for who in ("ada", "bea", "cam")]
    take_steps(owner, refs[0], "approve")
    cases = [f"{refs[0]}:approved", f"{refs[1]}:placed"]
    answer = owner.post("applications/refusals", {"case": cases, "decided": "yes"})
    undo = unescape(re.findall(r'action="([^"]*reopening[^"]*)"', owner.get(str(answer.location)).text)[0])
    take_steps(owner, refs[2], "approve")
    messages = result(owner, owner.post(undo))
    assert "1 application changed back. Cam is already approved for Biscuit." in messages
    assert (
        "Ada stays as it is: it cannot be approved again, because Cam is already approved for Biscuit. "
        "Undo that approval first." in messages
    )
    assert orders_of(owner) == [(biscuit, "declined"), (biscuit, "placed"), (biscuit, "approved")]


def test_a_decline_cannot_be_undone_after_the_animal_was_adopted(
    client: FlaskClient, owner: Colleague
) -> None:
    moss, juno = add_bonded_animals(owner, "Moss", "Juno")
    first, second = (
        apply_and_confirm(client, moss, "ada", name="Ada"),
        apply_and_confirm(client, juno, "bea", name="Bea"),
    )
    answer = decide(owner, first, "decline", words="No.")
    undo = unescape(re.findall(r'action="([^"]*reopening[^"]*)"', owner.get(str(answer.location)).text)[0])
    take_steps(owner, second, "approve", "complete")
    messages = result(owner, owner.post(undo))
    assert "Ada stays as it is: it is for Moss and Juno, now adopted by Bea." in messages
    assert "Record the return of Moss and Juno first." in messages
    assert orders_of(owner)[0] == (moss, "declined")


def test_undo_of_a_bulk_decline_restores_two_approvals_of_one_animal(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    refs = [apply_and_confirm(client, biscuit, who) for who in ("ada", "bea")]
    for ref in refs:
        take_steps(owner, ref, "approve")
    cases = [f"{ref}:approved" for ref in refs]
    answer = owner.post("applications/refusals", {"case": cases, "decided": "yes"})
    undo = unescape(re.findall(r'action="([^"]*reopening[^"]*)"', owner.get(str(answer.location)).text)[0])
    assert "2 applications changed back." in result(owner, owner.post(undo))
    assert orders_of(owner) == [(biscuit, "approved")] * 2


def test_the_email_of_a_bulk_decline_is_validated_first(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    form = {"case": f"{ref}:placed", "decided": "yes", "tell": "yes", "words": ""}
    answer = owner.post("applications/refusals", form)
    assert answer.status_code == 422
    assert f'value="{ref}:placed"' in answer.text
    assert box(owner) == ["Sam Okafor"]
    assert "Tick at least one application first." in result(owner, owner.post("applications/refusals"))


def test_the_filter_by_animal_distinguishes_animals_with_the_same_name(
    client: FlaskClient, owner: Colleague
) -> None:
    for number in range(14):
        pet = add_animal(owner, "George", code=f"G-{number:02}", category_id=1 + number % 2)
        apply_and_confirm(client, pet, f"a{number}", name=f"Applicant {number}")
    rex = add_animal(owner, "Zoë")
    apply_and_confirm(client, rex, "zed", name="Zed")
    page = owner.get("applications?pet=george").text
    assert "14 animals match" in page
    assert "<bdi>George (G-00, Dog)</bdi>" in page
    assert "<bdi>George (G-01, Cat)</bdi>" in page
    assert "And 2 more." in page
    assert len(shown(page)) == 14
    assert shown(owner.get("applications?pet=g-13").text) == ["Applicant 13"]
    chosen = re.findall(r'href="([^"]*animal=\d+[^"]*)"><bdi>George \(G-03', page)
    assert box(owner, unescape(chosen[0]).split("?")[1]) == ["Applicant 3"]
    assert box(owner, "pet=zoe") == ["Zed"]
    assert "No animal with applications matches" in owner.get("applications?pet=nobody").text


@pytest.mark.parametrize("asked", ["zed", "zed@example", "zoe", "Zoë", "k-77", "zed zoe"])
def test_the_search_finds_applicants_by_name_email_animal_and_code(
    client: FlaskClient, owner: Colleague, asked: str
) -> None:
    apply_and_confirm(client, add_animal(owner, "Zoë", code="K-77"), "zed", name="Zed")
    apply_and_confirm(client, add_animal(owner, description="zoe"), "kim", name="Kim")
    answer = owner.client.get(owner.at("applications"), query_string={"q": asked})
    assert shown(answer.text) == ["Zed"]


def test_held_applications_are_counted_in_the_navigation_and_in_an_empty_inbox(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    assert "held as possible spam" not in owner.get("applications").text
    for who in ("sam", "kim"):
        apply_and_confirm(client, biscuit, who, subject="filled in")
    page = owner.get("applications").text
    assert "No applications to review" in page
    assert "2 are held as possible spam</a>" in page
    assert '+2<span class="visually-hidden"> held as possible spam</span>' in owner.get("animals").text


def test_a_single_decline_offers_undo_if_no_email_was_sent(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    answer = decide(owner, ref, "decline", words="No.")
    page = owner.get(str(answer.location)).text
    undo = unescape(re.findall(r'action="([^"]*reopening[^"]*)"', page)[0])
    owner.post(undo)
    assert [status for _, status in orders_of(owner)] == ["placed"]


def test_a_decline_is_not_undone_after_a_day_or_after_an_erasure(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    ref = apply_and_confirm(client, biscuit, "ada")
    take_steps(owner, ref, "decline")
    with transaction() as session:  # a month later, the email that forbids the undo has been deleted
        session.execute(delete(OutgoingEmail))
        for step in session.scalars(select(OrderEvent)):
            step.created_at -= timedelta(days=31)
    answer = owner.post(f"applications/reopening?ref={ref}")
    assert "was declined more than a day ago" in result(owner, answer)
    other = apply_and_confirm(client, biscuit, "bea")
    owner.post(f"applications/{other}/refusal?seen=placed", {"words": ""})
    owner.post(f"applicants/{other}/erasure")
    assert "because they were erased" in result(owner, owner.post(f"applications/reopening?ref={other}"))
    assert orders_of(owner) == [(biscuit, "declined")] * 2


def test_a_notice_about_many_skipped_applications_fits_into_a_cookie(owner: Colleague) -> None:
    many_applications(owner, add_animal(owner), 25)
    with transaction() as session:
        for number, each in enumerate(session.scalars(select(Application))):
            each.name = "".join(chr(0x4E00 + 200 * number + n) for n in range(200))
    refs = re.findall(r'name="case" value="(\d+):placed"', owner.get("applications").text)
    assert len(refs) == 25
    answer = owner.post(
        "applications/refusals", {"case": [f"{ref}:approved" for ref in refs], "decided": "yes"}
    )
    assert max(len(each) for each in answer.headers.getlist("Set-Cookie")) < 4_093
    assert "22 more were skipped." in result(owner, answer)


def test_a_bulk_change_of_over_100_applications_is_rejected(owner: Colleague) -> None:
    many = [f"{number}:placed" for number in range(1, 102)]
    for path in ("assignees", "refusals"):
        assert owner.post(f"applications/{path}", {"case": many, "assignee": "none"}).status_code == 400
    refs = "&".join(f"ref={number}" for number in range(1, 102))
    assert owner.post(f"applications/reopening?{refs}").status_code == 400
