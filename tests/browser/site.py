"""A running service for browser tests: the demo, and animals in every state that a page can show."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import select

from adoption.accounts.api_access.api_keys import create_key, create_publishable_key
from adoption.accounts.models import Passkey, UsageDay, User
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.animals.photos import add_photo
from adoption.audit.actors import OPERATOR
from adoption.draft_previews import make_link
from adoption.orders.models import Application
from adoption.orders.private_link_tokens import emailed_link
from adoption.projects.models import Project
from adoption.settings import Settings
from adoption.storage.database import db, transaction
from demo.loader import load_demo
from demo.photographed_animals import PICTURES
from tests import factories
from tests.applying import apply
from tests.browser.connected import EARLY_ZONE, TARGET, add_connected_shelters
from tests.browser.imported import add_imports
from tests.dns_server import Zone, serving
from tests.factories import remove_animals
from tests.servers import free_port
from tests.serving.conftest import Running
from wsgi import create_app

PLACES = (
    "catalogue",
    "catalogue-filtered",
    "catalogue-empty",
    "catalogue-mistaken",
    "animal",
    "animal-poster",
    "animal-bonded",
    "animal-adopted",
    "animal-removed",
    "docs",
    "api-changelog",
    "nowhere",
    "unknown-host",
    "site",
    "embed",
    "embed-empty",
    "shelters",
    "how-adoption-works",
    "help",
    "privacy",
    "accessibility",
    "application-unknown",
    "application-confirmation",
    "sign-in",
    "sign-up",
    "mailbox",
    "password-forgotten",
    "link-over",
    "preview-site",
    "preview-animal",
)
"""Every page and state that has an address, by the name of its screenshot."""

STAFF_PLACES = (
    "general",
    "deploys",
    "new-site",
    "adoption-form",
    "keys",
    "usage",
    "audit",
    "your-account",
    "your-passkeys",
    "identity",
    "team",
    "staff-animals",
    "staff-animals-none",
    "staff-animals-removed",
    "staff-animal-new",
    "staff-animal-edit",
    "staff-animal-removal",
    "staff-animal-removed",
    "staff-imports",
    "staff-export",
)
"""Every staff page and state that has an address, for a browser signed in as ``OWNER``."""

Seed = Callable[[Flask, str], dict[str, str]]

SHELTER = "Larchfield Animal Shelter"
OWNER, PASSWORD = "owner@larchfield.example", "a quiet cat in the sun"


@dataclass
class Site:
    """The address of the service, such as ``http://localhost:8000``, its folder, and its pages by name."""

    root: str
    instance: Path
    places: dict[str, str] = field(default_factory=dict)
    zone: Zone = field(default_factory=Zone)
    """The records of the DNS server that the service queries."""

    @property
    def port(self) -> str:
        return self.root.rpartition(":")[2]


@contextmanager
def run_site(instance: Path, seed: Seed | None = None) -> Iterator[Site]:
    """Run the service on its own instance until the context ends.

    ``seed`` adds more data. It returns the addresses of more pages.
    """
    port, zone = free_port(), Zone()
    with serving(zone) as server:
        environ = {
            "HOMEWARD_DNS_SERVERS": f"127.0.0.1:{server.port}",
            "HOMEWARD_CNAME_TARGET": TARGET,
            # No server listens on this port, so the state of certificates never changes.
            "HOMEWARD_ACME_DIRECTORY": "http://127.0.0.1:9/",
            "HOMEWARD_ACME_DNS_HOOK": "true",
            "HOMEWARD_ACME_DNS_ZONE": EARLY_ZONE,
            "HOMEWARD_INTERNAL_LISTEN": f"127.0.0.1:{free_port()}",
            "HOMEWARD_EDGE": "127.0.0.1:9",
        }
        running = Running(instance, port, workers=1, environ=environ)
        places = fill_instance(running.environment, f"localhost:{port}", seed)
        running.start()
        try:
            yield Site(f"http://localhost:{port}", instance, places, zone)
        finally:
            running.stop()


