import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import update

from adoption.accounts.account_creation import create_account
from adoption.animals.age_groups import AGE_GROUPS, birth_dates
from adoption.animals.facet_counts import COUNTED_EACH_TIME
from adoption.animals.models import Animal
from adoption.projects.models import Project
from adoption.projects.publication import publish_site, unpublish_site
from adoption.storage.database import transaction
from portal.catalogue.filters import PAGE_SIZE, PAGE_SIZE_MOST
from tests.pages import names_on_cards

NOW = datetime(2026, 11, 28, tzinfo=UTC)
HTMX = {"HX-Request": "true", "HX-Target": "results"}


@pytest.fixture
def elm_road(app: APIFlask) -> Project:
    return published("Elm Road Rescue")


def published(name: str) -> Project:
    _, project = create_account(name, "owner@example.org")
    publish_site(project.slug)
    return project


def add(project: Project, *names: str, **rest: Any) -> None:
    known = {"category_id": 1, "status": "available", "created_at": NOW, "updated_at": NOW, **rest}
    with transaction() as session:
        for name in names:
            session.add(Animal(project_id=project.id, name=name, **known))
            session.flush()


def found(client: FlaskClient, query: str) -> list[str]:
    """Return the names on the page of a query, in the order of the page."""
    page = client.get(f"/?{query}", follow_redirects=True)
    assert page.status_code == 200
    return names_on_cards(page.text)


def number(page: str, name: str, value: str) -> int:
    """Return the number next to a choice of a filter."""
    option = re.search(rf'<option value="{value}"[^>]*>[^<]*\(([\d,]+)\)', part(page, name))
    pill = re.search(rf'value="{value}"[^>]*>[^\n]*?pill-count">([\d,]+)<', part(page, name))
    found = option or pill
    if name == "species" and not found:
        return 0  # A species without animals is not offered.
    assert found, f"no number beside {name}={value}"
    return int(found[1].replace(",", ""))


def part(page: str, name: str) -> str:
    group = "companions" if name in ("children", "dogs", "cats") else name
    ending = "</fieldset>" if name in ("species", "children", "dogs", "cats") else "</select>"
    whole = page.split(f'id="filter-{group}"')[1].split(ending)[0]
    return "\n".join(line for line in whole.split("\n") if f'name="{name}"' in line or "<option" in line)


@pytest.mark.parametrize(
    ("query", "fitting"),
    [
        ("species=cat", {"category_id": 2}),
        ("status=pending", {"status": "pending"}),
        ("status=sold", {"status": "sold"}),
        ("sex=female", {"sex": "female"}),
        ("size=xlarge", {"size": "xlarge"}),
        ("age=senior", {"birth_date": date(2000, 1, 1)}),
        ("age=baby", {"birth_date": datetime.now(UTC).date()}),
        ("children=yes", {"good_with_children": True}),
        ("dogs=yes&cats=yes", {"good_with_dogs": True, "good_with_cats": True}),
        ("species=cat&sex=male&size=small", {"category_id": 2, "sex": "male", "size": "small"}),
    ],
)
def test_a_filter_finds_exactly_the_matching_animals(
    client: FlaskClient, elm_road: Project, query: str, fitting: dict[str, Any]
) -> None:
    add(elm_road, "Plain")
    add(elm_road, "Fitting", **fitting)
    add(elm_road, "Hidden", listed=False, **fitting)
    assert found(client, query) == ["Fitting"]


def test_adopted_animals_are_shown_on_request(client: FlaskClient, elm_road: Project) -> None:
    for status in ("available", "pending", "sold"):
        add(elm_road, status, status=status)
    assert found(client, "") == ["pending", "available"]


def test_good_with_filters_include_untested_animals_only_on_request(
    client: FlaskClient, elm_road: Project
) -> None:
    for answer in (True, False, None):
        add(elm_road, str(answer), good_with_cats=answer)
    assert found(client, "cats=yes") == ["True"]
    assert found(client, "cats=yes&untested=yes") == ["None", "True"]
    assert found(client, "untested=yes") == ["None", "False", "True"]


def test_a_shelter_is_a_filter(client: FlaskClient, elm_road: Project) -> None:
    harbour = published("Harbour Cats")
    add(elm_road, "Elm")
    add(harbour, "Harbour")
    assert found(client, f"shelter={harbour.slug}") == ["Harbour"]
    assert found(client, f"shelter={harbour.slug}&q=elm") == []
    assert found(client, "q=harbour+cats") == []
    assert found(client, "q=harbour") == ["Harbour"]


def test_an_unpublished_shelter_is_not_offered_as_a_filter(client: FlaskClient, elm_road: Project) -> None:
    _, quiet = create_account("Not Yet Open", "quiet@example.org")
    for slug in (quiet.slug, "nobody", "%00", "a" * 3000):
        page = client.get(f"/?shelter={slug}")
        assert page.status_code == 404
        assert "There is no such shelter here" in page.text


