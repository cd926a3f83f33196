"""The staff's list of animals: search, filters, sorting and paging."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import select

from adoption.animals.models import Animal
from adoption.animals.staff_list import ORDERS, AnimalSearch, apply_search, ordered_queries
from adoption.projects.publication import unpublish_site
from adoption.storage.database import db, transaction
from tests import cast
from tests.cast import Colleague
from tests.factories import NOW
from tests.pages import ParsedPage
from tests.staffing import add_animal, names_in

DASH = "\N{EN DASH}"
ATTACK = '"><img src=x onerror=alert(1)>'


def test_an_empty_shelter_sees_how_to_begin(owner: Colleague) -> None:
    page = owner.get("animals").text
    assert "No animals yet" in page
    links = [link["href"] for link in ParsedPage(page).all("a")]
    assert f"/projects/{owner.slug}/animals/new" in links
    assert f"/projects/{owner.slug}/imports" in links
    assert f"/projects/{owner.slug}/animals?show=removed" not in links, "nothing was removed"
    assert "staff-q" not in page, "nothing to look through"
    assert "staff-q" in owner.get("animals?show=removed").text
    assert "in your care" not in page


def test_animals_of_an_unpublished_site_are_marked_as_not_visible(owner: Colleague) -> None:
    add_animal(owner, "Moss")
    unseen = "Only your team can see your animals"
    assert unseen not in owner.get("animals").text
    unpublish_site(owner.project_id)
    page = owner.get("animals").text
    assert unseen in page
    assert "Publish your site</button>" in page
    assert "People can apply once your site is published" in owner.get("applications").text


def test_page_titles_have_page_and_shelter(owner: Colleague) -> None:
    place = f" {DASH} Elm Road Rescue {DASH} Homeward</title>"
    for path, name in (("animals", "Animals"), ("imports", "Import animals"), ("keys", "API keys")):
        assert f"<title>{name}{place}" in owner.get(path).text


def test_the_list_begins_with_the_last_change_and_omits_removed_animals(owner: Colleague) -> None:
    add_animal(owner, "Old", updated_at=NOW - timedelta(days=2))
    add_animal(owner, "Hidden", listed=False, updated_at=NOW)
    add_animal(owner, "Gone", removed_at=NOW, listed=False)
    page = owner.get("animals").text
    assert names_in(page) == ["Hidden", "Old"]
    assert "2 in your care: 2 available, 0 pending, 0 adopted; 1 of them hidden from visitors" in page
    assert names_in(owner.get("animals?show=removed").text) == ["Gone"]


def test_the_list_has_no_animals_of_other_shelters(owner: Colleague, outsider: Colleague) -> None:
    add_animal(outsider, "Stranger", code="X-1", care={"microchip": "985112003456789"})
    for query in ("", "?q=stranger", "?q=X-1", "?q=985112003456789"):
        assert "Stranger" not in owner.get(f"animals{query}").text


def test_the_search_matches_names_breeds_codes_and_microchips(owner: Colleague) -> None:
    add_animal(owner, "Zoë", breed_primary="Whippet", description="Fond of tea", code="R/77%x", listed=False)
    add_animal(owner, "Max", care={"microchip": "985 112 003 456 789"})
    for text in ("zoe", "whip", "TEA", "r/77%25x"):
        assert names_in(owner.get(f"animals?q={text}").text) == ["Zoë"], text
    for text in ("985112003456789", "003456", "985 112 003"):
        assert names_in(owner.get(f"animals?q={text}").text) == ["Max"], text
    assert names_in(owner.get("animals?q=%25").text) == ["Zoë"]
    assert "No animals match" in owner.get("animals?q=axolotl").text


def test_enter_in_the_search_opens_the_only_result(owner: Colleague) -> None:
    zoe = add_animal(owner, "Zoë", code="R-77")
    add_animal(owner, "Zoella", code="R-778")
    add_animal(owner, "Max")
    for text in ("zoë", "r-77"):
        answer = owner.get(f"animals?q={text}&species=&open=found")
        assert answer.location == owner.at(f"animals/{zoe}"), text
    assert owner.get("animals?q=zo&open=found").location == owner.at("animals?q=zo")
    assert owner.get("animals?q=&open=found").location == owner.at("animals")
    assert names_in(owner.get("animals?q=max").text) == ["Max"], "a link to the list shows the list"


def test_species_have_the_same_names_in_the_filter_and_the_table(owner: Colleague) -> None:
    add_animal(owner, "Nibbles", category_id=4)
    page = owner.get("animals?species=small").text
    [chosen] = re.findall(r"<option[^>]* selected>([^<]+)</option>", page.partition("staff-status")[0])
    assert f'<td class="cell-species hide-in-card">{chosen}</td>' in page


def test_filters_narrow_the_list_and_stay_in_the_url(owner: Colleague) -> None:
    add_animal(owner, "Cat", category_id=2)
    add_animal(owner, "Pending", status="pending")
    add_animal(owner, "Hidden", listed=False)
    assert names_in(owner.get("animals?species=cat").text) == ["Cat"]
    assert names_in(owner.get("animals?status=pending").text) == ["Pending"]
    assert names_in(owner.get("animals?show=hidden").text) == ["Hidden"]
    page = owner.get("animals?species=dog&show=listed")
    assert names_in(page.text) == ["Pending"]
    assert 'href="/projects/elm-road-rescue/animals?species=dog&amp;show=listed&amp;sort=name"' in page.text


def test_the_list_sorts_by_columns_both_ways(owner: Colleague) -> None:
    add_animal(owner, "bella", category_id=2, status="sold")
    add_animal(owner, "Ada", category_id=1, status="pending")
    add_animal(owner, "Cleo", category_id=3)
    orders = {"name": "Ada bella Cleo", "species": "bella Ada Cleo", "status": "Cleo Ada bella"}
    for column, names in orders.items():
        page = owner.get(f"animals?sort={column}").text
        assert names_in(page) == names.split()
        assert page.count('aria-sort="ascending"') == 1
        assert names_in(owner.get(f"animals?sort=-{column}").text) == names.split()[::-1]
    assert 'aria-sort="descending"' in owner.get("animals?sort=nonsense&page=0&species=dragon").text


STAYS = {
    "Ada": {"birth_date": date(2015, 3, 1), "arrival_date": date(2026, 6, 1)},
    "Bo": {"birth_date": date(2026, 9, 1), "arrival_date": date(2026, 11, 20), "status": "pending"},
    "Cleo": {"arrival_date": date(2025, 1, 5), "status": "sold"},
    "Dot": {"birth_date": date(2022, 5, 1), "birth_date_estimated": True},
}
SORTED = {
    "age": "Bo Dot Ada Cleo",
    "-age": "Ada Dot Bo Cleo",
    "arrival": "Cleo Ada Bo Dot",
    "-arrival": "Bo Ada Cleo Dot",
    "waiting": "Bo Ada Dot Cleo",
    "-waiting": "Ada Bo Cleo Dot",
}


@time_machine.travel(datetime(2026, 11, 28, 12, tzinfo=UTC))
def test_the_list_sorts_by_dates_with_unknown_values_last(app: APIFlask) -> None:
    owner = cast.owner(app)
    for name, known in STAYS.items():
        add_animal(owner, name, breed_primary="Lurcher", **known)
    add_animal(owner, "Kit", category_id=2, birth_date=date(2026, 1, 1), arrival_date=date(2026, 1, 1))
    for sort, names in SORTED.items():
        page = owner.get(f"animals?sort={sort}&species=dog").text
        assert names_in(page) == names.split(), sort
        assert names_in(owner.get(f"animals?sort={sort}&q=lurcher").text) == names.split(), sort
        direction = "descending" if sort.startswith("-") else "ascending"
        [header] = re.findall(r'<th scope="col" aria-sort="(\w+)">\s*<a id="sort-(\w+)"', page)
        assert header == (direction, sort.removeprefix("-"))
    links = re.findall(r'<a id="sort-(\w+)" href="[^"]*\?([^"]*)"', page)
    assert ("age", "species=dog&amp;sort=age") in links
    assert ("arrival", "species=dog&amp;sort=-arrival") in links
    assert ("waiting", "species=dog&amp;sort=waiting") in links, "the other way round"
    cells = [
        re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r'<td class="[^"]*hide-in-card">(.*?)</td>', page)
    ]
    assert cells[:4] == ["Dog", "11 years", "1 Jun", "180 days"]
    assert cells[4:8] == ["Dog", "12 weeks", "20 Nov", "8 days"]
    assert cells[8:12] == ["Dog", f"{DASH}Unknown", "5 Jan 2025", f"{DASH}None"]
    assert cells[12:16] == ["Dog", "About 4 years", f"{DASH}Unknown", f"{DASH}None"]
    assert "12 weeks · intake 20 Nov · waiting 8 days · updated" in page, "the line of a card"


def test_paging_continues_from_known_to_unknown_dates(owner: Colleague) -> None:
    for number in range(52):
        add_animal(
            owner, f"Puppy {number:02}", birth_date=date(2026, 1, 1 + number // 2) if number < 51 else None
        )
    for sort in ("age", "-age"):
        pages = [names_in(owner.get(f"animals?sort={sort}&page={page}").text) for page in (1, 2)]
        assert [len(page) for page in pages] == [50, 2]
        assert len({*pages[0], *pages[1]}) == 52
        assert pages[1][-1] == "Puppy 51"


@pytest.mark.parametrize("order", ["age", "arrival", "waiting"])
@pytest.mark.parametrize("backwards", [False, True])
def test_sorting_by_date_uses_an_index(owner: Colleague, order: str, backwards: bool) -> None:
    wanted = apply_search(select(Animal.id), owner.project_id, AnimalSearch())
    dated = ordered_queries(wanted, ORDERS[order], backwards, "")[0].limit(50)
    explain = "EXPLAIN QUERY PLAN"
    with transaction() as session:  # SET LOCAL lasts until the transaction's end
        if db.engine.dialect.name == "postgresql":
            explain = "EXPLAIN"
            for way in ("seqscan", "bitmapscan", "sort"):
                session.connection().exec_driver_sql(f"SET LOCAL enable_{way} = off")
        compiled = dated.compile(db.engine, compile_kwargs={"literal_binds": True})
        plan = " ".join(map(str, session.connection().exec_driver_sql(f"{explain} {compiled}")))
    column = "birth_date" if order == "age" else "arrival_date"
    assert f"ix_animals_project_id_{column}_id{'_waiting' if order == 'waiting' else ''}" in plan
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan


def test_pages_have_50_animals_and_their_position(owner: Colleague) -> None:
    for number in range(52):
        add_animal(owner, f"Puppy {number:02}")
    first, second = (owner.get(f"animals?sort=name{page}").text for page in ("", "&page=2"))
    assert len(names_in(first)) == 50
    assert "1 to 50 of 52 animals" in first
    assert names_in(second) == ["Puppy 50", "Puppy 51"]
    assert names_in(owner.get("animals?sort=name&page=9999").text) == names_in(second)


def test_htmx_gets_only_the_table_with_its_url_and_announcement(owner: Colleague) -> None:
    add_animal(owner, "Rex")
    add_animal(owner, "Biscuit")
    headers = {"HX-Request": "true", "HX-Target": "animals-form"}
    answer = owner.get("animals?q=rex", headers=headers)
    assert answer.headers["HX-Push-Url"].endswith("/animals?q=rex")
    assert "<html" not in answer.text
    assert '<p id="announcer" hx-swap-oob="innerHTML">1 of 2 animals</p>' in answer.text


def test_html_in_a_name_is_escaped_on_every_page_of_the_animal(owner: Colleague) -> None:
    animal_id = add_animal(
        owner, ATTACK, breed_primary=ATTACK, description=ATTACK, care={"internal_notes": ATTACK}
    )
    other = add_animal(owner, ATTACK, bond_id=None)
    paths = ["animals", f"animals/{animal_id}", f"animals/new?like={animal_id}"]
    paths += [f"animals?q={ATTACK}", f"animals/removal?id={animal_id}&id={other}&back={ATTACK}"]
    for path in paths:
        page = owner.get(path)
        assert page.status_code == 200
        assert "<img src=x" not in page.text, path
    owner.post(f"animals/{animal_id}/changes", {"do": "hold"})
    assert "<img src=x" not in owner.get("animals").text


def test_the_search_matches_private_locations_and_ranks_exact_names_first(owner: Colleague) -> None:
    add_animal(owner, "Ash", care={"foster_address": "7 Mill Lane", "surrenderer": "Mrs Penhaligon"})
    add_animal(owner, "Ashley", code="Z-9")
    for text in ("mill lane", "penhaligon"):
        assert names_in(owner.client.get(owner.at("animals"), query_string={"q": text}).text) == ["Ash"]
    for order in ("-updated", "-name"):
        assert names_in(owner.get(f"animals?q=ash&sort={order}").text) == ["Ash", "Ashley"]
    assert names_in(owner.get("animals?q=ash&sort=name").text) == ["Ash", "Ashley"]


def test_paging_announces_the_position_and_keeps_the_focus(owner: Colleague) -> None:
    for number in range(53):
        add_animal(owner, f"Cat {number:02}")
    headers = {"HX-Request": "true", "HX-Target": "animals-form", "HX-Trigger": "page-next"}
    text = owner.client.get(owner.at("animals?page=2"), headers=headers).text
    assert ">51 to 53 of 53 animals</p>" in text.split("announcer")[1]
    assert 'id="animals-shown" tabindex="-1" data-focus>' in text
