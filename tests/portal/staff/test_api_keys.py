"""The page of API keys: creating, showing once, renaming, bans and revoking."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import select
from werkzeug.test import TestResponse

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.models import ApiKey
from adoption.accounts.plan_changes import set_plan
from adoption.settings import Settings
from adoption.storage.database import reading
from tests.cast import Colleague
from tests.pages import without_times
from wsgi import create_app

pytestmark = pytest.mark.settings("embedded")

KEY = re.compile(r"hw_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}")
FORM = {"name": "Kennel software", "scopes": ["pets:read", "orders:read"], "expires": ""}


def standing_still() -> time_machine.travel:
    """Freeze the clock at a full second."""
    return time_machine.travel(datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1), tick=False)


def create(who: Colleague, **given: object) -> TestResponse:
    return who.post("keys", {**FORM, **given})


def made(who: Colleague, **given: object) -> str:
    """Return the key from the page that shows it."""
    return KEY.findall(create(who, **given).text)[0]


def row_of(key: str) -> ApiKey:
    with reading() as session:
        return session.scalars(select(ApiKey).where(ApiKey.public_id == key[3:15])).one()


def ask(who: Colleague, key: str, path: str = "/v1/pets") -> TestResponse:
    return who.client.get(path, headers={"Authorization": f"Bearer {key}"})


def test_a_shelter_without_keys_sees_the_first_step(owner: Colleague) -> None:
    assert "Create a key below" in owner.get("keys").text


def test_a_key_is_shown_once_with_a_working_curl_command(owner: Colleague) -> None:
    shown = create(owner)
    [key, in_curl] = KEY.findall(shown.text)
    assert (shown.status_code, shown.headers["Cache-Control"], key) == (200, "no-store", in_curl)
    assert f"curl -H &#34;Authorization: Bearer {key}&#34;" in shown.text
    assert ask(owner, key).status_code == ask(owner, key, "/v1/store/orders").status_code == 200
    later = owner.get("keys").text
    assert not KEY.search(later)
    assert "Kennel software" in later
    assert f"hw_{key[3:7]}…" in later
    assert "Read animals, read applications" in later


def test_a_form_sent_twice_creates_one_key(owner: Colleague) -> None:
    seal = re.findall(r'name="form" value="([^"]+)"', owner.get("keys").text)[0]
    create(owner, form=seal)
    again = create(owner, form=seal)
    assert again.status_code == 303
    assert not KEY.search(owner.get("keys").text)
    with reading() as session:
        assert len(session.scalars(select(ApiKey)).all()) == 1


def test_a_signed_form_of_another_shelter_is_rejected(owner: Colleague, outsider: Colleague) -> None:
    seal = re.findall(r'name="form" value="([^"]+)"', outsider.get("keys").text)[0]
    assert create(owner, form=seal).status_code == create(outsider, form=seal).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "  "}, "Enter a name"),
        ({"name": "x" * 101}, "Enter a name"),
        ({"name": "a\x00b"}, "Enter a name"),
        ({"scopes": []}, "Choose at least one permission"),
        ({"scopes": ["pets:eat"]}, "Choose at least one permission"),
        ({"expires": "7"}, "Choose when"),
    ],
)
def test_an_error_in_the_key_form_keeps_the_other_values(
    owner: Colleague, wrong: dict[str, object], sentence: str
) -> None:
    answer = create(owner, **{"name": "Lobby screen", "scopes": ["orders:read"], **wrong})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "<title>Error: API keys" in answer.text
    assert "name" in wrong or 'value="Lobby screen"' in answer.text
    assert "scopes" in wrong or 'value="orders:read" checked' in answer.text
    with reading() as session:
        assert session.scalars(select(ApiKey)).all() == []


def test_a_key_stops_working_when_it_expires(owner: Colleague) -> None:
    with standing_still() as clock:
        key = made(owner, expires="30")
        clock.shift(timedelta(days=30, seconds=-1))
        assert ask(owner, key).status_code == 200
        clock.shift(timedelta(seconds=1))
        assert ask(owner, key).status_code == 401


def test_expired_keys_are_listed_separately(owner: Colleague) -> None:
    create_key(owner.slug, "Old website", expires_at=datetime.now(UTC) - timedelta(days=3))
    text = without_times(owner.get("keys").text)
    assert "No active keys" in text
    assert re.search("Old website.*Expired 3 days ago", text.partition("No longer in use")[2], re.DOTALL)


def test_revoking_a_key_is_confirmed_by_name(owner: Colleague) -> None:
    key = made(owner)
    ask(owner, key)
    asked = owner.get(f"keys/{row_of(key).id}/revocation").text
    assert "Revoke “Kennel software”?" in asked
    assert "It was used just now." in without_times(asked)
    assert ask(owner, key).status_code == 200


def test_a_revoked_key_is_rejected_by_other_processes_at_once(owner: Colleague, settings: Settings) -> None:
    key, other = made(owner), create_app(settings)
    headers = {"Authorization": f"Bearer {key}"}
    assert other.test_client().get("/v1/pets", headers=headers).status_code == 200
    assert owner.post(f"keys/{row_of(key).id}/revocation").status_code == 303
    assert other.test_client().get("/v1/pets", headers=headers).status_code == 401
    assert ask(owner, key).status_code == 401
    text = owner.get("keys").text
    assert "Revoked Kennel software." in text
    assert "Kennel software" in text.partition("No longer in use")[2]
    close(other)


def close(app: APIFlask) -> None:
    with app.app_context():
        app.extensions["homeward.driver_connections"].close()
        app.extensions["homeward.quotas"].close()


def test_a_key_cannot_be_revoked_twice(owner: Colleague) -> None:
    row = row_of(made(owner))
    owner.post(f"keys/{row.id}/revocation")
    owner.post(f"keys/{row.id}/revocation")
    assert "already revoked" in owner.get("keys").text


def test_a_key_of_another_shelter_is_not_found(owner: Colleague, outsider: Colleague) -> None:
    key = made(owner)
    row = row_of(key)
    assert outsider.get(f"keys/{row.id}/revocation").status_code == 404
    assert outsider.post(f"keys/{row.id}/revocation").status_code == 404
    assert outsider.post(f"keys/{row.id}/ban-lifting").status_code == 404
    assert ask(owner, key).status_code == 200


def test_staff_without_permission_see_keys_but_cannot_change_them(
    owner: Colleague, teammate: Colleague
) -> None:
    row = row_of(made(owner))
    text = teammate.get("keys").text
    assert "Kennel software" in text
    assert "Create key" not in text
    assert "Revoke" not in text
    assert create(teammate).status_code == teammate.post(f"keys/{row.id}/revocation").status_code == 403


def banned(who: Colleague, key: str, clock: time_machine.Traveller) -> None:
    """Ban the key: use up the quota of the minute, and send more requests after the first 429."""
    set_plan(who.slug, "enterprise", 1, 100)
    assert [ask(who, key).status_code for _ in range(2)][-1] == 429
    clock.shift(timedelta(seconds=1))
    assert [ask(who, key).status_code for _ in range(11)][-1] == 429
    assert ask(who, key).json["code"] == "key_banned"


def test_a_ban_is_shown_and_is_not_lifted_in_its_first_5_minutes(owner: Colleague) -> None:
    key = made(owner)
    with standing_still() as clock:
        banned(owner, key, clock)
        clock.shift(timedelta(seconds=60))
        assert "Banned for 4 minutes more" in owner.get("keys").text
        assert "The ban ends automatically" in owner.get("keys").text
        clock.shift(timedelta(minutes=5))
        banned(owner, key, clock)
        text = owner.get("keys").text
        assert "Banned for 10 minutes more" in text
        assert "after its first 5 minutes" in text
        assert "Lift ban" not in text
        owner.post(f"keys/{row_of(key).id}/ban-lifting")
        assert "after its first 5 minutes" in owner.get("keys").text
        assert ask(owner, key).json["code"] == "key_banned"


def test_a_longer_ban_can_be_lifted_after_5_minutes(owner: Colleague, teammate: Colleague) -> None:
    key = made(owner)
    with standing_still() as clock:
        banned(owner, key, clock)
        clock.shift(timedelta(minutes=6))
        banned(owner, key, clock)  # the ban lasts 10 minutes
        clock.shift(timedelta(minutes=5))
        assert "Lift ban" in teammate.get("keys").text
        assert teammate.post(f"keys/{row_of(key).id}/ban-lifting").status_code == 303
        assert "Kennel software is unbanned" in teammate.get("keys").text
        assert ask(owner, key).status_code == 200
        assert "Banned" not in owner.get("keys").text


def test_a_lifted_ban_still_lengthens_the_next_ban(owner: Colleague) -> None:
    key = made(owner)
    with standing_still() as clock:
        banned(owner, key, clock)
        clock.shift(timedelta(minutes=6))
        banned(owner, key, clock)
        clock.shift(timedelta(minutes=5))
        owner.post(f"keys/{row_of(key).id}/ban-lifting")
        clock.shift(timedelta(minutes=2))
        banned(owner, key, clock)
        assert "Banned for 20 minutes more" in owner.get("keys").text


def test_lifting_a_ban_that_has_ended_says_so(owner: Colleague) -> None:
    row = row_of(made(owner))
    owner.post(f"keys/{row.id}/ban-lifting")
    assert "no longer banned" in owner.get("keys").text


@pytest.mark.settings("embedded")
def test_a_key_is_renamed_and_keeps_working(owner: Colleague) -> None:
    key, text = create_key(owner.slug, "Website")
    assert owner.post(f"keys/{key.id}/name", {"name": "  Kennel   software "}).status_code == 303
    page = owner.get("keys").text
    assert "Key renamed to Kennel software." in page
    assert 'Renamed an API key: <bdi class="strong">Kennel software' in owner.get("audit").text
    for wrong in (" ", "x" * 101, "a\x00b"):
        owner.post(f"keys/{key.id}/name", {"name": wrong})
        assert "Enter a name of up to 100 characters" in owner.get("keys").text
    headers = {"Authorization": f"Bearer {text}"}
    assert owner.client.get("/v1/pets", headers=headers).status_code == 200


PAGE_KEY = re.compile(r"hwp_[0-9A-Za-z]{12}_[0-9A-Za-z]{28}")
PAGE_FORM = {
    "page-name": "Our website",
    "page-origins": "https://Adopt.example.org/\nhttps://*.example.org",
    "page-expires": "",
}


def create_page_key(who: Colleague, **given: object) -> TestResponse:
    changed = {f"page-{name}": value for name, value in given.items()}
    return who.post("keys/publishable", {**PAGE_FORM, **changed})


def test_a_key_for_web_pages_is_shown_once_with_its_websites(owner: Colleague) -> None:
    shown = create_page_key(owner)
    [key, in_curl] = PAGE_KEY.findall(shown.text)
    assert key == in_curl
    assert "-H &#34;Origin: https://adopt.example.org&#34;" in shown.text
    headers = {"Authorization": f"Bearer {key}", "Origin": "https://cats.example.org"}
    assert owner.client.get("/v1/directory/shelters", headers=headers).status_code == 200
    later = owner.get("keys").text
    assert not PAGE_KEY.search(later)
    for text in (
        f"hwp_{key[4:8]}…",
        "Can be used in a web page",
        "https://*.example.org",
        "Read the directory",
    ):
        assert text in later
    assert "Also from programs</li>" not in later
    assert "directory:read https://adopt.example.org https://*.example.org" in owner.get("audit").text
    create_page_key(owner, from_programs="y")
    assert "Also from programs</li>" in owner.get("keys").text


def test_a_key_for_web_pages_is_revoked(owner: Colleague) -> None:
    [key, _] = PAGE_KEY.findall(create_page_key(owner).text)
    with reading() as session:
        row = session.scalars(select(ApiKey)).one()
    assert owner.post(f"keys/{row.id}/revocation").status_code == 303
    headers = {"Authorization": f"Bearer {key}", "Origin": "https://adopt.example.org"}
    assert owner.client.get("/v1/directory/shelters", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": " "}, "Enter a name"),
        ({"expires": "7"}, "Choose when"),
        ({"origins": " "}, "Enter the address of the website, such as https://adopt.example.org."),
        ({"origins": "adopt.example.org"}, "Begin adopt.example.org with https://"),
        ({"origins": "http://elm.example"}, "http://elm.example is not encrypted."),
        ({"origins": "https://elm.example/pets"}, "in https://elm.example/pets: enter https://elm.example."),
        ({"origins": "https://a.*.example.org"}, "the star must be the first part of the host"),
        ({"origins": "https://*.co.uk"}, "would allow the websites of many owners"),
        ({"origins": "https://*.github.io"}, "would allow the websites of many owners"),
        ({"origins": "null"}, "null is not the address of a website."),
        ({"origins": "https://[::1"}, "is not the address of a website."),
        ({"origins": " ".join(f"https://a{n}.example" for n in range(21))}, "Enter 20 websites at most."),
    ],
)
def test_a_wrong_website_is_explained_and_the_form_keeps_its_values(
    owner: Colleague, wrong: dict[str, object], sentence: str
) -> None:
    answer = create_page_key(owner, from_programs="y", **wrong)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "<title>Error: API keys" in answer.text
    assert 'name="page-from_programs" value="y" checked' in answer.text
    assert "origins" in wrong or "https://Adopt.example.org/\nhttps://*.example.org</textarea>" in answer.text
    with reading() as session:
        assert session.scalars(select(ApiKey)).all() == []


@pytest.mark.parametrize(("environment", "status"), [("development", 200), ("production", 422)])
def test_pages_at_localhost_can_use_keys_in_development(
    owner: Colleague, app: APIFlask, monkeypatch: pytest.MonkeyPatch, environment: str, status: int
) -> None:
    changed = app.config["HOMEWARD"].model_copy(update={"environment": environment})
    monkeypatch.setitem(app.config, "HOMEWARD", changed)
    answer = create_page_key(owner, origins="http://localhost:*")
    assert answer.status_code == status
    assert status == 422 or "Origin: http://localhost:3000" in answer.text
