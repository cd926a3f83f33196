"""Hidden data is never public: every public URL is searched for every hidden word.

Add a new public route to ``ADDRESSES``, or to ``FORMS`` if it accepts POST. A test in ``test_access_matrix``
fails until every route is here or in the access matrix. Hidden data contains unique words. Each begins with
``zq``.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.api_access.key_format import SCOPES
from adoption.animals.models import Animal, CareRecord
from adoption.animals.photo_models import Photo
from adoption.orders.models import Application, Order
from adoption.projects.models import SITE_TEXTS, Deploy, Project
from adoption.projects.publication import publish_site
from adoption.storage.database import transaction
from adoption.storage.media_store import the_media_store
from adoption.token_hashes import hash_token
from tests import factories
from tests.factories import remove_animals

pytestmark = pytest.mark.settings("embedded")

PUT_AWAY = ("unlisted", "held", "quarantined", "neverlistedgone", "removed", "ofclosed", "fishofclosed")
PUT_AWAY += ("ofnever", "fishofnever", "closed", "never", "care", "draft", "first", "second", "blur", "photo")
HIDDEN = re.compile(f"zq(?:{'|'.join(PUT_AWAY)})[a-z]*")
TEXTS = ("name", "breed_primary", "breed_secondary", "colours", "special_needs_note", "description", "code")
PRIVATE = ("microchip", "internal_notes", "surrenderer", "foster_address", "arrival_details")
FISH = 9
TOKEN = "a" * 39


def marked(kind: str, names: tuple[str, ...]) -> dict[str, str]:
    """Return a unique word for each field."""
    return {name: f"zq{kind}{name.replace('_', '')}" for name in names}


@dataclass
class World:
    """Shelters whose site is published, offline or never published.

    There is one public animal, and there are hidden animals.
    """

    open: Project
    shown: int
    keys: list[str]
    """API keys of the published project and of another account."""
    ids: dict[str, int] = field(default_factory=dict)
    """Ids of the hidden animals, by the reason for hiding."""
    photos: dict[str, str] = field(default_factory=dict)
    """Digests of the hidden animals' photos, by the reason for hiding."""


HOSTS = ("localhost", "open-house.localhost")
"""Hosts with public pages."""
OTHER_HOSTS = ("next-door.localhost", "zqclosed.localhost", "zqnever.localhost", "10.9.8.7")


@pytest.fixture
def world(app: APIFlask) -> World:
    house = factories.project("Open House", about="Come in.")
    door = factories.project("Next Door")
    factories.animal(door, "Neighbour")
    keys = [create_key(each.slug, scopes=SCOPES)[1] for each in (house, door)]
    made = World(house, factories.animal(house, "Visible", photos=1, breed_primary="Beagle"), keys)
    hide_animals(made)
    hide_projects(made)
    hide_facts_of_the_shown(made)
    return made


def hide(world: World, kind: str, of: Project, **rest: Any) -> None:
    known = {"listed": False, "special_needs": True, "fee_cents": 7_654_321, **marked(kind, TEXTS), **rest}
    animal_id = world.ids[kind] = factories.animal(of, **known)
    digest = world.photos[kind] = hashlib.sha256(kind.encode()).hexdigest()
    with transaction() as session:
        session.add(factories.photo(animal_id, 0, digest=digest, alt=f"zq{kind}alt", blur="data:,zqblur"))
        session.add(CareRecord(animal_id=animal_id, on_hold=kind == "held", **marked(kind, PRIVATE)))
    the_media_store().keep(
        {f"{digest}-{width}.{kind}": b"zqphoto" for width in (400, 800) for kind in ("webp", "avif")}
    )


def hide_animals(world: World) -> None:
    """Add a hidden animal for each reason to hide an animal.

    Each animal has the species of the public animal, or a species that no other animal has.
    """
    bond = factories.bond(world.open)
    hide(world, "unlisted", world.open, bond_id=bond)
    hide(world, "held", world.open, category_id=FISH)
    hide(world, "quarantined", world.open, status="pending")
    hide(world, "neverlistedgone", world.open)
    hide(world, "removed", world.open, listed=True)
    gone = [world.ids["neverlistedgone"], world.ids["removed"]]
    remove_animals(world.open.id, gone)
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == world.shown).values(bond_id=bond))


