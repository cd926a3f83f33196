"""Forms keep their values if they are sent after the session has expired or changed."""

import random
import re
from datetime import UTC, datetime, timedelta
from functools import wraps
from html import unescape

import pytest
import time_machine
from apiflask import APIFlask
from flask import request
from flask.typing import ResponseReturnValue
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.accounts import members, sessions
from adoption.accounts.models import Member, SignIn
from adoption.audit.actors import OPERATOR
from adoption.storage.database import reading, transaction
from portal.sign_in.unsaved_forms import NEVER_KEPT
from tests import factories
from tests.cast import PASSWORD, Colleague, teammate
from tests.deciding import apply_and_confirm
from tests.pages import ParsedPage
from tests.staffing import NEW, add_animal, form_in, photo_file, stored_animal

pytestmark = pytest.mark.settings("embedded")

TYPED = NEW | {"name": 'Zoë "Z" <b>', "description": "One & two.\n\n- three", "sex": "female", "code": "R-7"}
HTMX = {"HX-Request": "true", "HX-Target": "main"}
OURS = {"Sec-Fetch-Site": "same-origin"}


def end_sign_ins() -> None:
    """End every session, as "Sign out everywhere else" in another browser does."""
    with transaction() as session:
        session.execute(update(SignIn).values(expires_at=datetime.now(UTC)))


def sign_in_again(who: Colleague, page: str, email: str = "") -> TestResponse:
    """Send the sign-in form of this page. It contains the unsaved form."""
    parsed = ParsedPage(page)
    hidden = {str(each["name"]): each.get("value") or "" for each in parsed.all("input", type="hidden")}
    (form,) = [
        each for each in parsed.all("form", class_="stack") if "/sign-in" in (each.get("action") or "")
    ]
    given = {**hidden, "email": email or who.email, "password": PASSWORD}
    return who.client.post(str(form["action"]), data=given)


def shown(page: str, name: str) -> str | None:
    return form_in(page).get(name)


def test_a_new_animal_survives_an_expired_session(owner: Colleague) -> None:
    owner.get("animals")
    sent = TYPED | {"shown_on": owner.at("animals/new"), "photos": photo_file()}
    token = owner.token()
    end_sign_ins()
    asked = owner.client.post(owner.at("animals/new"), data={**sent, "csrf_token": token}, headers=OURS)
    assert asked.status_code == 401
    assert "You were signed out, so this was not saved yet." in asked.text
    again = sign_in_again(owner, asked.text)
    assert again.status_code == 200
    assert "nothing has been saved yet. Choose your files again." in again.text
    for name in TYPED:
        assert shown(again.text, name) == TYPED[name], name
    assert f'action="{owner.at("animals/new")}"' in again.text
    assert "Zoë" not in owner.get("animals").text, "nothing is saved without a click"
    answer = owner.client.post(owner.at("animals/new"), data=form_in(again.text))
    assert answer.status_code == 303
    assert unescape(owner.get("animals").text).count(TYPED["name"])


def test_an_edit_is_restored_after_signing_in_with_its_version(owner: Colleague) -> None:
    rex = add_animal(owner, "Rex")
    form = form_in(owner.get(f"animals/{rex}").text) | {"description": "Typed for long"}
    end_sign_ins()
    asked = owner.client.post(owner.at(f"animals/{rex}"), data=form, headers=OURS)
    again = sign_in_again(owner, asked.text)
    assert form_in(again.text)["opened"] == form["opened"]
    assert owner.client.post(owner.at(f"animals/{rex}"), data=form_in(again.text)).status_code == 303
    assert stored_animal(rex).description == "Typed for long"


def test_a_status_of_a_row_is_saved_after_signing_in(owner: Colleague) -> None:
    rex = add_animal(owner, "Rex")
    sent = {"do": "status", f"status-{rex}": "pending", "shown_on": owner.at("animals"), "id": str(rex)}
    end_sign_ins()
    asked = owner.client.post(owner.at(f"animals/{rex}/changes"), data=sent, headers=OURS)
    again = sign_in_again(owner, asked.text)
    assert stored_animal(rex).status == "available"
    assert "Save now" in again.text
    owner.client.post(owner.at(f"animals/{rex}/changes"), data=form_in(again.text))
    assert stored_animal(rex).status == "pending"


