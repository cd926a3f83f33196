"""The photos of an animal, and their files, as the actions leave them."""

import shutil
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from adoption.animals.image_processing import photo_file_names
from adoption.animals.models import Animal, Photo
from adoption.animals.photos import (
    ALT_LONGEST,
    PHOTOS_MOST,
    add_photo,
    is_shown,
    remove_photo,
    reorder_photos,
)
from adoption.errors import Conflict, FileRefused, Invalid, NotFound, Refusal, Unavailable
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import PhotoStore, the_store
from tests import factories
from tests.factories import remove_animals
from tests.photographs import RED, encoded, photo, scene
from tests.servers import free_port

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def shot(number: int) -> bytes:
    """A photo that differs from those of other numbers."""
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
    """The store's folder, with nothing in it."""
    kept = Path(app.config["HOMEWARD"].media_url)
    for inside in kept.iterdir():
        shutil.rmtree(inside) if inside.is_dir() else inside.unlink()
    return kept


def photos_of(animal_id: int) -> Sequence[Photo]:
    with reading() as session:
        of_it = select(Photo).where(Photo.animal_id == animal_id).order_by(Photo.position)
        return session.scalars(of_it).all()


def add(project: Project, animal_id: int, *numbers: int) -> list[int]:
    return [add_photo(project.id, animal_id, shot(number)).id for number in numbers]


def test_photos_stand_in_the_order_in_which_they_came(project: Project, animal: int, folder: Path) -> None:
    ids = add(project, animal, 1, 2, 3)
    assert [(each.id, each.position) for each in photos_of(animal)] == list(zip(ids, range(3), strict=True))


def test_a_photo_is_kept_with_its_files_its_size_and_its_text(
    project: Project, animal: int, folder: Path
) -> None:
    added = add_photo(project.id, animal, photo(held=6), "  Biscuit\non the  lawn ", now=NOW)
    [kept] = photos_of(animal)
    assert (kept.id, kept.digest, kept.alt) == (added.id, added.digest, "Biscuit on the lawn")
    assert (kept.width, kept.height, kept.created_at) == (288, 216, NOW)
    assert kept.blur.startswith("data:image/webp;base64,")
    assert sorted(file.name for file in folder.iterdir()) == sorted(photo_file_names(kept.digest, 288))
    with reading() as session:
        assert session.get_one(Animal, animal).updated_at == NOW


def test_the_same_picture_again_is_the_same_photo(project: Project, animal: int, folder: Path) -> None:
    first = add_photo(project.id, animal, shot(1), "Biscuit")
    again = add_photo(project.id, animal, shot(1), "Something else")
    assert (again.id, again.alt) == (first.id, "Biscuit")
    assert len(photos_of(animal)) == 1