def hide_projects(world: World) -> None:
    for kind in ("closed", "never"):
        texts = marked(kind, ("about", "place", "contact_email", "contact_phone"))
        project = factories.project(f"Zq{kind}", published=kind == "closed", **texts)
        hide(world, f"of{kind}", project, listed=True)
        hide(world, f"fishof{kind}", project, listed=True, category_id=FISH)
    with transaction() as session:
        session.execute(update(Project).where(Project.slug == "zqclosed").values(live_deploy=None))


def hide_facts_of_the_shown(world: World) -> None:
    """Add private fields, unpublished texts and applicants."""
    kept = {
        name: f"zqdraft{name.replace('_', '')}" for name in SITE_TEXTS if name not in ("colour", "currency")
    }
    with transaction() as session:
        session.add(CareRecord(animal_id=world.shown, **marked("care", PRIVATE)))
        session.add(
            Deploy(project_id=world.open.id, number=2, succeeded=False, created_at=factories.NOW, **kept)
        )
        session.execute(update(Project).where(Project.id == world.open.id).values(**kept))
        for who in ("first", "second"):
            given = marked(who, ("name", "email", "phone", "why"))
            applied = Application(
                project_id=world.open.id,
                animal_id=world.shown,
                home="own",
                token_hash=hash_token(TOKEN + who[0]),
                submission=who,
                held_for=f"zq{who}heldfor",
                created_at=factories.NOW,
                **given,
            )
            session.add(applied)
            session.flush()
            orders = {"project_id": world.open.id, "animal_id": world.shown, "application_id": applied.id}
            session.add(Order(**orders, status="placed", created_at=factories.NOW, updated_at=factories.NOW))


Asks = list[str]


def catalogue(world: World) -> Asks:
    words = ["", *(f"q={word}" for word in searched(world)), "q=zqunlistednam", "q=fish", "q=beagle"]
    filters = ["species=fish", "species=dog", "status=sold", "status=pending", "sort=waiting", "age=baby"]
    filters += ["sex=female", "size=small", "children=yes&untested=yes", "shown=240", "shelter=open-house"]
    filters += ["shelter=zqclosed", "shelter=zqnever", f"after={max(world.ids.values()) + 9}"]
    return [f"?{query}" for query in words + filters]


def searched(world: World) -> Iterator[str]:
    """Return the words to search for: the name of each hidden animal, and a word of each hidden field."""
    yield from (f"zq{kind}name" for kind in world.ids)
    yield from (*marked("unlisted", TEXTS).values(), *marked("care", PRIVATE).values())
    yield from marked("first", ("name", "email", "why")).values()


def animals(world: World) -> Asks:
    ids = [world.shown, *world.ids.values()]
    return [f"/animals/{id_}{end}" for id_ in ids for end in ("", "-visible", "-x?photo=2", "?photo=1")]


def posters(world: World) -> Asks:
    return [
        f"/animals/{id_}{end}/poster"
        for id_ in (world.shown, *world.ids.values())
        for end in ("", "-visible")
    ]


def applying(world: World) -> Asks:
    return [f"/animals/{id_}/applications" for id_ in (world.shown, *world.ids.values())]


def photos(world: World) -> Asks:
    files = [f"{digest}-{width}" for digest in world.photos.values() for width in (400, 800, 1200)]
    return [f"/media/{file}.{kind}" for file in files for kind in ("webp", "avif")]


def grids(world: World) -> Asks:
    slugs = ("open-house", "next-door", "zqclosed", "zqnever")
    return [
        f"/embed/{slug}{end}" for slug in slugs for end in ("", "?limit=48", "?species=fish", "?species=dog")
    ]


