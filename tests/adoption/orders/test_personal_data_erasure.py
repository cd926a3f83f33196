"""Personal data in applications: retention, export and erasure."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption import jobs
from adoption.audit.models import AuditEntry
from adoption.errors import SettingRefused
from adoption.mail.models import OutgoingEmail
from adoption.orders import personal_data_erasure, shelter_reminders
from adoption.orders.models import Application, ApplicationNote, Order, OrderEvent
from adoption.settings import Settings
from adoption.storage.database import reading, transaction
from tests.applying import apply, link_in
from tests.cast import Colleague
from tests.deciding import (
    add_animal,
    animal_statuses,
    application_ref,
    apply_and_confirm,
    orders_of,
    take_steps,
)
from tests.mailbox import emails_to, link_in_email

YEAR, DAY = timedelta(days=365), timedelta(days=1)
PERSONAL = ("name", "email", "phone", "home", "household", "why", "held_for", "found_by")


def load_application(ref: str) -> Application:
    with reading() as session:
        return session.get_one(Application, int(ref))


def is_erased(ref: str) -> bool:
    kept = load_application(ref)
    left = [column for column in PERSONAL if getattr(kept, column)]
    assert not left or len(left) > 4, "erased completely, or not at all"
    return not left and kept.forgotten_at is not None


def make_older(ref: str, days: int) -> None:
    """Move the dates of the application and of its last change back by this many days."""
    then = datetime.now(UTC) - timedelta(days=days)
    with transaction() as session:
        session.execute(update(Application).where(Application.id == int(ref)).values(created_at=then))
        of = Order.application_id == int(ref)
        session.execute(update(Order).where(of).values(created_at=then, updated_at=then))


def count_notes_and_emails() -> tuple[int, int]:
    with reading() as session:
        return len(session.scalars(select(ApplicationNote)).all()), len(
            session.scalars(select(OutgoingEmail)).all()
        )


def test_old_decided_applications_are_erased_and_keep_their_history(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    link = link_in(apply(client, biscuit))
    ref = application_ref("sam")
    owner.post(f"applications/{ref}/notes", {"note": "Sounds kind."})
    take_steps(owner, ref, "decline")
    make_older(ref, 366)
    jobs.forget_applicants()
    assert is_erased(ref)
    assert count_notes_and_emails() == (0, 0)
    assert orders_of(owner) == [(biscuit, "declined")]
    with reading() as session:
        assert session.scalars(select(OrderEvent.event).order_by(OrderEvent.id)).all() == [
            "placed",
            "declined",
        ]
    gone = client.get(link)
    assert gone.status_code == 410
    assert "answers in this application for <bdi>Biscuit</bdi> have been erased" in gone.text
    assert client.post(f"{link}/withdrawal").status_code == 303
    assert "Data deleted" in owner.get("applications?box=decided").text
    assert "was deleted" in owner.get(f"applications/{ref}").text


def test_open_and_recently_decided_applications_are_kept(client: FlaskClient, owner: Colleague) -> None:
    old_and_open = apply_and_confirm(client, add_animal(owner), "sam")
    promised = apply_and_confirm(client, add_animal(owner), "kim")
    take_steps(owner, promised, "approve")
    lately = apply_and_confirm(client, add_animal(owner), "lee")
    take_steps(owner, lately, "decline")
    for ref, days in ((old_and_open, 900), (promised, 900), (lately, 364)):
        make_older(ref, days)
    assert personal_data_erasure.erase_old_applications(YEAR) == 0, "no shelter was warned"
    assert not any(is_erased(ref) for ref in (old_and_open, promised, lately))


def test_undecided_applications_are_erased_after_a_warning_to_the_shelter(
    client: FlaskClient, owner: Colleague
) -> None:
    biscuit = add_animal(owner)
    refs = [apply_and_confirm(client, biscuit, "sam"), apply_and_confirm(client, add_animal(owner), "kim")]
    refs.append(apply_and_confirm(client, add_animal(owner), "lee", subject="filled in"))
    take_steps(owner, refs[0], "approve")
    young = apply_and_confirm(client, add_animal(owner), "may")
    now = datetime.now(UTC)
    for ref in refs:
        make_older(ref, 340)
    assert [shelter_reminders.warn_of_erasure(YEAR, now) for _ in range(2)] == [1, 0], "once"
    subject = emails_to("owner@elm.example")[-1].subject
    assert subject.startswith("3 undecided applications will be erased on ")
    assert personal_data_erasure.erase_old_applications(YEAR, now + 26 * DAY) == 0, (
        "the year is over, but the warning is too recent"
    )
    assert shelter_reminders.warn_of_erasure(YEAR, now + 26 * DAY) == 0
    owner.post(f"applications/{refs[1]}/refusal?seen=placed")
    assert personal_data_erasure.erase_old_applications(YEAR, now + 31 * DAY) == 2
    assert [is_erased(ref) for ref in (*refs, young)] == [True, False, True, False]
    assert (biscuit, "withdrawn") in orders_of(owner)
    assert animal_statuses(biscuit) == ["pending"], "the shelter set that"
    assert "Closed, since it was not decided in time" in owner.get(f"applications/{refs[0]}").text


def test_a_shelter_is_emailed_at_most_once_a_day_about_held_applications(
    client: FlaskClient, owner: Colleague, outsider: Colleague
) -> None:
    apply_and_confirm(client, add_animal(outsider), "kim")
    apply_and_confirm(client, add_animal(owner), "sam", subject="filled in")
    now = datetime.now(UTC)
    assert [shelter_reminders.send_held_digests(now) for _ in range(2)] == [1, 0]
    [digest] = emails_to("owner@elm.example")
    assert digest.subject == "1 application is held as possible spam"
    assert link_in_email("owner@elm.example") == f"/projects/{owner.slug}/applications"
    assert shelter_reminders.send_held_digests(now + 2 * DAY) == 0, "nothing new is held"
    apply_and_confirm(client, add_animal(owner), "lee", name="www.pills.example")
    assert shelter_reminders.send_held_digests(now + DAY / 2) == 0
    assert [shelter_reminders.send_held_digests(now + DAY) for _ in range(2)] == [1, 0]
    assert emails_to("owner@elm.example")[-1].subject == "2 applications are held as possible spam"


def test_erasure_deletes_the_files_of_emails(
    app: APIFlask, client: FlaskClient, owner: Colleague, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = app.config["HOMEWARD"].model_copy(update={"mail_url": f"file://{tmp_path}"})
    monkeypatch.setitem(app.config, "HOMEWARD", mail)
    ref = apply_and_confirm(client, add_animal(owner), "sam")
    apply_and_confirm(client, add_animal(owner), "kim")
    jobs.send_letters()
    assert len(list(tmp_path.glob("*.eml"))) == 4
    owner.post(f"applicants/{ref}/erasure")
    kept = [file.read_text() for file in tmp_path.glob("*.eml")]
    assert len(kept) == 2
    assert not any("sam@example.org" in text for text in kept)
    for file in tmp_path.glob("*.eml"):
        os.utime(file, (0, 0))
    jobs.forget_letters()
    assert list(tmp_path.glob("*.eml")) == [], "files are kept no longer than sent emails"


def test_an_old_application_that_was_decided_recently_is_kept(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    make_older(ref, 900)
    take_steps(owner, ref, "decline")
    assert personal_data_erasure.erase_old_applications(YEAR) == 0


def test_the_retention_period_is_a_setting(tmp_path_factory: pytest.TempPathFactory) -> None:
    environ = {"HOMEWARD_INSTANCE": str(tmp_path_factory.mktemp("kept"))}
    assert Settings.from_environment(environ).keep_applications_days == 365
    name = "HOMEWARD_KEEP_APPLICATIONS_DAYS"
    assert Settings.from_environment({**environ, name: "30"}).keep_applications_days == 30
    for wrong in ("0", "-1", "a year", "40000", "1.5"):
        with pytest.raises(SettingRefused, match=name):
            Settings.from_environment({**environ, name: wrong})


def test_erasure_runs_each_night() -> None:
    assert jobs.JOBS["forget_applicants"].recurs == {"hour": "3", "minute": "40"}


def test_the_data_export_has_everything_about_an_applicant(
    client: FlaskClient, owner: Colleague, outsider: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner), name="Sam Okafor", why="A garden.")
    owner.post(f"applications/{ref}/notes", {"note": "Sounds kind."})
    apply_and_confirm(client, add_animal(owner, "Juno"), "kim", why="Of somebody else")
    apply_and_confirm(client, add_animal(outsider), "sam", why="To somebody else")
    page = owner.get(f"applicants/{ref}")
    assert 'for <bdi class="strong">Biscuit</bdi>' in page.text
    answer = owner.post(f"applicants/{ref}/export")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Cache-Control"] == "no-store"
    [kept] = json.loads(answer.data)["applications"]
    assert (kept["name"], kept["why"], kept["animals"]) == ("Sam Okafor", "A garden.", ["Biscuit"])
    assert [note["text"] for note in kept["notes"]] == ["Sounds kind."]
    assert [step["event"] for step in kept["orders"][0]["history"]] == ["placed"]
    assert {each["to"] for each in kept["letters"]} == {"sam@example.org", "owner@elm.example"}
    assert "somebody else" not in answer.text
    assert f'"by": "{owner.email}"' not in answer.text, "without the volunteers' email addresses"


def test_erasing_an_applicant_withdraws_open_applications_first(
    client: FlaskClient, owner: Colleague, outsider: Colleague
) -> None:
    biscuit, elsewhere = add_animal(owner), add_animal(outsider)
    first = apply_and_confirm(client, biscuit)
    take_steps(owner, first, "approve")
    held = apply_and_confirm(client, add_animal(owner), subject="filled in")
    other = apply_and_confirm(client, add_animal(owner), "kim")
    theirs = apply_and_confirm(client, elsewhere)
    question = owner.get(f"applicants/{first}/erasure").text
    assert "Delete all data about Sam Okafor (sam@example.org)?" in question
    assert "2 open applications are withdrawn first." in question
    assert owner.post(f"applicants/{held}/erasure").status_code == 303
    assert [is_erased(ref) for ref in (first, held, other, theirs)] == [True, True, False, False]
    assert (orders_of(owner)[0], animal_statuses(biscuit)) == ((biscuit, "withdrawn"), ["available"])
    with reading() as session:
        kept = session.scalars(select(OutgoingEmail.application_id)).all()
        assert {str(each) for each in kept} == {other, theirs}
        [entry] = session.scalars(select(AuditEntry).where(AuditEntry.action == "applicant.erased"))
    assert "sam" not in f"{entry.thing}{entry.detail}".lower()
    assert owner.get(f"applicants/{first}").status_code == 404


def test_only_owners_can_erase_an_applicant(
    client: FlaskClient, owner: Colleague, teammate: Colleague
) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    assert "Only account owners can delete data" in teammate.get(f"applicants/{ref}").text
    assert teammate.get(f"applicants/{ref}/erasure").status_code == 403
    assert teammate.post(f"applicants/{ref}/erasure").status_code == 403
    assert not is_erased(ref)


def test_an_erased_application_accepts_no_note(client: FlaskClient, owner: Colleague) -> None:
    ref = apply_and_confirm(client, add_animal(owner))
    owner.post(f"applicants/{ref}/erasure")
    answer = owner.post(f"applications/{ref}/notes", {"note": "It was Sam Okafor."})
    assert answer.status_code == 409
    assert count_notes_and_emails() == (0, 0)


def test_a_clock_that_is_far_ahead_erases_only_the_daily_limit(
    app: APIFlask, owner: Colleague, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_data_erasure, "AT_ONCE", 2)
    refs = [apply_and_confirm(client, add_animal(owner, f"Pet {n}"), f"who{n}") for n in range(5)]
    for ref in refs:
        take_steps(owner, ref, "decline")
    wrong = datetime.now(UTC) + 2 * YEAR
    erased = []
    for _ in range(3):
        personal_data_erasure.erase_old_applications(YEAR, wrong)
        erased.append(sum(map(is_erased, refs)))
    assert erased == [2, 4, 5]
