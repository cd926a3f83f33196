"""Photos of animals and their files."""

import shutil
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.animals.photo_variants import photo_file_names
from adoption.animals.photo_visibility import is_photo_public
from adoption.animals.photos import ALT_LONGEST, PHOTOS_MOST, add_photo, remove_photo, reorder_photos
from adoption.errors import Conflict, FileRefused, Invalid, NotFound, Refusal, Unavailable
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import MediaStore, the_media_store
from tests import factories
from tests.factories import remove_animals
from tests.photographs import RED, encoded, photo, scene
from tests.servers import free_port

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def numbered_photo(number: int) -> bytes:
    """Return a photo that is different for each number."""
    picture = scene()
    picture.putpixel((0, 0), (number, 255 - number, 7))
    return encoded(picture, "PNG")


@pytest.fixture
def project(app: APIFlask) -> Project:
    return factories.project()


@pytest.fixture
def animal(project: Project) -> int:
    return factories.animal(project)


@pytest.fixture
def folder(app: APIFlask) -> Path:
    """The folder of the media store, empty."""
    kept = Path(app.config["HOMEWARD"].media_url)
    for inside in kept.iterdir():
        shutil.rmtree(inside) if inside.is_dir() else inside.unlink()
    return kept


def photos_of(animal_id: int) -> Sequence[Photo]:
    with reading() as session:
        of_it = select(Photo).where(Photo.animal_id == animal_id).order_by(Photo.position)
        return session.scalars(of_it).all()


def add_photos(project: Project, animal_id: int, *numbers: int) -> list[int]:
    return [add_photo(project.id, animal_id, numbered_photo(number)).id for number in numbers]


def test_photos_are_in_upload_order(project: Project, animal: int, folder: Path) -> None:
    ids = add_photos(project, animal, 1, 2, 3)
    assert [(each.id, each.position) for each in photos_of(animal)] == list(zip(ids, range(3), strict=True))


def test_a_photo_is_stored_with_files_size_and_alt_text(project: Project, animal: int, folder: Path) -> None:
    added = add_photo(project.id, animal, photo(held=6), "  Biscuit\non the  lawn ", now=NOW)
    [kept] = photos_of(animal)
    assert (kept.id, kept.digest, kept.alt) == (added.id, added.digest, "Biscuit on the lawn")
    assert (kept.width, kept.height, kept.created_at) == (288, 216, NOW)
    assert kept.blur.startswith("data:image/webp;base64,")
    assert sorted(file.name for file in folder.iterdir()) == sorted(photo_file_names(kept.digest, 288))
    with reading() as session:
        assert session.get_one(Animal, animal).updated_at == NOW


def test_a_duplicate_photo_is_stored_once(project: Project, animal: int, folder: Path) -> None:
    first = add_photo(project.id, animal, numbered_photo(1), "Biscuit")
    again = add_photo(project.id, animal, numbered_photo(1), "Something else")
    assert (again.id, again.alt) == (first.id, "Biscuit")
    assert len(photos_of(animal)) == 1