PETFINDER: dict[str, Callable[[World], Asks]] = {
    "list_animals": lambda world: [
        *(f"animals?limit=100&status={status}" for status in ("adoptable", "adopted", "found")),
        *(f"animals?name={word}&status=adoptable" for word in searched(world)),
        "animals?sort=random&type=scales-fins-other",
    ],
    "get_animal": lambda world: [f"animals/{id_}" for id_ in (world.shown, *world.ids.values())],
    "list_types": lambda _: ["types"],
    "get_type": lambda _: ["types/dog"],
    "list_breeds": lambda _: ["types/dog/breeds", "types/scales-fins-other/breeds"],
    "list_organizations": lambda _: [
        "organizations",
        "organizations?sort=-name",
        "organizations?query=zqclosed",
    ],
    "get_organization": lambda _: [f"organizations/hw{id_}" for id_ in range(8)],
}
"""For each view of the Petfinder API, its paths."""

ADDRESSES = {
    "static": lambda _: ["/static/css/site.css"],
    "docs.show": lambda _: ["/docs/"],
    "docs.add_slash": lambda _: ["/docs"],
    "docs.changelog": lambda _: ["/docs/changelog"],
    "docs.changelog_feed": lambda _: ["/docs/changelog.atom"],
    "v1.specification": lambda _: ["/v1/openapi.json"],
    "v1.list_categories": lambda _: ["/v1/categories"],
    "v1.list_pets": lambda _: [
        f"/v1/pets?limit=100{status}" for status in ("", "&status=available", "&status=pending")
    ],
    "v1.get_pet": lambda world: [f"/v1/pets/{id_}" for id_ in (world.shown, *world.ids.values())],
    "v1.list_changes": lambda _: ["/v1/changes?limit=100", "/v1/changes?limit=100&include=animal"],
    "v1.list_shelters": lambda _: ["/v1/directory/shelters", "/v1/directory/shelters?sort=name"],
    "v1.get_shelter": lambda _: [f"/v1/directory/shelters/{id_}" for id_ in range(8)],
    "v1.list_animals": lambda world: [
        "/v1/animals?limit=100&include=description,html,shelter",
        *(f"/v1/animals?q={word}&include=description,html,shelter" for word in searched(world)),
    ],
    "v1.get_animal": lambda world: [
        f"/v1/animals/{id_}?include=html,shelter" for id_ in (world.shown, *world.ids.values())
    ],
    "v1.list_directory_animals": lambda world: [
        "/v1/directory/animals?limit=100&include=description,html,shelter",
        *(f"/v1/directory/animals?q={word}" for word in searched(world)),
        "/v1/directory/animals?shelter=zqclosed,zqnever,open-house",
    ],
    "v1.get_directory_animal": lambda world: [
        f"/v1/directory/animals/{id_}?include=html,shelter" for id_ in (world.shown, *world.ids.values())
    ],
    "v1.list_orders": lambda _: ["/v1/store/orders?limit=100"],
    "portal.catalogue": lambda world: [f"/{query}" for query in catalogue(world)],
    "portal.animal": animals,
    "portal.poster": posters,
    "portal.apply": applying,
    "portal.application": lambda _: ["/applications/" + "b" * 40, "/applications/x"],
    "portal.open_emailed_link": lambda _: [f"/applications/{'b' * 40}/{'c' * 24}"],
    "portal.withdraw": lambda _: [f"/applications/{'b' * 40}/withdrawal"],
    "portal.media": photos,
    "portal.embed": grids,
    "portal.embed_script": lambda _: ["/embed.js"],
    "portal.feed": lambda world: [f"/feed.atom{query}" for query in catalogue(world)],
    "portal.sitemap": lambda _: ["/sitemap.xml"],
    "portal.sitemap_part": lambda world: ["/sitemap-0.xml", *(f"/sitemap-{n}.xml" for n in range(1, 30))],
    "portal.robots": lambda _: ["/robots.txt"],
    "portal.how_adoption_works": lambda _: ["/how-adoption-works"],
    "portal.help": lambda _: ["/help"],
    "portal.privacy": lambda _: ["/privacy"],
    "portal.accessibility": lambda _: ["/accessibility"],
    "portal.favicon": lambda _: ["/favicon.ico"],
    "portal.touch_icon": lambda _: ["/apple-touch-icon.png"],
    "portal.manifest": lambda _: ["/site.webmanifest"],
    "portal.shelters": lambda _: [
        "/shelters",
        "/shelters?q=zqclosed",
        "/shelters?q=zqnever",
        "/shelters?page=2",
    ],
    "portal.challenge": lambda _: ["/.well-known/acme-challenge/" + "b" * 40],
    "portal.colours": lambda _: ["/colours/1f5f8b.css"],
    "portal.tokens": lambda _: ["/themes/dark.css"],
    "portal.health": lambda _: ["/healthz"],
    "portal.readiness": lambda _: ["/readyz"],
}
"""For each route, the URLs of public and of hidden things."""

