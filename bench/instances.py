"""Instances of the service with generated animals. Each has its own folder."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.measure import HOST, Server, clean_environment, free_port, serving

HOMEWARD = (sys.executable, "-c", "import wsgi; wsgi.command_line()")
LIST = "/v1/pets?status=available"
UNLIMITED = 2**31 - 1


@dataclass(frozen=True)
class Instance:
    folder: Path
    stores: tuple[tuple[str, str], ...] = ()
    """The settings of a database and a quota store, if they differ from the embedded stores."""

    def environment(self, port: int = 8000) -> dict[str, str]:
        own = {"HOMEWARD_INSTANCE": str(self.folder), "HOMEWARD_WORKERS": "1", "PORT": str(port)}
        # Without this setting, a new development instance would create demo data.
        settings = {"HOMEWARD_ENVIRONMENT": "staging", "HOMEWARD_PLATFORM_HOST": HOST}
        return clean_environment(**settings, **own, **dict(self.stores))

    def homeward(self, *words: str) -> str:
        """Return the output of a command."""
        ran = subprocess.run([*HOMEWARD, *words], env=self.environment(), capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"homeward {' '.join(words)} failed:\n{ran.stderr}")
        return ran.stdout.strip()

    def account(self, name: str) -> str:
        """Create an account on the free plan. Return its project."""
        printed = self.homeward("account", "create", name, "--owner", "bench@example.org", "--json")
        return str(json.loads(printed)["project"])

    def load(self, animals: int, projects: int = 1) -> list[str]:
        """Create generated animals. Return their projects."""
        sizes = ("--animals", str(animals), "--projects", str(projects))
        return list(json.loads(self.homeward("demo", "load", *sizes, "--json"))["projects"])

    def unlimit(self, project: str) -> None:
        """Give a project a quota that no benchmark can use up."""
        most = str(UNLIMITED)
        self.homeward("account", "set-plan", project, "enterprise", "--per-minute", most, "--per-day", most)

    def key(self, project: str) -> dict[str, str]:
        """Return the Authorization header of a new key."""
        return bearer(self.homeward("key", "create", project))

    @contextmanager
    def serve(self, **settings: str) -> Iterator[Server]:
        port = free_port()
        with serving([*HOMEWARD, "serve"], port, self.environment(port) | settings) as server:
            yield server


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def new_instance(folder: Path, **stores: str) -> Instance:
    """Return an instance with an empty, migrated database."""
    folder.mkdir(parents=True)
    instance = Instance(folder, tuple(stores.items()))
    instance.homeward("db", "upgrade")
    return instance


def filled_instance(folder: Path, animals: int = 10_000, **stores: str) -> tuple[Instance, dict[str, str]]:
    """Return an instance with one project of animals, and the header with a key that has no quota."""
    instance = new_instance(folder, **stores)
    (project,) = instance.load(animals)
    instance.unlimit(project)
    return instance, instance.key(project)
