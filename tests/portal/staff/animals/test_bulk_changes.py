"""Changes of one animal or of many in the list, and their undo."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from adoption.animals import bulk_undo
from adoption.animals.models import BulkChange
from adoption.storage.database import reading, transaction
from tests.applying import apply
from tests.cast import Colleague
from tests.pages import ParsedPage
from tests.staffing import add_animal, audit_entries, names_in, stored_animal


def undo_in(page: str) -> str:
    found = re.search(r'action="([^"]+/reversal)"', page)
    assert found
    return found[1]


def test_a_status_saved_without_javascript_keeps_the_lists_filters(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    form = {"do": "status", f"status-{juno}": "pending", "back": "?q=juno&sort=name"}
    answer = owner.post(f"animals/{juno}/changes", form)
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        f"/projects/{owner.slug}/animals?q=juno&sort=name",
    )
    assert stored_animal(juno).status == "pending"
    assert "Juno is now Adoption pending." in owner.get("animals").text
    assert audit_entries(owner) == [("animal.status", f"Juno ({juno})", "to pending")]


def test_a_status_is_saved_in_its_row_and_announced(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    headers = {"HX-Request": "true"}
    answer = owner.post(
        f"animals/{juno}/changes", {"do": "status", f"status-{juno}": "sold"}, headers=headers
    )
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith(f'<tr id="animal-{juno}">')
    assert '<option value="sold" selected>' in answer.text
    assert ">Juno is now Adopted.</p>" in answer.text
    assert "0 in your care" in answer.text


def test_an_invalid_status_is_not_saved(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    owner.post(f"animals/{juno}/changes", {"do": "status", f"status-{juno}": "eaten"})
    owner.post("animals/changes", {"do": "status", "status": "", "id": str(juno)})
    assert stored_animal(juno).status == "available"
    assert audit_entries(owner) == []


def test_an_animal_on_hold_is_visible_only_to_staff(owner: Colleague, client: FlaskClient) -> None:
    juno = add_animal(owner, "Juno")
    owner.post(f"animals/{juno}/changes", {"do": "hold"})
    assert client.get(f"/animals/{juno}").status_code == 404
    assert "On hold" in owner.get("animals").text
    assert stored_animal(juno).care.on_hold
    owner.post(f"animals/{juno}/changes", {"do": "unhold"})
    assert client.get(f"/animals/{juno}", follow_redirects=True).status_code == 200
    assert not stored_animal(juno).care.on_hold


def test_ending_the_last_hold_shows_the_animal(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno", listed=False, care={"in_quarantine": True})
    for button, on_hold, in_quarantine, is_listed in (
        ("hold", True, True, False),
        ("list", True, True, False),
        ("unhold", False, True, False),
        ("unquarantine", False, False, True),
    ):
        owner.post(f"animals/{juno}/changes", {"do": button})
        now = stored_animal(juno)
        assert (now.care.on_hold, now.care.in_quarantine, now.listed) == (on_hold, in_quarantine, is_listed)


def test_a_bulk_change_that_shows_animals_ends_no_hold_or_quarantine(owner: Colleague) -> None:
    plain = add_animal(owner, "Plain", listed=False)
    held = add_animal(owner, "Held", listed=False, care={"on_hold": True})
    ill = add_animal(owner, "Ill", listed=False, care={"in_quarantine": True})
    both = add_animal(owner, "Both", listed=False, care={"on_hold": True, "in_quarantine": True})
    ids = [plain, held, ill, both]

    def states() -> list[tuple[bool, bool, bool]]:
        found = [stored_animal(each) for each in ids]
        return [
            (each.listed, bool(each.care and each.care.on_hold), bool(each.care and each.care.in_quarantine))
            for each in found
        ]

    before = states()
    for button in ("list", "unhold", "unquarantine"):
        owner.post("animals/changes", {"do": button, "id": [str(each) for each in ids]})
        assert states() == [(True, False, False), *before[1:]]
        page = owner.get("animals").text
        if button == "list":
            undo = undo_in(page)
            assert "Plain is now visible to visitors." in page
            assert "1 is on hold and stays hidden." in page
            assert "1 is in quarantine and stays hidden." in page
            assert "1 is on hold and in quarantine and stays hidden." in page
    owner.post(undo)
    assert states() == before


def test_a_removal_is_confirmed_by_name_and_can_be_undone(owner: Colleague, client: FlaskClient) -> None:
    juno = add_animal(owner, "Juno")
    question = owner.get(f"animals/removal?id={juno}").text
    assert "Remove Juno?" in question
    assert "Keep Juno" in question
    owner.post(f"animals/removal?id={juno}")
    assert client.get(f"/animals/{juno}").status_code == 410
    page = owner.get("animals").text
    assert "Juno removed." in page
    assert names_in(page) == []
    owner.post(undo_in(page))
    assert names_in(owner.get("animals").text) == ["Juno"]
    assert client.get(f"/animals/{juno}", follow_redirects=True).status_code == 200
    assert [entry[0] for entry in audit_entries(owner)] == ["animal.removed", "animal.undone"]


def test_a_removed_animal_is_restored_from_its_list_and_from_its_page(owner: Colleague) -> None:
    juno, rex = add_animal(owner, "Juno"), add_animal(owner, "Rex", listed=False)
    owner.post(f"animals/removal?id={juno}&id={rex}")
    page = owner.get(f"animals/{juno}")
    assert page.status_code == 410
    assert "Juno was removed" in page.text
    owner.post(f"animals/{juno}/changes", {"do": "restore"})
    owner.post("animals/changes", {"do": "restore", "id": str(rex)})
    assert (stored_animal(juno).listed, stored_animal(rex).listed) == (True, False)
    assert owner.get(f"animals/{juno}").status_code == 200
    assert [entry[0] for entry in audit_entries(owner)] == [
        "animal.removed",
        "animal.restored",
        "animal.restored",
    ]


def test_undo_of_a_bulk_change_restores_each_animal(owner: Colleague) -> None:
    ids = [add_animal(owner, f"Cat {n}", status=("sold" if n == 2 else "available")) for n in range(4)]
    owner.post("animals/changes", {"do": "status", "status": "sold", "id": [str(id_) for id_ in ids]})
    page = owner.get("animals").text
    assert "Cat 0, Cat 1 and Cat 3 are now Adopted." in page
    assert [stored_animal(id_).status for id_ in ids] == ["sold"] * 4
    owner.post(undo_in(page))
    assert [stored_animal(id_).status for id_ in ids] == ["available", "available", "sold", "available"]
    assert "Undone. 3 animals changed back." in owner.get("animals").text


def test_undo_of_a_bulk_change_keeps_later_changes_and_works_once(owner: Colleague) -> None:
    one, two = add_animal(owner, "One"), add_animal(owner, "Two")
    owner.post("animals/changes", {"do": "status", "status": "pending", "id": [str(one), str(two)]})
    undo = undo_in(owner.get("animals").text)
    owner.post(f"animals/{two}/changes", {"do": "status", f"status-{two}": "sold"})
    owner.get("animals")
    owner.post(undo)
    assert (stored_animal(one).status, stored_animal(two).status) == ("available", "sold")
    assert (
        "Undone. 1 animal changed back. 1 animal changed again since, and left unchanged."
        in owner.get("animals").text
    )
    owner.post(undo)
    assert "That change was undone already." in owner.get("animals").text


def test_undo_of_a_bulk_hold_restores_visibility(owner: Colleague) -> None:
    seen = add_animal(owner, "Seen")
    ill = add_animal(owner, "Ill", listed=False, care={"in_quarantine": True})
    owner.post("animals/changes", {"do": "hold", "id": [str(seen), str(ill)]})
    assert (stored_animal(seen).listed, stored_animal(ill).care.on_hold) == (False, True)
    owner.post(undo_in(owner.get("animals").text))
    assert (stored_animal(seen).listed, stored_animal(ill).listed) == (True, False)
    assert (stored_animal(ill).care.on_hold, stored_animal(ill).care.in_quarantine) == (False, True)


def test_removing_selected_animals_is_confirmed(owner: Colleague) -> None:
    ids = [add_animal(owner, f"Cat {n}") for n in range(5)]
    answer = owner.post("animals/changes", {"do": "remove", "id": [str(id_) for id_ in ids]})
    question = owner.client.get(answer.headers["Location"]).text
    assert "Remove 5 animals?" in question
    assert stored_animal(ids[0]).removed_at is None


def test_a_bulk_change_can_be_undone_for_a_day(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    owner.post(f"animals/{juno}/changes", {"do": "hold"})
    undo = undo_in(owner.get("animals").text)
    with transaction() as session:
        session.execute(update(BulkChange).values(created_at=datetime.now(UTC) - timedelta(days=1)))
    owner.post(undo)
    assert "too old to be undone" in owner.get("animals").text
    bulk_undo.forget_bulk_changes()
    with reading() as session:
        assert session.scalar(select(func.count()).select_from(BulkChange)) == 0


def test_a_bulk_change_without_animals_or_status_says_what_is_missing(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    sent = {"do": "status", "shown_on": owner.at("animals")}
    without_status = owner.post("animals/changes", {**sent, "status": "", "id": juno})
    assert "Nothing was changed. Choose a new status before you apply it." in without_status.text
    ticked = [
        box["value"] for box in ParsedPage(without_status.text).all("input", name="id") if "checked" in box
    ]
    assert ticked == [str(juno)], "the ticks are still there"
    owner.post("animals/changes", {**sent, "status": "sold"})
    assert "Nothing was changed. Tick the animals first." in owner.get("animals").text
    assert stored_animal(juno).status == "available"


def test_a_status_is_confirmed_and_undone_in_its_row(owner: Colleague) -> None:
    juno = add_animal(owner, "Juno")
    headers = {"HX-Request": "true", "HX-Target": f"animal-{juno}"}
    form = {"do": "status", f"status-{juno}": "pending"}
    row = owner.post(f"animals/{juno}/changes", form, headers=headers).text
    assert "Juno is now Adoption pending." in row
    undo = re.search(r'hx-post="([^"]+/reversal)"', row)
    assert undo
    row = owner.post(undo[1], {"row": str(juno)}, headers=headers).text
    assert row.lstrip().startswith(f'<tr id="animal-{juno}">')
    assert "Undone. 1 animal changed back." in row
    assert stored_animal(juno).status == "available"


def all_matching(page: str) -> str:
    """Return the value of "Select all animals that match"."""
    [value] = re.findall(r'name="all" value="([^"]+)"', page)
    return str(value)


def test_a_bulk_change_of_all_pages_requires_an_unchanged_number_of_animals(
    owner: Colleague,
) -> None:
    cats = [add_animal(owner, f"Cat {n:02}") for n in range(52)]
    dog = add_animal(owner, "Rex")
    form = {"do": "status", "status": "pending", "back": "?q=cat"}
    form["all"] = all_matching(owner.get("animals?q=cat").text)
    owner.post("animals/changes", form)
    page = owner.get("animals").text
    assert "52 animals are now Adoption pending." in page
    assert ({stored_animal(each).status for each in cats}, stored_animal(dog).status) == (
        {"pending"},
        "available",
    )
    owner.post(undo_in(page))
    assert {stored_animal(each).status for each in cats} == {"available"}
    question = owner.get(f"animals/removal?all={form['all']}&back=%3Fq%3Dcat").text
    assert "Remove 52 animals?" in question
    add_animal(owner, "Cat 53")
    owner.post("animals/changes", form)
    assert "53 animals match these filters now. Your page said 52" in owner.get("animals").text
    assert stored_animal(cats[0]).status == "available"


@pytest.mark.settings("embedded")
def test_a_bulk_change_of_other_animals_than_counted_asks_again(
    client: FlaskClient, owner: Colleague
) -> None:
    cats = [add_animal(owner, f"Cat {n:02}", category_id=2) for n in range(52)]
    apply(client, cats[-1])
    form = {"do": "hide", "tell": "no", "good_with_cats": "yes", "back": "?species=cat"}
    for cat, page in zip(cats, ("changes", "details", "adoption", "removal"), strict=False):
        form["all"] = all_matching(owner.get("animals?species=cat").text)
        owner.post(f"animals/removal?id={cat}")
        owner.get("animals")
        late = add_animal(owner, "Late", category_id=2)
        answer = owner.post(f"animals/{page}", form)
        text = owner.get(str(answer.location)).text if answer.location else answer.text
        assert "52 animals match these filters, as your page said, but they are no longer the same" in text
        before = [stored_animal(late).listed, stored_animal(late).good_with_cats, stored_animal(late).status]
        assert before == [True, None, "available"], page
        if page != "changes":
            [action] = re.findall(rf'<form[^>]* action="([^"]*{page}[^"]*)"', text)
            assert page != "details" or '<option value="yes" selected>' in text, "what was chosen is kept"
            owner.post(unescape(action), form | {"all": ""})
            assert [
                stored_animal(late).listed,
                stored_animal(late).good_with_cats,
                stored_animal(late).status,
            ] != before, page


def test_blank_fields_of_a_bulk_change_leave_details_unchanged(owner: Colleague) -> None:
    one = add_animal(owner, "One", good_with_cats=False, fee_cents=5_000)
    two = add_animal(owner, "Two", good_with_dogs=True, fee_cents=0)
    ids = f"id={one}&id={two}"
    answer = owner.post("animals/changes", {"do": "details", "id": [str(one), str(two)]})
    assert answer.headers["Location"].endswith(f"animals/details?{ids}&back=")
    assert "Change One and Two" in owner.get(f"animals/details?{ids}").text
    wrong = owner.post(f"animals/details?{ids}", {"good_with_cats": "yes", "fee": "money", "fee_amount": "x"})
    assert wrong.status_code == 422
    assert '<option value="yes" selected>' in wrong.text
    assert "Write the fee as a number" in wrong.text
    owner.post(f"animals/details?{ids}", {"good_with_cats": "yes", "fee": "money", "fee_amount": "80"})
    page = owner.get("animals").text
    assert "One and Two changed: Can live with cats, Adoption fee." in page

    def details() -> list[tuple[bool | None, bool | None, int | None]]:
        return [
            (
                stored_animal(each).good_with_cats,
                stored_animal(each).good_with_dogs,
                stored_animal(each).fee_cents,
            )
            for each in (one, two)
        ]

    assert details() == [(True, None, 8_000), (True, True, 8_000)]
    owner.post(undo_in(page))
    assert details() == [(False, None, 5_000), (None, True, 0)]