def test_a_shelter_that_is_offline_is_reported(client: FlaskClient, elm_road: Project) -> None:
    unpublish_site(elm_road.id)
    page = client.get(f"/?shelter={elm_road.slug}")
    assert page.status_code == 404
    assert "site is offline for now" in page.text
    assert "There is no such shelter" not in page.text


def test_sorting_by_waiting_time_puts_unknown_arrivals_last(client: FlaskClient, elm_road: Project) -> None:
    for name, arrived in (
        ("B", date(2025, 1, 1)),
        ("D", None),
        ("A", date(2024, 1, 1)),
        ("C", date(2025, 1, 1)),
    ):
        add(elm_road, name, arrival_date=arrived)
    add(elm_road, "E")
    assert found(client, "sort=waiting") == ["A", "B", "C", "D", "E"]


@pytest.mark.parametrize("sort", ["newest", "waiting"])
def test_paging_by_url_shows_every_animal_once(client: FlaskClient, elm_road: Project, sort: str) -> None:
    every = [f"N{n:03}" for n in range(PAGE_SIZE_MOST + 2 * PAGE_SIZE)]
    for n, name in enumerate(every):
        add(elm_road, name, arrival_date=date(2020, 1, 1) + timedelta(days=n // 7) if n % 3 else None)
    address: str | None = f"/?sort={sort}&shown={PAGE_SIZE_MOST}"
    seen: list[str] = []
    while address:
        page = client.get(address).text
        further = re.search(r'rel="next" href="(.*?)(?:#.*?)?"', page)
        address = unescape(further[1]) if further else None
        if not (address and "shown=" in address):  # Otherwise the next page also contains these animals.
            seen += names_on_cards(page)
    assert len(seen) == len(set(seen))
    assert sorted(seen) == every


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("given", "cards"), [("1", 24), ("25", 48), ("48", 48), ("9999", 120), ("x", 24), ("-1", 24), ("", 24)]
)
def test_the_number_of_shown_animals_is_whole_rows_up_to_a_limit(
    client: FlaskClient, elm_road: Project, given: str, cards: int
) -> None:
    add(elm_road, *(f"N{n}" for n in range(PAGE_SIZE_MOST + 1)))
    assert len(found(client, f"shown={given}")) == cards


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "query", ["status=gone", "sex=x", "age=1", "size=huge", "cats=no", "untested=1", "sort=random", "sex=%00"]
)
def test_an_unknown_filter_value_is_ignored_and_reported(
    client: FlaskClient, elm_road: Project, query: str
) -> None:
    add(elm_road, "Bella")
    page = client.get(f"/?{query}")
    assert page.status_code == 200
    assert names_on_cards(page.text) == ["Bella"]
    assert "Part of this link was ignored" in page.text


@pytest.mark.settings("embedded")
def test_the_case_of_a_filter_does_not_matter(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "Rex")
    add(elm_road, "Tom", category_id=2)
    page = client.get("/?species=Dog&sort=NEWEST").text
    assert names_on_cards(page) == ["Rex"]
    assert "Part of this link was ignored" not in page


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    "query",
    [
        "sort=waiting&after=5",
        "after=2025-01-01.5",
        "after=1.5",
        "q=bella&after=5",
        "q=bella&after=7.5",
        "sort=waiting&after=2026-02-30.5",
        "sort=waiting&after=0000-01-01.5",
        "sort=waiting&after=2025-1-1.5",
        "sort=waiting&after=none.",
    ],
)
def test_an_invalid_cursor_of_a_later_page_is_reported(
    client: FlaskClient, elm_road: Project, query: str
) -> None:
    page = client.get(f"/?{query}")
    assert page.status_code == 404
    assert "This link is broken" in page.text


@pytest.mark.settings("embedded")
def test_without_javascript_the_filter_form_redirects_to_a_url_without_empty_fields(
    client: FlaskClient, elm_road: Project
) -> None:
    sent = client.get("/?q=&species=dog&status=&sex=&age=&utm_source=mail")
    assert sent.status_code == 302
    assert sent.location == "/?species=dog&utm_source=mail"
    assert client.get("/?q=&species=").location == "/"


@pytest.mark.settings("embedded")
@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("species=dog&age=senior&cats=yes", "Senior dogs good with cats to adopt"),
        ("q=small+female+cats", "Small female cats to adopt"),
        ("q=calm&sex=male", "“calm”: Male animals to adopt"),
        ("q=luna", "“luna”"),
        ("children=yes&dogs=yes&status=sold", "Adopted animals good with children and dogs"),
        ("", "Find an animal"),
    ],
)
def test_the_title_has_the_filters(client: FlaskClient, elm_road: Project, query: str, title: str) -> None:
    assert f"<title>{title} \u2013" in client.get(f"/?{query}").text.replace("&amp;", "&")