def test_parallel_uploads_leave_no_gap_and_no_duplicate(
    app: APIFlask, project: Project, animal: int, folder: Path
) -> None:
    def upload(number: int) -> None:
        with app.app_context():
            add_photos(project, animal, number)

    threads = [threading.Thread(target=upload, args=(number,)) for number in (1, 2, 3, 4, 1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = photos_of(animal)
    assert [each.position for each in kept] == [0, 1, 2, 3]
    assert len({each.digest for each in kept}) == 4


def test_a_photo_added_while_its_twin_is_removed_keeps_its_files(
    app: APIFlask, project: Project, animal: int, folder: Path
) -> None:
    """Two animals have the same photo, so they share its files."""
    missing: list[str] = []

    def come_and_go(animal_id: int) -> None:
        with app.app_context():
            for _ in range(8):
                added = add_photo(project.id, animal_id, numbered_photo(1))
                missing.extend(
                    name for name in photo_file_names(added.digest, 288) if not (folder / name).exists()
                )
                remove_photo(project.id, animal_id, added.id)

    threads = [
        threading.Thread(target=come_and_go, args=(each,))
        for each in (animal, factories.animal(project), factories.animal(project))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing == []
    assert list(folder.iterdir()) == []


def test_a_removed_photo_leaves_no_gap_and_no_file(project: Project, animal: int, folder: Path) -> None:
    first, second, third = add_photos(project, animal, 1, 2, 3)
    digest = photos_of(animal)[1].digest
    remove_photo(project.id, animal, second)
    assert [(each.id, each.position) for each in photos_of(animal)] == [(first, 0), (third, 1)]
    assert not any(file.name.startswith(digest) for file in folder.iterdir())
    remove_photo(project.id, animal, first)
    assert [(each.id, each.position) for each in photos_of(animal)] == [(third, 0)]
    remove_photo(project.id, animal, third)
    assert list(folder.iterdir()) == []


def test_files_stay_while_another_animal_has_the_photo(project: Project, animal: int, folder: Path) -> None:
    [mine] = add_photos(project, animal, 1)
    twin = factories.animal(project, "Bramble")
    [theirs] = add_photos(project, twin, 1)
    assert len(list(folder.iterdir())) == 3
    remove_photo(project.id, animal, mine)
    assert len(list(folder.iterdir())) == 3
    remove_photo(project.id, twin, theirs)
    assert list(folder.iterdir()) == []


def test_lost_files_are_stored_again_with_the_photo(project: Project, animal: int, folder: Path) -> None:
    add_photos(project, animal, 1)
    [digest] = {each.digest for each in photos_of(animal)}
    for file in folder.iterdir():
        file.unlink()
    add_photos(project, factories.animal(project, "Bramble"), 1)
    assert sorted(file.name for file in folder.iterdir()) == sorted(photo_file_names(digest, 288))


def test_staff_reorder_photos(project: Project, animal: int, folder: Path) -> None:
    first, second, third = add_photos(project, animal, 1, 2, 3)
    reorder_photos(project.id, animal, [third, first, second])
    assert [each.id for each in photos_of(animal)] == [third, first, second]
    assert [each.position for each in photos_of(animal)] == [0, 1, 2]


def test_an_order_with_missing_or_unknown_photos_is_rejected(
    project: Project, animal: int, folder: Path
) -> None:
    first, second = add_photos(project, animal, 1, 2)
    [other] = add_photos(project, factories.animal(project, "Bramble"), 3)
    for order in ([first], [first, first], [first, second, other], [first, other], [], [first, 10**30]):
        with pytest.raises(Conflict, match="Reload the page"):
            reorder_photos(project.id, animal, order)
    assert [each.id for each in photos_of(animal)] == [first, second]


def test_the_number_of_photos_per_animal_is_limited(project: Project, animal: int, folder: Path) -> None:
    with transaction() as session:
        session.add_all(factories.photo(animal, position) for position in range(PHOTOS_MOST))
    with pytest.raises(Conflict, match=f"at most {PHOTOS_MOST} photos. Remove a photo"):
        add_photos(project, animal, 1)
    assert len(photos_of(animal)) == PHOTOS_MOST
    assert list(folder.iterdir()) == []


def test_photos_of_another_project_are_not_found(project: Project, animal: int, folder: Path) -> None:
    [kept] = add_photos(project, animal, 1)
    neighbour = factories.project("Harbour Cats")
    own = factories.animal(neighbour)
    before = len(list(folder.iterdir()))
    for project_id, animal_id in ((neighbour.id, animal), (neighbour.id, 10**30), (10**30, animal), (-1, 0)):
        with pytest.raises(NotFound):
            add_photo(project_id, animal_id, numbered_photo(2))
        with pytest.raises(NotFound):
            remove_photo(project_id, animal_id, kept)
        with pytest.raises(NotFound):
            reorder_photos(project_id, animal_id, [kept])
    with pytest.raises(NotFound):
        remove_photo(neighbour.id, own, kept)
    with pytest.raises(NotFound):
        remove_photo(project.id, animal, 10**30)
    assert [each.id for each in photos_of(animal)] == [kept]
    assert len(list(folder.iterdir())) == before


def test_a_removed_animal_gets_no_photo(project: Project, animal: int, folder: Path) -> None:
    remove_animals(project.id, [animal])
    with pytest.raises(NotFound):
        add_photos(project, animal, 1)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "alt", "kind"),
    [
        (b"<?php", "", FileRefused),
        (encoded(scene(), "PNG")[:200], "", FileRefused),
        (encoded(scene(), "PNG"), "x" * (ALT_LONGEST + 1), Invalid),
        (encoded(scene(), "PNG"), "a\0b", Invalid),
        (encoded(scene(), "PNG"), "a\ud800b", Invalid),
    ],
)
def test_a_rejected_photo_leaves_no_row_and_no_file(
    project: Project, animal: int, folder: Path, data: bytes, alt: str, kind: type[Refusal]
) -> None:
    with pytest.raises(kind):
        add_photo(project.id, animal, data, alt)
    assert photos_of(animal) == []
    assert list(folder.iterdir()) == []


def test_an_unavailable_media_store_leaves_no_photo_without_files(
    app: APIFlask, project: Project, animal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "nobody")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    the_media_store()
    monkeypatch.setitem(app.extensions, "homeward.photos", MediaStore("s3://photos"))
    with pytest.raises(Unavailable, match="photos cannot be reached"):
        add_photos(project, animal, 1)
    assert photos_of(animal) == []


def test_photos_of_hidden_animals_are_not_public(project: Project, animal: int, folder: Path) -> None:
    digest = add_photo(project.id, animal, numbered_photo(1)).digest
    neighbour = factories.project("Harbour Cats", published=False)
    assert is_photo_public(digest)
    assert is_photo_public(digest, project.id)
    assert not is_photo_public(digest, neighbour.id)
    hidden = add_photo(project.id, factories.animal(project, "Held", listed=False), numbered_photo(2)).digest
    unpublished = add_photo(neighbour.id, factories.animal(neighbour), numbered_photo(3)).digest
    assert not is_photo_public(hidden)
    assert not is_photo_public(unpublished, neighbour.id)
    remove_animals(project.id, [animal])
    assert not is_photo_public(digest)


def test_photos_that_differ_in_one_pixel_are_both_stored(project: Project, animal: int, folder: Path) -> None:
    red, other = scene(), scene()
    other.putpixel((287, 215), RED)
    digests = {add_photo(project.id, animal, encoded(each, "PNG")).digest for each in (red, other)}
    assert len(digests) == 2
