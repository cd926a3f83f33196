import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption.accounts.account_creation import create_account
from adoption.animals.indexed_words import words_to_index
from adoption.animals.models import Animal
from adoption.animals.query.typos import CORRECTIONS, distance_between, typos_at_beginning
from adoption.projects.models import Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from tests.cast import Shelter
from tests.statements import read_statements

NOW = datetime(2026, 11, 28, tzinfo=UTC)


def add(shelter: Shelter, *names: str, **rest: Any) -> None:
    known = {"category_id": 1, "status": "available", "created_at": NOW, "updated_at": NOW, **rest}
    with transaction() as session:
        for name in names:
            session.add(Animal(project_id=shelter.project_id, name=name, **known))


def found(client: FlaskClient, question: str, more: str = "") -> set[str]:
    page = client.get(f"/?q={quote_plus(question)}{more}")
    assert page.status_code == 200
    cards = page.text.partition('id="similar"')[0]  # A page without results shows other animals below.
    return set(re.findall(r'<h3 class="animal-card-name" dir="auto"><a [^>]*>(.*?)</a></h3>', cards))


@pytest.mark.parametrize(
    ("name", "questions"),
    [
        ("Crème Brûlée", ["crème", "CREME", "brulee", "brûlée creme", "cre"]),
        ("O'Malley", ["o'malley", "O\u2019Malley", "malley", "'malley", '"malley"']),
        ("100% Rex_Max", ["100%", "100", "rex_max", "max", "_max"]),
        ("Straße", ["strasse", "STRASSE", "straße"]),
        ("小花ちゃん", ["小花", "花", "小花ちゃん", "ちゃん"]),
        ("강아지", ["강아지", "강아"]),
        ("🐶 Rex", ['"🐶"', "rex 🐶", "🐶rex"]),
        ("Łukasz İpek", ["ipek", "łukasz"]),
        ("שוקו", ["שוקו", "שו"]),
        ("AND OR NOT NEAR", ["and", "OR", "not near"]),
    ],
)
def test_a_name_is_found_in_any_spelling(
    client: FlaskClient, shelter: Shelter, name: str, questions: list[str]
) -> None:
    add(shelter, name, "Another")
    for question in questions:
        assert found(client, question) == {name.replace("'", "&#39;")}, question


def test_breeds_species_and_descriptions_are_searched_too(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "A", breed_primary="Border collie", breed_secondary="Whippet", description="Loves the sea.")
    add(shelter, "B", category_id=3)
    for question in ("collie", "whipp", "SEA", "collie sea", "dog"):
        assert found(client, question) == {"A"}, question
    assert found(client, "rabbit") == {"B"}
    assert found(client, "collie rabbit") == set()


@pytest.mark.parametrize(
    "typo", ["labradr", "labraador", "labrodor", "lbarador", "abrador", "labradorr", "labrdro", "laberadoor"]
)
def test_typos_in_breeds_are_tolerated_and_a_screen_reader_says_so(
    client: FlaskClient, shelter: Shelter, typo: str
) -> None:
    add(shelter, "A", breed_primary="Labrador")
    add(shelter, "B", breed_primary="Beagle")
    assert found(client, typo) == {"A"}
    assert f"Nothing matches “{typo}” exactly.</bdi> These come close." in client.get(f"/?q={typo}").text
    part = client.get(f"/?q={typo}", headers={"HX-Request": "true", "HX-Target": "results"}).text
    assert f'data-announce="Nothing matches “{typo}” exactly. 1 animal comes close."' in part
    assert "These come close" not in client.get("/?q=labrador").text


@pytest.mark.settings("embedded")
@pytest.mark.parametrize("word", ["blank", "snake", "deaf", "back", "lusa", "garden"])
def test_a_word_unlike_any_name_or_breed_finds_nothing(
    client: FlaskClient, shelter: Shelter, word: str
) -> None:
    add(shelter, "Luna", colours="Black", description="Sleeps in the barn by the back door. Likes snacks.")
    add(shelter, "Dora", breed_primary="Dead leaf mantis", description="Is a snack thief and a gardener.")
    expected = {"Luna"} if word == "back" else {"Dora"} if word == "garden" else set()
    assert found(client, word) == expected
    assert "come close" not in client.get(f"/?q={word}").text


