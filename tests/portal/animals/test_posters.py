"""The poster of an animal: its content, its visibility, and the target of its QR code."""

import re

import pytest
import segno
from flask.testing import FlaskClient

from adoption.projects.models import Project
from tests import factories
from tests.cast import Colleague
from tests.factories import remove_animals
from tests.pages import ParsedPage

pytestmark = pytest.mark.settings("embedded")


def drawn(page: str) -> str:
    """Return the modules (dots) of the QR code on the page."""
    found = re.search(r'class="qrline"[^>]* d="([^"]+)"|d="([^"]+)"[^>]*class="qrline"', page)
    assert found
    return found[1] or found[2]


def code_of(address: str) -> str:
    return drawn(segno.make_qr(address, error="m").svg_inline(omitsize=True, border=4))


def test_a_poster_has_contact_details_and_a_qr_code(client: FlaskClient) -> None:
    shelter = factories.project(
        "Elm Road Rescue", place="Ely", contact_phone="+44 1632 960144", contact_email="hello@elm.example"
    )
    id_ = factories.animal(shelter, "Mr <b> Biscuit", photos=1, sex="male", good_with_cats=False)
    path = f"/animals/{id_}-mr-b-biscuit"
    for host in ("localhost", f"{shelter.slug}.localhost"):
        answer = client.get(f"{path}/poster", headers={"Host": host})
        assert answer.status_code == 200, host
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in answer.text
        text = ParsedPage(answer.text).text
        for word in ("Mr <b> Biscuit", "Male", "Cannot live", "Elm Road Rescue", "Ely", "+44 1632 960144"):
            assert word in text, word
        assert "hello@elm.example" in text
        assert f"localhost:8000/animals/{id_}" in text
        assert drawn(answer.text) == code_of(f"http://localhost:8000{path}"), host
    assert f'href="{path}/poster"' in client.get(path).text


def test_a_poster_has_the_status_of_the_animals_page(client: FlaskClient) -> None:
    shelter, other = factories.project("Elm Road Rescue"), factories.project("Next Door")
    hidden = factories.project("Not Yet", published=False)
    shown, gone = factories.animal(shelter, "Rex"), factories.animal(shelter, "Tom")
    remove_animals(shelter.id, [gone])
    statuses = {
        f"/animals/{shown}-rex/poster": 200,
        f"/animals/{shown}/poster": 301,
        f"/animals/{gone}/poster": 410,
        f"/animals/{factories.animal(shelter, 'Held', listed=False)}/poster": 404,
        f"/animals/{factories.animal(hidden, 'Secret')}/poster": 404,
        "/animals/x/poster": 404,
    }
    assert {path: client.get(path).status_code for path in statuses} == statuses
    elsewhere = client.get(f"/animals/{shown}-rex/poster", headers={"Host": f"{other.slug}.localhost"})
    assert elsewhere.status_code == 404


def test_an_adopted_animals_page_offers_no_poster(client: FlaskClient) -> None:
    id_ = factories.animal(factories.project("Elm Road Rescue"), "Rex", status="sold")
    assert "/poster" not in client.get(f"/animals/{id_}-rex").text
    assert "Found a new home" in client.get(f"/animals/{id_}-rex/poster").text


def test_staff_pages_link_to_the_poster_of_a_public_animal(owner: Colleague) -> None:
    project = Project(id=owner.project_id)
    shown, held = factories.animal(project, "Rex"), factories.animal(project, "Tom", listed=False)
    assert f'href="/animals/{shown}-rex/poster"' in owner.get(f"animals/{shown}").text
    assert "/poster" not in owner.get(f"animals/{held}").text
