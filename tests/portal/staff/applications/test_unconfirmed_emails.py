"""Staff's own texts are emailed only to applicants who have confirmed their email address."""

import re
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from tests.applying import apply, link_in
from tests.cast import Colleague
from tests.deciding import (
    add_animal,
    application_ref,
    apply_and_confirm,
    decide,
    emails_to_applicant,
    form_in_decision,
    open_emailed_link,
    orders_of,
)
from tests.staffing import form_in

pytestmark = pytest.mark.settings("embedded")

OWN = "Zq own words: ring 555 0100.\n\nA second paragraph for [animals]."


def texts(who: str) -> str:
    return "\n".join(f"{letter.subject}\n{letter.text}" for letter in emails_to_applicant(who))


def page_of(client: FlaskClient, ref: str, who: str) -> str:
    """Return the private page at the applicant's link, without the part that confirms an email address."""
    path = re.search(r"/applications/[a-z2-7]{40}", texts(who))
    assert path
    return client.get(path[0]).text


def test_an_applicant_is_confirmed_only_by_the_button_behind_the_emailed_link(
    client: FlaskClient, owner: Colleague
) -> None:
    shown = link_in(apply(client, add_animal(owner), email="sam@example.org"))
    ref = application_ref("sam")
    address = re.search(r"https?://\S+/applications/\S+", texts("sam"))
    assert address
    emailed = urlsplit(address[0]).path
    assert emailed.startswith(shown)
    assert emailed != shown
    forged = f"{shown}/{'a' * 24}"
    assert client.get(shown).status_code == 200
    assert [client.get(forged).status_code, client.post(forged).status_code] == [404, 404]
    page = client.get(emailed)
    assert page.status_code == 200, "mail scanners open links"
    assert page.text.split("<main")[1].split("</main>")[0].count("<button") == 1
    refusal = f"applications/{ref}/refusal?seen=placed"
    assert "has not confirmed their email address yet" in owner.get(refusal).text
    for answer in (client.post(emailed), client.get(emailed)):
        assert (answer.status_code, answer.location) == (303, shown)
    assert "has not confirmed their email address yet" not in owner.get(refusal).text


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        (("approve",), "has approved your application for Juno"),
        (("approve", "take back"), "has not decided yet"),
        (("approve", "complete"), "The adoption of Juno is complete"),
        (("approve", "complete", "return"), "The adoption did not work out"),
        (("decline",), "will not be taking your application for Juno further"),
    ],
)
def test_custom_messages_wait_on_the_private_page_for_confirmation(
    client: FlaskClient, owner: Colleague, steps: tuple[str, ...], outcome: str
) -> None:
    ref = apply_and_confirm(client, add_animal(owner, "Juno"), confirms=False)
    seen = {"complete": "approved", "take back": "approved", "return": "completed"}
    for step in steps[:-1]:
        assert decide(owner, ref, step, seen.get(step, "placed"), tell="").status_code == 303
    last = steps[-1]
    answer = decide(owner, ref, last, seen.get(last, "placed"), tell="yes", words=OWN)
    assert answer.status_code == 303
    case = owner.get(f"applications/{ref}").text
    assert "They can read your text once they open the link in that email and confirm." in case
    assert "Zq own words" in case, "the staff see what waits"
    assert "Zq" not in texts("sam")
    assert outcome in emails_to_applicant("sam")[-1].text
    browser = page_of(client, ref, "sam")
    assert "Zq" not in browser
    assert "has sent you a message" in browser
    assert "Zq own words: ring 555 0100." in open_emailed_link(client, "sam").text
    assert "Zq own words" in page_of(client, ref, "sam")


def test_custom_texts_are_emailed_only_to_confirmed_applicants(client: FlaskClient, owner: Colleague) -> None:
    refs = {
        who: apply_and_confirm(client, add_animal(owner, who), who, confirms=who == "kim")
        for who in ("sam", "kim")
    }
    for who, ref in refs.items():
        form = form_in_decision(owner.get(f"applications/{ref}/refusal?seen=placed").text)
        decide(owner, ref, "decline", **(form if who == "sam" else form | {"words": OWN}))
        assert "Messages to the applicant" not in owner.get(f"applications/{ref}").text
    assert "We have considered it carefully" in emails_to_applicant("sam")[-1].text
    assert "Zq own words" in emails_to_applicant("kim")[-1].text