def test_several_at_once_leave_no_gap_and_no_double(
    app: APIFlask, project: Project, animal: int, folder: Path
) -> None:
    def upload(number: int) -> None:
        with app.app_context():
            add(project, animal, number)

    threads = [threading.Thread(target=upload, args=(number,)) for number in (1, 2, 3, 4, 1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = photos_of(animal)
    assert [each.position for each in kept] == [0, 1, 2, 3]
    assert len({each.digest for each in kept}) == 4


def test_one_who_adds_keeps_the_files_that_another_removes(
    app: APIFlask, project: Project, animal: int, folder: Path
) -> None:
    """Both have the same picture, and so the same files."""
    missing: list[str] = []

    def come_and_go(animal_id: int) -> None:
        with app.app_context():
            for _ in range(8):
                added = add_photo(project.id, animal_id, shot(1))
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


def test_what_is_removed_leaves_no_gap_and_no_file(project: Project, animal: int, folder: Path) -> None:
    first, second, third = add(project, animal, 1, 2, 3)
    digest = photos_of(animal)[1].digest
    remove_photo(project.id, animal, second)
    assert [(each.id, each.position) for each in photos_of(animal)] == [(first, 0), (third, 1)]
    assert not any(file.name.startswith(digest) for file in folder.iterdir())
    remove_photo(project.id, animal, first)
    assert [(each.id, each.position) for each in photos_of(animal)] == [(third, 0)]
    remove_photo(project.id, animal, third)
    assert list(folder.iterdir()) == []


def test_files_stay_while_any_animal_has_the_picture(project: Project, animal: int, folder: Path) -> None:
    [mine] = add(project, animal, 1)
    twin = factories.animal(project, "Bramble")
    [theirs] = add(project, twin, 1)
    assert len(list(folder.iterdir())) == 3
    remove_photo(project.id, animal, mine)
    assert len(list(folder.iterdir())) == 3
    remove_photo(project.id, twin, theirs)
    assert list(folder.iterdir()) == []


def test_files_that_were_lost_come_back_with_the_picture(project: Project, animal: int, folder: Path) -> None:
    add(project, animal, 1)
    [digest] = {each.digest for each in photos_of(animal)}
    for file in folder.iterdir():
        file.unlink()
    add(project, factories.animal(project, "Bramble"), 1)
    assert sorted(file.name for file in folder.iterdir()) == sorted(photo_file_names(digest, 288))


def test_the_staff_put_photos_in_order(project: Project, animal: int, folder: Path) -> None:
    first, second, third = add(project, animal, 1, 2, 3)
    reorder_photos(project.id, animal, [third, first, second])
    assert [each.id for each in photos_of(animal)] == [third, first, second]
    assert [each.position for each in photos_of(animal)] == [0, 1, 2]


def test_an_order_of_other_photos_than_there_are_is_refused(
    project: Project, animal: int, folder: Path
) -> None:
    first, second = add(project, animal, 1, 2)
    [other] = add(project, factories.animal(project, "Bramble"), 3)
    for order in ([first], [first, first], [first, second, other], [first, other], [], [first, 10**30]):
        with pytest.raises(Conflict, match="Reload the page"):
            reorder_photos(project.id, animal, order)
    assert [each.id for each in photos_of(animal)] == [first, second]


def test_an_animal_has_a_bounded_number_of_photos(project: Project, animal: int, folder: Path) -> None:
    with transaction() as session:
        session.add_all(factories.photo(animal, position) for position in range(PHOTOS_MOST))
    with pytest.raises(Conflict, match=f"{PHOTOS_MOST} photos at most. Remove one"):
        add(project, animal, 1)
    assert len(photos_of(animal)) == PHOTOS_MOST
    assert list(folder.iterdir()) == []


def test_nobody_reaches_the_photos_of_another_project(project: Project, animal: int, folder: Path) -> None:
    [kept] = add(project, animal, 1)
    neighbour = factories.project("Harbour Cats")
    own = factories.animal(neighbour)
    before = len(list(folder.iterdir()))
    for project_id, animal_id in ((neighbour.id, animal), (neighbour.id, 10**30), (10**30, animal), (-1, 0)):
        with pytest.raises(NotFound):
            add_photo(project_id, animal_id, shot(2))
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


def test_a_removed_animal_is_given_no_photo(project: Project, animal: int, folder: Path) -> None:
    remove_animals(project.id, [animal])
    with pytest.raises(NotFound):
        add(project, animal, 1)
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
def test_what_is_refused_leaves_nothing_behind(
    project: Project, animal: int, folder: Path, data: bytes, alt: str, kind: type[Refusal]
) -> None:
    with pytest.raises(kind):
        add_photo(project.id, animal, data, alt)
    assert photos_of(animal) == []
    assert list(folder.iterdir()) == []


def test_a_store_that_is_down_leaves_no_photo_without_its_files(
    app: APIFlask, project: Project, animal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "nobody")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    the_store()
    monkeypatch.setitem(app.extensions, "homeward.photos", PhotoStore("s3://photos"))
    with pytest.raises(Unavailable, match="photos cannot be reached"):
        add(project, animal, 1)
    assert photos_of(animal) == []


def test_the_public_sees_the_pictures_of_shown_animals_alone(
    project: Project, animal: int, folder: Path
) -> None:
    digest = add_photo(project.id, animal, shot(1)).digest
    neighbour = factories.project("Harbour Cats", published=False)
    assert is_shown(digest)
    assert is_shown(digest, project.id)
    assert not is_shown(digest, neighbour.id)
    hidden = add_photo(project.id, factories.animal(project, "Held", listed=False), shot(2)).digest
    unpublished = add_photo(neighbour.id, factories.animal(neighbour), shot(3)).digest
    assert not is_shown(hidden)
    assert not is_shown(unpublished, neighbour.id)
    remove_animals(project.id, [animal])
    assert not is_shown(digest)


def test_pictures_that_differ_in_one_pixel_are_two(project: Project, animal: int, folder: Path) -> None:
    red, other = scene(), scene()
    other.putpixel((287, 215), RED)
    digests = {add_photo(project.id, animal, encoded(each, "PNG")).digest for each in (red, other)}
    assert len(digests) == 2