FORMS = {
    "portal.apply": applying,
    "portal.application": lambda _: [f"/applications/{'b' * 40}"],
    "portal.open_emailed_link": lambda _: [f"/applications/{'b' * 40}/{'c' * 24}"],
    "portal.withdraw": lambda _: [f"/applications/{'b' * 40}/withdrawal"],
    "v1.create_pet": lambda _: ["/v1/pets"],
}
"""For each route, its forms."""

WAYS: list[dict[str, str]] = [
    {"HX-Request": "true", "HX-Target": "results"},
    {"HX-Request": "true", "HX-Target": "animal-grid"},
]
"""Fragments of pages that htmx requests."""


def told(answer: TestResponse, asked: str) -> set[str]:
    """Return the hidden words in a response.

    Words of the request are left out, because responses may repeat them.
    """
    text = f"{answer.headers}\n{answer.get_data().decode(errors='replace')}".lower()
    question = set(HIDDEN.findall(unquote(asked).lower()))
    return {word for word in HIDDEN.findall(text) if word not in question}


def leaks(answer: TestResponse, asked: str, world: World) -> list[str]:
    assert answer.status_code < 500, asked
    found = [f"{asked} tells {word}" for word in sorted(told(answer, asked))]
    text = answer.get_data().decode(errors="replace")
    found += [
        f"{asked} names the photo of {kind}"
        for kind, digest in world.photos.items()
        if digest in text.replace(asked, "")
    ]
    return found + [f"{asked} tells the fee" for _ in range("76,543" in text or "76543" in text)]


ADDRESSES |= {
    f"{name}.{view}": (lambda world, paths=paths, base=base: [f"{base}/{path}" for path in paths(world)])
    for name, base in (("petfinder", "/petfinder/v2"), ("petfinder_v2", "/v2"))
    for view, paths in PETFINDER.items()
}
FORMS |= {
    "petfinder.create_token": lambda _: ["/petfinder/v2/oauth2/token"],
    "petfinder_v2.create_token": lambda _: ["/v2/oauth2/token"],
}


def credentials(world: World) -> list[dict[str, str]]:
    """Return headers without a key, and with each key."""
    return [{}, *({"Authorization": f"Bearer {key}"} for key in world.keys)]


def ask(client: FlaskClient, method: str, paths: Asks, ways: list[dict[str, str]], world: World) -> list[str]:
    """Request each path on each host with each header. Return the hidden words that were shown."""
    found = []
    asked = [(host, path) for host in HOSTS for path in paths]
    asked += [(host, path) for host in OTHER_HOSTS for path in paths[:3]]
    for host, path in asked:
        for way in ways:
            form = {"name": "Sam"} if method == "POST" else None
            answer = client.open(path, method=method, data=form, headers={"Host": host, **way})
            found += leaks(answer, f"{host}{path}", world)
    return found


@pytest.mark.parametrize("endpoint", sorted(ADDRESSES))
def test_no_page_shows_hidden_data(endpoint: str, client: FlaskClient, world: World) -> None:
    ways = credentials(world) if endpoint.startswith(("v1.", "petfinder")) else [{}]
    assert ask(client, "GET", ADDRESSES[endpoint](world), ways, world) == []