def test_an_unknown_word_finds_nothing_and_helps(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Bella")
    for question in (
        "zzzzzz",
        "bxxlx",
        "%",
        "_",
        "'",
        '"',
        "%%%",
        "*",
        "()",
        "-",
        "\\",
        "§1",
        "bella zzzzzz",
    ):
        assert found(client, question) == set(), question
    page = client.get("/?q=zzzzzz").text
    assert "No animals match" in page
    assert "See all animals" in page


@pytest.mark.parametrize(
    "question",
    ["\0", "bella\0", '" OR 1=1 --', "bella*", "NEAR(bella)", "words:bella", "^bella", "bella AND",
     "a" * 5000,
     "x " * 2000, "''':*&|!", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "﷽" * 200],
)  # fmt: skip
def test_odd_queries_do_not_break_the_search(client: FlaskClient, shelter: Shelter, question: str) -> None:
    add(shelter, "Bella")
    assert found(client, question) <= {"Bella"}


def test_a_search_combines_with_filters_and_sorting(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Bella One", sex="female")
    add(shelter, "Bella Two", sex="male")
    assert found(client, "bella", "&sex=male") == {"Bella Two"}
    assert found(client, "bella", "&sort=waiting") == {"Bella One", "Bella Two"}


def test_hidden_animals_are_not_found(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Xylophonia", listed=False)
    _, quiet = create_account("Not Yet Open", "quiet@example.org")
    with transaction() as session:
        known = {"category_id": 1, "status": "available", "created_at": NOW, "updated_at": NOW}
        session.add(Animal(project_id=quiet.id, name="Zebedeenia", **known))
    for question in ("xylophonia", "xylophonja", "zebedeenia", "zebedeenja"):
        assert found(client, question) == set()
        assert "come close" not in client.get(f"/?q={question}").text
    publish_site(quiet.slug)
    assert found(client, "zebedeenia") == {"Zebedeenia"}
    with transaction() as session:
        session.execute(update(Project).where(Project.id == quiet.id).values(live_deploy=None))
    assert found(client, "zebedeenia") == set()


def test_animals_are_indexed_when_created_imported_renamed_or_deleted(
    client: FlaskClient, shelter: Shelter, tmp_path: Path
) -> None:
    shelter.add("Apionia")
    idempotent = {"Idempotency-Key": "one"}
    shelter.post("/v1/pets", json={"name": "Idemponia", "categoryId": 1}, headers=idempotent)
    file = tmp_path / "animals.csv"
    runner = client.application.test_cli_runner()
    for name in ("Importonia", "Renamonia"):
        file.write_text(f"code,name,species,breed\nA1,{name},Dog,Whippet\n")
        assert runner.invoke(args=["animals", "import", shelter.slug, str(file)]).exit_code == 0
    for question, name in (("apio", "Apionia"), ("idemp", "Idemponia"), ("renamonia", "Renamonia")):
        assert found(client, question) == {name}
    assert found(client, "importonia") == set()
    with transaction() as session:
        animal = session.scalar(select(Animal).where(Animal.name == "Renamonia"))
        assert animal is not None
        animal.name = "Editonia"
    assert found(client, "editonia") == {"Editonia"}
    assert found(client, "renamonia") == set()
    with transaction() as session:
        for each in session.scalars(select(Animal)):
            assert each.words == words_to_index(vars(each))
            session.delete(each)
    assert found(client, "editonia") == set()


def test_a_very_long_word_matches_by_its_beginning(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Long", description="ab" * 3_000)
    assert found(client, "ab" * 1_500) == {"Long"}
    assert found(client, "ababa") == {"Long"}


def test_the_query_stays_in_the_field_and_is_escaped(client: FlaskClient, shelter: Shelter) -> None:
    hostile = '"><img src=x onerror=alert(1)>'
    page = client.get(f"/?q={quote_plus(hostile)}").text
    assert "<img src=x" not in page
    assert 'value="&#34;&gt;&lt;img src=x onerror=alert(1)&gt;"' in page


def test_one_unknown_word_of_up_to_12_letters_is_corrected(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Bella", breed_primary="Newfoundland")
    add(shelter, "Luna", breed_primary="Schnauzerdoodle")
    assert found(client, "newfoundlnad") == {"Bella"}
    assert found(client, "bella newfoundlnad") == {"Bella"}
    assert found(client, "schnauzerdoodel") == set()
    assert found(client, "belal newfoundlnad") == set()


@pytest.mark.settings("embedded")
def test_each_possible_correction_is_looked_up_once_per_field(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Bella")
    typed = "qwxzqwxz"
    with read_statements(client.application.extensions["homeward.driver_connections"]) as run:
        assert found(client, typed) == set()
    looked_up = sum(statement.count('"¡') + statement.count('"¢') for statement in run)
    assert 200 < looked_up < 2 * len(set(typos_at_beginning(typed, 2))) + 50
    assert found(client, "aella") == {"Bella"}


def test_the_edit_distance_of_very_different_words_is_abandoned_early() -> None:
    compared = Counter[str]()

    class Letter(str):
        __slots__ = ()

        def __ne__(self, other: object) -> bool:
            compared["letters"] += 1
            return str(self) != other

        __hash__ = str.__hash__

    far = [Letter(letter) for letter in "abcdefghijkl"]
    assert distance_between(far, "mnopqrstuvwx", 2) == 3  # type: ignore[arg-type]
    assert compared["letters"] == 4 * 12
    assert distance_between("collie", "oclile", 2) == 2
    assert distance_between("abcdefgh", "bacdefhg", 2) == 2


@pytest.mark.settings("embedded")
def test_typo_corrections_are_rate_limited_per_address(client: FlaskClient, shelter: Shelter) -> None:
    add(shelter, "Bella", breed_primary="Beagle")
    # The limit is per clock minute, and the test may begin in one minute and end in the next.
    answers = [found(client, "beagel") for _ in range(2 * CORRECTIONS.most + 1)]
    assert answers[0] == {"Bella"}
    assert set() in answers
    assert found(client, "beagle") == {"Bella"}
    other = client.get("/?q=beagel", environ_base={"REMOTE_ADDR": "192.0.2.9"})
    assert "These come close" in other.text