@pytest.mark.parametrize("state", ["ended", "another session"])
def test_field_checks_without_a_session_return_nothing(owner: Colleague, state: str) -> None:
    if state == "ended":
        end_sign_ins()
    for path in ("animals/checks/name", "settings/colour?colour=%23ffe14d", "domains/list", "usage/windows"):
        if state == "ended" or "checks" in path:
            method = "POST" if "checks" in path else "GET"
            answer = owner.client.open(
                owner.at(path), method=method, data={"name": ""}, headers={**HTMX, **OURS}
            )
            assert (answer.status_code, answer.text) == (204, ""), path
            assert "HX-Redirect" not in answer.headers


@pytest.mark.parametrize("ended", [True, False])
def test_htmx_submits_the_whole_form_after_an_expired_session(owner: Colleague, ended: bool) -> None:
    if ended:
        end_sign_ins()
    answer = owner.client.post(owner.at("animals/new"), data=TYPED, headers={**HTMX, **OURS})
    assert (answer.status_code, answer.text) == (401, "")


def test_unsaved_text_is_not_shown_to_another_user(app: APIFlask, owner: Colleague) -> None:
    colleague = teammate(app, owner)
    sent = TYPED | {"shown_on": owner.at("animals/new")}
    end_sign_ins()
    asked = owner.client.post(owner.at("animals/new"), data=sent, headers=OURS)
    again = sign_in_again(owner, asked.text, colleague.email)
    assert again.status_code == 303
    page = owner.client.get(owner.at("animals")).text
    assert "You signed in as someone else" in page


def test_a_cross_site_form_is_not_restored(owner: Colleague) -> None:
    end_sign_ins()
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {},
    ):
        answer = owner.client.post(owner.at("animals/new"), data=TYPED, headers=headers)
        assert answer.status_code == 302, headers


@pytest.mark.parametrize("text", ["rubbish", "W10.rubbish.rubbish"])
def test_unsigned_unsaved_text_is_not_shown(owner: Colleague, text: str) -> None:
    end_sign_ins()
    page = owner.client.get("/sign-in").text
    changed = page.replace('name="unsaved" value=""', f'name="unsaved" value="{text}"')
    assert sign_in_again(owner, changed).status_code == 303


def test_unsaved_text_that_is_too_long_is_reported(owner: Colleague) -> None:
    noise = "".join(map(chr, random.Random(1).choices(range(0x4E00, 0x9000), k=150_000)))
    end_sign_ins()
    typed = TYPED | {"description": noise, "internal_notes": noise[::-1]}
    kind = {"content_type": "multipart/form-data"}
    answer = owner.client.post(owner.at("animals/new"), data=typed, headers=OURS, **kind)
    assert answer.status_code == 401
    assert "too long to keep while you sign in" in answer.text


FORMS = (
    ("animals/new", "animals/new", TYPED, "description"),
    ("settings", "settings", {"name": "Elm", "about": "Typed & kept"}, "about"),
    ("members", "members/invitations", {"email": "typed@example.org", "role": "owner"}, "email"),
    ("keys", "keys", {"name": "Typed", "scopes": "pets:read"}, "name"),
    ("/account", "/account/name", {"name": "Typed Name"}, "name"),
)


@pytest.mark.parametrize(("page", "path", "typed", "name"), FORMS, ids=[each[1] for each in FORMS])
def test_a_form_of_an_earlier_session_is_shown_again_filled_in(
    owner: Colleague, page: str, path: str, typed: dict[str, str], name: str
) -> None:
    stale = {**typed, "csrf_token": owner.token(), "shown_on": owner.at(page)}
    owner.post("/sign-out")
    token = re.search(r'name="csrf_token" value="([^"]+)"', owner.client.get("/sign-in").text)
    assert token
    form = {"email": owner.email, "password": PASSWORD, "csrf_token": token[1]}
    assert owner.client.post("/sign-in", data=form).status_code == 303
    answer = owner.client.post(owner.at(path), data=stale, headers=OURS)
    assert answer.status_code == 409
    assert "Your session changed. Check and save again." in answer.text
    assert typed[name] in [each.get("value") for each in ParsedPage(answer.text).all("input")] or typed[
        name
    ] in unescape(answer.text)
    fresh = re.findall(r'name="csrf_token" value="([^"]+)"', answer.text)
    assert stale["csrf_token"] not in fresh
    again = owner.client.post(owner.at(path), data={**typed, "csrf_token": fresh[0]})
    assert again.status_code in (200, 303, 422), "the fresh token counts"


