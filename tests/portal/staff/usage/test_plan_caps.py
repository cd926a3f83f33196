"""Plan caps for animals, photos and imports. Data that already exists is kept."""

import io
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import select, update

from adoption.accounts.account_row_lock import lock_account
from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.plan_changes import set_plan
from adoption.accounts.plans import GB, PLANS, Caps
from adoption.animals import animal_and_photo_limits, api_animal_creation, remaining_limit_cache
from adoption.animals.animal_and_photo_limits import (
    PHOTO_BYTES,
    REMOVED_COUNT_FOR,
    first_number,
    take_photo_bytes,
)
from adoption.animals.api_animal_creation import NewAnimal
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.audit.actors import OPERATOR
from adoption.errors import PlanLimit
from adoption.imports.daily_limit import imports_today
from adoption.imports.foreground_runs import begin_import
from adoption.imports.models import Import
from adoption.imports.uploads import upload_spreadsheet
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.importer import import_animals
from adoption.storage.database import reading, transaction
from tests.cast import Colleague
from tests.factories import count_animals
from tests.locks import wait_until_blocked
from tests.photographs import BLUE, RED
from tests.portal.staff.animals.test_photos import HTMX, MULTIPART, picture
from tests.portal.staff.imports.test_import_pages import upload
from tests.staffing import NEW, add_animal, stored_animal

pytestmark = pytest.mark.settings("embedded")

