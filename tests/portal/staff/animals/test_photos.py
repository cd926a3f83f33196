"""The photos of an animal on the staff's pages."""

import io

import pytest
from flask.testing import FlaskClient

from tests.cast import Colleague
from tests.pages import ParsedPage
from tests.photographs import BLUE, GREEN, RED
from tests.staffing import NEW, add_animal, audit_entries, photo_file, stored_animal

pytestmark = pytest.mark.settings("embedded")

MULTIPART = "multipart/form-data"
HTMX = {"HX-Request": "true"}


def picture(colour: tuple[int, int, int], name: str = "rex.jpg") -> tuple[io.BytesIO, str]:
    from PIL import Image

    return photo_file(name, picture=Image.new("RGB", (210, 280), colour))


def with_photos(owner: Colleague, number: int) -> tuple[int, list[int]]:
    """An animal with photos, and their ids in order."""
    id_ = add_animal(owner, "Rex", listed=False)
    colours = (RED, GREEN, BLUE)[:number]
    owner.post(
        f"animals/{id_}/photos", {"photos": [picture(each) for each in colours]}, content_type=MULTIPART
    )
    return id_, ids_of(id_)


def ids_of(animal_id: int) -> list[int]:
    return [photo.id for photo in stored_animal(animal_id).photos]


def test_a_new_animal_is_saved_with_its_photos_and_a_bad_one_is_reported(owner: Colleague) -> None:
    sent = {**NEW, "photos": [picture(RED), (io.BytesIO(b"no photo"), "list.txt"), picture(BLUE, "b.jpg")]}
    assert owner.post("animals/new", sent, content_type=MULTIPART).status_code == 303
    page = owner.get("animals").text
    assert "list.txt was not added. This is not a photo." in page
    assert len(ParsedPage(page).all("img", width="52")) == 1
    assert "/photos/" in str(ParsedPage(page).all("img", width="52")[0]["src"])


def test_a_form_with_errors_says_that_photos_must_be_chosen_again(owner: Colleague) -> None:
    sent = {**NEW, "name": "", "photos": [picture(RED)]}
    answer = owner.post("animals/new", sent, content_type=MULTIPART)
    assert answer.status_code == 422
    assert "Choose the photos again: your browser does not keep them" in answer.text


def test_photos_of_hidden_animals_are_visible_only_to_staff(
    owner: Colleague, outsider: Colleague, client: FlaskClient
) -> None:
    id_, _ = with_photos(owner, 1)
    source = str(ParsedPage(owner.get(f"animals/{id_}").text).all("img", width="72")[0]["src"])
    answer = owner.client.get(source)
    assert (answer.status_code, answer.mimetype) == (200, "image/webp")
    assert answer.headers["Cache-Control"].startswith("private")
    assert client.get(source).status_code == 302
    name = source.rpartition("/")[2]
    assert client.get(f"/media/{name}").status_code == 404
    assert outsider.get(f"photos/{name}").status_code == 404
    assert owner.get("photos/..%2Fsecret").status_code == 404


def test_each_photo_is_uploaded_separately_with_its_alt_text(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex")
    form = {"photos": [picture(RED)], "alt": "Rex in the snow"}
    answer = owner.post(f"animals/{id_}/photos", form, content_type=MULTIPART, headers=HTMX)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<li class="photo-item"')
    assert stored_animal(id_).photos[0].alt == "Rex in the snow"
    bad = {"photos": [(io.BytesIO(b"%PDF-1.7"), "rex.pdf")]}
    answer = owner.post(f"animals/{id_}/photos", bad, content_type=MULTIPART, headers=HTMX)
    assert (answer.status_code, answer.text) == (
        422,
        "This is a PDF. Save its picture as JPEG or PNG, then choose the picture.",
    )
    answer = owner.post(f"animals/{id_}/photos", {}, headers=HTMX)
    assert (answer.status_code, answer.text) == (422, "No photo was received. Choose it again.")
    assert audit_entries(owner) == [("photo.added", f"Rex ({id_})", "Rex in the snow")]


def test_without_javascript_the_page_begins_with_the_notice_about_a_rejected_file(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex")
    page = owner.at(f"animals/{id_}")
    for sent, place in ((picture(RED), f"{page}#photos"), ((io.BytesIO(b"no photo"), "list.txt"), page)):
        answer = owner.post(f"animals/{id_}/photos", {"photos": [sent]}, content_type=MULTIPART)
        assert answer.headers["Location"] == place


def test_photos_are_moved_by_buttons_and_by_dragging(owner: Colleague) -> None:
    id_, (one, two, three) = with_photos(owner, 3)
    owner.post(f"animals/{id_}/photos/{three}/position", {"to": "earlier"})
    assert ids_of(id_) == [one, three, two]
    owner.post(f"animals/{id_}/photos/{two}/position", {"to": "first"})
    assert ids_of(id_) == [two, one, three]
    owner.post(f"animals/{id_}/photos/{three}/position", {"to": "later"})
    assert ids_of(id_) == [two, one, three]
    answer = owner.post(f"animals/{id_}/photos/order", {"order": f"{three},{two},{one}"}, headers=HTMX)
    assert answer.text.lstrip().startswith('<ol class="photo-list" id="photo-list"')
    assert "The photos are in the new order." in answer.text
    assert ids_of(id_) == [three, two, one]
    assert owner.post(f"animals/{id_}/photos/order", {"order": f"{three}"}).status_code == 409
    assert owner.post(f"animals/{id_}/photos/{one}/position", {"to": "nowhere"}).status_code == 404


def test_a_photo_gets_an_alt_text_and_a_long_one_is_rejected(owner: Colleague) -> None:
    id_, (one,) = with_photos(owner, 1)
    answer = owner.post(f"animals/{id_}/photos/{one}/description", {"alt": "Rex"}, headers=HTMX)
    assert "Description saved" in answer.text
    owner.post(f"animals/{id_}/photos/{one}/description", {"alt": "x" * 301})
    assert "must have 300 characters at most" in owner.get(f"animals/{id_}").text
    assert stored_animal(id_).photos[0].alt == "Rex"


def test_removing_a_photo_is_confirmed(owner: Colleague) -> None:
    id_, (one, two) = with_photos(owner, 2)
    assert "Remove photo 1 of Rex?" in owner.get(f"animals/{id_}/photos/{one}/removal").text
    owner.post(f"animals/{id_}/photos/{one}/removal")
    assert ids_of(id_) == [two]
    assert "The photo is removed." in owner.get(f"animals/{id_}").text
    assert owner.post(f"animals/{id_}/photos/{one}/removal").status_code == 404
    assert [entry[0] for entry in audit_entries(owner)] == ["photo.added", "photo.added", "photo.removed"]


def test_photos_of_one_animal_are_404_below_another_animal(owner: Colleague) -> None:
    id_, (one,) = with_photos(owner, 1)
    other = add_animal(owner, "Other")
    for path, form in (("position", {"to": "first"}), ("description", {"alt": "x"}), ("removal", {})):
        assert owner.post(f"animals/{other}/photos/{one}/{path}", dict(form)).status_code == 404
    assert ids_of(id_) == [one]