def test_a_form_without_a_cookie_asks_to_sign_in_and_keeps_the_text(app: APIFlask, owner: Colleague) -> None:
    """A browser that is closed forgets the session. Opened again, it restores the page with the form."""
    sent = {"name": "Typed Name", "shown_on": "/account", "csrf_token": "of another session"}
    owner.client.delete_cookie("homeward")
    asked = owner.client.post("/account/name", data=sent, headers=OURS)
    assert asked.status_code == 401
    again = sign_in_again(owner, asked.text)
    assert 'value="Typed Name"' in again.text


@pytest.mark.parametrize("who", ["nobody", "a colleague"])
def test_a_form_in_an_open_tab_is_restored_only_for_its_user(
    app: APIFlask, owner: Colleague, who: str
) -> None:
    rex, colleague = add_animal(owner, "Rex"), teammate(app, owner)
    form = form_in(owner.get(f"animals/{rex}").text) | {"internal_notes": "Typed in private"}
    owner.client.delete_cookie("homeward")
    if who == "a colleague":
        sign_in_again(owner, owner.client.get("/sign-in").text, colleague.email)
        assert colleague.email in owner.client.get("/account").text
    asked = owner.client.post(owner.at(f"animals/{rex}"), data=form, headers=OURS)
    assert asked.status_code == 401
    assert ("Someone else has signed in on this browser" in asked.text) == (who == "a colleague")
    other = sign_in_again(owner, asked.text, colleague.email)
    assert other.status_code == 303
    assert "Typed in private" not in owner.client.get(str(other.location)).text
    asked = owner.client.post(owner.at(f"animals/{rex}"), data=form, headers=OURS)
    again = sign_in_again(owner, asked.text)
    assert form_in(again.text)["internal_notes"] == "Typed in private"


