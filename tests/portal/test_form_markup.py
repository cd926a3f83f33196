"""The markup of every form on all pages in the tables of routes."""

import json
import re
from collections.abc import Iterator

import pytest
from apiflask import APIFlask

from adoption.animals.models import CareRecord
from tests.cast import Colleague
from tests.pages import ParsedPage
from tests.portal.access_matrix import DOOR, ROUTES

pytestmark = pytest.mark.settings("embedded")

CONTROLS = ("input", "select", "textarea")
ATTRIBUTE = re.compile(r"(hx|aria|data)-[a-z-]+|[a-z]+")


@pytest.fixture
def pages(app: APIFlask, owner: Colleague) -> list[tuple[str, ParsedPage]]:
    """Every page that an owner or an anonymous visitor can open, with its route."""
    return [*pages_of(owner), *pages_of_strangers(app)]


def pages_of(owner: Colleague) -> Iterator[tuple[str, ParsedPage]]:
    for route in ROUTES:
        if route.method == "GET":
            answer = owner.get(route.made_for(owner).path)
            if answer.mimetype == "text/html":
                yield route.endpoint, ParsedPage(answer.text)


def pages_of_strangers(app: APIFlask) -> Iterator[tuple[str, ParsedPage]]:
    for endpoint in sorted(DOOR):
        paths = [rule.rule for rule in app.url_map.iter_rules() if rule.endpoint == endpoint]
        if "GET" in DOOR[endpoint] and "<" not in paths[0]:
            yield endpoint, ParsedPage(app.test_client().get(paths[0]).text)


def test_no_field_inherits_the_target_of_its_form(pages: list[tuple[str, ParsedPage]]) -> None:
    """Otherwise the result of a field's check would replace the form."""
    configs = [(name, parsed.meta("htmx-config")) for name, parsed in pages if parsed.meta("htmx-config")]
    assert len(configs) > 20
    assert [name for name, config in configs if not json.loads(config or "")["disableInheritance"]] == []
    inheriting = [name for name, parsed in pages for _, given in parsed.elements if "hx-inherit" in given]
    assert inheriting == []


def test_every_attribute_of_a_field_is_known_to_browsers_or_htmx(
    pages: list[tuple[str, ParsedPage]],
) -> None:
    """Browsers read two attributes without a space between them as one unknown attribute."""
    odd = {
        (name, attribute)
        for name, parsed in pages
        for tag, given in parsed.elements
        if tag in CONTROLS
        for attribute in given
        if not ATTRIBUTE.fullmatch(attribute)
    }
    assert odd == set()


def test_required_fields_of_an_animal_are_checked_when_they_are_left(owner: Colleague) -> None:
    parsed = ParsedPage(owner.get("animals/new").text)
    for tag, name in (("input", "name"), ("select", "category_id")):
        (field,) = parsed.all(tag, name=name)
        assert "required" in field
        assert field["hx-post"] == owner.at(f"animals/checks/{name}")


def test_private_fields_of_an_animal_turn_autocomplete_off(owner: Colleague) -> None:
    parsed = ParsedPage(owner.get("animals/new").text)
    private = set(CareRecord.__table__.columns.keys())
    named = [given for given in parsed.all("input") if given.get("name") in private]
    lines = {given["name"]: given.get("autocomplete") for given in named if given["type"] == "text"}
    assert lines == {"microchip": "off"}, "the others are long texts, which browsers do not suggest"


def test_drafts_in_the_browser_leave_out_private_fields_of_an_animal(owner: Colleague) -> None:
    parsed = ParsedPage(owner.get("animals/new").text)
    private = set(CareRecord.__table__.columns.keys())
    named = [each for tag in ("input", "textarea", "select") for each in parsed.all(tag)]
    texts = [each for each in named if each.get("name") in private and each.get("type") != "checkbox"]
    assert len(texts) == 5
    assert [each["name"] for each in texts if "data-private" not in each] == []
