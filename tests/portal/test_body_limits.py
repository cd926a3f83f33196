"""Forms, URLs and texts that are too large are rejected before they cost work or memory."""

from contextlib import suppress

import pytest
from flask import request
from flask.testing import FlaskClient

from adoption.animals.parsing import (
    age_parser,
    breed_and_colour_parser,
    cell_parsers,
    date_parser,
    sex_parser,
)
from adoption.animals.parsing.parse_cache import TEXT_LONGEST
from adoption.spreadsheets.statuses import status_parsers
from api.query_parameters import parse_query
from portal.body_limits import FIELDS_MOST, QUERY_LONGEST, STAFF_FORM_LARGEST
from tests import staffing
from tests.cast import PASSWORD, Colleague, Shelter
from tests.portal.visitor import Visitor

pytestmark = pytest.mark.settings("embedded")

ENCODED = "application/x-www-form-urlencoded"


def test_a_staff_form_without_a_file_may_have_a_megabyte(owner: Colleague) -> None:
    largest = {"name": "Rex", "description": "a" * (STAFF_FORM_LARGEST - 1_000)}
    answer = owner.post("animals/new", largest)
    assert answer.status_code == 422
    assert "Shorten the description to 32,767 characters" in answer.text
    answer = owner.post("animals/new", largest | {"internal_notes": "a" * 1_000})
    assert answer.status_code == 413
    assert "You can send at most 1 MB in this form, so nothing was saved. Go back, shorten" in answer.text


def test_a_form_sent_by_script_gets_the_reason_as_plain_text(owner: Colleague) -> None:
    script = {"HX-Request": "true", "HX-Target": "description"}
    text = {"description": "a" * STAFF_FORM_LARGEST}
    answer = owner.post("animals/checks/description", text, headers=script)
    assert (answer.status_code, answer.mimetype) == (413, "text/plain")
    assert "shorten the longest text" in answer.text


def test_a_form_with_a_file_may_have_32_megabytes(owner: Colleague) -> None:
    animal_id = staffing.add_animal(owner)
    photo = {
        "photos": staffing.photo_file(),
        "more": (staffing.io.BytesIO(b"a" * STAFF_FORM_LARGEST), "b.txt"),
    }
    assert owner.post(f"animals/{animal_id}/photos", photo).status_code == 303
    for kind, sentence in (
        (ENCODED, "You can send at most 1 MB in this form"),
        ("multipart/form-data; boundary=b", "You can send at most 32 MB at once."),
    ):
        environ = {"CONTENT_LENGTH": "40000000", "CONTENT_TYPE": kind}
        answer = owner.client.post(owner.at("imports"), environ_overrides=environ)
        assert answer.status_code == 413
        assert sentence in answer.text


@pytest.mark.parametrize("path", ["/sign-in", "/animals/1/applications", "animals/new", "animals/nowhere/x"])
def test_a_form_with_too_many_fields_is_rejected(owner: Colleague, path: str) -> None:
    fields = "a&" * FIELDS_MOST
    answer = owner.client.post(owner.at(path), data=fields, content_type=ENCODED)
    assert answer.status_code == 413, path


def test_a_long_url_is_414_with_a_page(client: FlaskClient) -> None:
    assert client.get("/?q=" + "a" * (QUERY_LONGEST - 10)).status_code == 200
    answer = client.get("/?q=" + "a" * QUERY_LONGEST)
    assert answer.status_code == 414
    assert "That address is too long" in answer.text


def test_a_very_long_password_is_never_correct(owner: Colleague) -> None:
    visitor = Visitor(owner.client.application.test_client())
    assert visitor.sign_in(owner.email, PASSWORD + "\u0301" * 500).status_code == 422
    assert visitor.sign_in(owner.email, PASSWORD).status_code == 303


def test_a_host_of_over_255_characters_is_rejected_and_not_cached(client: FlaskClient) -> None:
    with client:
        assert client.get("/", headers={"Host": "a" * 256}).status_code == 404
        assert "HTTP_HOST" not in request.environ


def test_a_long_api_query_is_not_cached(shelter: Shelter) -> None:
    kept = parse_query.cache_info().currsize
    assert shelter.get("/v1/pets?cursor=" + "a" * 10_000).status_code == 400
    assert parse_query.cache_info().currsize == kept


KEPT_BY_TEXT = {
    "dates": (date_parser.parse_date_time, (None, 2026)),
    "ages": (age_parser.parse_age, ()),
    "species": (cell_parsers.parse_species, ()),
    "statuses": (status_parsers.parse_status, ()),
    "outcomes": (status_parsers.parse_outcome, ()),
    "breeds": (breed_and_colour_parser.parse_breed, ()),
    "sexes": (sex_parser.parse_sex, ()),
}


@pytest.mark.parametrize("what", KEPT_BY_TEXT)
def test_only_results_for_short_texts_are_cached(what: str) -> None:
    read, rest = KEPT_BY_TEXT[what]
    info = read.cache_info  # type: ignore[attr-defined]

    def size_after(text: str) -> int:
        with suppress(ValueError):
            read(text, *rest)
        return int(info().currsize)

    good = {"dates": "2019-07-03", "ages": "7 years", "sexes": "female"}.get(what, "Available")
    kept = size_after(good)
    assert size_after(f"{good}{' ' * 20_000}") == kept
    hits = info().hits
    assert size_after(f"  {good} ") == kept
    assert info().hits == hits + 1
    assert size_after(f"{good} {'x' * TEXT_LONGEST}") == kept
