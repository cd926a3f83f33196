"""The Markdown of an animal is rendered when it is saved. Its page shows the stored HTML."""

import io
import re
from hashlib import sha256
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from adoption.animals.models import Animal
from adoption.animals.text_rerendering import render_stale_texts
from adoption.imports import import_job
from adoption.markdown import (
    FINGERPRINT_LENGTH,
    RENDERED_COLUMNS,
    RENDERER,
    RENDERER_LENGTH,
    VERSION,
    beginning_of,
    cached_beginning,
    cached_html,
    markdown,
    render_prose,
)
from adoption.projects.introductions import render_stale_introductions
from adoption.projects.models import Deploy, Project
from adoption.storage.database import reading, transaction
from tests import factories, staffing
from tests.cast import Colleague

TEXTS = {
    "description": "Loves *tea*\nand [toys](https://a.example).",
    "special_needs_note": "Needs **pills**.",
}
HTML = (
    '<p>Loves <em>tea</em><br>\nand <a href="https://a.example" rel="nofollow noopener">toys</a>.</p>\n',
    "Loves tea and toys.",
    "<p>Needs <strong>pills</strong>.</p>\n",
)


ABOUT_COLUMNS = ("about_html", "about_rest_html", "about_beginning")


def stored(animal_id: int) -> tuple[str, ...]:
    with reading() as session:
        columns = [getattr(Animal, name) for name in RENDERED_COLUMNS]
        row = session.execute(select(*columns).where(Animal.id == animal_id)).one()
    return tuple((column or "")[FINGERPRINT_LENGTH:] for column in row)


def change(animal_id: int, **values: object) -> None:
    """Change columns in the database without rendering their texts."""
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == animal_id).values(**values))


def page(client: FlaskClient, animal_id: int) -> str:
    return client.get(f"/animals/{animal_id}", follow_redirects=True).text


def test_texts_are_rendered_when_a_form_saves_them_and_only_if_they_changed(owner: Colleague) -> None:
    assert owner.post("animals/new", staffing.NEW | TEXTS).status_code == 303
    with reading() as session:
        animal_id = session.scalars(select(func.max(Animal.id))).one()
    assert stored(animal_id) == HTML
    form = staffing.form_in(owner.get(f"animals/{animal_id}").text) | {"description": "Calm *now*."}
    assert owner.post(f"animals/{animal_id}", form).status_code == 303
    assert stored(animal_id) == ("<p>Calm <em>now</em>.</p>\n", "Calm now.", HTML[2])


def test_an_import_and_its_undo_render_texts_too(owner: Colleague) -> None:
    bring_in(owner, "code,name,species,description\nA1,Rex,Dog,Loves *tea*.\n")
    bring_in(owner, "code,name,species,description\nA1,Rex,Dog,Loves **toys**.\n")
    with reading() as session:
        animal_id = session.scalars(select(Animal.id)).one()
    assert stored(animal_id)[:2] == ("<p>Loves <strong>toys</strong>.</p>\n", "Loves toys.")
    [newest] = re.findall(r'href="(/projects/[a-z-]+/imports/\d+)"', owner.get("imports").text)[:1]
    assert owner.post(f"{newest}/undo").status_code == 303
    import_job.run_waiting()
    assert stored(animal_id)[:2] == ("<p>Loves <em>tea</em>.</p>\n", "Loves tea.")


def bring_in(owner: Colleague, table: str) -> None:
    sent = owner.post("imports", {"file": (io.BytesIO(table.encode()), "animals.csv")})
    assert owner.post(f"{sent.location}/start", {"run": "import"}).status_code == 303
    import_job.run_waiting()


@pytest.mark.settings("embedded")
def test_stored_html_is_used_only_for_the_text_it_was_rendered_from(
    client: FlaskClient, elm: Project
) -> None:
    animal_id = factories.animal(elm, **TEXTS)
    with reading() as session:
        kept = session.scalars(select(Animal.description_html).where(Animal.id == animal_id)).one() or ""
    change(animal_id, description_html=f"{kept[:FINGERPRINT_LENGTH]}<p>What was stored.</p>")
    assert "<p>What was stored.</p>" in page(client, animal_id)
    change(animal_id, description="Another *text*.")
    assert "<p>Another <em>text</em>.</p>" in page(client, animal_id)
    change(animal_id, **dict.fromkeys(RENDERED_COLUMNS), **TEXTS)
    for html in (HTML[0], HTML[2]):
        assert html in page(client, animal_id)