def test_a_form_is_shown_again_after_a_server_error(
    app: APIFlask, owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = app.view_functions["staff.edit_animal"]

    @wraps(edit)
    def fail(**rest: object) -> ResponseReturnValue:
        if request.method == "POST":
            raise RuntimeError
        return app.ensure_sync(edit)(**rest)  # type: ignore[no-any-return]

    rex = add_animal(owner, "Rex")
    form = form_in(owner.get(f"animals/{rex}").text) | {"description": "Typed <b> & kept\n\n- for long"}
    with monkeypatch.context() as patched:
        patched.setitem(app.view_functions, "staff.edit_animal", fail)
        failed = owner.client.post(owner.at(f"animals/{rex}"), data=form, headers=OURS)
    assert failed.status_code == 500
    assert "Something went wrong." in failed.text
    assert form_in(failed.text)["description"] == form["description"]
    assert owner.client.post(owner.at(f"animals/{rex}"), data=form_in(failed.text)).status_code == 303
    assert stored_animal(rex).description == form["description"]


def test_an_edit_of_a_removed_animal_is_kept_until_it_is_restored(owner: Colleague) -> None:
    rex = add_animal(owner, "Rex")
    form = form_in(owner.get(f"animals/{rex}").text) | {
        "description": "Typed <b> & kept",
        "password": "secret",
    }
    factories.remove_animals(owner.project_id, [rex])
    answer = owner.client.post(owner.at(f"animals/{rex}"), data=form, headers=OURS)
    assert answer.status_code == 410
    assert "Restore the animal in another tab, then save here." in answer.text
    assert "Typed &lt;b&gt; &amp; kept" in answer.text
    assert "secret" not in answer.text
    owner.post(f"animals/{rex}/changes", {"do": "restore"})
    assert owner.client.post(owner.at(f"animals/{rex}"), data=form_in(answer.text)).status_code == 303
    assert stored_animal(rex).description == "Typed <b> & kept"


def test_an_email_of_a_late_decision_can_be_copied(app: APIFlask, owner: Colleague) -> None:
    ref = apply_and_confirm(app.test_client(), add_animal(owner))
    page = owner.at(f"applications/{ref}/refusal?seen=placed")
    form = form_in(owner.client.get(page).text)
    owner.post(f"applications/{ref}/approval?seen=placed", {"tell": "yes", "words": "Good news."})
    late = owner.client.post(page, data=form | {"words": "Typed <b> & long"}, headers=OURS)
    assert late.status_code == 409
    assert "Nothing was changed" in late.text
    assert "Typed &lt;b&gt; &amp; long" in late.text
    assert "Save now" not in late.text
    unwritten = owner.client.post(page, data=form, headers=OURS)
    assert unwritten.status_code == 409
    assert "typed-title" not in unwritten.text, "the application is shown if nobody wrote an email"


def test_unsaved_text_is_shown_without_permission_to_save(app: APIFlask, owner: Colleague) -> None:
    colleague = teammate(app, owner)
    form = {"about": "Typed & kept", "csrf_token": colleague.token(), "shown_on": owner.at("settings")}
    answer = colleague.client.post(owner.at("settings"), data=form, headers=OURS)
    assert answer.status_code == 403
    assert "Typed &amp; kept" in answer.text
    assert "Save now" not in answer.text, "sending it again would not help"


def test_a_cross_site_form_is_not_shown_again(owner: Colleague) -> None:
    sent = {"about": "Typed elsewhere"}
    answer = owner.client.post(owner.at("nothing"), data=sent, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 404
    assert "Typed elsewhere" not in answer.text


def test_passwords_are_not_restored(app: APIFlask, owner: Colleague) -> None:
    sent = {"password": "other secret words", "shown_on": "/account"}
    end_sign_ins()
    asked = owner.client.post("/account/password", data=sent, headers=OURS)
    again = sign_in_again(owner, asked.text)
    assert "secret words" not in again.text
    names = {
        str(each["name"])
        for page in (owner.get("/account").text, app.test_client().get("/sign-in").text)
        for each in ParsedPage(page).all("input", type="password")
    }
    assert names <= NEVER_KEPT


@pytest.mark.parametrize(("stay", "lasts"), [(False, timedelta(hours=12)), (True, timedelta(days=30))])
def test_a_session_in_use_is_renewed(app: APIFlask, owner: Colleague, stay: bool, lasts: timedelta) -> None:
    with time_machine.travel("2027-03-01T08:00:00Z", tick=False) as clock:
        client = app.test_client()
        token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/sign-in").text)
        form = {"email": owner.email, "password": PASSWORD, "csrf_token": token[1] if token else ""}
        client.post("/sign-in", data=form | ({"stay": "on"} if stay else {}))
        for _ in range(3):
            clock.shift(lasts - timedelta(minutes=6))
            answer = client.get("/account")
            assert answer.status_code == 200
            assert "homeward=" in answer.headers.get("Set-Cookie", "")
            clock.shift(timedelta(minutes=1))
            assert "Set-Cookie" not in client.get("/account").headers, "one write each few minutes"
        clock.shift(lasts + timedelta(seconds=1))
        assert client.get("/account").status_code == 302


def test_renewing_does_not_restore_an_ended_session(owner: Colleague) -> None:
    now = datetime.now(UTC)
    with reading() as session:
        found = session.scalars(select(SignIn)).first()
    assert found
    end_sign_ins()
    sessions.extend_sign_in(found, "192.0.2.1", now + timedelta(minutes=6))
    assert owner.get("animals").status_code == 302


def test_a_removed_member_sees_who_to_ask(app: APIFlask, owner: Colleague, outsider: Colleague) -> None:
    gone = teammate(app, owner)
    token = gone.token()
    with reading() as session:
        member_id = session.scalars(select(Member.id).where(Member.role == "staff")).one()
    members.remove_member(owner.account_id, member_id, OPERATOR)
    sentence = "You no longer have access to Elm Road Rescue. Ask one of its owners to invite you again."
    page = gone.get("animals")
    assert page.status_code == 403
    assert sentence in page.text
    assert "Your shelters" in page.text
    part = gone.client.post(gone.at("animals/new"), data={"csrf_token": token, **NEW}, headers=HTMX)
    assert part.status_code == 403
    assert part.mimetype == "text/plain"
    assert sentence in part.text
    assert outsider.get(owner.at("animals")).status_code == 404


def test_an_error_page_leads_staff_back_to_their_work(app: APIFlask, owner: Colleague) -> None:
    missing = owner.get("animals/999999")
    assert missing.status_code == 404
    assert f'href="{owner.at("animals")}">Back to your animals' in missing.text
    assert "Your shelters" in owner.get("nowhere").text
    for path in ("/nowhere", owner.at("nowhere")):
        assert "Find an animal" in app.test_client().get(path).text


@pytest.mark.parametrize("page", ["/animals/€", "/animals/%E2%82%AC", "/animals/%ff", "/animals/ü?q=€"])
def test_a_form_on_a_page_with_any_address_gets_an_error_page(owner: Colleague, page: str) -> None:
    data = {"csrf_token": "x", "email": "sam@example.org", "shown_on": page}
    answer = owner.client.post("/sign-in", data=data, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, "sam@example.org" in answer.text) == (409, True)


def test_an_invalid_address_of_the_current_page_is_ignored(owner: Colleague) -> None:
    headers = {**HTMX, "HX-Current-URL": "http://["}
    assert owner.client.get("/projects/abc/animals", headers=headers).status_code == 404
