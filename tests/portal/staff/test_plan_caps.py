"""What a plan includes of animals, photos and imports: no more is added, and what exists stays."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from apiflask import APIFlask
from sqlalchemy import func, select

from adoption.accounts.actions import set_plan
from adoption.accounts.keyring import create_key
from adoption.accounts.plans import GB, PLANS, Caps
from adoption.animals.models import Animal, Photo
from adoption.animals.plan_caps import PHOTO_BYTES, REMOVED_COUNT_FOR, first_number, take_photo_bytes
from adoption.database import reading
from adoption.errors import PlanLimit
from tests.cast import Colleague
from tests.photographs import BLUE, RED
from tests.portal.staff.test_animal_photos import MULTIPART, picture
from tests.portal.staff.test_imports import upload
from tests.staffing import NEW, animal

pytestmark = pytest.mark.settings("embedded")

FULL = "The Free plan includes 2 animals."
FILE = "name,species\nAsh,Dog\nBriar,Cat\nClover,Dog\n"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the free plan include 2 animals, 1 byte of photos and 2 imports a day."""
    monkeypatch.setitem(PLANS, "free", replace(PLANS["free"], caps=Caps(2, 1, 2)))


def number_of_animals() -> int:
    with reading() as session:
        return session.scalar(select(func.count()).select_from(Animal)) or 0


def add(owner: Colleague, key: str, once: str = "") -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {key}"} | ({"Idempotency-Key": once} if once else {})
    answer = owner.client.post("/v1/pets", json={"name": "Rex", "categoryId": 1}, headers=headers)
    return answer.status_code, answer.json.get("code", "")  # type: ignore[union-attr]


def test_the_plans_include_what_their_page_says(owner: Colleague) -> None:
    assert [PLANS[name].caps for name in ("free", "pro", "business", "enterprise")] == [
        Caps(2_000, 5 * GB, 20),
        Caps(20_000, 50 * GB, 100),
        Caps(200_000, 500 * GB, 1_000),
        Caps(None, None, None),
    ]
    animal(owner, "Rex")
    page = owner.get("usage").text
    for text in ("2,000 animals", "500 GB of photos", "100 imports a day", "without a limit"):
        assert text in page
    for used in ("1 of 2,000", "0 MB of 5 GB", "0 of 20"):
        assert f'aria-valuetext="{used}"' in page


@pytest.mark.usefixtures("small")
def test_no_animal_is_added_beyond_the_plan_until_it_changes(owner: Colleague) -> None:
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
    assert 'aria-valuetext="2 of 2, used up"' in owner.get("usage").text
    assert number_of_animals() == 2
    set_plan(owner.slug, "pro")
    assert add(owner, key) == (201, "")
    set_plan(owner.slug, "free")
    assert owner.client.get("/v1/pets", headers={"Authorization": f"Bearer {key}"}).status_code == 200
    assert number_of_animals() == 3, "what exists stays"


@pytest.mark.usefixtures("small")
def test_a_removed_animal_counts_for_30_more_days(owner: Colleague) -> None:
    ids = [animal(owner, name) for name in ("Rex", "Moss")]
    _, key = create_key(owner.slug)
    assert add(owner, key) == (403, "plan_limit")
    assert owner.post(f"animals/removal?id={ids[0]}").status_code == 303
    assert add(owner, key) == (403, "plan_limit")
    with time_machine.travel(datetime.now(UTC) + REMOVED_COUNT_FOR + timedelta(minutes=1)):
        assert add(owner, key) == (201, "")


@pytest.mark.usefixtures("small")
def test_an_import_adds_as_many_as_fit_and_rejects_the_other_rows(
    app: APIFlask, owner: Colleague, tmp_path: Path
) -> None:
    file = tmp_path / "animals.csv"
    file.write_text(FILE)
    runner = app.test_cli_runner()
    for options, created in ((["--dry-run"], 2), ([], 2), ([], 0)):
        result = runner.invoke(args=["animals", "import", owner.slug, str(file), "--json", *options])
        told = json.loads(result.stdout)
        assert (told["created"], number_of_animals()) == (created, 2 if not options else 0)
        [rejected] = told["refused"]
        assert rejected["row"] == 4
        assert FULL in rejected["reason"]


@pytest.mark.usefixtures("small")
def test_a_photo_beyond_the_plan_is_refused_and_the_animal_stays(owner: Colleague) -> None:
    id_ = animal(owner, "Rex", listed=False)
    owner.post(f"animals/{id_}/photos", {"photos": [picture(RED)]}, content_type=MULTIPART)
    assert first_number(PHOTO_BYTES, account_id=owner.account_id) == 0
    page = owner.get(f"animals/{id_}").text
    assert "The Free plan includes 0 GB of photos. Remove photos" in page


def test_the_bytes_of_all_files_of_a_photo_are_counted(owner: Colleague) -> None:
    id_ = animal(owner, "Rex", listed=False)
    owner.post(f"animals/{id_}/photos", {"photos": [picture(RED), picture(BLUE)]}, content_type=MULTIPART)
    with reading() as session:
        sizes = session.scalars(select(Photo.bytes)).all()
    assert first_number(PHOTO_BYTES, account_id=owner.account_id) == sum(sizes) > 500  # type: ignore[arg-type]
    cap = 5 * GB
    take_photo_bytes(owner.project_id, cap - sum(sizes))  # type: ignore[arg-type]
    with pytest.raises(PlanLimit):
        take_photo_bytes(owner.project_id, cap)


@pytest.mark.usefixtures("small")
def test_an_account_has_so_many_imports_a_day(app: APIFlask, owner: Colleague, tmp_path: Path) -> None:
    for _ in range(2):
        assert upload(owner, FILE).status_code == 303
    refused = upload(owner, FILE)
    assert refused.status_code == 403
    assert "The Free plan includes 2 imports a day. Continue with a file" in refused.text
    file = tmp_path / "animals.csv"
    file.write_text(FILE)
    command = app.test_cli_runner().invoke(args=["animals", "import", owner.slug, str(file)])
    assert command.exit_code == 1
    assert "2 imports a day" in command.stderr
    with time_machine.travel(datetime.now(UTC) + timedelta(days=1)):
        owner.client.delete_cookie("homeward")
        assert app.test_cli_runner().invoke(args=["animals", "import", owner.slug, str(file)]).exit_code == 0
