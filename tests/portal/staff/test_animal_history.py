"""An animal's page: its applications, and who changed what."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from adoption.animals import history
from adoption.audit.models import AuditEntry
from adoption.database import reading, transaction
from tests.cast import Colleague
from tests.deciding import applied, done
from tests.factories import NOW
from tests.staffing import animal, form_in

pytestmark = pytest.mark.settings("embedded")


def part(by: Colleague, animal_id: int, name: str) -> str:
    """A part of the animal's page as text."""
    page = by.get(f"animals/{animal_id}").text
    found = re.search(rf'<section [^>]*id="{name}".*?</section>', page, re.DOTALL)
    assert found, page
    return unescape(" ".join(re.sub("<[^>]+>", " ", found[0]).split()))


def edit(by: Colleague, animal_id: int, **changes: str) -> None:
    form = form_in(by.get(f"animals/{animal_id}").text) | changes
    assert by.post(f"animals/{animal_id}", form).status_code == 303


def test_the_page_lists_the_applications_with_the_open_ones_first(
    client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    moss, other = animal(owner, "Moss"), animal(owner, "Fern")
    assert "Nobody has applied for Moss yet" in part(teammate, moss, "applications")
    first = applied(client, moss, "sam", name="Sam")
    declined = applied(client, moss, "kim", name="Kim")
    applied(client, other, "lou", name="Lou")
    done(owner, declined, "decline")
    text = part(teammate, moss, "applications")
    assert re.search("Sam To review .*Kim Declined", text), text
    assert "Lou" not in text
    page = teammate.get(f"animals/{moss}").text
    assert f'/applications/{first}?box=all&amp;animal={moss}"' in page
    inbox = re.search(r'href="([^"]+/applications\?box=all[^"]+)"', page)
    assert inbox
    found = teammate.get(unescape(inbox[1])).text
    assert "Sam" in found
    assert "Kim" in found
    assert "Lou" not in found


def test_the_page_says_who_changed_what_to_everyone_in_the_team(
    owner: Colleague, teammate: Colleague
) -> None:
    moss, fern = animal(owner, "Moss"), animal(owner, "Fern")
    assert "No changes recorded yet" in part(teammate, moss, "history")
    edit(owner, moss, colours="Grey", birth_date="2024-03-01")
    assert owner.post(f"animals/{moss}/changes", {"do": "hide"}).status_code == 303
    assert (
        owner.post(
            "animals/changes", {"do": "status", "status": "pending", "id": [str(moss), str(fern)]}
        ).status_code
        == 303
    )
    text = part(teammate, moss, "history")
    assert re.search(
        "Status changed : Adoption pending .*Hidden from visitors .*Edited : Colours and Date of birth|"
        "Status changed : Adoption pending .*Hidden from visitors .*Edited : Date of birth and Colours",
        text,
    ), text
    assert "by owner@elm.example" in text
    assert "Fern" not in text
    assert "Edited" not in part(teammate, fern, "history")
    assert 'href="/projects/elm-road-rescue/audit?kind=animals"' in owner.get(f"animals/{moss}").text
    assert "/audit" not in teammate.get(f"animals/{moss}").text


def test_a_history_is_looked_for_among_a_bounded_number_of_entries(
    owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    moss = animal(owner, "Moss")
    with transaction() as session:
        for thing in (f"Moss ({moss})", f"Rex (1{moss})", f"Moss (application {moss})"):
            session.add(
                AuditEntry(
                    account_id=owner.account_id,
                    project_id=owner.project_id,
                    actor="owner@elm.example",
                    action="application.approved" if "application" in thing else "animal.held",
                    thing=thing,
                    created_at=NOW,
                )
            )
    with reading() as session:
        assert len(history.changes_of(session, owner.project_id, moss, 20)) == 1
        monkeypatch.setattr(history, "LOOKED_THROUGH", 2)
        assert history.changes_of(session, owner.project_id, moss, 20) == []