def test_every_filter_choice_has_a_count(client: FlaskClient, elm_road: Project) -> None:
    harbour = published("Harbour Cats")
    add(elm_road, "A", "B", sex="female", size="small", good_with_cats=True)
    add(elm_road, "C", sex="male", size="small", good_with_cats=None, birth_date=date(2001, 1, 1))
    add(harbour, "D", category_id=2, sex="female", size="large", status="sold", good_with_dogs=True)
    add(harbour, "E", category_id=2, sex="female", status="pending")
    addresses = [
        "/",
        "/?sex=female",
        "/?species=cat",
        "/?cats=yes",
        "/?cats=yes&untested=yes",
        "/?status=sold",
    ]
    addresses += [f"/?shelter={harbour.slug}", "/?q=harbour", "/?q=dog", "/?q=kitten", "/?q=female-cats"]
    choices = [("species", "cat"), ("species", ""), ("status", "sold"), ("sex", "male"), ("age", "senior")]
    choices += [("size", "small"), ("cats", "yes"), ("dogs", "yes"), ("status", "")]
    for address in addresses:
        page = client.get(address).text
        for name, value in choices:
            state = dict(re.findall(r"(\w+)=([\w-]+)", address)) | {name: value}
            query = "&".join(f"{key}={each}" for key, each in state.items())
            assert number(page, name, value) == len(found(client, query)), (address, name, value)


def test_the_heading_has_the_number_of_found_animals(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, *(f"N{n}" for n in range(PAGE_SIZE + 6)))
    add(elm_road, "Tom", category_id=2)
    page = client.get("/").text
    assert f"{PAGE_SIZE + 7} animals</h2>" in page
    assert f"{PAGE_SIZE} of {PAGE_SIZE + 7} shown" in page
    assert "1 cat</h2>" in client.get("/?species=cat").text


def test_counts_of_many_animals_are_cached_briefly(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, *(f"N{n}" for n in range(COUNTED_EACH_TIME + 1)))
    assert f"{COUNTED_EACH_TIME + 1:,} animals</h2>" in client.get("/").text


def test_the_count_of_a_small_result_is_never_outdated(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "Luna One", "Luna Two")
    assert "2 animals</h2>" in client.get("/?q=luna").text
    with transaction() as session:
        session.execute(update(Animal).where(Animal.name == "Luna One").values(listed=False))
    assert "1 animal</h2>" in client.get("/?q=luna").text


def test_htmx_gets_the_animals_the_counts_and_the_url(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, "Tom", category_id=2)
    part = client.get("/?species=cat&sex=&q=&sort=newest", headers=HTMX)
    assert part.headers["HX-Push-Url"] == "/?species=cat"
    assert "HX-Request" in part.headers["Vary"]
    assert "<title>Cats to adopt" in part.text
    assert 'data-announce="1 cat"' in part.text
    assert "<html" not in part.text
    swapped = re.findall(r'id="filter-(\w+)" hx-swap-oob="true"', part.text)
    assert swapped == ["species", "status", "sex", "age", "size", "companions", "sort"]


def test_caches_separate_pages_and_fragments(client: FlaskClient, elm_road: Project) -> None:
    whole = client.get("/")
    assert {"HX-Request", "HX-Target"} <= {name.strip() for name in whole.headers["Vary"].split(",")}
    restored = client.get("/", headers={**HTMX, "HX-History-Restore-Request": "true"})
    assert restored.data == whole.data


def test_show_more_appends_the_next_animals(client: FlaskClient, elm_road: Project) -> None:
    add(elm_road, *(f"N{n:02}" for n in range(PAGE_SIZE + 6)))
    more = client.get("/?shown=48", headers={"HX-Request": "true", "HX-Target": "animal-grid"})
    assert more.headers["HX-Push-Url"] == "/?shown=48"
    assert names_on_cards(more.text) == [f"N{n:02}" for n in reversed(range(6))]
    assert more.text.count("data-focus") == 1
    assert 'id="load-more"' in more.text
    assert 'data-announce="All shown"' in more.text
    assert len(found(client, "shown=48")) == PAGE_SIZE + 6


def test_each_active_filter_can_be_removed(client: FlaskClient, elm_road: Project) -> None:
    page = client.get("/?q=luna&sex=female&cats=yes&species=cat").text
    links = [unescape(link) for link in re.findall(r'class="applied-filter" href="(.*?)"', page)]
    assert links == [
        "/?species=cat&sex=female&cats=yes",
        "/?q=luna&species=cat&cats=yes",
        "/?q=luna&species=cat&sex=female",
    ]
    assert "Show untested animals too" in page


def test_every_birth_date_is_in_exactly_one_age_group() -> None:
    for today in (date(2026, 11, 28), date(2028, 2, 29), date(2027, 3, 1)):
        spans = [birth_dates(group, today) for group in AGE_GROUPS]
        assert spans[0][1] == today
        for (earliest, _), (_, latest) in pairwise(spans):
            assert latest == earliest - timedelta(days=1)


def test_an_animal_with_only_an_age_group_is_found_and_counted_by_it(
    client: FlaskClient, elm_road: Project
) -> None:
    add(elm_road, "Ada", age_group="adult")
    add(elm_road, "Young Bo", birth_date=date(2025, 6, 1))
    assert found(client, "age=adult") == ["Ada"]
    page = client.get("/").text
    assert number(page, "age", "adult") == 1
    assert "Adult" in client.get("/?age=adult").text.partition("Ada")[2]
