"""Photo files, and the HTML of photos on pages."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update

from adoption import jobs
from adoption.animals import image_decoding, social_media_images
from adoption.animals.models import Animal
from adoption.animals.photo_addresses import public_photo_files
from adoption.animals.photo_models import Photo
from adoption.animals.photo_variants import photo_file_names
from adoption.animals.photos import add_photo, remove_photo
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import MediaStore, the_media_store
from tests import factories
from tests.factories import remove_animals
from tests.photographs import RED, colours_match, corners, encoded, open_image, photo, scene

pytestmark = pytest.mark.settings("embedded")

YEAR = "public, max-age=31536000, immutable"
SIXTEEN_HUNDRED = encoded(scene(1600, 1200), "JPEG")


@pytest.fixture
def project(app: APIFlask) -> Project:
    return factories.project()


@pytest.fixture
def animal(project: Project) -> int:
    return factories.animal(project, "Juno", breed_primary="German shepherd")


@pytest.fixture
def shown(project: Project, animal: int) -> Photo:
    return add_photo(project.id, animal, photo(held=6), 'Juno "the nose" <b>')


class Pictures(HTMLParser):
    """The photos of a page, each with its sources, image and placeholder."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sources: list[dict[str, str | None]] = []
        self.images: list[dict[str, str | None]] = []
        self.blurs: list[dict[str, str | None]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "picture":
            self.inside = True
        elif tag == "source":
            self.sources.append(given)
        elif tag == "img" and given.get("class") == "photo-blur":
            self.blurs.append(given)
        elif tag == "img" and self.inside:
            self.images.append(given)

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "picture"


def address(photo: Photo, width: int = 288, kind: str = "webp") -> str:
    return f"/media/{photo.digest}-{width}.{kind}"


def files_of(photo: Photo) -> list[str]:
    return [each.name for each in the_media_store().files() if each.name.startswith(photo.digest)]


@pytest.mark.parametrize("kind", ["avif", "webp"])
def test_a_photo_has_its_media_type_and_is_cached_forever(
    client: FlaskClient, shown: Photo, kind: str
) -> None:
    answer = client.get(address(shown, kind=kind))
    assert answer.status_code == 200
    assert answer.mimetype == f"image/{kind}"
    assert answer.headers["Cache-Control"] == YEAR
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers
    assert colours_match(corners(open_image(answer.data))[:1], [RED])


def test_an_unchanged_photo_is_304(client: FlaskClient, shown: Photo) -> None:
    tag = client.get(address(shown)).headers["ETag"]
    for has in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(address(shown), headers={"If-None-Match": has})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["Cache-Control"] == YEAR
    assert client.get(address(shown), headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_head_request_for_a_photo_has_no_body(client: FlaskClient, shown: Photo) -> None:
    answer = client.head(address(shown))
    assert (answer.status_code, answer.data) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "name",
    [
        "{digest}-400.jpeg",
        "{digest}-288.jpg",
        "{digest}-400.webp",  # The width is larger than the width of the photo.
        "{digest}-288.png",
        "{digest}-288.webp.avif",
        "{digest}-0288.webp",
        "{digest}-0.webp",
        "{digest}-٩٦.webp",
        "{digest}-99999999999999999999.webp",
        "{digest}-288",
        "{digest}",
        "..%2f{digest}-288.webp",
        "%00{digest}-288.webp",
        "{digest}-288.webp%0a",
        "{other}-288.webp",
        "%ff%fe",
    ],
)
def test_other_photo_names_are_404(client: FlaskClient, shown: Photo, name: str) -> None:
    other = "0" * 64
    answer = client.get("/media/" + name.format(digest=shown.digest, other=other))
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert "immutable" not in answer.headers.get("Cache-Control", "")


def test_a_missing_photo_is_cached_for_a_minute(client: FlaskClient) -> None:
    assert client.get(f"/media/{'0' * 64}-400.webp").headers["Cache-Control"] == "public, max-age=60"


def test_photos_of_hidden_animals_are_404(
    client: FlaskClient, project: Project, animal: int, shown: Photo
) -> None:
    assert client.get(address(shown)).status_code == 200
    for hidden, back in (({"listed": False}, {"listed": True}), ({"published": False}, {"published": True})):
        for values, status in ((hidden, 404), (back, 200)):
            with transaction() as session:
                session.execute(update(Animal).where(Animal.id == animal).values(**values))
            assert client.get(address(shown)).status_code == status
    tag = client.get(address(shown)).headers["ETag"]
    remove_animals(project.id, [animal])
    assert client.get(address(shown)).status_code == 404
    assert client.get(address(shown), headers={"If-None-Match": tag}).status_code == 404


def test_a_removed_photo_is_404(client: FlaskClient, project: Project, animal: int, shown: Photo) -> None:
    remove_photo(project.id, animal, shown.id)
    assert client.get(address(shown)).status_code == 404


def test_a_lost_photo_file_is_404_and_logged(client: FlaskClient, app: APIFlask, shown: Photo) -> None:
    for file in Path(app.config["HOMEWARD"].media_url).glob(f"{shown.digest}*"):
        file.unlink()
    assert client.get(address(shown)).status_code == 404


def test_a_site_serves_only_its_own_photos(
    client: FlaskClient, app: APIFlask, project: Project, shown: Photo
) -> None:
    neighbour = factories.project("Harbour Cats")
    host = app.config["HOMEWARD"].platform_host
    for slug, status in ((project.slug, 200), (neighbour.slug, 404)):
        assert client.get(address(shown), base_url=f"http://{slug}.{host}").status_code == status


def test_a_card_shows_the_photo_in_every_width_and_kind(
    client: FlaskClient, project: Project, animal: int
) -> None:
    kept = add_photo(project.id, animal, SIXTEEN_HUNDRED)
    page = Pictures(client.get("/").text)
    assert [source["type"] for source in page.sources] == ["image/avif", "image/webp"]
    for source, kind in zip(page.sources, ("avif", "webp"), strict=True):
        files = [f"{address(kept, width, kind)} {width}w" for width in (400, 800, 1600)]
        assert source["srcset"] == ", ".join(files)
        assert source["sizes"]
        for file in files:
            assert client.get(file.split()[0]).mimetype == f"image/{kind}"
    [image] = page.images
    assert image["src"] == address(kept, 800)
    assert (image["width"], image["height"]) == ("1600", "1200")
    assert (image["alt"] or "").startswith("Photo of Juno, ")
    assert (image["loading"], image["fetchpriority"]) == ("eager", "high")
    [blur] = page.blurs
    assert blur["src"] == kept.blur
    assert (blur["alt"], blur["aria-hidden"]) == ("", "true")


def test_the_alt_text_of_a_photo_is_the_shelters(client: FlaskClient, shown: Photo) -> None:
    page = client.get("/").text
    [image] = Pictures(page).images
    assert image["alt"] == 'Juno "the nose" <b>'
    assert "<b>" not in page
    assert "No photo of Juno" not in page


def test_photos_below_the_fold_load_lazily(client: FlaskClient, project: Project) -> None:
    for number in range(6):
        animal_id = factories.animal(project, f"Juno {number}")
        with transaction() as session:
            session.add(factories.photo(animal_id, 0))
    images = Pictures(client.get("/").text).images
    assert [image["loading"] for image in images] == ["eager"] * 4 + ["lazy"] * 2
    assert [image.get("fetchpriority") for image in images] == ["high"] * 4 + [None] * 2


def test_the_cover_is_the_first_photo(
    client: FlaskClient, project: Project, animal: int, shown: Photo
) -> None:
    add_photo(project.id, animal, SIXTEEN_HUNDRED)
    assert len(re.findall(r'<img src="/media/', client.get("/").text)) == 1
    assert shown.digest in client.get("/").text


def test_an_animals_page_shows_all_its_photos(
    client: FlaskClient, project: Project, animal: int, shown: Photo
) -> None:
    second = add_photo(project.id, animal, SIXTEEN_HUNDRED)
    page = client.get(f"/animals/{animal}-juno", follow_redirects=True).text
    assert {shown.digest, second.digest} == set(re.findall(r"/media/([0-9a-f]{64})-", page))
    assert 'style="' not in page


def test_a_worker_that_shows_no_photo_loads_no_photo_libraries(root: Path, tmp_path: Path) -> None:
    program = (
        "import sys, wsgi\n"
        "app = wsgi.create_app()\n"
        "from flask_migrate import upgrade\n"
        "with app.app_context(): upgrade()\n"
        "assert app.test_client().get('/').status_code == 200\n"
        "print(sorted({'PIL', 'pillow_heif', 'obstore'} & set(sys.modules)))\n"
    )
    environ = {**os.environ, "HOMEWARD_INSTANCE": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=root, env=environ, capture_output=True, text=True
    )
    assert ran.stdout == "[]\n", ran.stderr


def test_the_sharing_image_of_an_old_photo_is_made_by_a_job(
    app: APIFlask, client: FlaskClient, shown: Photo, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/media/{shown.digest}-share.jpeg"
    made = client.get(address).data
    the_media_store().drop([f"{shown.digest}-share.jpeg"])
    started: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(social_media_images, "start_job", started.append)
        patch.setattr(image_decoding, "pillow", lambda: pytest.fail("a request has decoded a picture"))
        for _ in range(2):
            meanwhile = client.get(address)
            assert meanwhile.status_code == 302
            assert meanwhile.headers["Cache-Control"] == "public, max-age=60"
            assert client.get(meanwhile.headers["Location"]).mimetype == "image/webp"
    assert started == ["make_shared_photos"]
    jobs.make_shared_photos()
    now = client.get(address)
    assert (now.status_code, now.mimetype) == (200, "image/jpeg")
    assert open_image(now.data).size == open_image(made).size
    the_media_store().drop([f"{shown.digest}-share.jpeg"])
    assert client.get(address).status_code == 302, "it can be made again"


def test_an_old_photo_without_files_does_not_block_the_queue(
    app: APIFlask, client: FlaskClient, shown: Photo
) -> None:
    the_media_store().drop(photo_file_names(shown.digest, shown.width))
    assert client.get(f"/media/{shown.digest}-share.jpeg", follow_redirects=True).status_code == 404
    jobs.make_shared_photos()
    with reading() as session:
        assert session.scalars(select(Photo.wants_shared)).all() == [False]


@pytest.mark.parametrize(
    ("size", "widths", "jpeg"),
    [((1600, 1200), [400, 800, 1600], 800), ((450, 600), [400], 400), ((288, 216), [288], 288)],
)
def test_a_photo_has_public_files_in_each_width_and_a_jpeg(
    app: APIFlask,
    client: FlaskClient,
    project: Project,
    animal: int,
    size: tuple[int, int],
    widths: list[int],
    jpeg: int,
) -> None:
    kept = add_photo(project.id, animal, photo(picture=scene(*size, held=6), held=6))
    files = public_photo_files(kept.digest, kept.width)
    assert [(each.format, each.width) for each in files] == [
        *(("avif", each) for each in widths),
        *(("webp", each) for each in widths),
        ("jpeg", jpeg),
    ]
    name = files[-1].url.rpartition("/")[2]
    assert not the_media_store().has(name), "the JPEG is made when it is first requested"
    for url, width, kind in files * 2:
        assert url.startswith(app.config["HOMEWARD"].platform_url + "media/")
        answer = client.get(url)
        assert (answer.status_code, answer.mimetype) == (200, f"image/{kind}")
        assert answer.headers["Cache-Control"] == YEAR
        picture = open_image(answer.data)
        assert (picture.format, picture.width) == (kind.upper(), width)
        assert colours_match(corners(picture)[:1], [RED]), "the photo is upright"
        assert not picture.getexif()
    assert the_media_store().has(name)
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == animal).values(listed=False))
    assert {client.get(each.url).status_code for each in files} == {404}
    remove_photo(project.id, animal, kept.id)
    assert files_of(kept) == []