def fill_instance(environment: dict[str, str], host: str, seed: Seed | None = None) -> dict[str, str]:
    """Fill the instance.

    Return the addresses of its pages. An address of another host includes the host.
    """
    app = create_app(Settings.from_environment(environment))
    with app.app_context():
        upgrade()
        odd = add_animals()  # before the demo, so that the demo's animals are on the first page
        load_demo(today=datetime.now(UTC).date())
        places = {
            "catalogue": "/",
            "catalogue-filtered": "/?species=dog&sex=female&size=medium&children=yes",
            "catalogue-empty": "/?q=axolotl+in+a+top+hat",
            "catalogue-mistaken": "/?species=dragon",
            "docs": "/docs/",
            "api-changelog": "/docs/changelog",
            "nowhere": "/nowhere/at/all",
            "unknown-host": f"http://nobody.{host}/",
            "shelters": "/shelters",
            "how-adoption-works": "/how-adoption-works",
            "help": "/help",
            "privacy": "/privacy",
            "accessibility": "/accessibility",
            "application-unknown": "/applications/nothing",
            "application-confirmation": add_application(app, host),
            "sign-in": "/sign-in",
            "sign-up": "/sign-up",
            "mailbox": "/mailbox",
            "password-forgotten": "/password/forgotten",
            "link-over": "/sign-up/nothing",
            "your-account": "/account",
            "your-passkeys": "/account/passkeys",
            "identity": "/account/identity",
            **add_connected_shelters(PASSWORD),
            **add_imports(PASSWORD),
            **odd,
        }
        slug = places.pop("slug")
        places |= {
            "site": f"http://{slug}.{host}/",
            "embed": f"/embed/{slug}",
            "embed-empty": f"/embed/{slug}?species=fish",
        }
        places |= {name: f"/projects/{slug}/{path}" for name, path in staff_paths(odd).items()}
        if seed:
            places |= seed(app, host)
        db.engine.dispose()
    return places


def add_application(app: Flask, host: str) -> str:
    """Apply for an animal of the demo. Return the path of the link in the email."""
    with transaction() as session:
        others = select(Animal.id).join(Project).where(SHOWN_CLAUSE, Project.name != SHELTER)
        animal_id = session.scalars(others.where(Animal.status == "available").limit(1)).one()
    apply(app.test_client(), animal_id, site=f"http://{host}")
    with transaction() as session:
        newest = select(Application).order_by(Application.id.desc()).limit(1)
        return urlsplit(emailed_link(session.scalars(newest).one())).path


def staff_paths(odd: dict[str, str]) -> dict[str, str]:
    """Return the paths of ``STAFF_PLACES`` in the project. ``odd`` contains the paths of public pages."""
    return {
        "team": "members",
        "general": "settings",
        "deploys": "settings/deploys",
        "new-site": "sites/new?name=Larchfield+Cats",
        "adoption-form": "adoption-form",
        "keys": "keys",
        "usage": "usage",
        "audit": "audit",
        "staff-animals": "animals",
        "staff-animals-none": "animals?q=axolotl",
        "staff-animals-removed": "animals?show=removed",
        "staff-animal-new": "animals/new",
        "staff-animal-edit": odd["animal"].removeprefix("/"),
        "staff-animal-removal": f"animals/removal?id={odd['animal'].rpartition('/')[2]}",
        "staff-animal-removed": odd["animal-removed"].removeprefix("/"),
        "staff-imports": "imports",
        "staff-export": "export",
    }


def add_key_and_usage(shelter: Project) -> None:
    """Add a key, and a month of usage in which each day differs in the chart."""
    create_key(shelter.slug, "Kennel software", ["pets:read"])
    create_publishable_key(shelter.slug, "Our website", ["https://*.larchfield.example"], from_programs=True)
    today = datetime.now(UTC).date()
    counts = [(300 + 90 * (number % 7), 40 * (number == 9), 3 * (number % 5)) for number in range(1, 30)]
    with transaction() as session:
        for number, (requests, refusals, errors) in enumerate(counts, 1):
            day = today - timedelta(days=number)
            rest = {"requests": requests, "refusals": refusals, "errors": errors}
            session.add(UsageDay(account_id=shelter.account_id, day=day, **rest))


def add_passkeys() -> None:
    """Give the owner two passkeys, one with a long name."""
    names = ("My phone", "The security key in the top drawer of the desk in the office of the shelter")
    rest = {"public_key": b"", "created_at": factories.NOW}
    with transaction() as session:
        owner_id = session.scalars(select(User.id).where(User.email == OWNER)).one()
        session.add_all(
            Passkey(user_id=owner_id, credential_id=name.encode(), name=name, **rest) for name in names
        )


def add_animals() -> dict[str, str]:
    """Add an animal in each state. Return the addresses of their pages."""
    shelter = factories.project(
        SHELTER,
        owner=OWNER,
        password=PASSWORD,
        place="Larchfield",
        about="We are *open* on Sundays.",
    )
    add_key_and_usage(shelter)
    add_passkeys()
    pair = factories.bond(shelter)
    texts = {"description": "Gentle, and **fond** of tea.\n\n- walks well\n- sleeps late", "sex": "female"}
    known = {"good_with_children": True, "good_with_cats": False, "size": "small", **texts}
    ids = {
        "animal": factories.animal(shelter, "Zoë", **known),
        "animal-bonded": factories.animal(shelter, "Salt", bond_id=pair, **texts),
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
    links = {"preview-site": None, "preview-animal": ids["animal"]}
    previews = {what: f"/preview/{make_link(shelter, which, OPERATOR)}" for what, which in links.items()}
    pages = {what: f"/animals/{number}" for what, number in ids.items()}
    pages["animal-poster"] = f"{pages['animal']}/poster"
    return pages | previews | {"slug": shelter.slug}
