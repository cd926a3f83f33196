"""The work on a text that anyone sends grows no faster than the length of the text.

Input is found in the code: each route of the tables in ``access_matrix`` and ``test_hidden_data``, with each
field or parameter that its view reads; each form class; each column of an import; each member of the API's
bodies. New input is tried without a change here. ``HOMEWARD_EVERY_TEXT=full`` tries each with every text.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote_plus

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.test import create_environ
from wtforms import Form

from adoption import search_words
from adoption.animals.parsing import cell_parsers, text_cleanup
from adoption.spreadsheets.columns.column_meanings import DATES
from adoption.spreadsheets.exports import own_format
from adoption.spreadsheets.files.damaged_cells import CELL_LONGEST
from adoption.spreadsheets.rows import row_parser
from api.schemas import NewPet
from portal.body_limits import BODY_LARGEST, QUERY_LONGEST, STAFF_FORM_LARGEST, opened
from tests import cast, factories
from tests.cast import Colleague
from tests.portal import test_hidden_data as public
from tests.portal.access_matrix import DOOR, ROUTES, Route
from tests.portal.parameter_names import NamesRead, reading_names
from tests.portal.visitor import Visitor
from tests.worst_texts import TEXTS, is_bounded, seconds_for

pytestmark = pytest.mark.settings("embedded")

FULL = os.environ.get("HOMEWARD_EVERY_TEXT") == "full"
AT_ONCE = len(TEXTS) if FULL else 1
STAFF_FORM = STAFF_FORM_LARGEST if FULL else STAFF_FORM_LARGEST // 16
TURNS = count()
MARKS = "combining marks"
FORM_OVERHEAD = 2_000
"""How many bytes the other fields of a form need."""
PAGES_MOST = len(ROUTES) if FULL else 2
"""The number of pages on which a parameter is tried. Most pages read a parameter in the same way."""
ANIMAL_FORMS = {"staff.new_animal", "staff.edit_animal", "staff.check_new", "staff.check_edited"}
"""Routes that read the same fields with the same rules."""
ANSWERS = {"email": "sam@example.org", "password": "a secret of ours", "name": "Sam"}
"""Values of fields that some public forms check first."""


@pytest.fixture
def names_read(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> NamesRead:
    return reading_names(app, monkeypatch)


def next_texts() -> Iterator[str]:
    """Yield the names of ``AT_ONCE`` texts, beginning after the texts of the previous call.

    ``MARKS`` is always included.

    In one run of the tests, all texts are used.
    """
    at, names = next(TURNS) * AT_ONCE, list(TEXTS)
    yield from dict.fromkeys([MARKS, *(names[n % len(names)] for n in range(at, at + AT_ONCE))])


def slow_with(
    where: str, work: Callable[[str], object], most_bytes: int, harmless: float | None = None
) -> list[str]:
    """Try the next texts. Each text is as long as ``most_bytes`` allows.

    Return the texts on which the work grows too fast.
    """
    found = []
    harmless = seconds_for(work, "a" * most_bytes) if harmless is None else harmless
    for name in next_texts():
        make = TEXTS[name]
        size = most_bytes * 1_000 // len(quote_plus(make(1_000)))
        if not is_bounded(work, make, size, harmless):
            found.append(f"{where}: {name}")
    return found


def answered(status: int) -> None:
    assert status < 500, status


def test_the_work_on_a_staff_form_grows_no_faster_than_its_texts(
    owner: Colleague, names_read: NamesRead
) -> None:
    slow = []
    times: Counter[str] = Counter()
    for route in ROUTES:
        if route.method != "POST":
            continue
        made = route.made_for(owner)
        size = (STAFF_FORM if made.path[0] != "/" else BODY_LARGEST) - FORM_OVERHEAD

        def send(form: dict[str, object], made: Route = made) -> None:
            answered(owner.post(made.path, {**made.form, **form}).status_code)

        names = names_read(lambda send=send: send({}))  # type: ignore[misc]
        harmless = seconds_for(lambda text, send=send: send({"unread": text}), "a" * size)  # type: ignore[misc]
        for name in names:
            rule = name if route.endpoint in ANIMAL_FORMS and not FULL else f"{route.endpoint} {name}"
            times[rule] += 1
            if times[rule] == 1:
                work = lambda text, name=name, send=send: send({name: text})  # noqa: E731
                slow += slow_with(f"{route.endpoint} {name}", work, size, harmless)
    assert slow == []
    assert len(times) > 100


def test_the_work_on_a_public_form_grows_no_faster_than_its_texts(
    app: APIFlask, client: FlaskClient, names_read: NamesRead
) -> None:
    token, slow, tried = Visitor(client).token(), [], 0
    animal_id = factories.animal(factories.project())
    paths = [f"/animals/{animal_id}/applications", *door_addresses(app)]
    for path in paths:

        def send(form: dict[str, str], path: str = path) -> None:
            answered(client.post(path, data={"csrf_token": token, **ANSWERS, **form}).status_code)

        for name in names_read(lambda send=send: send({})):  # type: ignore[misc]
            work = lambda text, name=name, send=send: send({name: text})  # noqa: E731
            slow += slow_with(f"{path} {name}", work, BODY_LARGEST - FORM_OVERHEAD)
            tried += 1
    assert slow == []
    assert tried > 20


def door_addresses(app: APIFlask) -> Iterator[str]:
    adapter = app.url_map.bind("localhost")
    for endpoint, methods in DOOR.items():
        if "POST" in methods:
            rule = next(app.url_map.iter_rules(endpoint))
            yield adapter.build(endpoint, dict.fromkeys(rule.arguments, "x"), method="POST")


def every_form(kind: type[Form] = Form) -> Iterator[type[Form]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("portal."):
            yield each
        yield from every_form(each)


def test_the_work_on_each_field_of_a_form_class_grows_no_faster_than_its_text(app: APIFlask) -> None:
    slow, tried = [], 0
    with opened(app, create_environ()):
        for kind in every_form():
            for name in blank_form(kind)._fields:
                work = lambda text, kind=kind, name=name: blank_form(kind, {name: text}).validate()  # noqa: E731
                slow += slow_with(f"{kind.__name__} {name}", work, BODY_LARGEST)
                tried += 1
    assert slow == []
    assert tried > 15


def blank_form(kind: type[Form], fields: dict[str, str] | None = None) -> Form:
    try:
        return kind(ImmutableMultiDict(fields or {}))
    except (
        AttributeError,
        TypeError,
    ):  # the form of an animal's page needs an animal, so the test of its route tries the form
        return Form()


def test_the_work_on_a_parameter_grows_no_faster_than_its_text(
    owner: Colleague, names_read: NamesRead
) -> None:
    slow = []
    times: Counter[str] = Counter()
    for path in dict.fromkeys([*staff_pages(owner), *public_pages(owner)]):

        def get(query: str, path: str = path) -> None:
            answered(owner.client.get(f"{path}{'&' if '?' in path else '?'}{query}").status_code)

        for name in names_read(lambda get=get: get("")):  # type: ignore[misc]
            times[name] += 1
            if times[name] <= PAGES_MOST:
                work = lambda text, name=name, get=get: get(f"{name}={quote_plus(text)}")  # noqa: E731
                slow += slow_with(f"{path} {name}", work, QUERY_LONGEST - 500)
    assert slow == []
    assert len(times) > 30


def staff_pages(owner: Colleague) -> Iterator[str]:
    for route in ROUTES:
        if route.method == "GET":
            yield owner.at(route.made_for(owner).path)


def public_pages(owner: Colleague) -> Iterable[str]:
    shown = factories.animal(factories.project("Open House"), "Visible", photos=1)
    world = public.World(factories.project("Next"), shown, [], {"unlisted": shown}, {"unlisted": "0" * 64})
    return [asked(world)[0] for asked in public.ADDRESSES.values()]


def test_the_work_on_a_member_of_the_api_grows_no_faster_than_its_text(client: FlaskClient) -> None:
    shelter = cast.shelter(client)
    slow = []
    for member in (*NewPet.model_fields, "unknown"):

        def post(text: str, member: str = member) -> None:
            body = json.dumps({"name": "Rex", "categoryId": 1, member: text}, ensure_ascii=False)
            answered(shelter.post("/v1/pets", data=body, content_type="application/json").status_code)

        slow += slow_with(f"createPet {member}", post, BODY_LARGEST // 2)
    for header in ("Idempotency-Key", "Authorization", "If-None-Match", "X-Forwarded-For", "Cookie"):

        def head(text: str, header: str = header) -> None:
            value = quote_plus(text)
            answered(client.get("/v1/pets", headers={header: value}).status_code)

        slow += slow_with(f"listPets {header}", head, QUERY_LONGEST)
    for name in ("limit", "status", "cursor", "unknown"):

        def listed(text: str, name: str = name) -> None:
            answered(shelter.get(f"/v1/pets?{name}={quote_plus(text)}").status_code)

        slow += slow_with(f"listPets {name}", listed, QUERY_LONGEST)
    assert slow == []


def test_the_work_on_a_cell_grows_no_faster_than_its_text() -> None:
    columns = [(variant.removeprefix("own:"), variant) for variant in row_parser.READERS]
    columns += [(meaning, meaning) for meaning in (*row_parser.DATED, *row_parser.TIMES, *DATES, "born")]
    slow = []
    for meaning, variant in columns:

        def read(text: str, meaning: str = meaning, variant: str = variant) -> None:
            options: Any = SimpleNamespace(
                layout=SimpleNamespace(format=""), shouting=True, day_first={}, now=datetime.now(UTC)
            )
            column: Any = SimpleNamespace(meaning=meaning, variant=variant, place=0)
            with suppress(ValueError):
                row_parser.parse_cell(options, column, text)

        for size in (cell_parsers.WORDS_LONGEST, cell_parsers.CELL_LONGEST, CELL_LONGEST):
            harmless = min(seconds_for(read, "a" * size) for _ in range(3))
            slow += [
                f"{variant} {size}: {text}"
                for text, make in TEXTS.items()
                if not is_bounded(read, make, size, harmless)
            ]
    assert slow == []
    assert len(columns) > len(own_format.COLUMNS) + 50


def test_text_for_comparison_is_short_even_if_a_character_expands_to_18() -> None:
    ligatures = "\ufdfa" * CELL_LONGEST
    assert len(search_words.fold_text(ligatures)) <= search_words.FOLDED_LONGEST
    assert len(text_cleanup.unaccented(ligatures)) <= text_cleanup.FOLDED_LONGEST
    assert len(text_cleanup.letters(ligatures)) <= text_cleanup.FOLDED_LONGEST
