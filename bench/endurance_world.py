"""The instance, the accounts and the servers of ``bench.endurance``."""

import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask_migrate import upgrade

from adoption.accounts.account_creation import create_account
from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.plan_changes import set_plan
from adoption.accounts.plans import FREE, Quota
from adoption.projects.publication import publish_site
from adoption.settings import Settings
from adoption.storage.database import db
from bench.clients import Client, Target
from bench.fairness import edge
from bench.instances import HOMEWARD, UNLIMITED, Instance
from bench.measure import Server, free_port, serving
from bench.ordinary import PASSWORD, email, photo
from wsgi import create_app

ANIMALS = 100
"""The number of animals in the catalogue at the start."""
OF_QUOTA = {"free": FREE.quota, "small": Quota(100, 600)}


@dataclass(frozen=True)
class World:
    instance: Instance
    shelter: Client
    quota_keys: dict[str, str]


def prepare(folder: Path, **stores: str) -> World:
    """Return an instance with a shelter without a quota, and an account for each entry of ``OF_QUOTA``."""
    instance = Instance(folder / "instance", tuple(stores.items()))
    instance.folder.mkdir(parents=True)
    app = create_app(Settings.from_environment(instance.environment()))
    keys = {}
    with app.app_context():
        upgrade()
        _, shelter = create_account("Bench", email(0), password=PASSWORD)
        set_plan(shelter.slug, "enterprise", UNLIMITED, UNLIMITED)
        publish_site(shelter.slug)
        for name, quota in OF_QUOTA.items():
            _, project = create_account(name_of_account(name), "quota@example.org")
            if quota != FREE.quota:
                set_plan(project.slug, "enterprise", *quota)
            keys[name] = create_key(project.slug)[1]
        known = Client(Target(0), "127.0.1.1", key=create_key(shelter.slug)[1], slug=shelter.slug)
        db.engine.dispose()
    return World(instance, known, keys)


def name_of_account(quota: str) -> str:
    return f"Quota {quota}"


def add_animals(shelter: Client) -> None:
    for number in range(ANIMALS):
        animal = {"name": f"Animal {number}", "categoryId": 1 + number % 3}
        if (answer := shelter.api("POST", "/v1/pets", animal)).status != 201:
            sys.exit(f"An animal was not added: {answer}")


def page_with_photo(shelter: Client) -> tuple[str, list[str]]:
    """Upload a photo of the shelter's animal.

    Return the paths of the animal's page and of each photo file.
    """
    shelter.upload(shelter.staff(f"/animals/{shelter.animal}/photos"), "photos", [("a.jpg", photo())])
    location = shelter.ask("GET", f"/animals/{shelter.animal}").headers["Location"]
    path = re.sub(r"^https?://[^/]+", "", location)
    for _ in range(300):
        if found := re.findall(r"/media/[\w.-]+", shelter.ask("GET", path).body.decode()):
            return path, sorted(set(found))
        time.sleep(0.2)
    sys.exit("The photo was not processed.")


@contextmanager
def service(world: World, folder: Path, *, through_edge: bool) -> Iterator[tuple[Server, Target, Server]]:
    """Serve the instance with two workers. Yield the server, the target of requests, and the edge."""
    port = free_port()
    own = {"HOMEWARD_WORKERS": "2", "HOMEWARD_TRUSTED_PROXIES": "127.0.0.1/32"}
    command = ["/bin/sh", "-c", 'exec "$@" 2> "$0"', folder / "log", *HOMEWARD, "serve"]
    with ExitStack() as stack:
        server = stack.enter_context(serving(command, port, world.instance.environment(port) | own))
        front = stack.enter_context(edge(server, folder)) if through_edge else server
        yield server, Target(front.port, tls=through_edge), front
