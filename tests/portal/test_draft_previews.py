"""Previews of a site and of animals, opened by a signed link without signing in."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update

from adoption.animals.models import Animal, CareRecord
from adoption.draft_previews import GOOD_FOR
from adoption.storage.database import transaction
from adoption.storage.media_store import the_media_store
from tests.cast import Colleague
from tests.portal.visitor import Visitor
from tests.staffing import add_animal

pytestmark = pytest.mark.settings("embedded")

PRIVATE = {"microchip": "985zqchip", "internal_notes": "zqnotes", "surrenderer": "zqsurrenderer"}
PRIVATE |= {"foster_address": "zqfoster", "arrival_details": "zqarrival"}


@pytest.fixture
def stranger(app: APIFlask) -> FlaskClient:
    return app.test_client()


def link_of(who: Colleague, path: str) -> str:
    answer = who.post(path)
    assert answer.status_code == 303
    return answer.headers["Location"]


def draft(who: Colleague, **texts: str) -> None:
    opened = re.findall(r'name="opened" value="([^"]+)"', who.get("settings").text)[0]
    given = {
        "name": "Elm Lane Rescue",
        "contact_email": "owner@elm.example",
        "currency": "USD",
        "language": "en",
        **texts,
    }
    assert who.post("settings", {"opened": opened, **given}).status_code == 303


def change(animal_id: int, **columns: object) -> None:
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == animal_id).values(**columns))


def test_a_preview_link_shows_the_draft_of_a_site_to_signed_out_visitors(
    owner: Colleague, stranger: FlaskClient
) -> None:
    shown = add_animal(owner, "Biscuit", photos=1, care=PRIVATE)
    hidden = add_animal(owner, "Zqhidden", listed=False)
    draft(owner, about="Zqdraft **words**", colour="#1d5c4b", place="Alderbrook")
    owner.post("settings/offline")
    assert stranger.get(f"/animals/{shown}", follow_redirects=True).status_code == 404
    link = link_of(owner, "settings/preview")
    answer = stranger.get(link)
    assert answer.status_code == 200
    for text in ("Preview.", "Elm Lane Rescue", "Zqdraft <strong>words", "Alderbrook", "1d5c4b", "Biscuit"):
        assert text in answer.text, text
    assert f"http://localhost{link}</code>" in answer.text, "the link can be copied"
    assert "Zqhidden" not in answer.text
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    [page] = re.findall(rf'href="({link}/animals/{shown})"', answer.text)
    inner = stranger.get(page)
    assert inner.status_code == 200
    assert stranger.get(f"{link}/animals/{hidden}").status_code == 404
    for text in (answer.text, inner.text):
        assert not any(value in text for value in PRIVATE.values())
        [photo, *_] = re.findall(rf'src="({link}/photos/[^"]+)"', text)
        assert "/media/" not in text
    the_media_store().keep({photo.rpartition("/")[2]: b"a picture"})
    picture = stranger.get(photo)
    assert picture.mimetype == "image/webp"
    assert picture.headers["Cache-Control"] == "no-store"
    assert "Close preview" not in answer.text
    assert "Close preview" in owner.get(link).text
    assert "Made a preview link of the site" in owner.get("audit").text


def test_a_preview_link_of_an_animal_shows_no_other_animal(owner: Colleague, stranger: FlaskClient) -> None:
    moss = add_animal(owner, "Moss", listed=False, photos=2, care=PRIVATE, description="Zqstory")
    other = add_animal(owner, "Zqother", photos=1)
    assert f"{moss}/preview" in owner.get(f"animals/{moss}").text
    link = link_of(owner, f"animals/{moss}/preview")
    answer = stranger.get(f"{link}?photo=2")
    assert answer.status_code == 200
    assert "Preview of Moss" in answer.text
    assert "Zqstory" in answer.text
    assert "Zqother" not in answer.text
    assert f'href="{link}?photo=1#photo-1"' in answer.text
    assert not any(value in answer.text for value in PRIVATE.values())
    assert "<form" not in answer.text, "nobody applies on a preview"
    assert stranger.get(f"{link}/animals/{other}").status_code == 404
    assert stranger.get(f"/animals/{moss}").status_code == 404
    assert 'Made a preview link of an animal: <bdi class="strong">Moss' in owner.get("audit").text


@pytest.mark.parametrize("held", ["on_hold", "in_quarantine", "removed"])
def test_held_and_removed_animals_have_no_preview(owner: Colleague, stranger: FlaskClient, held: str) -> None:
    moss = add_animal(owner, "Zqmoss", listed=False, photos=1, care={"microchip": "1"})
    link, site = link_of(owner, f"animals/{moss}/preview"), link_of(owner, "settings/preview")
    [photo, *_] = re.findall(rf'src="({link}/photos/[^"]+)"', stranger.get(link).text)
    if held == "removed":
        change(moss, removed_at=datetime.now(UTC))
    else:
        with transaction() as session:
            session.execute(update(CareRecord).values({held: True}))
    for path in (link, photo, f"{site}/animals/{moss}"):
        answer = stranger.get(path)
        assert answer.status_code == 404
        assert "Zqmoss" not in answer.text
    assert "Zqmoss" not in stranger.get(site).text
    assert owner.post(f"animals/{moss}/preview").status_code == 404
    assert f'{moss}/preview"' not in owner.get(f"animals/{moss}").text


def test_a_preview_link_expires_after_a_week_and_cannot_be_forged(
    app: APIFlask, owner: Colleague, outsider: Colleague, stranger: FlaskClient
) -> None:
    moss, theirs = add_animal(owner, "Moss"), add_animal(outsider, "Zqtheirs")
    link = link_of(owner, "settings/preview")
    assert stranger.get(f"{link}/animals/{theirs}").status_code == 404
    assert outsider.post(f"animals/{moss}/preview").status_code == 404
    for wrong in (link[:-1], f"{link}x", "/preview/x", link.replace("/preview/", "/account/email/")):
        assert stranger.get(wrong).status_code == 404
    with time_machine.travel(datetime.now(UTC) + GOOD_FOR + timedelta(minutes=1)):
        answer = Visitor(app.test_client()).get(link)
    assert answer.status_code == 404
    assert "This link no longer works" in answer.text
    assert stranger.get(link, headers={"Host": f"{owner.slug}.localhost"}).status_code == 404


def test_a_preview_link_can_be_revoked_and_replaced(
    owner: Colleague, outsider: Colleague, stranger: FlaskClient
) -> None:
    moss, juno = add_animal(owner, "Moss", listed=False), add_animal(owner, "Juno", listed=False)
    links = {path: link_of(owner, path) for path in ("settings/preview", f"animals/{moss}/preview")}
    other = link_of(owner, f"animals/{juno}/preview")
    pages = {"settings/preview": "settings", f"animals/{moss}/preview": f"animals/{moss}"}
    for path, link in links.items():
        stop = owner.at(f"{path}/removal")
        assert re.search(r"until <time datetime", stranger.get(link).text)
        assert stop not in stranger.get(link).text + outsider.get(link).text
        for page in (owner.get(link).text, owner.get(pages[path]).text):
            assert f'href="{stop}"' in page
        asked = owner.get(stop)
        assert "Stop the preview link to" in asked.text
        assert stranger.get(link).status_code == 200, "nothing is stopped before the question is answered"
        assert owner.post(stop).status_code == 303
        ended = stranger.get(link)
        assert ended.status_code == 404
        assert "was stopped by the shelter" in ended.text
        assert "preview/removal" not in owner.get(pages[path]).text
        assert stranger.get(link_of(owner, path)).status_code == 200
    assert stranger.get(other).status_code == 200, "the links to other animals still work"
    log = owner.get("audit").text
    assert 'Stopped the preview links of an animal: <bdi class="strong">Moss' in log
    assert "Stopped the preview links of the site" in log
    assert outsider.post(f"animals/{moss}/preview/removal").status_code == 404


@pytest.mark.parametrize("held", ["on_hold", "in_quarantine"])
def test_the_preview_link_of_a_held_animal_can_be_revoked_on_its_page(
    owner: Colleague, stranger: FlaskClient, held: str
) -> None:
    moss = add_animal(owner, "Zqmoss", listed=False, care={"microchip": "1"})
    link = link_of(owner, f"animals/{moss}/preview")
    with transaction() as session:
        session.execute(update(CareRecord).values({held: True}))
    page = owner.get(f"animals/{moss}").text
    assert "The preview link does not work while <bdi>Zqmoss</bdi> is on hold or in quarantine" in page
    stop = owner.at(f"animals/{moss}/preview/removal")
    assert f'href="{stop}"' in page
    assert owner.post(stop).status_code == 303
    with transaction() as session:
        session.execute(update(CareRecord).values({held: False}))
    assert stranger.get(link).status_code == 404
    assert "preview/removal" not in owner.get(f"animals/{moss}").text


def test_a_team_member_previews_the_site_too(teammate: Colleague, stranger: FlaskClient) -> None:
    page = teammate.get("settings").text
    assert "settings/preview" in page
    assert stranger.get(link_of(teammate, "settings/preview")).status_code == 200
