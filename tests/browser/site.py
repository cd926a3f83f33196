"""A running service for browsers to look at: the demo, and animals in every state that a page can show."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from flask_migrate import upgrade

from adoption.animals.actions import remove_animals
from adoption.animals.photos import add_photo
from adoption.database import db
from adoption.demo.loading import load
from adoption.demo.sitters import PICTURES
from adoption.settings import Settings
from tests import factories
from tests.servers import free_port
from tests.serving.conftest import Running
from wsgi import create_app

PLACES = (
    "catalogue",
    "catalogue-filtered",
    "catalogue-empty",
    "catalogue-mistaken",
    "animal",
    "animal-bonded",
    "animal-adopted",
    "animal-removed",
    "docs",
    "nowhere",
    "unknown-host",
    "site",
    "embed",
    "embed-empty",
    "shelters",
    "application-unknown",
)
"""Every page and state that has an address, by the name of its picture."""


@dataclass
class Site:
    """Where it runs, such as ``http://localhost:8000``, its folder, and its pages by what each shows."""

    root: str
    instance: Path
    places: dict[str, str] = field(default_factory=dict)

    @property
    def port(self) -> str:
        return self.root.rpartition(":")[2]


@contextmanager
def furnished(instance: Path) -> Iterator[Site]:
    """The service, on an instance of its own, for as long as the context lasts."""
    port = free_port()
    running = Running(instance, port, workers=1)
    places = furnish(running.environment, f"localhost:{port}")
    running.start()
    try:
        yield Site(f"http://localhost:{port}", instance, places)
    finally:
        running.stop()


def furnish(environment: dict[str, str], host: str) -> dict[str, str]:
    """Fill the instance; gives the addresses of its pages, those of other hosts with their host."""
    app = create_app(Settings.from_environment(environment))
    with app.app_context():
        upgrade()
        odd = animals()  # before the demo, whose animals the first page is to show
        load(today=datetime.now(UTC).date())
        places = {
            "catalogue": "/",
            "catalogue-filtered": "/?species=dog&sex=female&size=medium&children=yes",
            "catalogue-empty": "/?q=axolotl+in+a+top+hat",
            "catalogue-mistaken": "/?species=dragon",
            "docs": "/docs/",
            "nowhere": "/nowhere/at/all",
            "unknown-host": f"http://nobody.{host}/",
            "shelters": "/shelters",
            "application-unknown": "/applications/nothing",
            **odd,
        }
        slug = places.pop("slug")
        places |= {
            "site": f"http://{slug}.{host}/",
            "embed": f"/embed/{slug}",
            "embed-empty": f"/embed/{slug}?species=fish",
        }
        db.engine.dispose()
    return places


def animals() -> dict[str, str]:
    """One animal in each state, with the address of its page."""
    shelter = factories.project(
        "Larchfield Animal Shelter", place="Larchfield", about="We are *open* on Sundays."
    )
    pair = factories.bond(shelter)
    told = {"description": "Gentle, and **fond** of tea.\n\n- walks well\n- sleeps late", "sex": "female"}
    known = {"good_with_children": True, "good_with_cats": False, "size": "small", **told}
    ids = {
        "animal": factories.animal(shelter, "Zoë", **known),
        "animal-bonded": factories.animal(shelter, "Salt", bond_id=pair, **told),
        "animal-pending": factories.animal(shelter, "Juno", status="pending"),
        "animal-adopted": factories.animal(shelter, "Rufus", status="sold"),
        "animal-removed": factories.animal(shelter, "Old Tom"),
    }
    factories.animal(shelter, "Pepper", bond_id=pair)
    remove_animals(shelter.id, [ids["animal-removed"]])
    for file, alt in (
        ("juno", "Zoë stands in a meadow"),
        ("rio", "Zoë from near"),
        ("heath", "Zoë far away"),
    ):
        add_photo(shelter.id, ids["animal"], (PICTURES / f"{file}.webp").read_bytes(), alt)
    return {what: f"/animals/{number}" for what, number in ids.items()} | {"slug": shelter.slug}
