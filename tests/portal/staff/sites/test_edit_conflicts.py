"""Concurrent edits of the general settings are merged. Users resolve conflicts."""

import re
from html import unescape
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.audit.models import AuditEntry
from adoption.projects.models import SITE_TEXTS, Project
from adoption.storage.database import reading
from tests.cast import Colleague
from tests.pages import without_times

pytestmark = pytest.mark.settings("embedded")
Sent = dict[str, Any]


@pytest.fixture
def colleague(owner: Colleague, teammate: Colleague) -> Colleague:
    """A second owner, called Sam Reed."""
    member = re.findall(r"members/(\d+)/removal", owner.get("members").text)[-1]
    owner.post(f"members/{member}/role", {"role": "owner"})
    teammate.post("/account/name", {"name": "Sam Reed"})
    return teammate


def form_in(page: str) -> Sent:
    """Return the fields of the unchanged form."""
    form = page.partition('id="texts-form"')[2].partition("</form>")[0]
    sent = {name: unescape(value) for name, value in re.findall(r' name="(\w+)"[^>]* value="([^"]*)"', form)}
    sent["about"] = unescape(re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", form, re.DOTALL)[0])
    sent["adoption_policy"] = unescape(re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", form, re.DOTALL)[1])
    for name, choices in re.findall(r'<select [^>]*name="(\w+)"(.*?)</select>', form, re.DOTALL):
        sent[name] = "".join(re.findall(r'<option value="(\w+)" selected', choices))
    return sent


def opened(who: Colleague) -> Sent:
    return form_in(who.get("settings").text)


def save(who: Colleague, form: Sent, **changes: str) -> TestResponse:
    return who.post("settings", form | {"csrf_token": who.token()} | changes)


def choices(page: str, side: str) -> dict[str, str]:
    return dict(re.findall(rf'name="(keep-\w+)" value="({side}:\w+)"', page))


def stored(who: Colleague) -> dict[str, str]:
    with reading() as session:
        project = session.get_one(Project, who.project_id)
        return {field: getattr(project, field) for field in (*SITE_TEXTS, "time_zone")}


def notices(who: Colleague) -> str:
    return " ".join(re.findall(r'class="notice staff-notice".*?</div>', who.get("settings").text, re.DOTALL))


def edits(who: Colleague) -> list[tuple[str, str]]:
    asked = select(AuditEntry.actor, AuditEntry.detail).where(AuditEntry.action == "site.edited")
    with reading() as session:
        return [(row[0], row[1]) for row in session.execute(asked.order_by(AuditEntry.id))]


def test_fields_that_one_of_two_editors_changed_are_merged(owner: Colleague, colleague: Colleague) -> None:
    form = opened(owner)
    save(colleague, opened(colleague), place="Alderbrook", currency="EUR")
    assert save(owner, form, about="We rehome cats.", colour="1D5C4B").status_code == 303
    now = stored(owner)
    assert (now["place"], now["currency"]) == ("Alderbrook", "EUR")
    assert (now["about"], now["colour"]) == ("We rehome cats.", "#1d5c4b")
    found = (
        "Saved. Visitors see it once you publish. Sam Reed changed Place and Currency while you were editing."
    )
    assert found in notices(owner)
    assert edits(owner) == [(colleague.email, "place, currency"), (owner.email, "about, colour")]


def test_a_form_saved_without_changes_undoes_nothing(owner: Colleague, colleague: Colleague) -> None:
    form = opened(owner)
    save(colleague, opened(colleague), place="Alderbrook")
    assert save(owner, form).status_code == 303
    assert stored(owner)["place"] == "Alderbrook"
    assert "There were no changes to save. Sam Reed changed Place" in notices(owner)


def test_equal_edits_do_not_conflict(owner: Colleague, colleague: Colleague) -> None:
    form = opened(owner)
    save(colleague, opened(colleague), place="Alderbrook")
    assert save(owner, form, place="Alderbrook").status_code == 303
    assert "There were no changes to save.</" in notices(owner)


def test_conflicting_settings_are_resolved_one_by_one(owner: Colleague, colleague: Colleague) -> None:
    form = opened(owner)
    theirs = {"place": "Alderbrook", "currency": "EUR", "name": "Elm Cats"}
    save(colleague, opened(colleague), contact_phone="01234 567890", **theirs)
    mine = {"place": "Elmstead", "currency": "GBP", "about": "We rehome <cats>."}
    first = save(owner, form, **mine)
    assert first.status_code == 409
    assert without_times(first.text).count("Sam Reed changed it just now.") == 2
    for value in ("Elmstead", "Alderbrook", "GBP, British pound", "EUR, Euro"):
        assert f'class="clash-value">{value}</small>' in first.text
    assert "Sam Reed changed Name and Contact phone while you were editing." in first.text
    kept = form_in(first.text)
    assert kept.items() >= mine.items()
    assert kept["name"] == "Elm Cats"

    second = save(owner, kept)
    assert second.status_code == 409, "nothing was chosen"
    save(colleague, opened(colleague), place="Alderton")
    chosen = choices(second.text, "mine")
    third = save(owner, form_in(second.text), **chosen)
    assert third.status_code == 409
    assert list(choices(third.text, "mine")) == ["keep-place"], "that choice was made for another value"
    assert "Alderton" in third.text
    assert stored(owner).items() >= {"place": "Alderton", "currency": "EUR", "about": ""}.items()

    last = save(owner, form_in(third.text), **choices(third.text, "theirs"))
    assert last.status_code == 303
    now = stored(owner)
    assert (now["place"], now["currency"], now["name"]) == ("Alderton", "GBP", "Elm Cats")
    assert now["about"] == "We rehome <cats>."
    assert edits(owner)[-1] == (owner.email, "about, currency")


def test_an_invalid_value_and_a_conflict_are_reported_together(
    owner: Colleague, colleague: Colleague
) -> None:
    form = opened(owner)
    save(colleague, opened(colleague), place="Alderbrook", colour="#ffffff", name="Elm Cats")
    answer = save(owner, form, place="Elmstead", colour="bottle green", contact_phone="12")
    assert answer.status_code == 422
    assert 'href="#contact_phone"' in answer.text
    assert list(choices(answer.text, "mine")) == ["keep-place", "keep-colour"]
    kept = form_in(answer.text)
    assert (kept["place"], kept["colour"], kept["contact_phone"]) == ("Elmstead", "bottle green", "12")
    sides = choices(answer.text, "mine") | {"keep-colour": choices(answer.text, "theirs")["keep-colour"]}
    again = save(owner, kept, **sides)
    assert again.status_code == 422, "the phone number is still wrong"
    assert choices(again.text, "mine") == {}, "what was chosen is not asked again"
    assert stored(owner)["place"] == "Alderbrook"
    assert save(owner, form_in(again.text), contact_phone="01234 567890").status_code == 303
    now = stored(owner)
    assert (now["place"], now["colour"], now["name"]) == ("Elmstead", "#ffffff", "Elm Cats")
    assert now["contact_phone"] == "01234 567890"


def test_a_conflict_with_the_users_other_window_says_so(owner: Colleague) -> None:
    form = opened(owner)
    save(owner, form, place="Alderbrook", name="Elm Cats")
    answer = save(owner, form, place="Elmstead")
    assert "You changed Name in another window." in answer.text
    assert "You changed it just now." in without_times(answer.text)
    assert "Keep what is saved" in answer.text


def test_a_conflict_of_time_zones_is_resolved_by_choice(owner: Colleague, colleague: Colleague) -> None:
    def zone(who: Colleague, name: str, opened: str, **choice: str) -> TestResponse:
        return who.post("settings/time-zone", {"time_zone": name, "opened": opened, **choice})

    def print_in(page: str) -> str:
        return str(re.findall('name="opened" value="(time_zone:[^"]*)"', page)[0])

    before = print_in(owner.get("settings").text)
    assert zone(colleague, "Europe/London", before).status_code == 303
    assert zone(owner, "UTC", before).status_code == 303
    assert "There were no changes to save. Sam Reed changed Time zone" in notices(owner)
    answer = zone(owner, "Europe/Madrid", before)
    assert answer.status_code == 409
    assert "United Kingdom: London</small>" in answer.text
    assert '<option value="Europe/Madrid" selected' in answer.text
    assert stored(owner)["time_zone"] == "Europe/London"
    mine = choices(answer.text, "mine")
    assert zone(owner, "Europe/Madrid", print_in(answer.text), **mine).status_code == 303
    assert stored(owner)["time_zone"] == "Europe/Madrid"
    assert edits(owner)[-1] == (owner.email, "time zone")