def test_no_jpeg_is_made_of_a_hidden_animals_photo(client: FlaskClient, project: Project) -> None:
    hidden = factories.animal(project, "Hush", listed=False)
    kept = add_photo(project.id, hidden, SIXTEEN_HUNDRED)
    assert client.get(address(kept, 800, "jpeg")).status_code == 404
    assert not the_media_store().has(f"{kept.digest}-800.jpeg")


def test_a_damaged_photo_has_no_jpeg(
    client: FlaskClient, project: Project, animal: int, shown: Photo
) -> None:
    the_media_store().keep({f"{shown.digest}-288.webp": b"RIFF"})
    assert client.get(address(shown, 288, "jpeg")).status_code == 404
    remove_photo(project.id, animal, shown.id)  # other tests share the store


def test_a_photo_removed_while_its_jpeg_is_made_leaves_no_file(
    app: APIFlask,
    client: FlaskClient,
    project: Project,
    animal: int,
    shown: Photo,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class SlowStore(MediaStore):
        """A store that is so slow that the photo is removed before a file is written."""

        def keep(self, files: Mapping[str, bytes]) -> None:
            remove_photo(project.id, animal, shown.id)
            super().keep(files)

    monkeypatch.setitem(app.extensions, "homeward.photos", SlowStore(app.config["HOMEWARD"].media_url))
    assert client.get(address(shown, 288, "jpeg")).status_code == 200
    assert files_of(shown) == []