FULL = "The Free plan includes 2 animals."
MADE = dict.fromkeys(("created_at", "updated_at"), datetime.now(UTC))
FILE = "name,species\nAsh,Dog\nBriar,Cat\nClover,Dog\n"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the free plan include 2 animals, 1 byte of photos and 2 imports a day."""
    monkeypatch.setitem(PLANS, "free", replace(PLANS["free"], caps=Caps(2, 1, 2)))


def add(owner: Colleague, key: str, once: str = "") -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {key}"} | ({"Idempotency-Key": once} if once else {})
    answer = owner.client.post("/v1/pets", json={"name": "Rex", "categoryId": 1}, headers=headers)
    return answer.status_code, answer.json.get("code", "")  # type: ignore[union-attr]


def test_the_caps_of_plans_are_those_on_the_usage_page(owner: Colleague) -> None:
    assert [PLANS[name].caps for name in ("free", "pro", "business", "enterprise")] == [
        Caps(2_000, 5 * GB, 20),
        Caps(20_000, 50 * GB, 100),
        Caps(200_000, 500 * GB, 1_000),
        Caps(None, None, None),
    ]
    add_animal(owner, "Rex")
    page = owner.get("usage").text
    for text in (
        "2,000 animals",
        "500 GB of photos",
        "100 imports a day",
        "animals, photos and imports as agreed",
    ):
        assert text in page
    for used in ("1 of 2,000", "0 MB of 5 GB", "0 of 20"):
        assert f'aria-valuetext="{used}"' in page


@pytest.mark.usefixtures("small")
def test_no_animal_is_added_over_the_plan_cap(owner: Colleague) -> None:
    _, key = create_key(owner.slug)
    assert add(owner, key, "once") == (201, "")
    assert owner.post("animals/new", NEW).status_code == 303
    assert add(owner, key) == (403, "plan_limit")
    assert add(owner, key, "twice") == (403, "plan_limit")
    assert add(owner, key, "once") == (201, ""), "the first answer again"
    refused = owner.post("animals/new", NEW | {"name": "Typed & kept"})
    assert refused.status_code == 403
    assert FULL in refused.text
    assert "Typed &amp; kept" in refused.text
    page = owner.get("usage").text
    assert 'aria-valuetext="2 of 2, used up"' in page
    assert "You cannot add animals. A removed animal still counts for 30 days. To add more, request" in page
    assert count_animals() == 2
    set_plan(owner.slug, "pro")
    assert add(owner, key) == (201, "")
    set_plan(owner.slug, "free")
    assert owner.client.get("/v1/pets", headers={"Authorization": f"Bearer {key}"}).status_code == 200
    assert count_animals() == 3, "what exists stays"


@pytest.mark.usefixtures("small")
def test_a_removed_animal_counts_for_30_more_days(owner: Colleague) -> None:
    ids = [add_animal(owner, name) for name in ("Rex", "Moss")]
    _, key = create_key(owner.slug)
    assert add(owner, key) == (403, "plan_limit")
    assert owner.post(f"animals/removal?id={ids[0]}").status_code == 303
    assert add(owner, key) == (403, "plan_limit")
    with time_machine.travel(datetime.now(UTC) + REMOVED_COUNT_FOR + timedelta(minutes=1)):
        assert add(owner, key) == (201, "")


@pytest.mark.usefixtures("small")
def test_an_import_adds_animals_up_to_the_plan_cap_and_rejects_other_rows(
    app: APIFlask, owner: Colleague, tmp_path: Path
) -> None:
    file = tmp_path / "animals.csv"
    file.write_text(FILE)
    runner = app.test_cli_runner()
    for options, created in ((["--dry-run"], 2), ([], 2), ([], 0)):
        result = runner.invoke(args=["animals", "import", owner.slug, str(file), "--json", *options])
        found = json.loads(result.stdout)
        assert (found["created"], count_animals()) == (created, 2 if not options else 0)
        [rejected] = found["refused"]
        assert rejected["row"] == 4
        assert FULL in rejected["reason"]


@pytest.mark.usefixtures("small")
def test_a_photo_over_the_plan_cap_is_rejected_and_the_animal_stays(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex", listed=False)
    owner.post(f"animals/{id_}/photos", {"photos": [picture(RED)]}, content_type=MULTIPART)
    assert first_number(PHOTO_BYTES, account_id=owner.account_id) == 0
    page = owner.get(f"animals/{id_}").text
    assert "The Free plan includes 0 GB of photos. Remove photos" in page


def test_the_bytes_of_all_files_of_a_photo_are_counted(owner: Colleague) -> None:
    id_ = add_animal(owner, "Rex", listed=False)
    owner.post(f"animals/{id_}/photos", {"photos": [picture(RED), picture(BLUE)]}, content_type=MULTIPART)
    with reading() as session:
        sizes = session.scalars(select(Photo.bytes)).all()
    assert first_number(PHOTO_BYTES, account_id=owner.account_id) == sum(sizes) > 500  # type: ignore[arg-type]
    cap = 5 * GB
    take_photo_bytes(owner.project_id, cap - sum(sizes))  # type: ignore[arg-type]
    with pytest.raises(PlanLimit):
        take_photo_bytes(owner.project_id, cap)


@pytest.mark.usefixtures("small")
def test_imports_per_day_are_limited_by_plan(app: APIFlask, owner: Colleague, tmp_path: Path) -> None:
    for _ in range(2):
        assert upload(owner, FILE).status_code == 303
    refused = upload(owner, FILE)
    assert refused.status_code == 403
    assert "The Free plan includes 2 imports a day. Continue with a file" in refused.text
    assert re.search(
        r"You can import again in \d+ (seconds|minutes|hours)\. To add more", owner.get("usage").text
    )
    file = tmp_path / "animals.csv"
    file.write_text(FILE)
    command = app.test_cli_runner().invoke(args=["animals", "import", owner.slug, str(file)])
    assert command.exit_code == 1
    assert "2 imports a day" in command.stderr
    with time_machine.travel(datetime.now(UTC) + timedelta(days=1)):
        owner.client.delete_cookie("homeward")
        assert app.test_cli_runner().invoke(args=["animals", "import", owner.slug, str(file)]).exit_code == 0


def test_a_cap_of_one_is_in_the_singular(owner: Colleague, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLANS, "free", replace(PLANS["free"], caps=Caps(1, GB, 1)))
    assert PLANS["free"].caps.in_words == ["1 animal", "1 GB of photos", "1 import a day"]
    add_animal(owner, "Rex")
    assert "The Free plan includes 1 animal. " in owner.post("animals/new", NEW).text
    upload(owner, FILE)
    assert "The Free plan includes 1 import a day. " in upload(owner, FILE).text


def add_one_animal(owner: Colleague) -> object:
    return api_animal_creation.add_animal(owner.project_id, NewAnimal("Rex", 1, "available"))


def import_rows(owner: Colleague) -> object:
    return import_animals(owner.slug, io.BytesIO(FILE.encode()))


def upload_file(owner: Colleague) -> object:
    return upload_spreadsheet(owner.project_id, "a.csv", io.BytesIO(FILE.encode()), OPERATOR)


def begin_command(owner: Colleague) -> object:
    return begin_import(owner.slug, "a.csv", ImportOptions())


@pytest.mark.settings("scaled")  # SQLite has one writer at a time
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("act", [add_one_animal, import_rows, upload_file, begin_command])
def test_parallel_additions_count_for_the_plan_cap(
    app: APIFlask, owner: Colleague, act: Callable[[Colleague], object]
) -> None:
    def acting() -> object:
        with app.app_context():
            try:
                act(owner)
            except PlanLimit as refusal:
                return refusal
            return None

    with ThreadPoolExecutor() as pool:
        with transaction() as session:
            lock_account(session, owner.account_id)
            new = {"project_id": owner.project_id, "category_id": 1, "status": "available"}
            session.add_all(Animal(**new, name="Moss", **MADE) for _ in range(2))
            done = {"project_id": owner.project_id, "file_name": "b.csv", "file_key": "", "state": "done"}
            session.add_all(Import(**done, created_at=MADE["created_at"]) for _ in range(2))
            session.flush()
            work = pool.submit(acting)
            wait_until_blocked(work)
        refusal = work.result()
    assert count_animals() == 2
    assert imports_today(owner.account_id) == 2
    assert isinstance(refusal, PlanLimit) or act is import_rows


@pytest.mark.usefixtures("small")
def test_an_animal_that_no_longer_counts_is_restored_only_below_the_plan_cap(owner: Colleague) -> None:
    ids = [add_animal(owner, name) for name in ("Rex", "Moss")]
    assert owner.post(f"animals/removal?id={ids[0]}").status_code == 303
    restored = {"do": "restore"}
    assert owner.post(f"animals/{ids[0]}/changes", restored).status_code == 303, "it has counted all the time"
    assert owner.post(f"animals/removal?id={ids[0]}").status_code == 303
    with transaction() as session:
        long_ago = datetime.now(UTC) - REMOVED_COUNT_FOR - timedelta(minutes=1)
        session.execute(update(Animal).where(Animal.id == ids[0]).values(removed_at=long_ago))
    assert owner.post("animals/new", NEW).status_code == 303
    for headers in ({}, HTMX):
        refused = owner.post(f"animals/{ids[0]}/changes", restored, headers=headers)
        assert refused.status_code == 403
        assert FULL in refused.text
    owner.post(f"animals/removal?id={ids[1]}")
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == ids[1]).values(removed_at=long_ago))
    assert owner.post(f"animals/{ids[0]}/changes", restored).status_code == 303
    assert not stored_animal(ids[0]).removed_at


def test_a_process_reserves_a_part_of_the_remaining_cap_for_a_few_seconds(
    app: APIFlask, owner: Colleague, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    monkeypatch.setattr(
        animal_and_photo_limits, "count_account_animals", lambda account_id: counted.append(account_id) or 0
    )
    with transaction() as session:
        for _ in range(2_000 // remaining_limit_cache.CACHED_SHARE):
            animal_and_photo_limits.take_animals(session, owner.project_id)
        assert len(counted) == 1
        animal_and_photo_limits.take_animals(session, owner.project_id)
    assert len(counted) == 2
    assert animal_and_photo_limits.take_cached_animal(owner.project_id)
    monkeypatch.setattr(remaining_limit_cache, "CACHED_SECONDS", 0)
    with transaction() as session:
        animal_and_photo_limits.take_animals(session, owner.project_id, 200)
    assert not animal_and_photo_limits.take_cached_animal(owner.project_id)


def test_an_enterprise_account_has_caps_that_the_operator_sets(app: APIFlask, owner: Colleague) -> None:
    homeward = app.test_cli_runner()
    plan = ["account", "set-plan", owner.slug, "enterprise", "--per-minute", "100", "--per-day", "1000"]
    done = homeward.invoke(args=[*plan, "--animals", "2", "--photos-gb", "3", "--imports-a-day", "2"])
    assert "100 requests a minute, 1,000 a day, 2 animals, 3 GB of photos, 2 imports a day." in done.stderr
    _, key = create_key(owner.slug)
    assert [add(owner, key) for _ in range(3)] == [(201, ""), (201, ""), (403, "plan_limit")]
    page = owner.get("usage").text
    for used in ("2 of 2, used up", "0 MB of 3 GB", "0 of 2"):
        assert f'aria-valuetext="{used}"' in page
    assert "ask for a higher limit" in page
    assert "3 GB of photos" in page
    refused = owner.post("animals/new", NEW).text
    assert "The Enterprise plan includes 2 animals." in refused
    assert "ask the operator of this service for a higher limit" in refused
    with pytest.raises(PlanLimit, match="includes 3 GB of photos"):
        take_photo_bytes(owner.project_id, 3 * GB + 1)
    for _ in range(2):
        upload(owner, FILE)
    assert "The Enterprise plan includes 2 imports a day." in upload(owner, FILE).text
    homeward.invoke(args=[*plan, "--photos-gb", "3"])
    assert add(owner, key) == (201, "")
    page = owner.get("usage").text
    assert "Animals without a limit" in page
    assert "Imports without a limit" in page