@pytest.mark.settings("embedded")
def test_a_feed_shows_the_beginning_of_a_description_as_plain_text(client: FlaskClient, elm: Project) -> None:
    factories.animal(elm, "Otter", description="Likes *tea* & <b>biscuits</b>. " + "More words. " * 100)
    feed = unescape(client.get("/feed.atom").text)
    [shown] = re.findall("<p>(Likes .*?)</p>", feed)
    assert shown.startswith("Likes tea &amp; &lt;b&gt;biscuits&lt;/b&gt;. More words.")
    assert shown.endswith("…")
    assert len(unescape(shown)) <= 300


def test_texts_are_rendered_again_after_an_update_of_the_renderer(client: FlaskClient, elm: Project) -> None:
    older, unsaved, blank, current = (factories.animal(elm, **TEXTS) for _ in range(4))
    mark = RENDERER + "0" * (FINGERPRINT_LENGTH - RENDERER_LENGTH)
    change(older, needs_html="0" * FINGERPRINT_LENGTH + "<p>Unsafe.</p>")
    change(unsaved, **dict.fromkeys(RENDERED_COLUMNS))
    change(
        blank, **dict.fromkeys(("description", "special_needs_note"), ""), **dict.fromkeys(RENDERED_COLUMNS)
    )
    change(current, **dict.fromkeys(RENDERED_COLUMNS, f"{mark}<p>Current.</p>"))
    assert "Unsafe" not in page(client, older)
    with reading() as session:
        times = session.execute(select(Animal.id, Animal.updated_at).order_by(Animal.id)).all()
    assert render_stale_texts() == 2
    assert stored(older) == stored(unsaved) == HTML
    assert stored(blank) == ("", "", "")
    assert stored(current) == ("<p>Current.</p>",) * 3
    assert render_stale_texts() == 0
    with reading() as session:
        assert session.execute(select(Animal.id, Animal.updated_at).order_by(Animal.id)).all() == times


def test_a_shelters_introduction_is_rendered_when_it_is_published(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = "Cats *only*." + " Many words." * 60 + "\r\n\r\nOpen **daily**."
    shelter = factories.project("Oak Farm", about=about)
    animal_id = factories.animal(shelter)
    with monkeypatch.context() as patch:
        patch.setattr(markdown, "parse", lambda *_: pytest.fail("a page has parsed a text"))
        assert_introduced(client, animal_id)
    with transaction() as session:
        session.execute(update(Deploy).values(dict.fromkeys(ABOUT_COLUMNS)))
        session.execute(update(Deploy).values(about_html="0" * FINGERPRINT_LENGTH + "<p>Unsafe.</p>"))
    assert_introduced(client, animal_id)
    assert render_stale_introductions() == 1
    cached_html.cache_clear()
    cached_beginning.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(markdown, "parse", lambda *_: pytest.fail("a page has parsed a text"))
        assert_introduced(client, animal_id)
    assert render_stale_introductions() == 0


def assert_introduced(client: FlaskClient, animal_id: int) -> None:
    site = client.get("/", base_url="http://oak-farm.localhost").text
    assert "<p>Cats <em>only</em>. Many words." in site
    assert "<p>Open <strong>daily</strong>.</p>" in site
    assert 'content="Cats only. Many words.' in site
    assert "Cats only. Many words." in page(client, animal_id)


SAMPLE = """# Otter
Loves *tea*, **toys** & `code`
and [a page](https://a.example "Title"), <https://b.example>, [no](javascript:alert(1))
<script>alert(1)</script>

![A picture](https://c.example/x.png) ~~gone~~

## Below
1. one
2. two

- three
> said

    plain
---
"""


def test_rendered_html_changes_only_with_the_version() -> None:
    """If this test fails, increase ``VERSION``. Stored HTML is then rendered again.

    Note the new version and the new result here.
    """
    made = render_prose(SAMPLE) + beginning_of(SAMPLE) + render_prose("[" * 61 + "as typed\n\ntwice")
    assert (VERSION, sha256(made.encode()).hexdigest()[:16]) == ("2", "5e5006acb15fbd96")