def test_no_fragment_shows_hidden_data(client: FlaskClient, world: World) -> None:
    paths = ["/", "/?species=fish", "/?shown=48", "/?q=zqunlistednam", *animals(world)[:12:2]]
    assert ask(client, "GET", paths, WAYS, world) == []


@pytest.mark.parametrize("endpoint", sorted(FORMS))
def test_no_form_response_shows_hidden_data(endpoint: str, client: FlaskClient, world: World) -> None:
    ways = [*credentials(world), {"HX-Request": "true", "HX-Target": "apply"}]
    assert ask(client, "POST", FORMS[endpoint](world), ways, world) == []


def test_a_hidden_animal_and_its_photo_are_404(client: FlaskClient, world: World) -> None:
    for host in HOSTS:
        for kind, animal_id in world.ids.items():
            expected = 410 if kind == "removed" else 404
            for path in (f"/animals/{animal_id}", f"/animals/{animal_id}/applications"):
                assert client.get(path, headers={"Host": host}).status_code == expected, kind
            for key in world.keys:
                own = {"Host": host, "Authorization": f"Bearer {key}"}
                assert client.get(f"/v1/pets/{animal_id}", headers=own).status_code == 404
        for path in photos(world):
            assert client.get(path, headers={"Host": host}).status_code == 404


def test_search_counts_and_corrections_ignore_hidden_animals(client: FlaskClient, world: World) -> None:
    """Counts and corrected typos would reveal hidden animals."""
    words = [*searched(world), "zqheldnam", "zqunlistednmae", "zqofclosednames"]
    for query in [*(f"q={quote(word)}" for word in words), "species=fish", "status=pending", "status=sold"]:
        for host in HOSTS:
            page = client.get(f"/?{query}", headers={"Host": host}).text
            assert re.search(r'class="result-count"[^>]*>\s*No [a-z ]+ match', page), query
            assert "animal-card-name" not in page.partition('id="similar"')[0]
            assert "near-searches" not in page
    everything = client.get("/").text
    assert re.search(r'class="result-count"[^>]*>\s*2 animals', everything)


def test_an_applicants_private_page_shows_no_other_applicant(client: FlaskClient, world: World) -> None:
    path = f"/applications/{TOKEN}f"
    page = client.get(path)
    assert page.status_code == 200
    assert {word for word in HIDDEN.findall(page.text) if not word.startswith("zqfirst")} <= {"zqdraftname"}
    assert "zqfirstheldfor" not in page.text
    for host in HOSTS[1:]:
        moved = client.get(path, headers={"Host": host})
        assert urlsplit(moved.location).path == path
        assert not HIDDEN.findall(moved.text)
    elsewhere = client.get(path, headers={"Host": "next-door.localhost"})
    assert not HIDDEN.findall(elsewhere.text)


def test_the_sweep_finds_public_data(client: FlaskClient, world: World) -> None:
    """If the sweep did not find public data, it would not find hidden data either."""
    part = re.findall(r"/sitemap-[0-9]+\.xml", client.get("/sitemap.xml").text)[-1]
    seen = ["/", f"/animals/{world.shown}-visible", "/feed.atom", part, "/embed/open-house"]
    for path in seen:
        assert "isible" in client.get(path).text
    own = {"Authorization": f"Bearer {world.keys[0]}"}
    assert "Visible" in client.get("/v1/pets", headers=own).text
    with transaction() as session:
        session.execute(update(Animal).where(Animal.id == world.ids["unlisted"]).values(listed=True))
        session.execute(
            update(Project).where(Project.slug == "open-house").values(contact_email="a@example.org")
        )
        digest = session.scalar(select(Photo.digest).where(Photo.animal_id == world.ids["unlisted"]))
    publish_site("open-house")
    page = client.get("/")
    assert {"zqunlistedname", "zqunlistedalt", "zqunlistedbreedprimary", "zqdraftname"} <= told(page, "/")
    assert client.get(f"/media/{digest}-800.webp").data == b"zqphoto"