def test_a_bulk_decline_emails_custom_texts_only_to_confirmed_applicants(
    client: FlaskClient, owner: Colleague
) -> None:
    juno, moss, rex = add_animal(owner, "Juno"), add_animal(owner, "Moss"), add_animal(owner, "Rex")
    refs = {}
    for who, pet in (("ann", juno), ("bea", juno), ("cat", moss), ("dan", moss), ("eve", rex), ("fay", rex)):
        refs[who] = apply_and_confirm(client, pet, who, confirms=who in ("ann", "cat", "eve"))
    cases = [f"{refs['ann']}:placed", f"{refs['bea']}:placed"]
    page = owner.get("applications/refusals", query_string={"case": cases}).text
    assert "1 of these 2 applicants has not confirmed their email address" in page
    many = {"decided": "yes", "case": cases, "tell": "yes", "words": OWN}
    owner.post("applications/refusals", many)
    notice = owner.get("applications").text
    assert "2 emails sent, so this cannot be undone. 1 of them can read your text" in notice

    path = f"animals/adoption?id={moss}&back="
    assert "1 of these 2 applicants has not confirmed their email address" in owner.get(path).text
    owner.post(path, {"tell": "yes", "tell_others": "yes", "words_to_others": OWN})
    assert "1 of them can read your text" in owner.get("animals").text

    form = form_in(owner.get(f"animals/{rex}").text) | {"status": "sold"}
    asked = owner.post(f"animals/{rex}", form).text
    assert "1 of these 2 applicants has not confirmed their email address" in asked
    owner.post(f"animals/{rex}", form_in(asked) | {"tell": "yes", "words_to_others": OWN})
    assert "1 of them can read your text" in owner.get(f"animals/{rex}").text

    for who, name in (("ann", "Juno"), ("cat", "Moss"), ("eve", "Rex")):
        assert f"A second paragraph for {name}." in emails_to_applicant(who)[-1].text
    for who, name in (("bea", "Juno"), ("dan", "Moss"), ("fay", "Rex")):
        assert "Zq" not in texts(who)
        assert f"A second paragraph for {name}." in open_emailed_link(client, who).text
    assert {status for _, status in orders_of(owner)} == {"declined"}


def test_completing_an_adoption_emails_no_custom_text_to_unconfirmed_applicants(
    client: FlaskClient, owner: Colleague
) -> None:
    juno = add_animal(owner, "Juno")
    ref = apply_and_confirm(client, juno, "sam")
    for who in ("kim", "lee"):
        apply_and_confirm(client, juno, who, confirms=who == "kim")
    decide(owner, ref, "approve")
    page = owner.get(f"applications/{ref}/completion").text
    assert "1 of these 2 applicants has not confirmed their email address" in page
    form = form_in_decision(page) | {"words": OWN, "words_to_others": OWN}
    decide(owner, ref, "complete", "approved", **form)
    assert ["Zq" in texts(who) for who in ("sam", "kim", "lee")] == [True, True, False]
    assert "found a home with someone else" in emails_to_applicant("lee")[-1].text
    assert "A second paragraph for Juno." in open_emailed_link(client, "lee").text


def test_messages_are_exported_and_erased_with_the_applicants_data(
    client: FlaskClient, owner: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner), confirms=False)
    decide(owner, ref, "decline", tell="yes", words=OWN)
    page = owner.get(f"applications/{ref}").text
    [address] = re.findall(r'href="([^"]+)">Data held about this person', page)
    [export] = re.findall(r'action="([^"]+/export[^"]*)"', owner.get(address).text)
    assert "Zq own words" in owner.post(export).text
    owner.post(export.replace("/export", "/erasure"))
    assert "Zq" not in owner.get(f"applications/{ref}").text
