"""An animal's applications and history."""

import re
from html import unescape
from importlib import import_module

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from flask.testing import FlaskClient

from adoption.audit.models import AuditEntry
from adoption.storage.database import reading, transaction
from tests.cast import Colleague
from tests.deciding import apply_and_confirm, take_steps
from tests.factories import NOW
from tests.staffing import add_animal, form_in
from tests.statements import recorded_statements

pytestmark = pytest.mark.settings("embedded")


def part(by: Colleague, animal_id: int, name: str) -> str:
    """Return a part of the animal's page as text."""
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
    moss, other = add_animal(owner, "Moss"), add_animal(owner, "Fern")
    assert "Nobody has applied for Moss yet" in part(teammate, moss, "applications")
    first = apply_and_confirm(client, moss, "sam", name="Sam")
    declined = apply_and_confirm(client, moss, "kim", name="Kim")
    apply_and_confirm(client, other, "lou", name="Lou")
    take_steps(owner, declined, "decline")
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


def test_every_member_sees_who_changed_what(owner: Colleague, teammate: Colleague) -> None:
    moss, fern = add_animal(owner, "Moss"), add_animal(owner, "Fern")
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


def test_the_history_has_the_decisions_about_applications_for_the_animal(
    client: FlaskClient, owner: Colleague
) -> None:
    moss, fern = add_animal(owner, "Moss"), add_animal(owner, "Fern")
    first = apply_and_confirm(client, moss, "sam", name="Sam")
    apply_and_confirm(client, moss, "kim", name="Kim")
    assert "No changes recorded yet" in part(owner, moss, "history")
    take_steps(owner, first, "approve", "take back", "approve", "complete", "return")
    text = part(owner, moss, "history")
    newest_first = (
        "Returned after an adoption : Sam",
        "by owner@elm.example Application declined : Kim",
        "Adopted : Sam",
        "Application approved : Sam",
        "Application to review again : Sam",
        "Application approved : Sam",
    )
    assert re.search(" .*".join(newest_first), text), text
    assert "by Homeward" not in text
    assert "No changes recorded yet" in part(owner, fern, "history")


def test_a_history_includes_bulk_changes_and_excludes_other_animals(owner: Colleague) -> None:
    ids = [add_animal(owner, f"Cat {number}") for number in range(8)]
    outside = add_animal(owner, "Cat 8")
    for form in ({"do": "hide"}, {"do": "status", "status": "pending"}):
        owner.post("animals/changes", form | {"id": [str(each) for each in ids]})
    undo = re.findall(r'action="([^"]+/reversal)"', owner.get("animals").text)
    owner.post(undo[0])
    for each in (ids[0], ids[-1]):
        text = part(owner, each, "history")
        assert re.search("Last change undone .*Status changed : Adoption pending .*Hidden", text), text
        assert "Cat" not in text
    assert "No changes recorded yet" in part(owner, outside, "history")


def test_the_history_query_uses_an_index(owner: Colleague) -> None:
    moss = add_animal(owner, "Moss")
    with recorded_statements() as asked:
        owner.get(f"animals/{moss}")
    [query] = [each for each in asked if "animal_entries" in each]
    with reading() as session:
        rows = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (1,) * query.count("?"))
        plan = " ".join(row[3] for row in rows)
    assert "SEARCH animal_entries USING" in plan
    assert "(animal_id=?)" in plan
    assert "SEARCH audit_entries USING INTEGER PRIMARY KEY" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.settings("embedded", "scaled")
def test_a_migration_links_existing_audit_entries_to_their_animals(
    owner: Colleague, outsider: Colleague
) -> None:
    moss, fern, foreign = (
        add_animal(owner, "Moss"),
        add_animal(owner, "Fern (2)"),
        add_animal(outsider, "Rex"),
    )
    entries = {
        f"Moss ({moss})": "",
        f"Fern (2) ({fern})": "",
        f"Rex ({foreign})": "",
        f"Moss (1{moss})": "",
        "7 animals": f"to sold: Fern (2) ({fern}), Moss ({moss}) and 5 more",
    }
    with transaction() as session:
        for thing, detail in entries.items():
            known = {"account_id": owner.account_id, "project_id": owner.project_id, "created_at": NOW}
            entry = AuditEntry(**known, actor="owner@elm.example", thing=thing, detail=detail)
            entry.action = "animal.status" if detail else "animal.held"
            session.add(entry)
    migration = import_module("adoption.migrations.versions.0018_animal_entries")
    with transaction() as session, Operations.context(MigrationContext.configure(session.connection())):
        migration.fill_entries()
    for each in (moss, fern):
        history = part(owner, each, "history")
        assert (history.count("Put on hold"), history.count("Status changed : Adopted")) == (1, 1), history
    assert "No changes recorded yet" in part(outsider, foreign, "history")
